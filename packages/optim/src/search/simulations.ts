import type { Simulation } from '@gradsim/core';
import type { Run } from '../problem/run.ts';

/** Properties that two simulations must share for one to replace the other. */
export interface SimulationKey {
  readonly run: Run;
  readonly derivative: 'tangent' | 'adjoint';
  readonly points: number;
  readonly parts: number;
}

/**
 * Pool of at most one simulation, for reuse, since compiling one takes as long as several iterations. It is freed
 * before another one is opened.
 */
export class Simulations {
  #kept: Simulation | null = null;
  readonly #keys = new WeakMap<Simulation, SimulationKey>();

  async take(key: SimulationKey, open: () => Promise<Simulation>): Promise<Simulation> {
    const kept = this.#kept;
    this.#kept = null;
    if (kept && isSame(this.#keys.get(kept)!, key)) return kept;
    kept?.dispose();
    const simulation = await open();
    this.#keys.set(simulation, key);
    return simulation;
  }

  /** Returns a simulation to the pool; its inputs must be those of its run, except for the unknowns. */
  keep(simulation: Simulation): void {
    if (this.#kept !== simulation) this.#kept?.dispose();
    this.#kept = simulation;
  }

  dispose(): void {
    this.#kept?.dispose();
    this.#kept = null;
  }
}

const isSame = (a: SimulationKey, b: SimulationKey): boolean =>
  a.run === b.run && a.derivative === b.derivative && a.points === b.points && a.parts === b.parts;
