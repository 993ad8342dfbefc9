import { upperMedian } from '@gradsim/base';
import type { Check, Observation, Posterior } from '@gradsim/optim';
import { MASKS } from '../tuning/masks.ts';
import { outlineCentroidAndSize, outlineReach } from './fields.ts';
import type { ObservedOutline } from './observed.ts';
import { DIRECTIONS } from './reach.ts';

/** Options of {@link outlineObservation}. */
export interface OutlineObservationOptions {
  /** True if sizes are compared; false for thin things, whose masks are mostly rim. Default true. */
  readonly hasSizes?: boolean;
  /**
   * True if the horizontal position of the middle is compared. For a horizontal beam it carries no information on
   * bending, and its scatter, from flickering pixels at both ends, would be attributed to the height too. Default true.
   */
  readonly hasColumns?: boolean;
  /**
   * Least part of the outlines' uncertainties that the residuals may show. Default 1 where outlines state theirs, which then
   * includes errors common to several frames, else a tenth.
   */
  readonly leastShare?: number;
}

/** Outlines as targets for `world.outlineCentroidAndSize`, frame by frame; frames without an outline have weight 0. */
export function outlineObservation(
  outlines: readonly (ObservedOutline | null | undefined)[],
  {
    hasSizes = true,
    hasColumns = true,
    leastShare = hasUncertainties(outlines) ? 1 : MASKS.least,
  }: OutlineObservationOptions = {},
): Observation {
  return {
    field: outlineCentroidAndSize,
    leastShare,
    target: outlines.flatMap((seen) => (seen ? [seen.x, seen.y, seen.size] : [0, 0, 0])),
    weights: outlines.flatMap((seen) =>
      seen ? [Number(hasColumns), 1, Number(hasSizes && seen.isSized !== false)] : [0, 0, 0],
    ),
    noise: outlines.map((seen, frame) => {
      if (seen?.uncertainty !== undefined) return seen.uncertainty;
      const ways = [outlines[frame - 1], outlines[frame + 1]].map((beside) =>
        seen && beside ? Math.hypot(beside.x - seen.x, beside.y - seen.y) : 0,
      );
      return Math.hypot(MASKS.outline, MASKS.blur * Math.max(...ways));
    }),
  };
}

/** True if any outline states its uncertainty, which then includes errors common to several frames. */
const hasUncertainties = (outlines: readonly (ObservedOutline | null | undefined)[]): boolean =>
  outlines.some((seen) => seen?.uncertainty !== undefined);

/**
 * Distances from the outlines' middles to their rims as targets for `outlineRays.reach`: they determine the rotation of
 * a thing that is not round.
 */
export function reachObservation(outlines: readonly (ObservedOutline | null | undefined)[]): Observation {
  const nothing = DIRECTIONS.map(() => 0);
  const reaches = outlines.map((seen) => seen?.reaches);
  return {
    field: outlineReach,
    leastShare: hasUncertainties(outlines) ? 1 : MASKS.least,
    target: reaches.flatMap((seen) => seen ?? nothing),
    weights: reaches.flatMap((seen) => nothing.map(() => Number(seen !== undefined))),
    noise: outlines.map((seen) =>
      seen?.uncertainty === undefined ? MASKS.reach : MASKS.reachesTogether * seen.uncertainty,
    ),
  };
}

/** Standard deviation of the rim of a clearly visible outline of this size, px. */
export const rimError = (size: number): number => Math.hypot(MASKS.rim, MASKS.rimPerSize * size);

/**
 * Check that the thing has the shape of the model: its mean reach over all frames in each direction is compared with
 * `outlineRays.reach`. If the median error exceeds that of a good rim, the shape is another one; the median tolerates
 * shadows at a foot and highlights, which displace single reaches by several pixels.
 *
 * Area and middle carry no information on the shape, and second moments hardly any: those of a regular pentagon are
 * equal in all directions, and give a size only 0.9 % above the one from its area, while its reach varies by 24 %.
 */
export function outlineShapeCheck(outlines: readonly (ObservedOutline | null | undefined)[]): Check<Posterior> {
  return {
    kind: 'other shape',
    rank: 50,
    isCritical: true,
    fields: [outlineReach],
    find: ({ predicted }) => {
      const values = predicted[outlineReach.key];
      const off: number[] = [];
      outlines.forEach((seen, frame) => {
        const rim = rimError(seen?.size ?? 0);
        seen?.reaches?.forEach((reach, k) => {
          off.push(Math.abs(reach - values[DIRECTIONS.length * frame + k]) / rim);
        });
      });
      const usual = upperMedian(off);
      if (off.length === 0 || usual <= MASKS.mostOffShape) return null;
      const pixels = (usual * rimError(meanSize(outlines))).toFixed(2);
      return {
        note: `The outline in the film has another shape than the model's: half of its rim is off by more than ${pixels} pixels. What moves is something else, or its mask is wrong: look at both in the report.`,
      };
    },
  };
}

function meanSize(outlines: readonly (ObservedOutline | null | undefined)[]): number {
  const sizes = outlines.flatMap((seen) => (seen ? [seen.size] : []));
  return sizes.reduce((sum, size) => sum + size / sizes.length, 0);
}
