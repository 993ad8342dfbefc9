import type { Bool, F32, Kernel, Mat33, Vec3 } from '@gradsim/core';
import { adjointOf, dot, f32, index, kernel, mat33, on, select, vec2, vec3, vec4, when } from '@gradsim/core';
import type { Colors, Depth, Nearest, PixelMeeting, RasterShape, Three } from '@gradsim/render/raster';
import {
  addColorBar,
  clockwise,
  colorAt,
  colorType,
  depthOf,
  distance2Of,
  FACE_LANES,
  nearestOf,
  normalOf,
  overPixels,
  PIXELS_OF_FACE,
  three,
  zeroMatrix,
} from '@gradsim/render/raster';
import type { Coverage } from './coverage.ts';
import { coverageOf, expOf } from './coverage.ts';
import type { RasterSettings } from './options.ts';
import { distanceCutoff, faceRadius, NEGLIGIBLE_EXPONENT, softmaxScale } from './options.ts';

/*
 * The adjoints go over the faces, not the pixels: each face runs through the pixels of its bounds and owns its
 * sums, so nothing is scattered from pixels. What softmax and product need of the other faces, the pixel has kept.
 */

const VIEWED = { viewFace: index('viewFaces'), ...PIXELS_OF_FACE } as const;
const SCREEN_BAR = adjointOf('screen', on('viewFaces', mat33));

/** The adjoint of `softSilhouette` with respect to `screen`. */
export function silhouetteAdjoint(shape: RasterShape, settings: RasterSettings): Kernel {
  const radius = faceRadius(settings);
  return kernel(
    'softSilhouette_adjoint',
    {
      domain: 'faceLanes',
      reads: { ...VIEWED, alpha: on('pixels', f32), alphaBar: adjointOf('alpha', on('pixels', f32)) },
      adds: { screenBar: SCREEN_BAR },
    },
    ({ viewFace, alpha, alphaBar, screenBar, ...fields }, { element }) => {
      const start = { corners: zeroMatrix() };
      const end = overPixels(shape, radius, element, fields, start, (meeting, sums): typeof start => {
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
  const type = colorType(settings.colors);
  const radius = faceRadius(settings);
  const { perDepth } = softmaxScale(settings);
  return kernel(
    'softColor_adjoint',
    {
      domain: 'faceLanes',
      reads: {
        ...VIEWED,
        face: index('faces'),
        color: on('faces', type),
        rgba: on('pixels', vec4),
        softmax: on('pixels', vec2),
        rgbaBar: adjointOf('rgba', on('pixels', vec4)),
      },
      adds: { screenBar: SCREEN_BAR, colorBar: adjointOf('color', on('faces', type)) },
    },
    ({ viewFace, face, color, rgba, softmax, rgbaBar, screenBar, colorBar, ...fields }, { element }) => {
      // The same face as `face` names, in a way that all four lanes of it are seen to share.
      const viewed = element.div(FACE_LANES);
      const colors = color.at(viewed.sub(viewed.div(shape.faces).mul(shape.faces))) as Colors;
      const start = {
        corners: zeroMatrix(),
        colors: ('row' in colors ? zeroMatrix() : vec3(0, 0, 0)) as Colors,
      };
      const end = overPixels(shape, radius, element, fields, start, (meeting, sums): typeof start => {
        const { pixel, triangle, barycentric } = meeting;
        const seen = depthOf(triangle.screen, barycentric);
        const [rgb, { x, y, z, w }, front] = [rgba.at(pixel), rgbaBar.at(pixel), softmax.at(pixel)];
        const open = f32(1).sub(rgb.w);
        return when(
          isFelt(settings, seen, front).or(open.gt(0)),
          () => {
            const outline = outlineOf(meeting, settings);
            const share = shareOf(settings, front, seen, outline);
            const bar = vec3(x, y, z);
            // A larger weight pulls the pixel's colour towards the face's.
            const pull = share.mul(dot(bar, colorAt(colors, seen.share).sub(vec3(rgb.x, rgb.y, rgb.z))));
            const colorWanted = bar.mul(share);
            const exponent = w.mul(open).mul(outline.covered).add(pull.mul(outline.open));
            // A colour that does not change over the face says nothing about where on it the pixel is.
            const tinted = 'row' in colors ? colors : null;
            return {
              corners: sums.corners
                .add(outlineAdjoint(meeting, outline, exponent, settings))
                .add(surfaceAdjoint(meeting, seen, pull.mul(-perDepth), tinted, colorWanted)),
              colors: addColorBar(sums.colors, colorWanted, seen.share),
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
  const radius = faceRadius(settings);
  const { perDepth } = softmaxScale(settings);
  return kernel(
    'softDepth_adjoint',
    {
      domain: 'faceLanes',
      reads: {
        ...VIEWED,
        depth: on('pixels', f32),
        depthSoftmax: on('pixels', vec2),
        depthBar: adjointOf('depth', on('pixels', f32)),
      },
      adds: { screenBar: SCREEN_BAR },
    },
    ({ viewFace, depth, depthSoftmax, depthBar, screenBar, ...fields }, { element }) => {
      const start = { corners: zeroMatrix() };
      const end = overPixels(shape, radius, element, fields, start, (meeting, sums): typeof start => {
        const { pixel, triangle, barycentric } = meeting;
        const seen = depthOf(triangle.screen, barycentric);
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
  readonly edges: Three<Nearest>;
  readonly counts: Bool;
}

function outlineOf(
  { triangle, heights, fromCorner, barycentric: { inside } }: PixelMeeting,
  { sigma }: RasterSettings,
): Outline {
  const edges = nearestOf(triangle, heights, fromCorner);
  const distance2 = distance2Of(edges);
  const counts = inside.or(distance2.lt(distanceCutoff(sigma)));
  const { covered, open } = coverageOf(distance2, inside, sigma);
  return { edges, counts, covered: select(counts, covered, f32(0)), open };
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
  const exponent = z.sub(front).mul(-softmaxScale(settings).perDepth);
  const weighs = counts.and(z.ge(near)).and(z.le(far)).and(exponent.gt(-NEGLIGIBLE_EXPONENT));
  const weight = expOf(exponent).mul(covered).div(sum);
  return select(weighs, weight, f32(0));
}

/**
 * Adjoint of x in coverage = sigmoid(x), x = +-d^2/sigma. The nearest point moves along its edge without a
 * first-order effect on the distance, so each end of the edge takes its part of the offset: -2 (1 - t) and -2 t.
 */
function outlineAdjoint(
  { triangle, heights, perLength, firstOfSecond, barycentric }: PixelMeeting,
  { edges }: Outline,
  exponent: F32,
  { sigma }: RasterSettings,
): Mat33 {
  const all = exponent.mul(select(barycentric.inside, f32(-2 / sigma), f32(2 / sigma)));
  const [a, b, c] = three((k) => edges[k].distance2);
  const onFirst = a.le(b).and(a.le(c));
  const onSecond = b.le(c);
  // All of it goes to the edge that holds the nearest point.
  const pulls: Three<F32> = [
    select(onFirst, all, f32(0)),
    select(onFirst, f32(0), select(onSecond, all, f32(0))),
    select(onFirst.or(onSecond), f32(0), all),
  ];
  const parts = three((k) => {
    const normal = normalOf(triangle.heights, k);
    const offset = normal.mul(heights[k]).add(clockwise(normal).mul(edges[k].beyond));
    const nearest = edges[k].along.sub(edges[k].beyond);
    const t = (k === 1 ? nearest.sub(firstOfSecond) : nearest).mul(perLength[k]).add(k === 2 ? 1 : 0);
    const pull = offset.mul(pulls[k]);
    const second = pull.mul(t);
    return { first: pull.sub(second), second };
  });
  return mat33(
    ...three((corner) => {
      // Corner k begins edge k and ends the one before.
      const { x, y } = parts[corner].first.add(parts[(corner + 2) % 3].second);
      return [x, y, f32(0)];
    }).flat(),
  );
}

/**
 * Adjoint of depth `z` and of interpolated colour, which hang on the clipped barycentric coordinates: one passes
 * its adjoint on where it was not clipped, and then w_k moves by -w_j grad(w_k) with corner j, w_j not clipped.
 */
function surfaceAdjoint(
  { triangle, barycentric }: PixelMeeting,
  { clipped, share, scale, z }: Depth,
  zBar: F32,
  cornerColors: Mat33 | null,
  colorBar: Vec3,
): Mat33 {
  const { w } = barycentric;
  const here = cornerColors && dot(colorBar, colorAt(cornerColors, share));
  const parts = three((k) => {
    const inverseDepth = triangle.screen.at(k, 2);
    // By how much the colour of corner k differs from that of the pixel, seen through the adjoint.
    const tint = cornerColors ? dot(colorBar, cornerColors.row(k)).sub(here!) : f32(0);
    const clippedBar = scale.mul(zBar.mul(f32(1).sub(z.mul(inverseDepth))).add(tint.mul(inverseDepth)));
    return {
      coordinate: select(w[k].ge(0).and(w[k].le(1)), clippedBar, f32(0)),
      inverseDepth: clipped[k].mul(scale).mul(tint.sub(zBar.mul(z))),
    };
  });
  // w_k grows with the height above the edge opposite of corner k.
  const [a, b, c] = three((k) => {
    const edge = ((k + 1) % 3) as 0 | 1 | 2;
    return normalOf(triangle.heights, edge).mul(parts[k].coordinate.mul(triangle.spans.at(edge, 2)));
  });
  const slope = a.add(b).add(c).neg();
  return mat33(...three((k) => [slope.x.mul(w[k]), slope.y.mul(w[k]), parts[k].inverseDepth]).flat());
}
