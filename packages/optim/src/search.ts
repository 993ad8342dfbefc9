import type { Device, Simulation, StopSignal } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import { coarse } from './coarse.ts';
import type { Problem } from './experiment.ts';
import { Residuals } from './residuals.ts';
import type { Unknowns } from './unknowns.ts';

/** Worlds of a search that run at once. */
const SEARCH_WORLDS = 16;

/** Compares points by their loss on few frames, many at a time. */
export class Search {
  readonly #problem: Problem;
  readonly #unknowns: Unknowns;
  readonly #device: Device;
  readonly #signal?: StopSignal;
  #simulation: Simulation | null = null;
  #residuals: Residuals | null = null;

  constructor(
    problem: Problem,
    unknowns: Unknowns,
    { device, signal }: { device: Device; signal?: StopSignal },
  ) {
    this.#problem = coarse(problem);
    this.#unknowns = unknowns;
    this.#device = device;
    this.#signal = signal;
  }

  /**
   * The `keep` points of least loss, best first; all of them where there are no more. One that fits exactly ends the search
   * and is given alone.
   */
  async best(points: readonly Float64Array[], keep: number): Promise<Float64Array[]> {
    if (points.length <= keep) return [...points];
    const { model, frames, frameRate, substeps, observations } = this.#problem;
    this.#simulation ??= await createSimulation(model, {
      device: this.#device,
      frames,
      frameRate,
      substeps,
      record: [...new Set(observations.map((o) => o.field))],
      derivative: 'none',
      worlds: SEARCH_WORLDS,
    });
    this.#residuals ??= new Residuals(model, observations, frames);
    const losses: number[] = [];
    const worlds = [...Array(SEARCH_WORLDS).keys()];
    let isSolved = false;
    for (let from = 0; from < points.length && !isSolved; from += SEARCH_WORLDS) {
      if (this.#signal?.aborted && from > 0) break;
      const batch = worlds.map((w) => points[Math.min(from + w, points.length - 1)]);
      this.#unknowns.apply(this.#simulation, batch);
      this.#simulation.forward();
      const found = await this.#residuals.losses(this.#simulation, worlds.slice(0, points.length - from));
      for (const loss of found) {
        losses.push(Number.isFinite(loss) ? loss : Number.POSITIVE_INFINITY);
        isSolved ||= this.#residuals.isExact(loss);
      }
    }
    const ranked = [...losses.keys()].sort((a, b) => losses[a] - losses[b]);
    return ranked.slice(0, isSolved ? 1 : keep).map((k) => points[k]);
  }

  dispose(): void {
    this.#simulation?.dispose();
  }
}
