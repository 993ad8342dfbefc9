import type { Bool, F32, Kernel, Mat33, Reader, Vec2, Vec3, Vec4 } from '@gradsim/core';
import { adjointOf, dot, f32, fieldOn, index, kernel, mat33, select, vec2, vec3, vec4, when } from '@gradsim/core';
import type { Depth, PixelNearFace, PixelOnFace, RasterShape, SurfaceLook } from '@gradsim/render/raster';
import {
  addSurface,
  addSurfaceAdjoints,
  addTexelAdjoints,
  backgroundAt,
  backgroundReads,
  depthOf,
  FACE_LANES,
  faceInputs,
  nearestEdgePoint,
  outlineDistanceAdjoint,
  overPixels,
  PIXELS_OF_FACE,
  seenPointAdjoint,
  surfaceAdjoint,
  surfaceAdjointSpecs,
  surfaceColor,
  surfaceFields,
  surfaceInputs,
  surfaceZeros,
  texelAdjointSpecs,
  zeroMatrix,
} from '@gradsim/render/raster';
import { areaAdjoint } from './area.ts';
import type { Coverage } from './coverage.ts';
import { areaSlope, coverageAt, expOf, faceRadius } from './coverage.ts';
import type { RasterSettings } from './options.ts';
import { NEGLIGIBLE_EXPONENT, softmaxScale } from './options.ts';

/*
 * The adjoints go over the faces, not the pixels: each face runs through the pixels of its bounds and owns its
 * sums, so nothing is scattered from pixels. What softmax and product need of the other faces, the pixel has kept.
 */

const FACE_READS = { viewFace: index('viewFaces'), ...PIXELS_OF_FACE } as const;
const SCREEN_BAR = adjointOf('screen', fieldOn('viewFaces', mat33));

/** Adjoint kernel of `softSilhouette` with respect to `screen`, the corners of the faces. */
export function silhouetteAdjoint(shape: RasterShape, settings: RasterSettings): Kernel {
  const radius = faceRadius(shape, settings);
  return kernel(
    'softSilhouette_adjoint',
    {
      domain: 'faceLanes',
      reads: {
        ...FACE_READS,
        alpha: fieldOn('pixels', f32),
        alphaBar: adjointOf('alpha', fieldOn('pixels', f32)),
        ...areaReads(settings),
      },
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
            const outline = outlineOf(shape, meeting, settings);
            const bar = alphaBar.at(pixel).mul(alphaSlope(settings, meeting, outline, open, fields.areas));
            return { corners: sums.corners.add(coverageAdjoint(shape, meeting, bar, settings)) };
          },
          () => sums,
        );
      });
      screenBar.add(viewFace, end.corners);
    },
  );
}

/**
 * Adjoint kernel of `softColor` with respect to `screen` (the corners of the faces), the faces' and texels' colours and
 * the light.
 */
export function colorAdjoint(shape: RasterShape, look: SurfaceLook, settings: RasterSettings, name: string): Kernel {
  const radius = faceRadius(shape, settings);
  const { perDepth } = softmaxScale(settings);
  // A colour that is constant over the face has no gradient with respect to the position on it.
  const isUniform = look.colors === 'face' && !look.textured && !look.light;
  return kernel(
    `${name}_adjoint`,
    {
      domain: 'faceLanes',
      reads: {
        ...FACE_READS,
        face: index('faces'),
        rgba: fieldOn('pixels', vec4),
        softmax: fieldOn('pixels', vec2),
        rgbaBar: adjointOf('rgba', fieldOn('pixels', vec4)),
        ...backgroundReadsOf(settings),
        ...areaReads(settings),
        ...surfaceFields(look),
      },
      adds: {
        screenBar: SCREEN_BAR,
        ...surfaceAdjointSpecs(look),
        ...(look.textured && texelAdjointSpecs(look)),
      },
    },
    ({ viewFace, face, rgba, softmax, rgbaBar, screenBar, ...fields }, { element }) => {
      // Equals `face`, in a form that is visibly the same for its four lanes.
      const viewed = element.div(FACE_LANES);
      const shared = { viewFace: viewed, face: viewed.sub(viewed.div(shape.faces).mul(shape.faces)) };
      const ofFace = faceInputs(look, fields, shared);
      const start = { corners: zeroMatrix(), ...surfaceZeros(look) };
      const end = overPixels(shape, radius, element, fields, start, (meeting, sums): typeof start => {
        const { pixel, triangle, barycentric } = meeting;
        const seen = depthOf(triangle, barycentric);
        const [rgb, { x, y, z, w }, front] = [rgba.at(pixel), rgbaBar.at(pixel), softmax.at(pixel)];
        const open = f32(1).sub(rgb.w);
        return when(
          hasWeight(settings, seen, front).or(open.gt(0)),
          () => {
            const outline = outlineOf(shape, meeting, settings);
            const share = softmaxWeight(settings, front, seen, outline);
            const bar = vec3(x, y, z);
            const inputs = surfaceInputs(look, fields, shared, ofFace, vec3(...seen.weights));
            const { shown, ofFaces, alphaBar } = compositingTerms(settings, rgb, bar, () =>
              backgroundAt(settings.background, fields.background, pixel),
            );
            // A larger weight moves the pixel's mean colour towards the face's colour.
            const apart = surfaceColor(look, inputs).mul(shown).sub(ofFaces);
            const pull = share.mul(dot(bar, apart));
            const bars = surfaceAdjoint(look, inputs, bar.mul(share.mul(shown)));
            const edgeBar = w
              .add(alphaBar)
              .mul(alphaSlope(settings, meeting, outline, open, fields.areas))
              .add(pull.mul(weightSlope(settings, outline)));
            if (look.textured) when(share.gt(0), () => addTexelAdjoints(look, fields, fields, shared, inputs, bars));
            const { x: a, y: b, z: c } = bars.share;
            const { corners, ...surface } = sums;
            return {
              corners: corners
                .add(coverageAdjoint(shape, meeting, edgeBar, settings))
                .add(seenPointAdjoint(meeting, seen, pull.mul(-perDepth), isUniform ? null : [a, b, c])),
              ...addSurface(surface, bars),
            };
          },
          () => sums,
        );
      });
      const { corners, ...surface } = end;
      screenBar.add(viewFace, corners);
      addSurfaceAdjoints(look, fields, { viewFace, face }, surface);
    },
  );
}

/** Adjoint kernel of `softDepth` with respect to `screen`, the corners of the faces. */
export function depthAdjoint(shape: RasterShape, settings: RasterSettings): Kernel {
  const radius = faceRadius(shape, settings);
  const { perDepth } = softmaxScale(settings);
  return kernel(
    'softDepth_adjoint',
    {
      domain: 'faceLanes',
      reads: {
        ...FACE_READS,
        depth: fieldOn('pixels', f32),
        depthSoftmax: fieldOn('pixels', vec2),
        depthBar: adjointOf('depth', fieldOn('pixels', f32)),
      },
      adds: { screenBar: SCREEN_BAR },
    },
    ({ viewFace, depth, depthSoftmax, depthBar, screenBar, ...fields }, { element }) => {
      const start = { corners: zeroMatrix() };
      const end = overPixels(shape, radius, element, fields, start, (meeting, sums): typeof start => {
        const { pixel, triangle, barycentric } = meeting;
        const seen = depthOf(triangle, barycentric);
        const front = depthSoftmax.at(pixel);
        return when(
          hasWeight(settings, seen, front),
          () => {
            const outline = outlineOf(shape, meeting, settings);
            const direct = depthBar.at(pixel).mul(softmaxWeight(settings, front, seen, outline));
            const pull = direct.mul(seen.z.sub(depth.at(pixel)));
            const zBar = direct.sub(pull.mul(perDepth));
            return {
              corners: sums.corners
                .add(coverageAdjoint(shape, meeting, pull.mul(weightSlope(settings, outline)), settings))
                .add(seenPointAdjoint(meeting, seen, zBar, null)),
            };
          },
          () => sums,
        );
      });
      screenBar.add(viewFace, end.corners);
    },
  );
}

/** Coverage of a pixel by a face: 0 if the face does not contribute (`counts`). */
export interface Outline extends Coverage {
  readonly counts: Bool;
}

function outlineOf(shape: RasterShape, meeting: PixelOnFace, settings: RasterSettings): Outline {
  const { counts, coverage } = coverageAt(shape, settings, meeting);
  return { counts, covered: select(counts, coverage.covered, f32(0)), openness: coverage.openness };
}

const AREA_READS = { areas: fieldOn('pixels', vec2) };

/** Spec in `reads` of the areas that compositing by area stores, else none. */
const areaReads = ({ compositing }: RasterSettings) => (compositing === 'area' ? AREA_READS : {}) as typeof AREA_READS;

/** Derivative of alpha with respect to what {@link coverageAdjoint} takes the adjoint of. */
const alphaSlope = (
  { compositing }: RasterSettings,
  meeting: PixelNearFace,
  { covered }: Outline,
  open: F32,
  areas: Reader<Vec2>,
): F32 =>
  compositing === 'area'
    ? areaSlope(meeting, areas.at(meeting.pixel))
    : // d(1 - prod(1 - sigmoid(x)))/dx = prod(1 - sigmoid) sigmoid(x), the product over all faces.
      open.mul(covered);

/** Derivative of the logarithm of a face's weight with respect to what {@link coverageAdjoint} takes the adjoint of. */
const weightSlope = ({ compositing }: RasterSettings, { covered, openness }: Outline): F32 => {
  if (compositing !== 'area') return openness;
  const isSeen = covered.gt(0);
  return select(isSeen, f32(1).div(select(isSeen, covered, f32(1))), f32(0));
};

/** Returns whether a face is near enough in depth to have a non-negligible weight in the pixel's softmax. */
const hasWeight = (settings: RasterSettings, { z }: Depth, { x: front }: { x: F32 }) =>
  z.sub(front).mul(softmaxScale(settings).perDepth).lt(NEGLIGIBLE_EXPONENT);

/** Normalised weight of a face in the pixel's softmax; `x` is the softmax's least depth and `y` its sum of weights. */
export function softmaxWeight(
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

/** Spec of the background in `reads`, for the compositing whose adjoint needs it, else none. */
const backgroundReadsOf = ({ compositing, background }: RasterSettings) =>
  (compositing !== 'softmax' ? { background: backgroundReads(background) } : {}) as {
    readonly background: ReturnType<typeof backgroundReads>;
  };

/** Factor by which the colour of the faces' softmax enters a pixel: 1, or unless composed by softmax the pixel's alpha. */
export const foregroundFactor = ({ compositing }: RasterSettings, { w: alpha }: { readonly w: F32 }): F32 =>
  compositing === 'softmax' ? f32(1) : alpha;

/**
 * Quantities for the adjoint of a pixel's compositing: the factor `shown` of the faces' colour, the faces' contribution
 * `ofFaces` to the pixel, and the adjoint of alpha.
 */
function compositingTerms(
  settings: RasterSettings,
  rgba: Vec4,
  bar: Vec3,
  background: () => Vec3,
): { readonly shown: F32; readonly ofFaces: Vec3; readonly alphaBar: F32 } {
  const shown = foregroundFactor(settings, rgba);
  const rgb = vec3(rgba.x, rgba.y, rgba.z);
  if (settings.compositing === 'softmax') return { shown, ofFaces: rgb, alphaBar: f32(0) };
  const behind = background();
  // rgb = background + alpha (mean of the faces - background).
  const pull = dot(bar, rgb.sub(behind)).div(select(shown.gt(0), shown, f32(1)));
  return { shown, ofFaces: rgb.sub(behind.mul(f32(1).sub(shown))), alphaBar: pull };
}

/**
 * Adjoint with respect to `screen`, given that of x = d^2/sigma inside, -d^2/sigma outside, in coverage = sigmoid(x), or
 * with compositing by area that of the area.
 */
function coverageAdjoint(shape: RasterShape, meeting: PixelNearFace, bar: F32, settings: RasterSettings): Mat33 {
  if (settings.compositing === 'area') return areaAdjoint(shape, settings, meeting, bar);
  const { triangle, heights, fromCorner, barycentric } = meeting;
  const perSigma = select(barycentric.inside, f32(1 / settings.sigma), f32(-1 / settings.sigma));
  return outlineDistanceAdjoint(meeting, nearestEdgePoint(triangle, heights, fromCorner), bar.mul(perSigma));
}
