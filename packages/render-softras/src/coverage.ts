import type { Bool, F32, Model, Vec2 } from '@gradsim/core';
import { exp, f32, max, min, select, vec2 } from '@gradsim/core';
import type { PixelOnFace, RasterShape } from '@gradsim/render/raster';
import { distance2Of, nearestEdgePoint } from '@gradsim/render/raster';
import { boxRadius, coveredArea, facingSign } from './area.ts';
import type { RasterSettings } from './options.ts';
import { distanceCutoff, NEGLIGIBLE_EXPONENT } from './options.ts';

/** exp(x) for x <= 0; clamped where negligible, so that the result is never subnormal. */
export const expOf = (x: F32): F32 => exp(max(x, -NEGLIGIBLE_EXPONENT));

/**
 * Returns the distance outside of its triangle up to which a face contributes to a pixel, in device coordinates with x
 * times `aspect`.
 */
export const faceRadius = (shape: RasterShape, settings: RasterSettings): number =>
  settings.compositing === 'area' ? boxRadius(shape, settings) : Math.sqrt(distanceCutoff(settings.sigma));

/**
 * Coverage of a pixel by a face: `sigmoid(x)`, where x is `d^2 / sigma` inside and `-d^2 / sigma` outside, d being the
 * distance to the outline; with compositing by area, the share of the pixel's box that lies in the face.
 */
export interface Coverage {
  readonly covered: F32;
  /** Openness, the complement `sigmoid(-x)`: accurate where `1 - covered` would round to zero. */
  readonly openness: F32;
}

/** {@link Coverage} by a face, and `counts`: whether it contributes at all. */
export function coverageAt(
  shape: RasterShape,
  settings: RasterSettings,
  meeting: PixelOnFace,
): { readonly counts: Bool; readonly coverage: Coverage } {
  if (settings.compositing === 'area') {
    const covered = coveredArea(shape, settings, meeting);
    return { counts: covered.gt(0), coverage: { covered, openness: f32(1).sub(covered) } };
  }
  const { triangle, heights, fromCorner, barycentric } = meeting;
  const distance2 = distance2Of(nearestEdgePoint(triangle, heights, fromCorner));
  const counts = barycentric.inside.or(distance2.lt(distanceCutoff(settings.sigma)));
  return { counts, coverage: coverageOf(distance2, barycentric.inside, settings.sigma) };
}

export function coverageOf(distance2: F32, isInside: Bool, sigma: number): Coverage {
  const e = expOf(distance2.mul(-1 / sigma));
  const more = f32(1).div(e.add(1));
  const less = e.mul(more);
  return { covered: select(isInside, more, less), openness: select(isInside, less, more) };
}

/**
 * Lower bound of a pixel's openness, the product of those of its faces; alpha is 1 to rounding long before. A product
 * with one more factor of exp(-{@link NEGLIGIBLE_EXPONENT}) is then still a normal number; subnormal ones take a
 * hundred times as long.
 */
const MIN_OPEN = 1e-15;

/**
 * Alpha of a pixel with openness `openness`, the product over all faces: exactly 1 at the lower bound, so that its adjoint
 * is 0 there.
 */
export const alphaOf = (openness: F32): F32 => f32(1).sub(select(openness.gt(MIN_OPEN), openness, f32(0)));

/** Multiplies the openness of a pixel by the openness `openness` of one more face, down to `MIN_OPEN`. */
export function multiplyOpenness(accumulated: F32, openness: F32): F32 {
  return max(accumulated.mul(openness), MIN_OPEN);
}

/**
 * Coverage of a pixel by the faces met so far: `openness`, the product of their opennesses, or with compositing by area the
 * sums of the areas of faces seen from the front (`facing`) and from behind (`averted`).
 */
export type CoverageSums = Readonly<Record<'open' | 'facing' | 'averted', F32>>;

/** {@link CoverageSums} before the first face. */
export function initialCoverageSums({ compositing }: RasterSettings): CoverageSums {
  const start: Partial<CoverageSums> = compositing === 'area' ? { facing: f32(0), averted: f32(0) } : { open: f32(1) };
  return start as CoverageSums;
}

/** Adds a face to the {@link CoverageSums} of a pixel. */
export function addFaceCoverage(
  { compositing }: RasterSettings,
  { open, facing, averted }: CoverageSums,
  meeting: PixelOnFace,
  { counts, coverage: { covered, openness: own } }: { readonly counts: Bool; readonly coverage: Coverage },
): CoverageSums {
  const next = (): Partial<CoverageSums> => {
    if (compositing !== 'area') return { open: multiplyOpenness(open, select(counts, own, f32(1))) };
    const isFront = facingSign(meeting).gt(0);
    const more = select(counts, covered, f32(0));
    const front = select(isFront, more, f32(0));
    return { facing: facing.add(front), averted: averted.add(more.sub(front)) };
  };
  return next() as CoverageSums;
}

/**
 * Alpha of a pixel. The front and the back of a closed surface have one outline, so by area the larger of both sums
 * counts, up to 1.
 */
export const alphaBy = ({ compositing }: RasterSettings, { open, facing, averted }: CoverageSums): F32 =>
  compositing === 'area' ? min(max(facing, averted), 1) : alphaOf(open);

/** Spec of the field in which a pixel stores its areas for the adjoint of {@link alphaBy}; none without compositing by area. */
export const areasField = ({ compositing }: RasterSettings) =>
  (compositing === 'area' ? { areas: vec2 } : {}) as { readonly areas: typeof vec2 };

/** Value of {@link areasField}. */
export const areaSums = ({ compositing }: RasterSettings, { facing, averted }: CoverageSums) =>
  (compositing === 'area' ? { areas: vec2(facing, averted) } : {}) as { readonly areas: Vec2 };

/** Names of {@link areasField} in a model that stores them for a picture; adds the field. */
export function addAreas(
  model: Model,
  { compositing }: RasterSettings,
  name: string,
): Readonly<Record<string, string>> {
  if (compositing !== 'area') return {};
  model.addField('pixels', name, vec2);
  return { areas: name };
}

/** Derivative of alpha with respect to the area of a face: 1 if its side is the one that counts and leaves an opening. */
export function areaSlope(meeting: PixelOnFace, { x: facing, y: averted }: Vec2): F32 {
  const isFront = facingSign(meeting).gt(0);
  const counts = select(isFront, facing.ge(averted), averted.gt(facing));
  return select(counts.and(max(facing, averted).lt(1)), f32(1), f32(0));
}
