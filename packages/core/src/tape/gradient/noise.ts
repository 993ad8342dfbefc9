import type { Precision } from '@gradsim/kernel';
import type { QuerySteps } from '@gradsim/kernel/internal';
import type { GivenInputs, MovableRun } from '../rounding.ts';
import { moveByRounding } from '../rounding.ts';
import type { GivenSeeds, Seeds } from './seeds.ts';

/** Reader of the values with which runs begin. */
export interface InputReader {
  readInputs(): QuerySteps<GivenInputs>;
}

/** Simulation that is run with perturbed inputs. */
export interface DifferentiableRun extends MovableRun {
  readonly options: MovableRun['options'] & { readonly parameters: readonly string[] };
  readonly framesTaken: number;
  forward(options: { readonly frames: number }): void;
  backward(seeds: Seeds, squares?: ArrayLike<number>): void;
  gradient(key: string): Promise<Float64Array>;
}

export interface PerturbedRuns {
  /** Adjoints with which the backward pass begins, the same for all runs. */
  readonly seeds: GivenSeeds;
  /** Initial values of the run that differ from the model's, as `moveByRounding` takes them. */
  readonly values: Readonly<Record<string, ArrayLike<number>>>;
  /** Number of runs with perturbed inputs. */
  readonly draws: number;
  /** Returns random numbers in [0, 1), which may depend on the value to move and the index of the draw. */
  readonly random: (value: number, draw: number) => number;
  /** Precision whose rounding errors perturb the inputs. Default: that of the device. */
  readonly precision?: Precision;
  /** Number of rounding errors to move by. Default 1. */
  readonly roundings?: number;
}

/** Largest change of a parameter's gradient over all draws, and its largest component. */
export interface GradientChange {
  readonly difference: number;
  readonly size: number;
}

/** Runs with the inputs as they are and then with perturbed ones; yields after each where its gradient can be read. */
export function* runPerturbed(
  simulation: DifferentiableRun,
  { seeds, values, draws, random, precision, roundings }: PerturbedRuns,
): Generator<void> {
  const { framesTaken: frames } = simulation;
  simulation.backward(seeds.seeds, seeds.squares ?? undefined);
  yield;
  for (let draw = 0; draw < draws; draw++) {
    moveByRounding(simulation, (value) => random(value, draw), values, precision, roundings);
    simulation.forward({ frames });
    simulation.backward(seeds.seeds, seeds.squares ?? undefined);
    yield;
  }
}

/** Returns how perturbed gradients differ from the first one, an entry a parameter. */
export const changesFrom = (
  first: readonly Float64Array[],
  perturbed: readonly (readonly Float64Array[])[],
): GradientChange[] =>
  first.map((gradient, k) => ({
    difference: Math.max(0, ...perturbed.map((one) => differenceOf(one[k], gradient))),
    size: sizeOf(gradient),
  }));

/**
 * Measures the largest change of each parameter's gradient when every initial value moves up or down by one rounding
 * error, relative to the gradient's largest component: the maximum over all draws. The simulation must have run
 * forward; afterwards it holds the last perturbed run.
 */
export async function gradientNoiseOf(
  simulation: DifferentiableRun,
  perturbedRuns: PerturbedRuns,
): Promise<Record<string, number>> {
  const { parameters } = simulation.options;
  const gradients: Float64Array[][] = [];
  for (const _ of runPerturbed(simulation, perturbedRuns)) {
    const all: Float64Array[] = [];
    for (const key of parameters) all.push(await simulation.gradient(key));
    gradients.push(all);
  }
  const [first, ...others] = gradients;
  return Object.fromEntries(
    changesFrom(first, others).map(({ difference, size }, k) => [
      parameters[k],
      difference === 0 ? 0 : difference / size,
    ]),
  );
}

/**
 * Measures the gradient noise of single-precision rounding, from the start of the last run. Afterwards the simulation
 * has its run and its gradients back.
 */
export async function singlePrecisionNoise(
  simulation: DifferentiableRun,
  { values, restore }: GivenInputs,
  given: GivenSeeds,
): Promise<Record<string, number>> {
  const { framesTaken: frames } = simulation;
  const perturbedRuns = {
    seeds: given,
    values,
    random: weylNumbers(),
    draws: PERTURBED_RUNS,
    precision: 'f32',
  } as const;
  const noise = await gradientNoiseOf(simulation, perturbedRuns);
  restore();
  simulation.forward({ frames });
  simulation.backward(given.seeds, given.squares ?? undefined);
  return noise;
}

/** Number of perturbed runs, each with other rounding errors of the inputs, whose gradients are compared. */
const PERTURBED_RUNS = 3;

/**
 * Returns a generator of quasi-random numbers in [0, 1), always the same ones: multiples of the golden ratio modulo 1.
 */
function weylNumbers(): () => number {
  let k = 0;
  return () => (++k * 0.6180339887498949) % 1;
}

/** Returns the largest |a - b|, divided by the largest |b| or by `atLeast`, whichever is larger. */
export function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>, atLeast = 0): number {
  const difference = differenceOf(a, b);
  return difference === 0 ? 0 : difference / Math.max(sizeOf(b), atLeast);
}

/** Returns the largest absolute value. */
export function sizeOf(a: ArrayLike<number>): number {
  let size = 0;
  for (let k = 0; k < a.length; k++) size = Math.max(size, Math.abs(a[k]));
  return size;
}

function differenceOf(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let difference = 0;
  for (let k = 0; k < b.length; k++) difference = Math.max(difference, Math.abs(a[k] - b[k]));
  return difference;
}
