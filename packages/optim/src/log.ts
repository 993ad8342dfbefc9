import type { Finding } from './problem/finding.ts';
import type { Estimate, EstimateControls, Iteration } from './result.ts';
import type { Found } from './result-of-unknowns.ts';
import { resultOfUnknowns } from './result-of-unknowns.ts';
import type { IterationNotes, ShowFrames } from './search/plan.ts';

/** Estimated number of descents over the other unknowns where one unknown is searched without derivatives. */
const FITS_AT_VALUES = 25;
/** Estimated number of growing horizons, which is not known beforehand. */
const USUAL_HORIZONS = 10;

/** Finding in results that are reported while the search runs. */
const UNDER_WAY: Finding = {
  kind: 'interrupted',
  grave: true,
  note: 'The estimation had not finished.',
};

/** Parts of a result that are known before its end. */
export interface Begun extends Omit<Found, 'end'> {
  readonly methodReason: string;
}

/** Records the best point after every iteration, and reports it. */
export class Log {
  /** The best so far; null before the first iteration. */
  best: (() => Estimate) | null = null;
  readonly #history: Iteration[] = [];
  readonly #found: Begun;
  readonly #controls: EstimateControls;
  readonly #seconds: () => number;
  readonly #compile: number;
  /** Maximum number of iterations: every horizon and every hop is a descent of its own. */
  #most: number;

  /**
   * @param seconds since the call; those that have passed so far were spent compiling.
   * @param earlier a part of the same estimation that this continues.
   */
  constructor(found: Begun, controls: EstimateControls, seconds: () => number, earlier?: Log) {
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

  async take(
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
      ...this.ending(loss, 'interrupted'),
      ...resultOfUnknowns({ ...this.#found, end: { x, loss } }, objective.withoutResiduals ? null : loss),
      withoutErrors: 'There are no standard errors: the estimation had not come to its end.',
      unmoved: [],
      parts: {},
      predicted: {},
      fit: null,
      verification: [],
      verdict: { trusted: false, findings: [UNDER_WAY] },
    });
    this.best = best;
    await this.#controls.onIteration?.(line, this.#most, {
      best,
      frames,
      method: this.#found.options.search.method,
      methodReason: this.#found.methodReason,
    });
  }

  /** Makes the result at the end of the search. */
  ending(
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
      history: [...this.#history],
      device: `${kind}: ${description}`,
      seconds: { compile: this.#compile, run: this.#seconds() - this.#compile },
    };
  }
}
