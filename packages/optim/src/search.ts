import type { Device, Simulation, StopSignal } from '@gradsim/core';
import { coarse } from './coarse.ts';
import type { Journal } from './journal.ts';
import { noJournal } from './journal.ts';
import { Objective } from './objective.ts';
import { open } from './open.ts';
import type { Problem } from './problem.ts';
import type { EstimateControls } from './result.ts';
import { RunFailure } from './run-failure.ts';
import type { Unknowns } from './unknowns.ts';

/** Worlds of a search that run at once. */
const SEARCH_WORLDS = 16;

/** Compares points by their loss on few frames, many at a time. */
export class Search {
  readonly #problem: Problem;
  readonly #unknowns: Unknowns;
  readonly #device: Device;
  readonly #signal?: StopSignal;
  readonly #journal: Journal;
  #simulation: Simulation | null = null;
  #objective: Objective | null = null;

  constructor(
    problem: Problem,
    unknowns: Unknowns,
    { device, signal, journal = noJournal }: Pick<EstimateControls, 'device' | 'signal' | 'journal'>,
    objective: Objective,
  ) {
    this.#problem = coarse(problem);
    if (this.#problem === problem) this.#objective = objective;
    this.#unknowns = unknowns;
    this.#device = device;
    this.#signal = signal;
    this.#journal = journal;
  }

  /**
   * The `keep` points of least loss, best first; all of them where there are no more. One that fits exactly ends the search
   * and is given alone.
   */
  async best(points: readonly Float64Array[], keep: number): Promise<Float64Array[]> {
    if (points.length <= keep) return [...points];
    this.#objective ??= new Objective(this.#problem, this.#unknowns);
    this.#simulation ??= await open(this.#problem, {
      device: this.#device,
      record: this.#objective.fields,
      derivative: 'none',
      worlds: SEARCH_WORLDS,
    });
    const losses: number[] = [];
    const worlds = [...Array(SEARCH_WORLDS).keys()];
    let isSolved = false;
    for (let from = 0; from < points.length && !isSolved; from += SEARCH_WORLDS) {
      if (this.#signal?.aborted && from > 0) break;
      const batch = worlds.map((w) => points[Math.min(from + w, points.length - 1)]);
      const own = batch.slice(0, points.length - from);
      for (const loss of await this.#journal.once('losses', own, () => this.#losses(own))) {
        losses.push(Number.isFinite(loss) ? loss : Number.POSITIVE_INFINITY);
        isSolved ||= this.#objective.isExact(loss);
      }
    }
    const ranked = [...losses.keys()].sort((a, b) => losses[a] - losses[b]);
    return ranked.slice(0, isSolved ? 1 : keep).map((k) => points[k]);
  }

  /** The losses of up to a batch of points; infinite where a run cannot be read. */
  async #losses(points: readonly Float64Array[]): Promise<number[]> {
    const simulation = this.#simulation!;
    const batch = Array.from({ length: SEARCH_WORLDS }, (_, w) => points[Math.min(w, points.length - 1)]);
    try {
      this.#unknowns.apply(simulation, batch);
      simulation.forward();
      return Array.from(await this.#objective!.losses(simulation, [...points.keys()], batch));
    } catch (error) {
      if (!(error instanceof RunFailure)) throw error;
      if (points.length === 1) return [Number.POSITIVE_INFINITY];
      // Whose world it was is found one by one.
      const found: number[] = [];
      for (const point of points) found.push(...(await this.#losses([point])));
      return found;
    }
  }

  dispose(): void {
    this.#simulation?.dispose();
  }
}
