import type { Precision } from '@gradsim/kernel';
import type { QuerySteps } from '@gradsim/kernel/internal';
import type { GivenInputs, MovableRun } from '../rounding.ts';
import { moveByRounding } from '../rounding.ts';
import type { GivenSeeds, Seeds } from './seeds.ts';

/** Reader of the values with which runs begin. */
export interface GivesInputs {
  given(): QuerySteps<GivenInputs>;
}

/** Simulation that is run with perturbed inputs. */
export interface DifferentiableRun extends MovableRun {
  readonly options: MovableRun['options'] & { readonly parameters: readonly string[] };
  readonly framesTaken: number;
  forward(options: { readonly frames: number }): void;
  backward(seeds: Seeds, squares?: ArrayLike<number>): void;
  gradient(key: string): Promise<Float64Array>;
  gradientSync(key: string): Float64Array;
}

export interface MovedRuns {
  /** Adjoints with which the backward pass begins, the same for all runs. */
  readonly given: GivenSeeds;
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

/** Yields where gradients have to be read, and returns how they change, one entry a parameter. */
function* gradientChanges(
  simulation: DifferentiableRun,
  { given, values, draws, random, precision, roundings }: MovedRuns,
): Generator<void, GradientChange[], readonly Float64Array[]> {
  const { framesTaken: frames } = simulation;
  simulation.backward(given.seeds, given.squares ?? undefined);
  const first = yield;
  const differences = first.map(() => 0);
  for (let draw = 0; draw < draws; draw++) {
    moveByRounding(simulation, (value) => random(value, draw), values, precision, roundings);
    simulation.forward({ frames });
    simulation.backward(given.seeds, given.squares ?? undefined);
    const moved = yield;
    for (const [k, gradient] of moved.entries())
      differences[k] = Math.max(differences[k], differenceOf(gradient, first[k]));
  }
  return first.map((gradient, k) => ({ difference: differences[k], size: sizeOf(gradient) }));
}

/** Returns how gradients change, by parameter, without waiting. Afterwards the simulation holds the last perturbed run. */
export function gradientChangesNow(simulation: DifferentiableRun, moved: MovedRuns): GradientChange[] {
  const steps = gradientChanges(simulation, moved);
  let next = steps.next([]);
  while (!next.done) next = steps.next(simulation.options.parameters.map((key) => simulation.gradientSync(key)));
  return next.value;
}

/**
 * Measures the largest change of each parameter's gradient when every initial value moves up or down by one rounding
 * error, relative to the gradient's largest component: the maximum over all draws. The simulation must have run
 * forward; afterwards it holds the last perturbed run.
 */
export async function gradientNoiseOf(
  simulation: DifferentiableRun,
  moved: MovedRuns,
): Promise<Record<string, number>> {
  const { parameters } = simulation.options;
  const steps = gradientChanges(simulation, moved);
  let next = steps.next([]);
  while (!next.done) {
    const all: Float64Array[] = [];
    for (const key of parameters) all.push(await simulation.gradient(key));
    next = steps.next(all);
  }
  const changes = next.value;
  return Object.fromEntries(
    changes.map(({ difference, size }, k) => [parameters[k], difference === 0 ? 0 : difference / size]),
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
  const moved = { given, values, random: weylNumbers(), draws: DRAWS, precision: 'f32' } as const;
  const noise = await gradientNoiseOf(simulation, moved);
  restore();
  simulation.forward({ frames });
  simulation.backward(given.seeds, given.squares ?? undefined);
  return noise;
}

/** Number of perturbed runs, each with other rounding errors of the inputs, whose gradients are compared. */
const DRAWS = 3;

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
