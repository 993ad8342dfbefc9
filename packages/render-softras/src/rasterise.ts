import type { Bool, F32, Kernel, U32, Value, Vec3 } from '@gradsim/core';
import { abs, f32, kernel, select, vec2, vec3, vec4, when } from '@gradsim/core';
import type { PixelPlace } from '@gradsim/render';
import { inPicture, placeOf } from '@gradsim/render';
import type { FaceReaders, PixelOnFace, RasterShape, SurfaceLook } from '@gradsim/render/raster';
import {
  backgroundType,
  depthOf,
  FACES_OF_PIXEL,
  faceInputs,
  overFaces,
  surfaceColor,
  surfaceFields,
  surfaceInputs,
} from '@gradsim/render/raster';
import { colorAdjoint, depthAdjoint, silhouetteAdjoint } from './adjoint.ts';
import { backgroundAdjoint } from './background.ts';
import type { Coverage } from './coverage.ts';
import {
  addFaceCoverage,
  alphaBy,
  areaSums,
  areasField,
  coverageAt,
  expOf,
  faceRadius,
  initialCoverageSums,
} from './coverage.ts';
import type { RasterSettings } from './options.ts';
import { NEGLIGIBLE_EXPONENT, softmaxScale } from './options.ts';

/*
 * The soft rasteriser, kernels over `pixels`. Source: SoftRas (Liu et al. 2019), as PHYSICS.md fixes it.
 *
 * The running maximum of the softmax is kept as the least depth so far (`softmax.x`; `softmax.y` is the sum of
 * weights relative to it): weights relative to that neither overflow nor lose their digits to the large part that
 * normalised depths have in common.
 *
 * For contributors, what was tried on the cpu device, one thread, 320 and 20480 faces, 256 x 256 (1.80 and 21.3 ms
 * before, 1.36 and 15.3 ms now, AMD EPYC; a pair is four pixels and a face):
 * - Most time is in the 31,424 and 231,476 pairs that pass the guard: 30 and 45 ns beside the 7 to 8 ns of walking past
 *   a face. Each instruction waits for the one before, and there are too many for the next pair to begin beside it.
 * - What a face is to all pixels found once (`faceOutlines`), heights shared by guard, distance and barycentric
 *   coordinates: 7%. The components of a face side by side in memory: nothing at 320 faces, 25% at 20480.
 * - The pixel's place found before the loop and not in it: 12%, nothing at 20480 faces.
 * - One loop over all words of a group in place of one a word: 10% slower at 20480 faces. Words laid out tile by tile:
 *   3% faster there, which finding them then costs.
 * - Numbers below the normal ones cost 25% here and 12% in the adjoint, though nothing came of them: `expOf`.
 * - Skipping the exponential of the softmax by `when` or computing it always: the same.
 * - Blocks of 4 x 4 pixels in place of tiles would halve the pairs walked over, 2 x 2 in place of 4 x 1 lanes pass 8 to
 *   14% fewer: neither was built.
 */

/** Relation of a pixel to a face that may contribute to it. */
interface CoverageMeeting extends PixelOnFace {
  /** True if the face contributes: it covers the pixel, or is within the cutoff distance. */
  readonly counts: Bool;
  readonly coverage: Coverage;
}

type Sums = { readonly [name: string]: Value };

/**
 * Loops over the faces that may contribute to a pixel; `body` must return the sums unchanged in lanes where `counts` is
 * false.
 */
function overMeetings<S extends Sums>(
  shape: RasterShape,
  settings: RasterSettings,
  fields: FaceReaders,
  place: PixelPlace,
  start: S,
  body: (face: U32, meeting: CoverageMeeting, sums: S) => S,
): S {
  return overFaces(shape, faceRadius(shape, settings), fields, place, start, (face, meeting, sums) =>
    body(face, { ...meeting, ...coverageAt(shape, settings, meeting) }, sums),
  );
}

export function drawSilhouette(shape: RasterShape, settings: RasterSettings): Kernel {
  return kernel(
    'softSilhouette',
    {
      domain: 'pixels',
      reads: FACES_OF_PIXEL,
      writes: { alpha: f32, ...areasField(settings) },
      adjoint: () => [silhouetteAdjoint(shape, settings)],
    },
    (fields, { element }) => {
      const place = placeOf(shape.layout, element);
      const end = overMeetings(shape, settings, fields, place, initialCoverageSums(settings), (_, meeting, sums) =>
        addFaceCoverage(settings, sums, meeting, meeting),
      );
      const alpha = inPicture(shape.layout, place, alphaBy(settings, end));
      return { alpha, ...areaSums(settings, end) };
    },
  );
}

/**
 * Running softmax over depth: `frontDepth`, the least depth, and `sum`, the sum of weights relative to a face at that depth.
 */
interface Softmax {
  readonly frontDepth: F32;
  readonly sum: F32;
}

/**
 * Adds a face at depth `z` to the softmax: returns the new softmax, the factor `keep` by which earlier sums are
 * rescaled, and the face's weight. A face outside of the range near to far covers the pixel, but has no weight.
 */
function addToSoftmax(
  settings: RasterSettings,
  { frontDepth, sum }: Softmax,
  z: F32,
  { counts, coverage }: CoverageMeeting,
) {
  const { near, far } = settings;
  const shows = counts.and(z.ge(near)).and(z.le(far));
  const step = select(shows, z.sub(frontDepth), f32(0));
  const exponent = abs(step).mul(-softmaxScale(settings).perDepth);
  const less = when(
    exponent.gt(-NEGLIGIBLE_EXPONENT),
    () => expOf(exponent),
    () => f32(0),
  );
  const nearer = step.lt(0);
  const keep = select(nearer, less, f32(1));
  const weight = select(shows, coverage.covered.mul(select(nearer, f32(1), less)), f32(0));
  const softmax: Softmax = { frontDepth: frontDepth.add(select(nearer, step, f32(0))), sum: sum.mul(keep).add(weight) };
  return { shows, keep, weight, softmax };
}

/**
 * Initial state of the softmax over colours: the background, or with `coverage`, which blends it afterwards, no weight
 * at all.
 */
function initialColorSoftmax(settings: RasterSettings, background: Vec3): Softmax & { readonly rgb: Vec3 } {
  if (settings.compositing !== 'softmax') return { frontDepth: f32(settings.far), sum: f32(0), rgb: vec3(0, 0, 0) };
  return { frontDepth: f32(softmaxScale(settings).backgroundDepth), sum: f32(1), rgb: background };
}

/** Returns whether the colour of a face needs neither texture nor light. */
const isUnlitUntextured = ({ textured, light }: SurfaceLook): boolean => !textured && !light;

/** Final colour of a pixel from its softmax sums, the coverage `alpha` by its faces, and the background. */
function composePixel(
  { compositing }: RasterSettings,
  { rgb, sum }: { readonly rgb: Vec3; readonly sum: F32 },
  alpha: F32,
  background: Vec3,
): Vec3 {
  if (compositing === 'softmax') return rgb.mul(f32(1).div(sum));
  // Faces nearer than `near` or beyond `far` cover, but show nothing.
  const shown = sum.gt(0);
  const mean = rgb.mul(f32(1).div(select(shown, sum, f32(1))));
  return background.add(mean.sub(background).mul(select(shown, alpha, f32(0))));
}

export function drawColor(shape: RasterShape, look: SurfaceLook, settings: RasterSettings, name: string): Kernel {
  return kernel(
    name,
    {
      domain: 'pixels',
      reads: {
        background: backgroundType(settings.background),
        ...FACES_OF_PIXEL,
        ...surfaceFields(look),
      },
      writes: { rgba: vec4, softmax: vec2, ...areasField(settings) },
      adjoint: () => [colorAdjoint(shape, look, settings, name), backgroundAdjoint(shape, settings, name)],
    },
    ({ background, ...fields }, { element }) => {
      const place = placeOf(shape.layout, element);
      const start = { ...initialCoverageSums(settings), ...initialColorSoftmax(settings, background) };
      const end = overMeetings(shape, settings, fields, place, start, (face, meeting, sums): typeof start => {
        const seen = depthOf(meeting.triangle, meeting.barycentric);
        const { keep, weight, softmax } = addToSoftmax(settings, sums, seen.z, meeting);
        const on = { face, viewFace: place.camera.mul(shape.faces).add(face) };
        const color = (): Vec3 => {
          const ofFace = faceInputs(look, fields, on);
          return surfaceColor(look, surfaceInputs(look, fields, on, ofFace, vec3(...seen.weights)));
        };
        // Most faces lie behind another, and a texture lookup takes longer than all else.
        const rgb = isUnlitUntextured(look) ? color() : when(weight.gt(0), color, () => vec3(0, 0, 0));
        return {
          ...addFaceCoverage(settings, sums, meeting, meeting),
          frontDepth: softmax.frontDepth,
          sum: softmax.sum,
          rgb: sums.rgb.mul(keep).add(rgb.mul(weight)),
        };
      });
      const opacity = alphaBy(settings, end);
      const { x, y, z } = composePixel(settings, end, opacity, background);
      const [red, green, blue, alpha] = [x, y, z, opacity].map((v) => inPicture(shape.layout, place, v));
      const softmax = vec2(end.frontDepth, end.sum);
      return { rgba: vec4(red, green, blue, alpha), softmax, ...areaSums(settings, end) };
    },
  );
}

export function drawDepth(shape: RasterShape, settings: RasterSettings): Kernel {
  return kernel(
    'softDepth',
    {
      domain: 'pixels',
      reads: FACES_OF_PIXEL,
      writes: { depth: f32, depthSoftmax: vec2 },
      adjoint: () => [depthAdjoint(shape, settings)],
    },
    (fields, { element }) => {
      const place = placeOf(shape.layout, element);
      const { backgroundDepth } = softmaxScale(settings);
      const start = { frontDepth: f32(backgroundDepth), sum: f32(1), depth: f32(settings.far) };
      const end = overMeetings(shape, settings, fields, place, start, (_, meeting, sums): typeof start => {
        const { z } = depthOf(meeting.triangle, meeting.barycentric);
        const { keep, weight, shows, softmax } = addToSoftmax(settings, sums, z, meeting);
        return {
          frontDepth: softmax.frontDepth,
          sum: softmax.sum,
          depth: sums.depth.mul(keep).add(select(shows, z, f32(0)).mul(weight)),
        };
      });
      return {
        depth: inPicture(shape.layout, place, end.depth.div(end.sum)),
        depthSoftmax: vec2(end.frontDepth, end.sum),
      };
    },
  );
}
