import type { Precision } from '@gradsim/kernel';
import type { GivenSeeds, Seeds } from './gradient/seeds.ts';
import type { MovableRun } from './rounding.ts';
import { moveByRounding } from './rounding.ts';
import type { GivenInputs } from './values/inputs.ts';

/** Simulation that is run with perturbed inputs. */
interface DifferentiableRun extends MovableRun {
  readonly options: MovableRun['options'] & { readonly parameters: readonly string[] };
  readonly framesTaken: number;
  forward(options: { readonly frames: number }): void;
  backward(seeds: Seeds, squares?: ArrayLike<number>): void;
  gradient(key: string): Promise<Float64Array>;
}

export interface MovedRuns {
  /** Adjoints with which the backward pass begins, the same for all runs. */
  readonly given: GivenSeeds;
  /** Initial values of the run that differ from the model's, as `moveByRounding` takes them. */
  readonly values: Readonly<Record<string, ArrayLike<number>>>;
  /** Number of runs with perturbed inputs. */
  readonly draws: number;
  /** Returns random numbers in [0, 1). */
  readonly random: () => number;
  /** Precision whose rounding errors perturb the inputs. Default: that of the device. */
  readonly precision?: Precision;
}

/**
 * Measures the largest change of each parameter's gradient when every initial value moves up or down by one rounding
 * error, relative to the gradient's largest component: the maximum over all draws. The simulation must have run
 * forward; afterwards it holds the last perturbed run.
 */
export async function gradientNoiseOf(
  simulation: DifferentiableRun,
  { given, values, draws, random, precision }: MovedRuns,
): Promise<Record<string, number>> {
  const { parameters } = simulation.options;
  const { framesTaken: frames } = simulation;
  const gradients = async (): Promise<Float64Array[]> => {
    simulation.backward(given.seeds, given.squares ?? undefined);
    const all: Float64Array[] = [];
    for (const key of parameters) all.push(await simulation.gradient(key));
    return all;
  };
  const first = await gradients();
  const noise = parameters.map(() => 0);
  for (let draw = 0; draw < draws; draw++) {
    moveByRounding(simulation, random, values, precision);
    simulation.forward({ frames });
    const moved = await gradients();
    for (const [k, gradient] of moved.entries()) noise[k] = Math.max(noise[k], largestDifference(gradient, first[k]));
  }
  return Object.fromEntries(parameters.map((key, k) => [key, noise[k]]));
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
  let [difference, size] = [0, atLeast];
  for (let k = 0; k < b.length; k++) {
    difference = Math.max(difference, Math.abs(a[k] - b[k]));
    size = Math.max(size, Math.abs(b[k]));
  }
  return difference === 0 ? 0 : difference / size;
}
