import type { RecordWords, Simulation } from '@gradsim/core';
import { measuredNoise } from '../objective/noise.ts';
import type { PreparedObservation } from '../objective/prepared-observation.ts';
import { fillShown } from '../objective/prepared-observation.ts';
import type { Residuals } from '../objective/residuals.ts';
import { RunFailure } from '../unknowns/run-failure.ts';

/** How far the model goes along with what was seen. */
export interface Fit {
  /** How many values were compared. */
  readonly values: number;
  /**
   * How many independent ones tell as much, measured from how residuals go together over pixels and frames; null without
   * standard errors, and where there is too little to measure with.
   */
  readonly independent: number | null;
  /** By observation, in the order of the problem's. */
  readonly observations: readonly ObservationFit[];
}

export interface ObservationFit {
  readonly field: string;
  /**
   * Share of the target's changes that the model shows too: of those over time or of the differences from a constant,
   * whichever it explains better. 1 is all; 0 no more than a picture that stands still, or one colour. Noise is taken off.
   * Null where there is nothing to explain.
   */
  readonly explained: number | null;
  /**
   * Share of what moves in the target that lies where something moves in the model, at the first initial values (null
   * where it cannot be run there) and at the estimate. Null of states, whose values change in most frames, and where
   * none does.
   */
  readonly overlap: { readonly start: number | null; readonly end: number } | null;
  /** Share of the target's changes that lies where the model never changes: something else moves. Null as `overlap`. */
  readonly elsewhere: number | null;
  /** Standard deviation of the target's noise, from how its values jump from frame to frame; null with fewer than 6 frames. */
  readonly noise: number | null;
  /** What the residuals were said to be, in their unit, where the observation gives its noise. */
  readonly expected?: number;
  /** Whether they were said to be no less than that. */
  readonly isLeast?: boolean;
  /** The frames that are compared, and the root mean square of the residuals of each. */
  readonly frames: readonly number[];
  readonly residuals: readonly number[];
}

/** Frames whose median is what stands still. */
const MOST_FOR_MEDIAN = 15;
/** With fewer frames nothing is known of what moves. */
const LEAST_MOVING = 3;
/** A value moves in a frame where it is off what stands still by this share of the largest such change. */
const SOME = 0.1;
/**
 * What a place of a picture shows stands still most of the time, or it is no place but a state: its values are off what
 * they are in the middle in more frames than this.
 */
const MOST_FRAMES = 0.55;
/** Of the target's changes over time, and where noise is not known of its variation: with less it stands still. */
const NO_NOISE = 0.3;
const NEXT_TO_NOTHING = 0.01;

/** What an observation shows in each frame that counts, weighted as in the loss: [frame][value]. */
export type Shown = readonly Float64Array[];

/** Reads what a simulation's last run shows of each observation. */
export async function shownBy(simulation: Simulation, { prepared }: Pick<Residuals, 'prepared'>): Promise<Shown[]> {
  const all: Shown[] = [];
  for (const p of prepared) {
    const record: RecordWords = await RunFailure.of(simulation.readRecord(p.field));
    all.push(
      p.frames.map((_, f) => {
        const values = new Float64Array(p.values);
        fillShown(values, p, { record, world: 0, f });
        return values;
      }),
    );
  }
  return all;
}

/**
 * Compares what was seen with what the model shows at the first initial values and at the estimate.
 * @param start null where the model could not be run there; both are changed where the target has gaps.
 */
export function fitOf(p: PreparedObservation, start: Shown | null, end: Shown): ObservationFit {
  const target = withoutGaps(p);
  for (const shown of [start, end]) if (shown) fillGaps(p, shown, target);
  const frames = p.frames.map(({ frame }) => frame);
  const moving = target.length >= LEAST_MOVING;
  const means = meansOf(p, target);
  const still = moving ? medianOver(target) : means;
  const noise = measuredNoise(p.frames, still);
  const own = noise === null ? 0 : noise ** 2 * p.counted;
  const residual = target.map((seen, f) => squaresBetween(seen, end[f]));
  const variation = target.reduce((sum, seen) => sum + squaresBetween(seen, still), 0);
  const around = target.reduce((sum, seen) => sum + squaresBetween(seen, means), 0);
  const isMoving = noise === null ? variation > NEXT_TO_NOTHING * around : variation - own > NO_NOISE * variation;
  const off = residual.reduce((sum, squares) => sum + squares, 0);
  // Where a camera goes along with what moves, little changes over time, and a picture has more to explain than that.
  const shares = [around, ...(isMoving ? [variation] : [])]
    .filter((changes) => changes > own)
    .map((changes) => 1 - Math.max(0, off - own) / (changes - own));
  const explained = shares.length > 0 ? Math.max(...shares) : null;
  const seen = movedPlaces(target, still);
  const places = moving && seen.share > 0 && seen.share < MOST_FRAMES;
  const { largest } = seen;
  const perFrame = p.counted / Math.max(1, target.length);
  return {
    field: p.field,
    frames,
    noise,
    explained,
    ...(p.isNoiseGiven && { expected: 1, isLeast: p.isLeastNoise }),
    overlap: places
      ? { start: start && overlapOf(target, start, still, largest), end: overlapOf(target, end, still, largest) }
      : null,
    elsewhere: places ? elsewhereOf(target, end, still, { largest, variance: own / Math.max(1, p.counted) }) : null,
    residuals: residual.map((squares) => Math.sqrt(squares / perFrame)),
  };
}

/** The target, with what has no weight in a frame as it was last seen. */
function withoutGaps({ frames }: PreparedObservation): Shown {
  if (!frames[0]?.rootWeights) return frames.map(({ target }) => target);
  const held: Float64Array[] = [];
  for (const { target, rootWeights } of frames) {
    const values = target.slice();
    const before = held.at(-1);
    for (let k = 0; before && k < values.length; k++) if (rootWeights![k] === 0) values[k] = before[k];
    held.push(values);
  }
  // Before it is seen at all, it is as it is first seen.
  const [first] = frames;
  for (let k = 0; k < first.target.length; k++) {
    if (first.rootWeights![k] !== 0) continue;
    const seen = frames.findIndex(({ rootWeights }) => rootWeights![k] !== 0);
    for (let f = 0; f < seen; f++) held[f][k] = frames[seen].target[k];
  }
  return held;
}

/** Puts the target in place of what is shown where that has no weight. */
function fillGaps({ frames }: PreparedObservation, shown: Shown, target: Shown): void {
  if (!frames[0]?.rootWeights) return;
  for (const [f, { rootWeights }] of frames.entries()) {
    const [values, seen] = [shown[f], target[f]];
    for (let k = 0; k < values.length; k++) if (rootWeights![k] === 0) values[k] = seen[k];
  }
}

/** What stands still: by value the median over some of the frames. */
function medianOver(target: Shown): Float64Array {
  const count = Math.min(MOST_FOR_MEDIAN, target.length);
  const some = Array.from({ length: count }, (_, k) => target[Math.round((k * (target.length - 1)) / (count - 1))]);
  const values = new Float64Array(count);
  return target[0].map((_, k) => {
    for (let f = 0; f < count; f++) values[f] = some[f][k];
    values.sort();
    return values[count >> 1];
  });
}

/** The mean of each component over all elements and frames, by value. */
function meansOf({ elements, values }: PreparedObservation, target: Shown): Float64Array {
  const means = new Float64Array(values);
  for (let start = 0; start < values; start += elements) {
    let sum = 0;
    for (const seen of target) for (let k = start; k < start + elements; k++) sum += seen[k];
    means.fill(sum / (elements * target.length), start, start + elements);
  }
  return means;
}

function squaresBetween(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += (a[k] - b[k]) ** 2;
  return sum;
}

/** The largest change from what stands still, and in which share of the frames values change that ever do. */
function movedPlaces(shown: Shown, still: Float64Array): { largest: number; share: number } {
  let largest = 0;
  for (const values of shown)
    for (let k = 0; k < still.length; k++) largest = Math.max(largest, Math.abs(values[k] - still[k]));
  const moved = new Uint32Array(still.length);
  for (const values of shown)
    for (let k = 0; k < still.length; k++) if (Math.abs(values[k] - still[k]) > SOME * largest) moved[k]++;
  const ever = moved.filter((count) => count > 0);
  const share = ever.reduce((sum, count) => sum + count, 0) / (ever.length * shown.length);
  return { largest, share: largest > 0 ? share : 0 };
}

/**
 * Share of the target's changes, frame by frame, that the model has in the same place.
 * @param largest change of the target.
 */
function overlapOf(target: Shown, shown: Shown, still: Float64Array, largest: number): number {
  let [both, all] = [0, 0];
  target.forEach((seen, f) => {
    for (let k = 0; k < still.length; k++) {
      const moved = Math.abs(seen[k] - still[k]);
      if (moved <= SOME * largest) continue;
      all += moved;
      both += Math.min(moved, Math.abs(shown[f][k] - still[k]));
    }
  });
  return all > 0 ? both / all : 0;
}

/** Share of the target's changes, squared and without noise, at values that the model leaves as they stand. */
function elsewhereOf(
  target: Shown,
  shown: Shown,
  still: Float64Array,
  { largest, variance }: Readonly<Record<'largest' | 'variance', number>>,
): number {
  const moved = new Float64Array(still.length);
  const isReached = new Uint8Array(still.length);
  target.forEach((seen, f) => {
    const values = shown[f];
    for (let k = 0; k < still.length; k++) {
      moved[k] += Math.max(0, (seen[k] - still[k]) ** 2 - 9 * variance);
      if (Math.abs(values[k] - still[k]) > 0.5 * SOME * largest) isReached[k] = 1;
    }
  });
  let [beside, all] = [0, 0];
  for (let k = 0; k < still.length; k++) {
    all += moved[k];
    if (isReached[k] === 0) beside += moved[k];
  }
  return all > 0 ? beside / all : 0;
}
