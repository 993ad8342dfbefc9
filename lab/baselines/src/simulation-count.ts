import type { Journal } from '@gradsim/optim';

/**
 * Counts the simulations of an estimation's search as if each covered the whole film: one per loss, and one more for
 * the tangent of each unknown.
 *
 * ```ts
 * const count = new SimulationCount(problem.parameters.length);
 * await estimate(problem, { device, journal: count });
 * count.simulations;
 * ```
 */
export class SimulationCount implements Journal {
  simulations = 0;
  readonly #unknowns: number;

  constructor(unknowns: number) {
    this.#unknowns = unknowns;
  }

  readonly once = <T>(what: string, given: readonly ArrayLike<number>[], work: () => Promise<T>): Promise<T> => {
    if (what === 'losses') this.simulations += given.length;
    if (what === 'least squares') this.simulations += given.length * (1 + this.#unknowns);
    return work();
  };
}
