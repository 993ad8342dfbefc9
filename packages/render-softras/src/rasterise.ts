import type { F32, Kernel, U32, Vec3 } from '@gradsim/core';
import { abs, exp, f32, kernel, mat33, on, perWorld, select, u32, vec2, vec3, vec4, when } from '@gradsim/core';
import type { PixelPlace } from '@gradsim/render';
import { deviceX, deviceY, placeOf, TILE } from '@gradsim/render';
import { colorAdjoint, depthAdjoint, silhouetteAdjoint } from './adjoint.ts';
import { backgroundAdjoint } from './background.ts';
import { colorAt, colorShares, colorType } from './color.ts';
import { coverageOf } from './coverage.ts';
import type { Drawing, RasterSettings } from './options.ts';
import { distanceCutoff, softmaxScale } from './options.ts';
import type { RasterShape } from './scene.ts';
import { barycentricOf, depthOf, edgesFrom, mayCount, nearestOf } from './triangle.ts';
import { overFaces } from './walk.ts';

/**
 * The soft rasteriser, a kernel over `pixels`. Source: SoftRas (Liu et al. 2019), as PHYSICS.md fixes it.
 *
 * The running maximum of the softmax is kept as the least depth so far (`softmax.x`; `softmax.y` is the sum of
 * weights relative to it): weights relative to that neither overflow nor lose their digits to the large part that
 * normalised depths have in common.
 */
export function rasterise(shape: RasterShape, settings: RasterSettings, drawing: Drawing = 'color'): Kernel {
  switch (drawing) {
    case 'color':
      return drawColor(shape, settings);
    case 'silhouette':
      return drawSilhouette(shape, settings);
    case 'depth':
      return drawDepth(shape, settings);
  }
}

const MASKS = {
  rowMask: on('rowWords', u32),
  columnMask: on('columnWords', u32),
  groupMask: on('tileGroups', u32),
} as const;

/** The value where the pixel is one of the picture, 0 in the padding. */
function inPicture({ layout }: RasterShape, { column, row }: PixelPlace, value: F32): F32 {
  const { width, height, tilesX, tilesY } = layout;
  if (width === tilesX * TILE && height === tilesY * TILE) return value;
  return select(column.lt(width).and(row.lt(height)), value, f32(0));
}

function drawSilhouette(shape: RasterShape, settings: RasterSettings): Kernel {
  const { layout, faces } = shape;
  const cutoff = distanceCutoff(settings.sigma);
  return kernel(
    'softSilhouette',
    {
      domain: 'pixels',
      reads: { screen: on('viewFaces', mat33), ...MASKS },
      writes: { alpha: f32 },
      adjoint: () => [silhouetteAdjoint(shape, settings)],
    },
    ({ screen, ...masks }, { element }) => {
      const place = placeOf(layout, element);
      const pixel = vec2(deviceX(layout, place.column), deviceY(layout, place.row));
      const { open } = overFaces(shape, masks, place, { open: f32(1) }, (face, sums) => {
        const edges = edgesFrom(screen.at(place.camera.mul(faces).add(face)), pixel);
        return when(
          mayCount(edges, cutoff),
          () => {
            const { inside } = barycentricOf(edges);
            const { distance2 } = nearestOf(edges);
            const rest = coverageOf(distance2, inside, settings.sigma).open;
            return { open: sums.open.mul(select(inside.or(distance2.lt(cutoff)), rest, f32(1))) };
          },
          () => sums,
        );
      });
      return { alpha: inPicture(shape, place, f32(1).sub(open)) };
    },
  );
}

/** The softmax so far: least depth, sum of weights relative to it. */
interface Softmax {
  readonly front: F32;
  readonly sum: F32;
}

/**
 * Takes a face into the softmax: gives the new one, the factor for sums so far, and the face's weight. A face
 * outside of near and far covers, but weighs nothing.
 */
function weigh(settings: RasterSettings, { front, sum }: Softmax, z: F32, covered: F32) {
  const { near, far } = settings;
  const shows = z.ge(near).and(z.le(far));
  const step = select(shows, z.sub(front), f32(0));
  const less = exp(abs(step).mul(-softmaxScale(settings).perDepth));
  const nearer = step.lt(0);
  const keep = select(nearer, less, f32(1));
  const weight = select(shows, covered.mul(select(nearer, f32(1), less)), f32(0));
  const softmax: Softmax = { front: front.add(select(nearer, step, f32(0))), sum: sum.mul(keep).add(weight) };
  return { shows, keep, weight, softmax };
}

function drawColor(shape: RasterShape, settings: RasterSettings): Kernel {
  const { layout, faces } = shape;
  const cutoff = distanceCutoff(settings.sigma);
  return kernel(
    'softColor',
    {
      domain: 'pixels',
      reads: {
        screen: on('viewFaces', mat33),
        color: on('faces', colorType(settings)),
        background: (settings.background === 'image' ? vec3 : perWorld(vec3)) as typeof vec3,
        ...MASKS,
      },
      writes: { rgba: vec4, softmax: vec2 },
      adjoint: () => [colorAdjoint(shape, settings), backgroundAdjoint(shape, settings)],
    },
    ({ screen, color, background, ...masks }, { element }) => {
      const place = placeOf(layout, element);
      const pixel = vec2(deviceX(layout, place.column), deviceY(layout, place.row));
      const { backgroundDepth } = softmaxScale(settings);
      const start = { open: f32(1), front: f32(backgroundDepth), sum: f32(1), rgb: background };
      const end = overFaces(shape, masks, place, start, (face: U32, sums): typeof start => {
        const corners = screen.at(place.camera.mul(faces).add(face));
        const edges = edgesFrom(corners, pixel);
        return when(
          mayCount(edges, cutoff),
          () => {
            const barycentric = barycentricOf(edges);
            const { inside } = barycentric;
            const { distance2 } = nearestOf(edges);
            return when(
              inside.or(distance2.lt(cutoff)),
              () => {
                const { covered, open } = coverageOf(distance2, inside, settings.sigma);
                const seen = depthOf(corners, barycentric);
                const { keep, weight, softmax } = weigh(settings, sums, seen.z, covered);
                const rgb: Vec3 = colorAt(color.at(face), colorShares(settings, seen));
                return {
                  open: sums.open.mul(open),
                  front: softmax.front,
                  sum: softmax.sum,
                  rgb: sums.rgb.mul(keep).add(rgb.mul(weight)),
                };
              },
              () => sums,
            );
          },
          () => sums,
        );
      });
      const { x, y, z } = end.rgb.div(end.sum);
      const [red, green, blue, alpha] = [x, y, z, f32(1).sub(end.open)].map((v) => inPicture(shape, place, v));
      return { rgba: vec4(red, green, blue, alpha), softmax: vec2(end.front, end.sum) };
    },
  );
}

function drawDepth(shape: RasterShape, settings: RasterSettings): Kernel {
  const { layout, faces } = shape;
  const cutoff = distanceCutoff(settings.sigma);
  return kernel(
    'softDepth',
    {
      domain: 'pixels',
      reads: { screen: on('viewFaces', mat33), ...MASKS },
      writes: { depth: f32, depthSoftmax: vec2 },
      adjoint: () => [depthAdjoint(shape, settings)],
    },
    ({ screen, ...masks }, { element }) => {
      const place = placeOf(layout, element);
      const pixel = vec2(deviceX(layout, place.column), deviceY(layout, place.row));
      const { backgroundDepth } = softmaxScale(settings);
      const start = { front: f32(backgroundDepth), sum: f32(1), depth: f32(settings.far) };
      const end = overFaces(shape, masks, place, start, (face: U32, sums): typeof start => {
        const corners = screen.at(place.camera.mul(faces).add(face));
        const edges = edgesFrom(corners, pixel);
        return when(
          mayCount(edges, cutoff),
          () => {
            const barycentric = barycentricOf(edges);
            const { inside } = barycentric;
            const { distance2 } = nearestOf(edges);
            return when(
              inside.or(distance2.lt(cutoff)),
              () => {
                const { covered } = coverageOf(distance2, inside, settings.sigma);
                const { z } = depthOf(corners, barycentric);
                const { keep, weight, shows, softmax } = weigh(settings, sums, z, covered);
                return {
                  front: softmax.front,
                  sum: softmax.sum,
                  depth: sums.depth.mul(keep).add(select(shows, z, f32(0)).mul(weight)),
                };
              },
              () => sums,
            );
          },
          () => sums,
        );
      });
      return {
        depth: inPicture(shape, place, end.depth.div(end.sum)),
        depthSoftmax: vec2(end.front, end.sum),
      };
    },
  );
}
