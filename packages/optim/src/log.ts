import type { ShowFrames } from './plan/plan.ts';
import type { Finding } from './posterior/finding.ts';
import type { Iteration, IterationNotes } from './posterior/found.ts';
import type { Estimate, EstimateControls } from './result.ts';
import type { Outcome } from './result-of-unknowns.ts';
import { resultOfUnknowns } from './result-of-unknowns.ts';

/**
 * Estimated number of descents over the other unknowns if one unknown is found by values alone; for the progress
 * display.
 */
const FITS_AT_VALUES = 25;
/** Estimated number of horizons if these are chosen during the search; for the progress display. */
const USUAL_HORIZONS = 10;

/** Finding in the verdict of results that are reported before the estimation has finished. */
const UNFINISHED_FINDING: Finding = {
  kind: 'interrupted',
  isCritical: true,
  note: 'The estimation had not finished.',
};

/** Parts of a result that are known before the search. */
export interface BegunResult extends Omit<Outcome, 'end'> {
  readonly methodReason: string;
}

/** Records the history and the best point of a search after every iteration, and reports them. */
export class Log {
  /** Function that returns the result for the best point so far; null before the first iteration. */
  best: (() => Estimate) | null = null;
  readonly #history: Iteration[] = [];
  readonly #found: BegunResult;
  readonly #controls: EstimateControls;
  readonly #seconds: () => number;
  readonly #compile: number;
  /** Maximum number of iterations over all horizons and hops, each of which is a descent. */
  #most: number;

  /**
   * @param seconds returns the seconds since the call of `estimate`; those at the time of construction were
   * compilation.
   * @param earlier log of an earlier part of the same estimation, which this one continues.
   */
  constructor(found: BegunResult, controls: EstimateControls, seconds: () => number, earlier?: Log) {
    this.#found = found;
    this.#controls = controls;
    const compiled = seconds();
    this.#seconds = earlier ? earlier.#seconds : seconds;
    this.#compile = compiled + (earlier ? earlier.#compile : 0);
    if (earlier) this.#history.push(...earlier.#history);
    const { iterations, horizons, hops } = found.options.search;
    // A search by values reports its starts, too.
    const fits = found.unknowns.byValues === null ? 1 : FITS_AT_VALUES;
    const before = this.#history.length;
    this.#most =
      before + fits * (iterations + 1) * (horizons === 'growing' ? USUAL_HORIZONS : horizons.length) * (hops + 1) - 1;
  }

  /** Iterations so far. */
  get history(): readonly Iteration[] {
    return [...this.#history];
  }

  /** Continues the history of an earlier search. */
  resume(history: readonly Iteration[]): void {
    this.#history.unshift(...history);
    this.#most += history.length;
  }

  async record(
    loss: number,
    x: Float64Array,
    horizon: number,
    frames: ShowFrames,
    notes: IterationNotes = {},
  ): Promise<void> {
    const { unknowns, objective } = this.#found;
    const parameters = unknowns.parameters(unknowns.values(x));
    const line: Iteration = {
      iteration: this.#history.length,
      loss,
      horizon,
      parameters,
      seconds: this.#seconds(),
      ...notes,
    };
    this.#history.push(line);
    // One descent more than was foreseen: re-estimated weights are followed by another.
    if (line.iteration > this.#most) this.#most = line.iteration + this.#found.options.search.iterations;
    const best = (): Estimate => ({
      ...this.resultAtEnd(loss, 'interrupted'),
      ...resultOfUnknowns({ ...this.#found, end: { x, loss } }, objective.withoutResiduals ? null : loss),
      withoutErrors: 'There are no standard errors: the estimation had not come to its end.',
      unmoved: [],
      parts: {},
      predicted: {},
      fit: null,
      verification: [],
      verdict: { trusted: false, findings: [UNFINISHED_FINDING], unseen: [] },
    });
    this.best = best;
    await this.#controls.onIteration?.(line, this.#most, {
      best,
      frames,
      method: this.#found.options.search.method,
      methodReason: this.#found.methodReason,
    });
  }

  /** Makes the result of a finished search. */
  resultAtEnd(
    loss: number,
    stopped: Estimate['stopped'],
  ): Pick<Estimate, 'loss' | 'history' | 'method' | 'methodReason' | 'stopped' | 'seconds' | 'seed' | 'device'> {
    const { methodReason, options } = this.#found;
    const { method, seed } = options.search;
    const { kind, description } = this.#controls.device;
    return {
      loss,
      stopped,
      method,
      methodReason,
      seed,
      history: this.history,
      device: `${kind}: ${description}`,
      seconds: { compile: this.#compile, run: this.#seconds() - this.#compile },
    };
  }
}
