import { sum } from '@gradsim/base';
import type { RecordWords, Simulation } from '@gradsim/core';
import { isLeftOut, measuredNoise } from '../objective/noise.ts';
import type { PreparedFrame, PreparedObservation } from '../objective/prepared-observation.ts';
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

/** Changes of an observation's target, and how much of them is noise. */
interface TargetChanges {
  /** Target in each compared frame; values of weight 0 hold those of the frame before. */
  readonly target: readonly Float64Array[];
  /** Static background; with too few frames, the first of them. */
  readonly still: Float64Array;
  /** Standard deviation of the noise; null if it could not be measured. */
  readonly noise: number | null;
  /** Sum of squared noise over all frames; `variation`: of changes over time, `around`: of differences from the means. */
  readonly own: number;
  readonly variation: number;
  readonly around: number;
  /** Root mean square of the changes of each value from its mean over the frames. */
  readonly motion: number;
  /** Largest deviation from the background. */
  readonly largest: number;
  /** True if values move in some frames only, as pixels do. */
  readonly arePlaces: boolean;
  /** Squared changes of each value, without noise. */
  readonly moved: Float64Array;
}

/** Comparison of the model's output with the target of an observation. */
interface Likeness {
  /** Sum of squared differences in each frame. */
  readonly squares: readonly number[];
  /** Root mean square of the output's changes, as {@link TargetChanges}. */
  readonly motion: number;
  /**
   * Overlap of the target's and the model's motion, 0 to 1: the deviations from the background of the target's moving
   * values, each limited to the model's deviation of the same value in the same frame, summed over all frames and
   * divided by their sum without the limit.
   */
  readonly overlap: number;
  /** Share of the target's squared changes, without noise, at values that never change in the model, 0 to 1. */
  readonly elsewhere: number;
}

/**
 * Measures how well the model's output fits the target of an observation, at the first initial values and at the
 * estimate.
 * @param start likeness at the initial values, null if the model could not be run there.
 */
export function fitOf(
  p: PreparedObservation,
  { target, noise, own, variation, around, motion, arePlaces }: TargetChanges,
  start: Likeness | null,
  end: Likeness,
): ObservationFit {
  const isMoving = noise === null ? variation > MIN_CHANGE_RATIO * around : variation - own > NO_NOISE * variation;
  const off = sum(end.squares);
  // With a camera that follows the motion, little changes over time, and there is more to explain than those changes.
  const shares = [around, ...(isMoving ? [variation] : [])]
    .filter((changes) => changes > own)
    .map((changes) => 1 - Math.max(0, off - own) / (changes - own));
  const perFrame = p.counted / Math.max(1, target.length);
  return {
    field: p.field,
    frames: p.frames.map(({ frame }) => frame),
    noise,
    explained: shares.length > 0 ? Math.max(...shares) : null,
    isExact: isExactFit(off, Math.max(p.squares, start ? sum(start.squares) : 0)),
    motion: { target: motion, model: end.motion },
    ...(p.isNoiseGiven && { expected: 1, isLeast: p.leastShare === 1 }),
    overlap: arePlaces ? { start: start?.overlap ?? null, end: end.overlap } : null,
    elsewhere: arePlaces ? end.elsewhere : null,
    residuals: end.squares.map((squares) => Math.sqrt(squares / perFrame)),
  };
}

/** Measures the changes of an observation's target. */
export function changesOf(p: PreparedObservation): TargetChanges {
  const target = withoutGaps(p);
  const hasEnough = target.length >= MIN_FRAMES;
  const still = hasEnough ? stillOf(target, MAX_MEDIAN_FRAMES) : target[0];
  const noise = measuredNoise(p.frames, still);
  const own = (noise ?? (p.isNoiseGiven ? 1 : 0)) ** 2 * p.counted;
  const changes = deviationsFrom(p, still, target);
  const { share, moved } = movedPlaces(target, still, {
    least: MIN_MOTION_SHARE * changes.largest,
    variance: own / Math.max(1, p.counted),
  });
  return {
    target,
    still,
    noise,
    own,
    ...changes,
    // Of a frame or two, nothing is known of changes over time.
    ...(!hasEnough && { variation: changes.around }),
    arePlaces: hasEnough && share > 0 && share < MAX_MOVING_SHARE,
    moved,
  };
}

/** Compares the output of a simulation's last run with each observation. */
export async function likenesses(
  simulation: Simulation,
  { prepared }: Pick<Residuals, 'prepared'>,
  changes: readonly TargetChanges[],
): Promise<Likeness[]> {
  const all: Likeness[] = [];
  for (const [k, p] of prepared.entries())
    all.push(likenessOf(p, changes[k], await RunFailure.whileReading(simulation.readRecord(p.field))));
  return all;
}

/** Frame by frame, without a copy of all: pictures of a film are far larger than what is asked of them. */
function likenessOf(
  p: PreparedObservation,
  { target, still, largest, moved }: TargetChanges,
  record: RecordWords,
): Likeness {
  const isHeld = hasGaps(p);
  const sums = { changes: new Float64Array(p.values), squares: 0, both: 0, all: 0 };
  const isReached = new Uint8Array(p.values);
  const [shown, first] = [new Float64Array(p.values), new Float64Array(p.values)];
  const squares = target.map((seen, f) => {
    fillShown(shown, p, { record, world: 0, f });
    if (isHeld) fillGaps(shown, seen, p.frames[f]);
    if (f === 0) first.set(shown);
    return addLikeness(sums, isReached, { seen, shown, first, still }, MIN_MOTION_SHARE * largest);
  });
  let beside = 0;
  for (let k = 0; k < moved.length; k++) if (isReached[k] === 0) beside += moved[k];
  const all = sum(moved);
  return {
    squares,
    motion: rootMeanSquare(sums.changes, sums.squares, target.length),
    overlap: sums.all > 0 ? sums.both / sums.all : 0,
    elsewhere: all > 0 ? beside / all : 0,
  };
}

/** Sums over the frames of a model's output. */
interface LikenessSums {
  /** For each value, the sum of its changes since the first frame; `squares`: the sum of all their squares. */
  readonly changes: Float64Array;
  squares: number;
  /** Deviations of moving values, limited to the model's; `all`: without the limit. */
  both: number;
  all: number;
}

/**
 * Adds a frame to the sums, and flags the values that change in the model.
 * @param least deviation from the background above which a value counts as moving.
 * @returns the sum of squared differences between target and output.
 */
function addLikeness(
  sums: LikenessSums,
  isReached: Uint8Array,
  { seen, shown, first, still }: Readonly<Record<'seen' | 'shown' | 'first' | 'still', Float64Array>>,
  least: number,
): number {
  const { changes } = sums;
  const reached = least / 2;
  let [off, squares, both, all] = [0, 0, 0, 0];
  for (let k = 0; k < seen.length; k++) {
    const value = shown[k];
    const difference = seen[k] - value;
    off += difference * difference;
    const change = value - first[k];
    changes[k] += change;
    squares += change * change;
    const own = Math.abs(value - still[k]);
    if (own > reached) isReached[k] = 1;
    const moved = Math.abs(seen[k] - still[k]);
    if (moved <= least) continue;
    all += moved;
    both += Math.min(moved, own);
  }
  sums.squares += squares;
  sums.both += both;
  sums.all += all;
  return off;
}

/**
 * Root mean square of the deviations of values from their means over the frames.
 * @param changes for each value, the sum of its changes from some value of its own; `squares`: that of all their squares.
 */
function rootMeanSquare(changes: Float64Array, squares: number, frames: number): number {
  const ofMeans = changes.reduce((sum, change) => sum + change * change, 0) / frames;
  return Math.sqrt(Math.max(0, squares - ofMeans) / (changes.length * frames));
}

/** True if values may have weight 0 in some frames only; those without weight in all frames are 0 in target and output. */
const hasGaps = ({ frames }: PreparedObservation): boolean =>
  frames.some(({ rootWeights }) => rootWeights !== frames[0].rootWeights);

/** The target, with each value of weight 0 replaced by that of the last frame in which it has weight. */
function withoutGaps(p: PreparedObservation): readonly Float64Array[] {
  const { frames } = p;
  if (!hasGaps(p)) return frames.map(({ target }) => target);
  const held: Float64Array[] = [];
  for (const frame of frames) {
    const values = frame.target.slice();
    const before = held.at(-1);
    if (before) fillGaps(values, before, frame);
    held.push(values);
  }
  // Before the first such frame, its value is used.
  const [first] = frames;
  for (let k = 0; k < first.target.length; k++) {
    if (!isLeftOut(first, k)) continue;
    let seen = 1;
    while (seen < frames.length && isLeftOut(frames[seen], k)) seen++;
    if (seen < frames.length) for (let f = 0; f < seen; f++) held[f][k] = frames[seen].target[k];
  }
  return held;
}

/** Overwrites values of weight 0 in a frame by others. */
function fillGaps(values: Float64Array, by: Float64Array, frame: PreparedFrame): void {
  for (let k = 0; k < values.length; k++) if (isLeftOut(frame, k)) values[k] = by[k];
}

/** Sums over the target's deviations from its background and from the means of its components. */
function deviationsFrom(
  { elements, values }: PreparedObservation,
  still: Float64Array,
  target: readonly Float64Array[],
): Pick<TargetChanges, 'variation' | 'around' | 'motion' | 'largest'> {
  const frames = target.length;
  const sums = { changes: new Float64Array(values), variation: 0, largest: 0 };
  for (const seen of target) addDeviations(sums, seen, still);
  const { changes, variation, largest } = sums;
  let around = variation;
  for (let first = 0; first < values; first += elements) {
    const [own, here] = [changes, still].map((all) => all.subarray(first, first + elements));
    const mean = (sum(own) / frames + sum(here)) / elements;
    // What each value changes by, about the mean in place of the background.
    for (let e = 0; e < elements; e++) around += (here[e] - mean) * (2 * own[e] + frames * (here[e] - mean));
  }
  return { variation, largest, around, motion: rootMeanSquare(changes, variation, frames) };
}

/** Frame by frame, as V8 optimises functions that are called often sooner than long loops. */
function addDeviations(
  sums: { readonly changes: Float64Array; variation: number; largest: number },
  seen: Float64Array,
  still: Float64Array,
): void {
  const { changes } = sums;
  let [variation, largest] = [0, 0];
  for (let k = 0; k < seen.length; k++) {
    const change = seen[k] - still[k];
    changes[k] += change;
    variation += change * change;
    if (change > largest) largest = change;
    else if (-change > largest) largest = -change;
  }
  sums.variation += variation;
  sums.largest = Math.max(sums.largest, largest);
}

/**
 * Squared changes of each value beyond noise, and the mean share of frames in which values that ever move deviate from
 * the background by more than `least`; 0 if none does.
 */
function movedPlaces(
  target: readonly Float64Array[],
  still: Float64Array,
  { least, variance }: Readonly<Record<'least' | 'variance', number>>,
): { readonly share: number; readonly moved: Float64Array } {
  const moved = new Float64Array(still.length);
  const counts = new Uint32Array(still.length);
  for (const seen of target) addMoved(moved, counts, seen, still, least ** 2, 9 * variance);
  const ever = counts.filter((count) => count > 0);
  return { moved, share: ever.length === 0 ? 0 : sum(ever) / (ever.length * target.length) };
}

function addMoved(
  moved: Float64Array,
  counts: Uint32Array,
  seen: Float64Array,
  still: Float64Array,
  least: number,
  noise: number,
): void {
  for (let k = 0; k < seen.length; k++) {
    const change = seen[k] - still[k];
    const square = change * change;
    if (square > noise) moved[k] += square - noise;
    if (square > least) counts[k]++;
  }
}
