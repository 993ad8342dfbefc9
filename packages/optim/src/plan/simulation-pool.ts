import type { ComparisonSums, Simulation } from '@gradsim/core';
import type { Run } from '../problem/run.ts';

/** Properties that two simulations must share for one to replace the other. */
export interface SimulationKey {
  readonly run: Run;
  readonly derivative: 'tangent' | 'adjoint';
  readonly points: number;
}

/** The first frames of a run, with a tangent for each unknown of one point. */
export interface TangentRun {
  readonly run: Run;
  readonly x: Float64Array;
  readonly frames: number;
}

/** A run with the sums over its residuals and their derivatives. */
export interface SummedRun extends TangentRun {
  readonly sums: readonly ComparisonSums[];
}

/**
 * Pool of at most one simulation, for reuse, since compiling one takes as long as several iterations. It is freed
 * before another one is opened.
 */
export class SimulationPool {
  #kept: Simulation | null = null;
  /** Last run of the simulation in the pool, if it is known. */
  #ran: TangentRun | null = null;
  /** Run of that simulation, not always the last one, whose sums are kept. */
  #summed: SummedRun | null = null;
  readonly #keys = new WeakMap<Simulation, SimulationKey>();

  async acquire(key: SimulationKey, open: () => Promise<Simulation>): Promise<Simulation> {
    const kept = this.#kept;
    this.#forget();
    if (kept && isSame(this.#keys.get(kept)!, key)) return kept;
    kept?.dispose();
    const simulation = await open();
    this.#keys.set(simulation, key);
    return simulation;
  }

  /**
   * Returns a simulation to the pool; its inputs must be those of its run, except for the unknowns.
   * @param ran its last run. Default: unknown.
   * @param summed a run of which sums are to be kept.
   */
  release(simulation: Simulation, ran: TangentRun | null = null, summed: SummedRun | null = null): void {
    if (this.#kept !== simulation) this.#kept?.dispose();
    this.#kept = simulation;
    this.#ran = ran;
    this.#summed = summed;
  }

  /** True if the last run of the simulation in the pool is known to be this one. */
  hasRun(at: TangentRun): boolean {
    return this.#ran !== null && isSameRun(this.#ran, at);
  }

  /** Returns the sums of a run if they are kept. */
  sumsOf(at: TangentRun): readonly ComparisonSums[] | null {
    return this.#summed !== null && isSameRun(this.#summed, at) ? this.#summed.sums : null;
  }

  #forget(): void {
    this.#kept = null;
    this.#ran = null;
    this.#summed = null;
  }

  dispose(): void {
    this.#kept?.dispose();
    this.#forget();
  }
}

const isSame = (a: SimulationKey, b: SimulationKey): boolean =>
  a.run === b.run && a.derivative === b.derivative && a.points === b.points;

const isSameRun = (a: TangentRun, b: TangentRun): boolean =>
  a.run === b.run && a.frames === b.frames && a.x.every((value, k) => value === b.x[k]);
