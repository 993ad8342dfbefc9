import type { Model } from '@gradsim/core';
import { describeValue, GradsimError } from '@gradsim/core';
import type { Estimate, ParameterSpec, Problem, SearchOptions, Stage } from '@gradsim/optim';
import type { Track } from '@gradsim/video';
import { clockOf } from '../clock-tolerance.ts';
import type { Film } from '../film.ts';
import { clockCheck } from './clock.ts';
import { type DrawnOutline, drawnStrip } from './drawn.ts';
import { outlineCentroidAndSize, outlineReach } from './fields.ts';
import { outlineObservation, outlineShapeCheck, reachObservation } from './observation.ts';
import type { ObservedOutline } from './observed.ts';
import { observedOutlines } from './observed.ts';
import { filmCandidates, isInPicture } from './plans.ts';
import { outlineBiasParameters } from './projected-outline.ts';
import { DIRECTIONS } from './reach.ts';
import { withoutExact } from './without-exact.ts';

/** Options of a stage that compares a track of a film. */
export interface OutlineFitStageOptions
  extends Pick<Problem, 'parameters' | 'arrays' | 'given' | 'options' | 'values' | 'derived' | 'ties' | 'predict'>,
    Pick<Stage, 'notes'> {
  readonly name: string;
  /** Number of substeps between two frames of the film. */
  readonly substeps: number;
  /** Track to compare. Default: the one with the largest area in the film. */
  readonly track?: Track;
  /** Outlines to compare, frame by frame. Default those of the track, by {@link observedOutlines}. */
  readonly outlines?: readonly (ObservedOutline | undefined)[];
  /** Prior of the pixels by which all outlines are larger than the thing, px: see {@link outlineBiasParameters}. */
  readonly sizeBias?: ParameterSpec['prior'];
  /** Number of frames that are compared, starting with the first. Default: all. */
  readonly frames?: number;
  /**
   * True if size and shape of outlines are compared; false for thin things, whose masks are mostly rim. Default true.
   */
  readonly hasSizes?: boolean;
  /** True if the horizontal position of the middle is compared; use false for a horizontal beam. Default true. */
  readonly hasColumns?: boolean;
  /** Least part of stated uncertainties that residuals may show, see {@link OutlineObservationOptions}. */
  readonly leastShare?: number;
  /**
   * True if the shape is fitted, which determines the rotation of a thing that is not round; false if the shape is only
   * checked. Default false.
   */
  readonly fitsShape?: boolean;
}

/**
 * A stage that compares a track of a film with the model's outline, computed by the plugin `projectedOutline`, and draws the
 * estimate's outline over the film for its report. The error common to all frames' outlines is estimated beside the
 * given unknowns.
 *
 * ```ts
 * return [outlineFitStage(film, model, { name: 'bounce', substeps: 4, parameters })];
 * ```
 * @throws for frames that the film does not have, and if none of those that are compared has an outline.
 */
export function outlineFitStage(film: Film, model: Model, stage: OutlineFitStageOptions): Stage {
  const {
    name,
    substeps,
    notes,
    track,
    outlines,
    sizeBias,
    frames = film.count,
    hasSizes = true,
    hasColumns = true,
    leastShare,
    fitsShape = false,
    parameters = [],
    options = {},
    ...problem
  } = stage;
  if (!(Number.isInteger(frames) && frames >= 2 && frames <= film.count))
    throw new GradsimError('film/option-out-of-range', `outlineFitStage: frames is ${describeValue(frames)}.`, {
      field: 'frames',
      hint: `It must be a whole number from 2 to the film's ${film.count}.`,
    });
  const seen = (outlines ?? observedOutlines(film, track))
    .slice(0, frames)
    .map((outline, frame) => (film.isCompared(frame) ? outline : undefined));
  if (!seen.some(Boolean))
    throw new GradsimError('film/not-seen', `No outline of the thing is found in the ${frames} frames of ${name}.`, {
      hint: 'It is another thing, or has another shape or size than was given, or its mask is wrong: look at it by gradsim look.',
    });
  const inexact = withoutExact(stage);
  const shifts = outlineBiasParameters(sizeBias).slice(hasColumns ? 0 : 1, hasSizes ? 3 : 2);
  return {
    name,
    problem: {
      model,
      ...film.timeline(substeps),
      ...clockOf(film, parameters),
      frames,
      ...problem,
      ...inexact,
      parameters: [...parameters, ...shifts],
      observations: [
        outlineObservation(seen, { hasSizes, hasColumns, leastShare }),
        ...(fitsShape ? [reachObservation(seen)] : []),
      ],
      options: {
        ...options,
        search: searchOf(options.search, seen),
        checks: [...(options.checks ?? []), outlineShapeCheck(hasSizes ? seen : []), clockCheck(film)],
      },
    },
    strip: (estimate) => drawnStrip(film, frames, (frame) => [outlineAt(estimate, frame)]),
    ...(notes ? { notes } : {}),
    plan: { candidates: filmCandidates({ parameters, ...inexact }), isSeen: isInPicture(film.size) },
  };
}

/**
 * Search whose horizons hold their shares of the frames with an outline: one without any would compare nothing, as where a
 * thing comes into view late.
 */
function searchOf(search: SearchOptions = {}, seen: readonly (ObservedOutline | undefined)[]): SearchOptions {
  const { horizons } = search;
  if (horizons === undefined || horizons === 'growing') return search;
  const frames = seen.flatMap((outline, frame) => (outline ? [frame + 1] : []));
  const upTo = (share: number): number =>
    share === 1 ? 1 : frames[Math.max(1, Math.round(share * frames.length)) - 1] / seen.length;
  return { ...search, horizons: [...new Set(horizons.map(upTo))] };
}

/** Outline of the estimate in a frame. */
function outlineAt({ predicted }: Estimate, frame: number): DrawnOutline {
  const [x, y] = predicted[outlineCentroidAndSize.key].slice(3 * frame, 3 * frame + 2);
  const reaches = predicted[outlineReach.key].slice(DIRECTIONS.length * frame, DIRECTIONS.length * (frame + 1));
  return { x, y, reaches };
}
