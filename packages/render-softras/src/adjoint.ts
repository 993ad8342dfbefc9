import type { F32, Kernel, Mat33, Vec3 } from '@gradsim/core';
import {
  adjointOf,
  dot,
  exp,
  f32,
  index,
  kernel,
  mat33,
  on,
  select,
  vec2,
  vec3,
  vec4,
  when,
} from '@gradsim/core';
import type { Meeting } from './bounds.ts';
import { BOUNDS, FACE_LANES, overPixels, zeroMatrix } from './bounds.ts';
import type { Colors } from './color.ts';
import { addColorBar, colorAt, colorShares, colorType } from './color.ts';
import type { Coverage } from './coverage.ts';
import { coverageOf } from './coverage.ts';
import type { RasterSettings } from './options.ts';
import { distanceCutoff, NEGLIGIBLE_EXPONENT, softmaxScale } from './options.ts';
import type { RasterShape } from './scene.ts';
import type { Depth, Nearest, Three } from './triangle.ts';
import { depthOf, nearestOf, three } from './triangle.ts';

/*
 * The adjoints go over the faces, not the pixels: each face runs through the pixels of its bounds and owns its
 * sums, so nothing is scattered from pixels. What softmax and product need of the other faces, the pixel has kept.
 */

const SCREEN = { viewFace: index('viewFaces'), screen: on('viewFaces', mat33), ...BOUNDS } as const;
const SCREEN_BAR = adjointOf('screen', on('viewFaces', mat33));

/** The adjoint of `softSilhouette` with respect to `screen`. */
export function silhouetteAdjoint(shape: RasterShape, settings: RasterSettings): Kernel {
  return kernel(
    'softSilhouette_adjoint',
    {
      domain: 'faceLanes',
      reads: { ...SCREEN, alpha: on('pixels', f32), alphaBar: adjointOf('alpha', on('pixels', f32)) },
      adds: { screenBar: SCREEN_BAR },
    },
    ({ viewFace, screen, alpha, alphaBar, screenBar, ...bounds }, { element }) => {
      const start = { corners: zeroMatrix() };
      const end = overPixels(shape, element, screen, bounds, start, (meeting, sums): typeof start => {
        const { pixel } = meeting;
        const open = f32(1).sub(alpha.at(pixel));
        return when(
          open.gt(0),
          () => {
            const outline = outlineOf(meeting, settings);
            // d(1 - prod(1 - sigmoid(x)))/dx = prod(1 - sigmoid) sigmoid(x), the product over all faces.
            const exponent = alphaBar.at(pixel).mul(open).mul(outline.covered);
            return { corners: sums.corners.add(outlineAdjoint(meeting, outline, exponent, settings)) };
          },
          () => sums,
        );
      });
      screenBar.add(viewFace, end.corners);
    },
  );
}

/** The adjoint of `softColor` with respect to `screen` and `color`. */
export function colorAdjoint(shape: RasterShape, settings: RasterSettings): Kernel {
  const type = colorType(settings);
  const { perDepth } = softmaxScale(settings);
  return kernel(
    'softColor_adjoint',
    {
      domain: 'faceLanes',
      reads: {
        ...SCREEN,
        face: index('faces'),
        color: on('faces', type),
        rgba: on('pixels', vec4),
        softmax: on('pixels', vec2),
        rgbaBar: adjointOf('rgba', on('pixels', vec4)),
      },
      adds: { screenBar: SCREEN_BAR, colorBar: adjointOf('color', on('faces', type)) },
    },
    (fields, { element }) => {
      const { viewFace, face, screen, color, rgba, softmax, rgbaBar, screenBar, colorBar, ...bounds } =
        fields;
      // The same face as `face` names, in a way that all four lanes of it are seen to share.
      const viewed = element.div(FACE_LANES);
      const colors = color.at(viewed.sub(viewed.div(shape.faces).mul(shape.faces))) as Colors;
      const start = {
        corners: zeroMatrix(),
        colors: ('row' in colors ? zeroMatrix() : vec3(0, 0, 0)) as Colors,
      };
      const end = overPixels(shape, element, screen, bounds, start, (meeting, sums): typeof start => {
        const { pixel, corners, barycentric } = meeting;
        const seen = depthOf(corners, barycentric);
        const [rgb, { x, y, z, w }, front] = [rgba.at(pixel), rgbaBar.at(pixel), softmax.at(pixel)];
        const open = f32(1).sub(rgb.w);
        return when(
          isFelt(settings, seen, front).or(open.gt(0)),
          () => {
            const outline = outlineOf(meeting, settings);
            const share = shareOf(settings, front, seen, outline);
            const shares = colorShares(settings, seen);
            const bar = vec3(x, y, z);
            // A larger weight pulls the pixel's colour towards the face's.
            const pull = share.mul(dot(bar, colorAt(colors, shares).sub(vec3(rgb.x, rgb.y, rgb.z))));
            const colorWanted = bar.mul(share);
            const exponent = w.mul(open).mul(outline.covered).add(pull.mul(outline.open));
            // A colour that does not change over the face says nothing about where on it the pixel is.
            const tinted = settings.colors === 'corner' && 'row' in colors ? colors : null;
            return {
              corners: sums.corners
                .add(outlineAdjoint(meeting, outline, exponent, settings))
                .add(surfaceAdjoint(meeting, seen, pull.mul(-perDepth), tinted, colorWanted)),
              colors: addColorBar(sums.colors, colorWanted, shares),
            };
          },
          () => sums,
        );
      });
      screenBar.add(viewFace, end.corners);
      colorBar.add(face, end.colors as Vec3);
    },
  );
}

/** The adjoint of `softDepth` with respect to `screen`. */
export function depthAdjoint(shape: RasterShape, settings: RasterSettings): Kernel {
  const { perDepth } = softmaxScale(settings);
  return kernel(
    'softDepth_adjoint',
    {
      domain: 'faceLanes',
      reads: {
        ...SCREEN,
        depth: on('pixels', f32),
        depthSoftmax: on('pixels', vec2),
        depthBar: adjointOf('depth', on('pixels', f32)),
      },
      adds: { screenBar: SCREEN_BAR },
    },
    ({ viewFace, screen, depth, depthSoftmax, depthBar, screenBar, ...bounds }, { element }) => {
      const start = { corners: zeroMatrix() };
      const end = overPixels(shape, element, screen, bounds, start, (meeting, sums): typeof start => {
        const { pixel, corners, barycentric } = meeting;
        const seen = depthOf(corners, barycentric);
        const front = depthSoftmax.at(pixel);
        return when(
          isFelt(settings, seen, front),
          () => {
            const outline = outlineOf(meeting, settings);
            const direct = depthBar.at(pixel).mul(shareOf(settings, front, seen, outline));
            const pull = direct.mul(seen.z.sub(depth.at(pixel)));
            const zBar = direct.sub(pull.mul(perDepth));
            return {
              corners: sums.corners
                .add(outlineAdjoint(meeting, outline, pull.mul(outline.open), settings))
                .add(surfaceAdjoint(meeting, seen, zBar, null, vec3(0, 0, 0))),
            };
          },
          () => sums,
        );
      });
      screenBar.add(viewFace, end.corners);
    },
  );
}

/** How a face's outline lies to a pixel, and the coverage that follows: none where the face does not count. */
interface Outline extends Coverage {
  readonly nearest: Nearest;
  readonly counts: ReturnType<F32['lt']>;
}

function outlineOf({ edges, barycentric: { inside } }: Meeting, { sigma }: RasterSettings): Outline {
  const nearest = nearestOf(edges);
  const counts = inside.or(nearest.distance2.lt(distanceCutoff(sigma)));
  const { covered, open } = coverageOf(nearest.distance2, inside, sigma);
  return { nearest, counts, covered: select(counts, covered, f32(0)), open };
}

/** Whether the depth of a face lets it weigh anything in the pixel's softmax. */
const isFelt = (settings: RasterSettings, { z }: Depth, { x: front }: { x: F32 }) =>
  z.sub(front).mul(softmaxScale(settings).perDepth).lt(NEGLIGIBLE_EXPONENT);

/** The face's share of the pixel's softmax: of depth `x` and sum of weights `y`. */
function shareOf(
  settings: RasterSettings,
  { x: front, y: sum }: { x: F32; y: F32 },
  { z }: Depth,
  { counts, covered }: Outline,
): F32 {
  const { near, far } = settings;
  const shows = counts.and(z.ge(near)).and(z.le(far));
  const behind = select(shows, z.sub(front), f32(0));
  const weight = exp(behind.mul(-softmaxScale(settings).perDepth))
    .mul(covered)
    .div(sum);
  return select(shows, weight, f32(0));
}

/**
 * Adjoint of x in coverage = sigmoid(x), x = +-d^2/sigma. The nearest point moves along its edge without a
 * first-order effect on the distance, so each end of the edge takes its part of the offset: -2 (1 - t) and -2 t.
 */
function outlineAdjoint(
  { barycentric }: Meeting,
  { nearest }: Outline,
  exponent: F32,
  { sigma }: RasterSettings,
): Mat33 {
  const { t, offset, onFirst, onSecond } = nearest;
  const factor = select(barycentric.inside, f32(-2 / sigma), f32(2 / sigma));
  const pull = offset.mul(exponent.mul(factor));
  const none = vec2(0, 0);
  // The pull on each edge: all of it on the one that holds the nearest point.
  const pulls = [
    select(onFirst, pull, none),
    select(onFirst, none, select(onSecond, pull, none)),
    select(onFirst.or(onSecond), none, pull),
  ];
  return mat33(
    ...three((corner) => {
      // Corner k begins edge k and ends the one before.
      const [own, before] = [pulls[corner], pulls[(corner + 2) % 3]];
      const all = own.add(before.sub(own).mul(t));
      return [all.x, all.y, f32(0)];
    }).flat(),
  );
}

/**
 * Adjoint of depth `z` and of interpolated colour, which hang on the clipped barycentric coordinates: one passes
 * its adjoint on where it was not clipped, and then w_k moves by -w_j grad(w_k) with corner j, w_j not clipped.
 */
function surfaceAdjoint(
  { corners, edges, barycentric }: Meeting,
  { clipped, share, scale, z }: Depth,
  zBar: F32,
  cornerColors: Mat33 | null,
  colorBar: Vec3,
): Mat33 {
  const { w, inverseArea } = barycentric;
  const here = cornerColors && dot(colorBar, colorAt(cornerColors, share));
  const parts = three((k) => {
    const inverseDepth = corners.at(k, 2);
    // By how much the colour of corner k differs from that of the pixel, seen through the adjoint.
    const tint = cornerColors ? dot(colorBar, cornerColors.row(k)).sub(here!) : f32(0);
    const clippedBar = scale.mul(zBar.mul(f32(1).sub(z.mul(inverseDepth))).add(tint.mul(inverseDepth)));
    return {
      coordinate: select(w[k].ge(0).and(w[k].le(1)), clippedBar, f32(0)).mul(inverseArea),
      inverseDepth: clipped[k].mul(scale).mul(tint.sub(zBar.mul(z))),
    };
  });
  // grad(w_k) = (-y, x) of the edge opposite of corner k, over twice the area.
  const opposite = three((k) => edges.along[(k + 1) % 3]);
  const slope = vec2(
    sum(three((k) => opposite[k].y.mul(parts[k].coordinate))),
    sum(three((k) => opposite[k].x.mul(parts[k].coordinate).neg())),
  );
  return mat33(...three((k) => [slope.x.mul(w[k]), slope.y.mul(w[k]), parts[k].inverseDepth]).flat());
}

const sum = ([a, b, c]: Three<F32>): F32 => a.add(b).add(c);
