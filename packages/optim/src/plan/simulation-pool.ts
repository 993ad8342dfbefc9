import type { Simulation } from '@gradsim/core';
import type { Run } from '../problem/run.ts';

/** Properties that two simulations must share for one to replace the other. */
export interface SimulationKey {
  readonly run: Run;
  readonly derivative: 'tangent' | 'adjoint';
  readonly points: number;
}

/** Run with a tangent for each unknown of one point. */
export interface TangentRun {
  readonly x: Float64Array;
  readonly frames: number;
}

/**
 * Pool of at most one simulation, for reuse, since compiling one takes as long as several iterations. It is freed
 * before another one is opened.
 */
export class SimulationPool {
  #kept: Simulation | null = null;
  /** Last run of the simulation in the pool, if it is known. */
  #ran: TangentRun | null = null;
  readonly #keys = new WeakMap<Simulation, SimulationKey>();

  async acquire(key: SimulationKey, open: () => Promise<Simulation>): Promise<Simulation> {
    const kept = this.#kept;
    this.#kept = null;
    if (kept && isSame(this.#keys.get(kept)!, key)) return kept;
    kept?.dispose();
    const simulation = await open();
    this.#keys.set(simulation, key);
    return simulation;
  }

  /**
   * Returns a simulation to the pool; its inputs must be those of its run, except for the unknowns.
   * @param ran its last run. Default: unknown.
   */
  release(simulation: Simulation, ran: TangentRun | null = null): void {
    if (this.#kept !== simulation) this.#kept?.dispose();
    this.#kept = simulation;
    this.#ran = ran;
  }

  /** Returns the simulation in the pool if its last run is known to be that of a point; else null. */
  lastRunAt({ x, frames }: TangentRun): Simulation | null {
    const ran = this.#ran;
    return ran?.frames === frames && ran.x.every((value, k) => value === x[k]) ? this.#kept : null;
  }

  dispose(): void {
    this.#kept?.dispose();
    this.#kept = null;
  }
}

const isSame = (a: SimulationKey, b: SimulationKey): boolean =>
  a.run === b.run && a.derivative === b.derivative && a.points === b.points;
