import type { Precision } from '@gradsim/kernel';
import type { Answer, Query, ReadRequest } from '@gradsim/kernel/internal';
import type { WatchedState } from '../../compile/layout/growth-watch.ts';
import type { CompiledRun } from '../run/compiled-run.ts';
import type { GrowthSample, GrowthSampler } from '../run/looks.ts';

/** Growth above which the gradient has no correct digit: 1 over the rounding error of the device's precision. */
export const MAX_CORRECT_GROWTH: Readonly<Record<Precision, number>> = { f32: 2 ** 23, f64: 2 ** 52 };

/** Largest finite number of each precision. */
const LARGEST_FINITE: Readonly<Record<Precision, number>> = { f32: 3.4028234e38, f64: Number.MAX_VALUE };

/** Size of the adjoints of the states at a moment of the run. */
export interface AdjointSize {
  readonly substep: number;
  /** Size of the largest adjoint over all states, in units of the loss: see {@link Growth.growth}. */
  readonly size: number;
}

/** Growth of the adjoints of the states along a backward pass. */
export interface Growth {
  /**
   * Largest size of the adjoints of the states, relative to the seeds of all outputs. The size of a state's adjoint is
   * the largest |adjoint| of the field times its largest |value|, so that all fields have the unit of the loss.
   */
  readonly growth: number;
  /** Growth above which the gradient has no correct digit in the precision of the device. */
  readonly maxUsable: number;
  /** True if the growth exceeds `maxUsable`. */
  readonly isExploded: boolean;
  /** Key of the state with the largest adjoint, `domain.name`; null if no state has an adjoint. */
  readonly field: string | null;
  readonly world: number;
  /**
   * Shortest stretch of the run over which adjoints grew by `maxUsable`; null where the gradient did not. A run no longer
   * than this, from the first substep on or to the last, is likely to have a usable gradient.
   */
  readonly horizon: { readonly substeps: number; readonly seconds: number } | null;
  /** Sizes at the sampled moments of the run, from the last one back to the first. */
  readonly sizes: readonly AdjointSize[];
  /** Largest |value| of each state, by key; 1 for a state that is 0 throughout. */
  readonly scales: Readonly<Record<string, number>>;
}

/**
 * Smallest contribution of a frame that counts, relative to the existing adjoint: smaller ones may be rounding errors.
 */
const MIN_INJECTION = 1e-3;

/** Sizes at all samples of all worlds, [world][sample], and the index of the state with the largest adjoint at each. */
interface Sizes {
  readonly sizes: Float64Array;
  readonly states: Uint16Array;
  /** Largest |value| of each state, [state][world]. */
  readonly scales: Float64Array;
}

/** Returns the requests to read all samples of the last backward pass, which lie together in memory. */
function requestsFor(watched: readonly WatchedState[]): ReadRequest[] {
  if (watched.length === 0) return [];
  const from = watched[0].adjoint.offset;
  const { offset, words } = watched.at(-1)!.value;
  return [{ arena: 'f32', from, words: offset + words - from }];
}

/**
 * Returns the growth in the last backward pass if it exceeds `threshold`, else null; this is called after every backward
 * pass.
 */
export function growthAbove(run: CompiledRun, looks: GrowthSampler, threshold: number): Query<Growth | null> {
  const { compiled, worlds } = run;
  const { states } = compiled.growth!;
  const watched = looks.taken.length > 0 ? states : [];
  return {
    requests: requestsFor(watched),
    conclude: ([words]) => {
      for (let world = 0; world < worlds; world++)
        if (watched.length > 0 && mayHaveGrown(watched, words, world, worlds, threshold)) {
          const growth = growthOf(run, looks).conclude([words]);
          return growth.growth > threshold ? growth : null;
        }
      return null;
    },
  };
}

/** Returns whether any adjoint exceeded the contribution of the last frame times a factor. */
function mayHaveGrown(
  watched: readonly WatchedState[],
  words: Answer,
  world: number,
  worlds: number,
  factor: number,
): boolean {
  const start = watched[0].adjoint.offset;
  let [put, largest] = [0, 0];
  for (let k = 0; k < watched.length; k++) {
    const { adjoint, largestValues, value } = watched[k];
    // The second sample is the one after the last frame.
    const from = adjoint.offset - start + adjoint.registerStride!;
    const scale = largestOf(words, value.offset - start, value.words, world, worlds) || 1;
    put = Math.max(put, scale * largestOf(words, from, adjoint.words, world, worlds));
    largest = Math.max(
      largest,
      scale * largestOf(words, largestValues.offset - start, largestValues.words, world, worlds),
    );
  }
  return !(largest <= factor * put);
}

function largestOf(words: Answer, from: number, count: number, world: number, worlds: number): number {
  let most = 0;
  for (let k = world; k < count; k += worlds) {
    const size = words[from + k];
    if (!(size <= most)) most = Number.isNaN(size) ? Number.POSITIVE_INFINITY : size;
  }
  return most;
}

/**
 * Returns the growth in the last backward pass.
 * @param threshold growth factor for which the horizon is computed.
 */
export function growthOf(run: CompiledRun, looks: GrowthSampler | null, threshold?: number): Query<Growth> {
  const { compiled, worlds, dt } = run;
  const { precision } = compiled.layout.options;
  const maxUsable = threshold ?? MAX_CORRECT_GROWTH[precision];
  const taken = looks?.taken ?? [];
  const watched = taken.length > 0 ? compiled.growth!.states : [];
  return {
    requests: requestsFor(watched),
    conclude: (answers) => {
      const all = sizesOf(watched, answers[0], taken.length, worlds);
      const frames = compiled.growth?.looks.frames ?? 1;
      let [growth, world] = [0, 0];
      for (let w = 0; w < worlds; w++) {
        const found = growthIn(taken, sizesIn(all, w, taken.length), frames);
        if (found > growth) [growth, world] = [found, w];
      }
      const sizes = sizesIn(all, world, taken.length);
      const substeps =
        growth > maxUsable ? horizonOf(taken, sizes, frames, maxUsable, LARGEST_FINITE[precision]) : null;
      const at = sizes.indexOf(largestIn(sizes));
      return {
        growth,
        maxUsable,
        isExploded: growth > maxUsable,
        world,
        field: growth > 0 ? watched[all.states[world * taken.length + at]].field.key : null,
        horizon: substeps === null ? null : { substeps, seconds: substeps * dt },
        sizes: taken.map(({ substep }, k) => ({ substep, size: sizes[k] })),
        scales: Object.fromEntries(watched.map(({ field }, k) => [field.key, all.scales[k * worlds + world]])),
      };
    },
  };
}

const sizesIn = ({ sizes }: Sizes, world: number, looks: number): Float64Array =>
  sizes.subarray(world * looks, (world + 1) * looks);

/**
 * Computes the sizes of adjoints from the samples. Plain loops for speed: a run of 2000 substeps of one body takes a
 * millisecond, and this must take far less.
 */
function sizesOf(watched: readonly WatchedState[], words: Answer, looks: number, worlds: number): Sizes {
  const sizes = new Float64Array(looks * worlds);
  const states = new Uint16Array(looks * worlds);
  const scales = new Float64Array(watched.length * worlds);
  for (let state = 0; state < watched.length; state++) {
    const { adjoint, value } = watched[state];
    const start = watched[0].adjoint.offset;
    const first = state * worlds;
    for (let k = 0; k < value.words; k++) {
      const at = first + (k % worlds);
      const size = words[value.offset - start + k];
      if (size > scales[at]) scales[at] = size;
    }
    // A state that is 0 throughout has no scale: its unit is used.
    for (let world = 0; world < worlds; world++) if (scales[first + world] === 0) scales[first + world] = 1;
    for (let look = 0; look < looks; look++) {
      const from = adjoint.offset - start + look * adjoint.registerStride!;
      for (let k = 0; k < adjoint.words; k++) {
        const world = k % worlds;
        const size = words[from + k] * scales[first + world];
        const at = world * looks + look;
        if (size <= sizes[at]) continue;
        sizes[at] = Number.isNaN(size) ? Number.POSITIVE_INFINITY : size;
        states[at] = state;
      }
    }
  }
  return { sizes, states, scales };
}

function largestIn(sizes: Float64Array): number {
  let most = 0;
  for (let k = 0; k < sizes.length; k++) if (sizes[k] > most) most = sizes[k];
  return most;
}

/** Returns the largest size of the adjoints, relative to the contributions of outputs and frames. */
function growthIn(taken: readonly GrowthSample[], sizes: Float64Array, framesPerLook: number): number {
  let put = 0;
  for (let k = 0; k < sizes.length; k++) put += injectionAt(taken, sizes, framesPerLook, k);
  const all = put > 0 ? put : (sizes.find((size) => size > 0) ?? 0);
  const most = largestIn(sizes);
  if (most === 0) return 0;
  return Number.isFinite(most) ? most / all : most;
}

/**
 * Returns the estimated contribution to the adjoints by the frame at a sample and by the frames up to the next sample,
 * which are not sampled.
 */
function injectionAt(taken: readonly GrowthSample[], sizes: Float64Array, framesPerLook: number, k: number): number {
  // States that are outputs have their adjoints before the first frame adds anything.
  if (k === 0) return sizes[0];
  const { substep, isAfterFrame } = taken[k];
  const added = sizes[k] - sizes[k - 1];
  if (!isAfterFrame || !(added > MIN_INJECTION * sizes[k - 1])) return 0;
  return substep === taken[0].substep ? added : added * framesPerLook;
}

/**
 * Returns the fewest substeps over which adjoints grow by a factor.
 * @param most the largest finite number.
 */
function horizonOf(
  taken: readonly GrowthSample[],
  sizes: Float64Array,
  framesPerLook: number,
  factor: number,
  most: number,
): number | null {
  let shortest: number | null = null;
  for (let from = 0; from < sizes.length; from++) {
    let put = sizes[from];
    if (put === 0) continue;
    let before = 1;
    for (let to = from + 1; to < sizes.length; to++) {
      put += injectionAt(taken, sizes, framesPerLook, to);
      const growth = sizes[to] / put;
      if (growth >= factor) {
        const passed = taken[from].substep - taken[to - 1].substep;
        const length = taken[to - 1].substep - taken[to].substep;
        // Growth between samples is taken as uniform.
        const share = Math.log(factor / before) / Math.log(Math.min(growth, most) / before);
        shortest = Math.min(shortest ?? Number.POSITIVE_INFINITY, Math.ceil(passed + share * length));
        break;
      }
      before = Math.max(growth, Number.MIN_VALUE);
    }
  }
  return shortest === null ? null : Math.max(1, shortest);
}
