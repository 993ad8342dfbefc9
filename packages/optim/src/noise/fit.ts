import type { RecordWords, Simulation } from '@gradsim/core';
import { measuredNoise } from '../objective/noise.ts';
import type { PreparedObservation } from '../objective/prepared-observation.ts';
import { fillShown } from '../objective/prepared-observation.ts';
import type { Residuals } from '../objective/residuals.ts';
import { isExactFit } from '../objective/residuals.ts';
import type { ObservationFit } from '../posterior/fit.ts';
import { RunFailure } from '../unknowns/run-failure.ts';
import { stillOf } from './static-background.ts';

/** Maximum number of frames whose median is taken as the static background. */
const MAX_MEDIAN_FRAMES = 15;
/** Minimum number of frames required to decide which values move. */
const MIN_FRAMES = 3;
/** Deviation from the background, relative to the largest one of all values, above which a value counts as moving. */
const MIN_MOTION_SHARE = 0.1;
/**
 * Mean share of frames in which values move, 0 to 1, above which they are states, not pixels: pixels mostly show the
 * background.
 */
const MAX_MOVING_SHARE = 0.55;
/** Share of the target's variance over time that must exceed the noise, 0 to 1, for the target to count as changing. */
const NO_NOISE = 0.3;
/**
 * Ratio of the variance over time to the variance over space above which a target of unknown noise counts as changing.
 */
const MIN_CHANGE_RATIO = 0.01;

/** Model output compared with an observation, in each compared frame, times root weights: [frame][value]. */
export type ModelOutput = readonly Float64Array[];

/** Reads the output of a simulation's last run that is compared with each observation. */
export async function shownBy(
  simulation: Simulation,
  { prepared }: Pick<Residuals, 'prepared'>,
): Promise<ModelOutput[]> {
  const all: ModelOutput[] = [];
  for (const p of prepared) {
    const record: RecordWords = await RunFailure.whileReading(simulation.readRecord(p.field));
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
 * Measures how well the model's output fits the target of an observation, at the first initial values and at the
 * estimate.
 * @param start output at the initial values, null if the model could not be run there; both outputs are overwritten by
 * the target at values of weight 0.
 */
export function fitOf(p: PreparedObservation, start: ModelOutput | null, end: ModelOutput): ObservationFit {
  const target = withoutGaps(p);
  for (const shown of [start, end]) if (shown) fillGaps(p, shown, target);
  const frames = p.frames.map(({ frame }) => frame);
  const moving = target.length >= MIN_FRAMES;
  const means = meansOf(p, target);
  const still = moving ? stillOf(target, MAX_MEDIAN_FRAMES) : means;
  const noise = measuredNoise(p.frames, still);
  const own = (noise ?? (p.isNoiseGiven ? 1 : 0)) ** 2 * p.counted;
  const variation = squaresOf(target, still);
  const around = squaresOf(target, means);
  const isMoving = noise === null ? variation > MIN_CHANGE_RATIO * around : variation - own > NO_NOISE * variation;
  const off = squaresOf(target, end);
  // With a camera that follows the motion, little changes over time, and there is more to explain than those changes.
  const shares = [around, ...(isMoving ? [variation] : [])]
    .filter((changes) => changes > own)
    .map((changes) => 1 - Math.max(0, off - own) / (changes - own));
  const explained = shares.length > 0 ? Math.max(...shares) : null;
  const seen = movedPlaces(target, still);
  const places = moving && seen.share > 0 && seen.share < MAX_MOVING_SHARE;
  const { largest } = seen;
  const perFrame = p.counted / Math.max(1, target.length);
  return {
    field: p.field,
    frames,
    noise,
    explained,
    isExact: isExactFit(off, Math.max(p.squares, start ? squaresOf(target, start) : 0)),
    motion: { target: motionOf(target), model: motionOf(end) },
    ...(p.isNoiseGiven && { expected: 1, isLeast: p.leastShare === 1 }),
    overlap: places
      ? { start: start && overlapOf(target, start, still, largest), end: overlapOf(target, end, still, largest) }
      : null,
    elsewhere: places ? elsewhereOf(target, end, still, { largest, variance: own / Math.max(1, p.counted) }) : null,
    residuals: target.map((seen, f) => Math.sqrt(squaresBetween(seen, end[f]) / perFrame)),
  };
}

/** Copy of the target in which each value of weight 0 is replaced by that of the last frame in which it has weight. */
function withoutGaps({ frames }: PreparedObservation): ModelOutput {
  if (!frames[0]?.rootWeights) return frames.map(({ target }) => target);
  const held: Float64Array[] = [];
  for (const { target, rootWeights } of frames) {
    const values = target.slice();
    const before = held.at(-1);
    for (let k = 0; before && k < values.length; k++) if (rootWeights![k] === 0) values[k] = before[k];
    held.push(values);
  }
  // Before the first such frame, its value is used.
  const [first] = frames;
  for (let k = 0; k < first.target.length; k++) {
    if (first.rootWeights![k] !== 0) continue;
    let seen = 1;
    while (seen < frames.length && frames[seen].rootWeights![k] === 0) seen++;
    if (seen < frames.length) for (let f = 0; f < seen; f++) held[f][k] = frames[seen].target[k];
  }
  return held;
}

/** Overwrites the output by the target at values of weight 0. */
function fillGaps({ frames }: PreparedObservation, shown: ModelOutput, target: ModelOutput): void {
  if (!frames[0]?.rootWeights) return;
  for (const [f, { rootWeights }] of frames.entries()) {
    const [values, seen] = [shown[f], target[f]];
    for (let k = 0; k < values.length; k++) if (rootWeights![k] === 0) values[k] = seen[k];
  }
}

/** For each value, the mean of its component over all elements and frames. */
function meansOf({ elements, values }: PreparedObservation, target: ModelOutput): Float64Array {
  const means = new Float64Array(values);
  for (let start = 0; start < values; start += elements) {
    let sum = 0;
    for (const seen of target) for (let k = start; k < start + elements; k++) sum += seen[k];
    means.fill(sum / (elements * target.length), start, start + elements);
  }
  return means;
}

/** Root mean square of the deviations of values from their means over the frames. */
function motionOf(shown: ModelOutput): number {
  const means = new Float64Array(shown[0].length);
  for (const values of shown) for (let k = 0; k < means.length; k++) means[k] += values[k];
  for (let k = 0; k < means.length; k++) means[k] /= shown.length;
  return Math.sqrt(squaresOf(shown, means) / (means.length * shown.length));
}

/** Sum of squared differences over all frames, of other frames or of one set of values. */
const squaresOf = (shown: ModelOutput, from: ModelOutput | Float64Array): number =>
  shown.reduce((sum, values, f) => sum + squaresBetween(values, from instanceof Float64Array ? from : from[f]), 0);

function squaresBetween(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) {
    const difference = a[k] - b[k];
    sum += difference * difference;
  }
  return sum;
}

/** Largest deviation from the background, and the mean share of frames in which values that ever move deviate. */
function movedPlaces(shown: ModelOutput, still: Float64Array): { largest: number; share: number } {
  let largest = 0;
  for (const values of shown)
    for (let k = 0; k < still.length; k++) largest = Math.max(largest, Math.abs(values[k] - still[k]));
  const moved = new Uint32Array(still.length);
  for (const values of shown)
    for (let k = 0; k < still.length; k++) if (Math.abs(values[k] - still[k]) > MIN_MOTION_SHARE * largest) moved[k]++;
  const ever = moved.filter((count) => count > 0);
  const share = ever.reduce((sum, count) => sum + count, 0) / (ever.length * shown.length);
  return { largest, share: largest > 0 ? share : 0 };
}

/**
 * Overlap of the target's and the model's motion, 0 to 1: the deviations from the background of the target's moving
 * values, each limited to the model's deviation of the same value in the same frame, summed over all frames and divided
 * by their sum without the limit.
 * @param largest largest deviation of the target from its background.
 */
function overlapOf(target: ModelOutput, shown: ModelOutput, still: Float64Array, largest: number): number {
  let [both, all] = [0, 0];
  const least = MIN_MOTION_SHARE * largest;
  for (let f = 0; f < target.length; f++) {
    const [seen, values] = [target[f], shown[f]];
    for (let k = 0; k < still.length; k++) {
      const moved = Math.abs(seen[k] - still[k]);
      if (moved <= least) continue;
      all += moved;
      both += Math.min(moved, Math.abs(values[k] - still[k]));
    }
  }
  return all > 0 ? both / all : 0;
}

/** Share of the target's squared changes, without noise, at values that never change in the model, 0 to 1. */
function elsewhereOf(
  target: ModelOutput,
  shown: ModelOutput,
  still: Float64Array,
  { largest, variance }: Readonly<Record<'largest' | 'variance', number>>,
): number {
  const moved = new Float64Array(still.length);
  const isReached = new Uint8Array(still.length);
  const least = 0.5 * MIN_MOTION_SHARE * largest;
  for (let f = 0; f < target.length; f++) {
    const [seen, values] = [target[f], shown[f]];
    for (let k = 0; k < still.length; k++) {
      const change = seen[k] - still[k];
      moved[k] += Math.max(0, change * change - 9 * variance);
      if (Math.abs(values[k] - still[k]) > least) isReached[k] = 1;
    }
  }
  let [beside, all] = [0, 0];
  for (let k = 0; k < still.length; k++) {
    all += moved[k];
    if (isReached[k] === 0) beside += moved[k];
  }
  return all > 0 ? beside / all : 0;
}
