import type { Model } from '@gradsim/core';
import { described, GradsimError } from '@gradsim/core';
import type { Estimate, ParameterSpec, Problem, SearchOptions, Stage, Strip } from '@gradsim/optim';
import type { Track } from '@gradsim/video';
import { frameAt, resizeFrames } from '@gradsim/video';
import { clockOf } from '../clock-tolerance.ts';
import type { Film } from '../film.ts';
import { clockCheck } from './clock.ts';
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
    fitsShape = false,
    parameters = [],
    options = {},
    ...problem
  } = stage;
  if (!(Number.isInteger(frames) && frames >= 2 && frames <= film.count))
    throw new GradsimError('film/option-out-of-range', `outlineFitStage: frames is ${described(frames)}.`, {
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
        outlineObservation(seen, { hasSizes, hasColumns }),
        ...(fitsShape ? [reachObservation(seen)] : []),
      ],
      options: {
        ...options,
        search: searchOf(options.search, seen),
        checks: [...(options.checks ?? []), outlineShapeCheck(hasSizes ? seen : []), clockCheck(film)],
      },
    },
    strip: (estimate) => drawn(film, frames, estimate),
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

/** Half of the width of a drawn outline, px. */
const HALF_WIDTH = 0.7;
const LINE = [1, 0.1, 0.8];

/** Number of pixels up to which pictures of a strip are as large as the film's; of larger ones several become one. */
const MOST_SHOWN = 1e6;

/** Strip of the film, and the film with the estimate's outlines drawn over it. */
function drawn(film: Film, count: number, { predicted }: Estimate): Strip {
  const by = Math.ceil(Math.sqrt((film.size.width * film.size.height) / MOST_SHOWN));
  const [width, height] = [film.size.width, film.size.height].map((side) => Math.round(side / by));
  const frames = [...Array(count).keys()].filter((frame) => film.isCompared(frame));
  const target = (k: number): Float32Array => {
    const picture = frameAt(film.frames, frames[k]);
    const one = { ...film.size, channels: film.frames.channels, frameRate: film.frameRate, data: picture };
    return by === 1 ? picture : resizeFrames(one, { width, height }).data;
  };
  const estimate = (k: number): Float32Array => {
    const picture = target(k).slice();
    const frame = frames[k];
    const [x, y] = Array.from(predicted[outlineCentroidAndSize.key].slice(3 * frame, 3 * frame + 2), (at) => at / by);
    const all = predicted[outlineReach.key].slice(DIRECTIONS.length * frame, DIRECTIONS.length * (frame + 1));
    const reaches = Array.from(all, (reach) => reach / by);
    const corners = DIRECTIONS.map(([u, v], k) => [x + reaches[k] * u, y + reaches[k] * v]);
    const reach = Math.max(...reaches) + 2;
    // No side of the line is nearer to the middle than this, the directions being evenly spaced.
    const inside = Math.max(0, Math.min(...reaches) * Math.cos(Math.PI / DIRECTIONS.length) - HALF_WIDTH - 1) ** 2;
    for (let row = Math.max(0, Math.floor(y - reach)); row < Math.min(height, y + reach); row++)
      for (let column = Math.max(0, Math.floor(x - reach)); column < Math.min(width, x + reach); column++) {
        const square = (column + 0.5 - x) ** 2 + (row + 0.5 - y) ** 2;
        if (square < inside || square > reach * reach) continue;
        const part = Math.min(Math.max(HALF_WIDTH + 0.5 - awayFrom(corners, column + 0.5, row + 0.5), 0), 1);
        if (part === 0) continue;
        const at = 3 * (row * width + column);
        for (let c = 0; c < 3; c++) picture[at + c] += part * (LINE[c] - picture[at + c]);
      }
    return picture;
  };
  return { width, height, frames, target, estimate };
}

/** Distance of a point from the nearest edge of a closed polygon, px. */
function awayFrom(line: readonly (readonly number[])[], x: number, y: number): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (let k = 0; k < line.length; k++) {
    const [a, b] = line[k];
    const [c, d] = line[(k + 1) % line.length];
    const u = c - a;
    const v = d - b;
    const along = ((x - a) * u + (y - b) * v) / (u * u + v * v || 1);
    const part = Math.min(Math.max(along, 0), 1);
    const right = x - a - part * u;
    const down = y - b - part * v;
    nearest = Math.min(nearest, right * right + down * down);
  }
  return Math.sqrt(nearest);
}
