import type { Comparison, ComparisonSums, Model, Simulation } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import type { Observation } from '../problem/observation.ts';
import { RunFailure } from '../unknowns/run-failure.ts';
import { prepareObservation } from './prepare-observation.ts';
import type { PreparedObservation } from './prepared-observation.ts';
import { addSeed, comparisonOf, eachFrame, observedUpTo } from './prepared-observation.ts';
import type { System } from './system.ts';
import type { LossAccumulator, Term, TermRun } from './term.ts';
import { seedsOf } from './term.ts';

/** Root mean square of the residuals of an exact fit, relative to that of the target, by precision of the device. */
export const EXACT_RESIDUAL = { f32: 1e-6, f64: 1e-13 } as const;

/**
 * Sum of squared residuals, relative to that of the target, below which a model is exact up to rounding and substeps.
 */
const EXACT_MODEL_SHARE = 1e-8;

/** True if a sum of squared residuals is so small, relative to that of the target, that the model counts as exact. */
export const isExactFit = (squares: number, ofTarget: number): boolean => !(squares > EXACT_MODEL_SHARE * ofTarget);

/** Loss term of the observations: the weighted mean of squared residuals. */
export class Residuals implements Term {
  readonly name = 'observations';
  readonly prepared: readonly PreparedObservation[];
  /** Number of frames of the run. */
  readonly frames: number;
  readonly fields: readonly string[];
  /** Sum of all weights, by which the weighted sum of squared residuals is divided. */
  readonly weight: number;

  constructor(prepared: readonly PreparedObservation[], frames: number) {
    this.prepared = prepared;
    this.frames = frames;
    this.fields = [...new Set(this.prepared.map((p) => p.field))];
    this.weight = this.prepared.reduce((sum, p) => sum + p.weight, 0);
    if (!(this.weight > 0))
      throw new GradsimError(
        'optim/nothing-to-compare',
        'All weights of the observations are zero, so there is nothing to compare with.',
      );
  }

  /** The same observations restricted to the first `frames` frames of the run. */
  upTo(frames: number): Residuals {
    return new Residuals(
      this.prepared.map((p) => observedUpTo(p, frames)),
      frames,
    );
  }

  /** Number of compared values with nonzero weight, over all observations. */
  get values(): number {
    return this.prepared.reduce((sum, p) => sum + p.counted, 0);
  }
  /** Measured number of values that carry the information of one independent value; determines the weight of priors. */
  perIndependent = 1;
  /** Number of independent values: `values` / `perIndependent`. */
  get count(): number {
    return this.values / this.perIndependent;
  }

  /** Residual variance of a perfect fit with numbers of a given relative accuracy. */
  floor(exactness: number): number {
    return (exactness ** 2 * this.prepared.reduce((sum, p) => sum + p.squares, 0)) / this.values;
  }
  /** Lower bound of the variance of residuals, in units of the stated noise, that all observations state. */
  get leastVariance(): number {
    return Math.min(...this.prepared.map(({ leastShare }) => leastShare)) ** 2;
  }
  /** Loss of residuals of the least variance: a smaller one weighs no more beside priors. */
  get leastLoss(): number {
    return (this.leastVariance * this.values) / this.weight;
  }

  /** Loss of a perfect fit due to rounding in a given precision. */
  exactLoss(precision: keyof typeof EXACT_RESIDUAL): number {
    return (this.floor(EXACT_RESIDUAL[precision]) * this.values) / this.weight;
  }

  /** True if a sum of squared residuals is so small that the model is exact up to rounding and the size of substeps. */
  isExactModel(squares: number): boolean {
    return isExactFit(
      squares,
      this.prepared.reduce((sum, p) => sum + p.squares, 0),
    );
  }

  /** Comparisons that the device makes for the observations, in their order. */
  get comparisons(): readonly Comparison[] {
    this.#comparisons ??= this.prepared.map(comparisonOf);
    return this.#comparisons;
  }
  #comparisons: readonly Comparison[] | null = null;

  /**
   * Loss, J^T J and J^T r of each start, divided by the sum of weights, from the sums of a run in which neighbouring
   * worlds carry the tangents of a start's unknowns, as set by `forwardWithTangents`.
   */
  normalEquations(sums: readonly ComparisonSums[], starts: number, unknowns: number): System[] {
    const systems = Array.from({ length: starts }, () => ({
      loss: 0,
      hessian: new Float64Array(unknowns * unknowns),
      gradient: new Float64Array(unknowns),
    }));
    for (const { frames, parts, squares, scores, information } of sums)
      for (let set = 0; set < frames * parts; set++)
        systems.forEach((system, start) => {
          const at = set * starts + start;
          system.loss += squares[at];
          addTo(system.gradient, scores, at * unknowns);
          addTo(system.hessian, information, at * unknowns ** 2);
        });
    for (const system of systems) {
      system.loss /= this.weight;
      for (let k = 0; k < system.hessian.length; k++) system.hessian[k] /= this.weight;
      for (let k = 0; k < system.gradient.length; k++) system.gradient[k] /= this.weight;
    }
    return systems;
  }

  /** Adds the loss of each world, and its derivative with respect to the world's sum of squared residuals. */
  async add(accumulator: LossAccumulator, { simulation, worlds }: TermRun): Promise<void> {
    for (const world of worlds) accumulator.squares[world] = 1 / this.weight;
    for (const { frames, parts, runs, squares } of await sumsOf(simulation))
      worlds.forEach((world, at) => {
        let sum = 0;
        for (let set = 0; set < frames * parts; set++) sum += squares[set * runs + world];
        accumulator.losses[at] += accumulator.squares[world] * sum;
      });
  }

  /** Adds the adjoints of the observed fields in one world on the host; in a backward pass the device adds them. */
  async addSeeds(accumulator: LossAccumulator, simulation: Simulation, world: number): Promise<void> {
    for (const p of this.prepared) {
      const record = await RunFailure.whileReading(simulation.readRecord(p.field));
      const seed = seedsOf(accumulator, simulation, p.field);
      const perFrame = p.elements * p.components;
      const own = new Float64Array(perFrame);
      eachFrame(p, record, world, (residual, f) => {
        own.fill(0);
        addSeed(own, p, { record, world, f }, residual, (2 * accumulator.squares[world]) / p.instants);
        for (let i = 0; i < p.instants; i++) {
          const from = ((p.frames[f].frame * p.instants + i) * simulation.worlds + world) * perFrame;
          for (let k = 0; k < perFrame; k++) seed[from + k] += own[k];
        }
      });
    }
  }
}

/**
 * Prepares observations for comparison.
 * @throws if a target or its weights have the wrong size or contain NaN, or if a chosen frame does not exist.
 */
export function residualsOf(model: Model, observations: readonly Observation[], frames: number): Residuals {
  if (observations.length === 0)
    throw new GradsimError(
      'optim/nothing-to-compare',
      'There is nothing to compare with: the problem has no observations.',
    );
  return new Residuals(
    observations.map((o) => prepareObservation(model, o, frames)),
    frames,
  );
}

/** Sums over the residuals of a simulation's last run, and over their derivatives. */
export const sumsOf = (simulation: Simulation): Promise<ComparisonSums[]> =>
  RunFailure.whileReading(simulation.readComparisons());

function addTo(sum: Float64Array, from: Float64Array, first: number): void {
  for (let k = 0; k < sum.length; k++) sum[k] += from[first + k];
}
