import type { F32, Kernel, Mat33, Vec3 } from '@gradsim/core';
import { adjointOf, dot, exp, f32, index, kernel, mat33, on, select, vec2, vec3, vec4 } from '@gradsim/core';
import type { Meeting } from './bounds.ts';
import { BOUNDS, overPixels, zeroMatrix } from './bounds.ts';
import type { Colors } from './color.ts';
import { addColorBar, colorAt, colorShares, colorType } from './color.ts';
import type { Coverage } from './coverage.ts';
import { coverageOf } from './coverage.ts';
import type { RasterSettings } from './options.ts';
import { softmaxScale } from './options.ts';
import type { RasterShape } from './scene.ts';
import type { Depth, Nearest, Three } from './triangle.ts';
import { depthOf, three } from './triangle.ts';

/*
 * The adjoints go over the faces, not the pixels: each face runs through the pixels of its bounds and owns its
 * sums, so nothing is scattered. What softmax and product need of the other faces, the pixel has kept.
 */

/** The adjoint of `softSilhouette` with respect to `screen`. */
export function silhouetteAdjoint(shape: RasterShape, settings: RasterSettings): Kernel {
  return kernel(
    'softSilhouette_adjoint',
    {
      domain: 'viewFaces',
      reads: { screen: mat33, ...BOUNDS, alpha: on('pixels', f32), alphaBar: adjointOf('alpha', on('pixels', f32)) },
      adds: { screenBar: adjointOf('screen', mat33) },
    },
    ({ screen, alpha, alphaBar, screenBar, ...bounds }, { element }) => {
      const start = { corners: zeroMatrix() };
      const end = overPixels(shape, settings, element, screen, bounds, start, (meeting, sums): typeof start => {
        const { covered } = coverageIn(meeting, settings);
        // d(1 - prod(1 - sigmoid(x)))/dx = prod(1 - sigmoid) sigmoid(x), the product over all faces.
        const exponent = alphaBar.at(meeting.pixel).mul(f32(1).sub(alpha.at(meeting.pixel))).mul(covered);
        return { corners: sums.corners.add(outlineAdjoint(meeting, exponent, settings)) };
      });
      screenBar.add(end.corners);
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
      domain: 'viewFaces',
      reads: {
        face: index('faces'), screen: mat33, color: on('faces', type), ...BOUNDS,
        rgba: on('pixels', vec4), softmax: on('pixels', vec2), rgbaBar: adjointOf('rgba', on('pixels', vec4)),
      },
      adds: { screenBar: adjointOf('screen', mat33), colorBar: adjointOf('color', on('faces', type)) },
    },
    ({ face, screen, color, rgba, softmax, rgbaBar, screenBar, colorBar, ...bounds }, { element }) => {
      const colors = color.at(face) as Colors;
      const start = { corners: zeroMatrix(), colors: ('row' in colors ? zeroMatrix() : vec3(0, 0, 0)) as Colors };
      const end = overPixels(shape, settings, element, screen, bounds, start, (meeting, sums): typeof start => {
        const { pixel } = meeting;
        const coverage = coverageIn(meeting, settings);
        const seen = depthOf(screen, meeting.barycentric);
        const [rgb, { x, y, z, w }] = [rgba.at(pixel), rgbaBar.at(pixel)];
        const share = shareOf(settings, softmax.at(pixel), seen, coverage);
        const shares = colorShares(settings, seen);
        const bar = vec3(x, y, z);
        // A larger weight pulls the pixel's colour towards the face's.
        const pull = share.mul(dot(bar, colorAt(colors, shares).sub(vec3(rgb.x, rgb.y, rgb.z))));
        const colorWanted = bar.mul(share);
        const exponent = w.mul(f32(1).sub(rgb.w)).mul(coverage.covered).add(pull.mul(coverage.open));
        // A colour that does not change over the face says nothing about where on it the pixel is.
        const tinted = settings.colors === 'corner' && 'row' in colors ? colors : null;
        return {
          corners: sums.corners
            .add(outlineAdjoint(meeting, exponent, settings))
            .add(surfaceAdjoint(screen, meeting, seen, pull.mul(-perDepth), tinted, colorWanted)),
          colors: addColorBar(sums.colors, colorWanted, shares),
        };
      });
      screenBar.add(end.corners);
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
      domain: 'viewFaces',
      reads: {
        screen: mat33, ...BOUNDS,
        depth: on('pixels', f32), depthSoftmax: on('pixels', vec2), depthBar: adjointOf('depth', on('pixels', f32)),
      },
      adds: { screenBar: adjointOf('screen', mat33) },
    },
    ({ screen, depth, depthSoftmax, depthBar, screenBar, ...bounds }, { element }) => {
      const start = { corners: zeroMatrix() };
      const end = overPixels(shape, settings, element, screen, bounds, start, (meeting, sums): typeof start => {
        const { pixel } = meeting;
        const coverage = coverageIn(meeting, settings);
        const seen = depthOf(screen, meeting.barycentric);
        const direct = depthBar.at(pixel).mul(shareOf(settings, depthSoftmax.at(pixel), seen, coverage));
        const pull = direct.mul(seen.z.sub(depth.at(pixel)));
        return {
          corners: sums.corners
            .add(outlineAdjoint(meeting, pull.mul(coverage.open), settings))
            .add(surfaceAdjoint(screen, meeting, seen, direct.sub(pull.mul(perDepth)), null, vec3(0, 0, 0))),
        };
      });
      screenBar.add(end.corners);
    },
  );
}

const coverageIn = ({ nearest, barycentric }: Meeting, { sigma }: RasterSettings): Coverage =>
  coverageOf(nearest.distance2, barycentric.inside, sigma);

/** The face's share of the pixel's softmax. */
function shareOf(settings: RasterSettings, softmax: { x: F32; y: F32 }, { z }: Depth, { covered }: Coverage): F32 {
  const { near, far } = settings;
  const shows = z.ge(near).and(z.le(far));
  const behind = select(shows, z.sub(softmax.x), f32(0));
  const weight = exp(behind.mul(-softmaxScale(settings).perDepth)).mul(covered).div(softmax.y);
  return select(shows, weight, f32(0));
}

/**
 * Adjoint of x in coverage = sigmoid(x), x = +-d^2/sigma. The nearest point moves along its edge without a
 * first-order effect on the distance, so each end of the edge takes its part of the offset: -2 (1 - t) and -2 t.
 */
function outlineAdjoint({ nearest, barycentric }: Meeting, exponent: F32, { sigma }: RasterSettings): Mat33 {
  const { t, offset } = nearest;
  const factor = select(barycentric.inside, f32(-2 / sigma), f32(2 / sigma));
  const pull = offset.mul(exponent.mul(factor));
  const end = pull.mul(t);
  const start = pull.sub(end);
  const none = f32(0);
  // Edge k runs from corner k to the next one.
  return mat33(
    pick(nearest, start.x, none, end.x), pick(nearest, start.y, none, end.y), none,
    pick(nearest, end.x, start.x, none), pick(nearest, end.y, start.y, none), none,
    pick(nearest, none, end.x, start.x), pick(nearest, none, end.y, start.y), none,
  );
}

const pick = ({ onFirst, onSecond }: Nearest, first: F32, second: F32, third: F32): F32 =>
  select(onFirst, first, select(onSecond, second, third));

/**
 * Adjoint of depth `z` and of interpolated colour, which hang on the clipped barycentric coordinates: one passes
 * its adjoint on where it was not clipped, and then w_k moves by -w_j grad(w_k) with corner j, w_j not clipped.
 */
function surfaceAdjoint(
  screen: Mat33,
  { edges, barycentric }: Meeting,
  { clipped, share, scale, z }: Depth,
  zBar: F32,
  cornerColors: Mat33 | null,
  colorBar: Vec3,
): Mat33 {
  const { w, inverseArea } = barycentric;
  const here = cornerColors && dot(colorBar, colorAt(cornerColors, share));
  const parts = three((k) => {
    const inverseDepth = screen.at(k, 2);
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
