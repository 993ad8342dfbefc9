import type { Simulation } from '@gradsim/core';
import type { Objective } from '../objective/objective.ts';
import { open } from '../problem/run.ts';
import { RunFailure } from '../unknowns/run-failure.ts';
import type { Unknowns } from '../unknowns/unknowns.ts';
import { noJournal } from './journal.ts';
import type { Compared, Plan, SearchControls } from './plan.ts';

/** Number of points evaluated at once, as worlds of a batch. */
export const LOSSES_AT_ONCE = 16;

/** Evaluates the losses of points in batches, by runs without derivatives. */
export class BatchLosses {
  readonly #unknowns: Unknowns;
  readonly #controls: SearchControls;
  readonly #compare: () => Compared;
  #known: Compared | null = null;
  #simulation: Simulation | null = null;

  /** @param compare creates the run and its objective, when they are first needed. */
  constructor({ unknowns, controls }: Pick<Plan, 'unknowns' | 'controls'>, compare: () => Compared) {
    this.#unknowns = unknowns;
    this.#controls = controls;
    this.#compare = compare;
  }

  get #compared(): Compared {
    this.#known ??= this.#compare();
    return this.#known;
  }
  get objective(): Objective {
    return this.#compared.objective;
  }

  /** Losses of a batch of points, without priors; infinite if a run fails. */
  async losses(points: readonly Float64Array[]): Promise<number[]> {
    const { device, journal = noJournal } = this.#controls;
    this.#simulation ??= await open(this.#compared.run, {
      device,
      record: this.objective.fields,
      comparisons: { list: this.objective.comparisons },
      derivative: 'none',
      worlds: LOSSES_AT_ONCE,
    });
    const found = await journal.once('losses', points, () => this.#run(points));
    return found.map((loss) => (Number.isFinite(loss) ? loss : Number.POSITIVE_INFINITY));
  }

  async #run(points: readonly Float64Array[]): Promise<number[]> {
    const simulation = this.#simulation!;
    const batch = Array.from({ length: LOSSES_AT_ONCE }, (_, w) => points[Math.min(w, points.length - 1)]);
    try {
      this.#unknowns.apply(simulation, batch);
      simulation.forward();
      return Array.from(await this.objective.losses(simulation, [...points.keys()], batch));
    } catch (error) {
      if (!(error instanceof RunFailure)) throw error;
      if (points.length === 1) return [Number.POSITIVE_INFINITY];
      // The failing world is found one by one.
      const found: number[] = [];
      for (const point of points) found.push(...(await this.#run([point])));
      return found;
    }
  }

  dispose(): void {
    this.#simulation?.dispose();
  }
}
