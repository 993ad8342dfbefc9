import type { Model, Simulation } from '@gradsim/core';
import type { Observation } from '../problem/observation.ts';
import { RunFailure } from '../unknowns/run-failure.ts';
import { prepareObservation } from './prepare-observation.ts';
import type { PreparedObservation } from './prepared-observation.ts';
import { addSeed, dot, eachFrame, fillResidual, fillTangent, gatherMoving } from './prepared-observation.ts';
import type { System } from './priors.ts';
import type { Tally, Term, TermRun } from './term.ts';
import { seedsOf } from './term.ts';

/** To which share of the target's size an exact fit is exact. */
export const EXACTNESS = { f32: 1e-6, f64: 1e-13 } as const;

/** Squared differences between what the simulation shows and what was seen. */
export class Residuals implements Term {
  readonly name = 'observations';
  readonly prepared: readonly PreparedObservation[];
  readonly fields: readonly string[];
  /** Sum of all weights: the loss is the weighted sum of squares over it. */
  readonly weight: number;

  /** @throws when a target or its weights have the wrong size, hold a NaN, or a frame is not there. */
  constructor(model: Model, observations: readonly Observation[], simulationFrames: number) {
    if (observations.length === 0)
      throw new Error('There is nothing to compare with: the problem has no observations.');
    this.prepared = observations.map((o) => prepareObservation(model, o, simulationFrames));
    this.fields = [...new Set(this.prepared.map((p) => p.field))];
    this.weight = this.prepared.reduce((sum, p) => sum + p.weight, 0);
    if (!(this.weight > 0))
      throw new Error('All weights of the observations are zero, so there is nothing to compare with.');
  }

  /** Number of values with a weight. */
  get values(): number {
    return this.prepared.reduce((sum, p) => sum + p.counted, 0);
  }
  /** How many of them tell as much as one independent one, as it has been measured: what priors are weighed against. */
  perIndependent = 1;
  /** How many independent values there are. */
  get count(): number {
    return this.values / this.perIndependent;
  }

  /** The variance that rounding leaves of a perfect fit, where numbers are exact to such a share. */
  floor(exactness: number): number {
    return (exactness ** 2 * this.prepared.reduce((sum, p) => sum + p.squares, 0)) / this.values;
  }
  /** The variance that residuals are told to have at least: 1 where that is the noise. */
  get leastVariance(): number {
    return Number(this.prepared.every(({ isLeastNoise }) => isLeastNoise));
  }

  /** The loss that rounding leaves of a perfect fit. */
  exactLoss(precision: keyof typeof EXACTNESS): number {
    return (this.floor(EXACTNESS[precision]) * this.values) / this.weight;
  }

  /**
   * The loss, J^T J and J^T r (both over the sum of weights) of starts whose tangents lie in neighbouring worlds:
   * world `start * unknowns + k` holds the tangent along unknown k.
   */
  async normalEquations(simulation: Simulation, starts: number, unknowns: number): Promise<System[]> {
    const systems = Array.from({ length: starts }, () => ({
      loss: 0,
      hessian: new Float64Array(unknowns * unknowns),
      gradient: new Float64Array(unknowns),
    }));
    for (const p of this.prepared) {
      const record = await RunFailure.of(simulation.readRecord(p.field));
      const tangents = await RunFailure.of(simulation.readRecord(p.field, { tangent: true }));
      const columns = Array.from({ length: unknowns }, () => new Float64Array(p.values));
      systems.forEach((system, start) => {
        eachFrame(p, record, start * unknowns, (residual, f) => {
          columns.forEach((column, j) => {
            fillTangent(column, p, { record, world: start * unknowns + j, f }, tangents);
          });
          addToSystem(system, residual, columns);
        });
      });
    }
    for (const system of systems) {
      system.loss /= this.weight;
      for (let k = 0; k < system.hessian.length; k++) system.hessian[k] /= this.weight;
      for (let k = 0; k < system.gradient.length; k++) system.gradient[k] /= this.weight;
    }
    return systems;
  }

  /**
   * Adds the loss of each world, and its adjoints with respect to the recorded fields.
   * @param factors what each world's is multiplied by.
   */
  async add(tally: Tally, { simulation, worlds }: TermRun, factors?: ArrayLike<number>): Promise<void> {
    for (const p of this.prepared) {
      const record = await RunFailure.of(simulation.readRecord(p.field));
      const seed = tally.seeds && seedsOf(tally, simulation, p.field);
      const residual = new Float64Array(p.values);
      const perFrame = p.elements * p.components;
      const own = new Float64Array(perFrame);
      for (const [at, w] of worlds.entries()) {
        const share = (factors?.[at] ?? 1) / this.weight;
        let sum = 0;
        for (let f = 0; f < p.frames.length; f++) {
          const place = { record, world: w, f };
          fillResidual(residual, p, place);
          sum += dot(residual, residual, p.values);
          if (!seed) continue;
          const { frame } = p.frames[f];
          own.fill(0);
          addSeed(own, p, place, residual, (2 * share) / p.instants);
          for (let i = 0; i < p.instants; i++) {
            const from = ((frame * p.instants + i) * simulation.worlds + w) * perFrame;
            for (let k = 0; k < perFrame; k++) seed[from + k] += own[k];
          }
        }
        tally.losses[at] += share * sum;
      }
    }
  }
}

function addToSystem(system: System, residual: Float64Array, columns: readonly Float64Array[]): void {
  const n = columns.length;
  system.loss += dot(residual, residual, residual.length);
  const moving = gatherMoving(residual, columns);
  for (let i = 0; i < n; i++) {
    system.gradient[i] += dot(columns[i], residual, moving);
    for (let j = i; j < n; j++) {
      const h = dot(columns[i], columns[j], moving);
      system.hessian[i * n + j] += h;
      if (j !== i) system.hessian[j * n + i] += h;
    }
  }
}
