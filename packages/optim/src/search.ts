import type { Device, Simulation, StopSignal } from '@gradsim/core';
import { coarse } from './coarse.ts';
import type { Journal } from './journal.ts';
import { noJournal } from './journal.ts';
import { Objective } from './objective.ts';
import { open } from './open.ts';
import type { Problem } from './problem.ts';
import type { EstimateControls } from './result.ts';
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
      const found = await this.#journal.once('losses', batch, () =>
        this.#losses(batch, worlds.slice(0, points.length - from)),
      );
      for (const loss of found) {
        losses.push(Number.isFinite(loss) ? loss : Number.POSITIVE_INFINITY);
        isSolved ||= this.#objective.isExact(loss);
      }
    }
    const ranked = [...losses.keys()].sort((a, b) => losses[a] - losses[b]);
    return ranked.slice(0, isSolved ? 1 : keep).map((k) => points[k]);
  }

  #losses(batch: readonly Float64Array[], worlds: readonly number[]): Promise<Float64Array> {
    this.#unknowns.apply(this.#simulation!, batch);
    this.#simulation!.forward();
    return this.#objective!.losses(this.#simulation!, worlds, batch);
  }

  dispose(): void {
    this.#simulation?.dispose();
  }
}
