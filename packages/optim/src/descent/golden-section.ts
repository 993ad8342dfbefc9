import type { Simulation } from '@gradsim/core';
import { defect, GradsimError } from '@gradsim/core';
import { BatchLosses, LOSSES_AT_ONCE } from '../plan/batch-losses.ts';
import type { Plan } from '../plan/plan.ts';
import { simulate } from '../plan/plan.ts';
import type { End, Ends } from '../posterior/found.ts';
import { RunFailure } from '../unknowns/run-failure.ts';
import type { Descent } from './descent.ts';

/**
 * Number of values of the unknown found by values alone at which the others are first fitted, evenly over its range.
 */
const SCAN_VALUES = 33;
/** Maximum number of worlds in a batch of fits, unless a single fit needs more. */
const MAX_BATCH_WORLDS = 64;
/** Number of points in a small batch, such as the two ends of an interval. */
const SMALL_BATCH = 2;
/** Length of the interval, relative to the unknown's range, at which golden-section search and bisection end. */
const MIN_INTERVAL = 1e-4;
/** Relative difference below which losses count as equal, so that the data prefer neither value. */
const EQUAL_LOSSES = 1e-6;
/** Inverse of the golden ratio, 0.618: relative length of the larger part of an interval in golden-section search. */
const INVERSE_GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

/** Fits of the other unknowns at given values of the unknown found by values alone. */
export class FitsAtValues {
  readonly #plan: Plan;
  readonly #descend: (run: Descent) => Promise<Ends>;
  /** Index of the coordinate of the unknown found by values alone. */
  readonly #k: number;
  readonly #losses: BatchLosses;
  /** Simulations by their number of points, kept since compiling one takes longer than a descent. */
  readonly #simulations = new Map<number, Simulation>();
  #best: Pick<End, 'x' | 'loss'> | null = null;
  /** Reason why the last descent ended; `exploded`: the first gradient that exploded in any descent. */
  stopped: Ends['stopped'] = 'tolerance';
  exploded: Ends['exploded'];

  /** @param descend descends in the unknowns that have derivatives. */
  constructor(plan: Plan, descend: (run: Descent) => Promise<Ends>) {
    this.#plan = plan;
    this.#descend = descend;
    this.#k = plan.unknowns.byValues!;
    this.#losses = new BatchLosses(plan, () => plan);
  }

  /** Copy of a point with another value of that coordinate. */
  pointWithValue(x: Float64Array, value: number): Float64Array {
    const moved = x.slice();
    moved[this.#k] = value;
    return moved;
  }

  /**
   * Descends from each point in all other unknowns; returns the ends in the order of the points, with infinite loss
   * where the run fails.
   */
  async fit(points: readonly Float64Array[]): Promise<End[]> {
    const { unknowns } = this.#plan;
    const isAlone = unknowns.count === 1;
    const most = isAlone ? LOSSES_AT_ONCE : Math.max(1, Math.floor(MAX_BATCH_WORLDS / this.#columns));
    // Many, or a pair: the rest of a batch is filled with its last point.
    const atOnce = isAlone || points.length > SMALL_BATCH ? most : Math.min(SMALL_BATCH, most);
    const ends: End[] = [];
    for (let from = 0; from < points.length; from += atOnce) {
      const batch = points.slice(from, from + atOnce);
      if (isAlone) ends.push(...(await this.#evaluated(batch)));
      else {
        const full = Array.from({ length: atOnce }, (_, i) => batch[Math.min(i, batch.length - 1)]);
        ends.push(...(await this.#descended(full)).slice(0, batch.length));
      }
    }
    return ends;
  }

  /** Number of columns of the Jacobian for a descent from one point; 1 for gradient methods. */
  get #columns(): number {
    return this.#plan.options.search.method === 'levenberg-marquardt' ? this.#plan.unknowns.count : 1;
  }

  async #simulationFor(points: number): Promise<Simulation> {
    const derivative = this.#plan.options.search.method === 'levenberg-marquardt' ? 'tangent' : 'adjoint';
    const simulation = this.#simulations.get(points) ?? (await simulate(this.#plan, derivative, points));
    this.#simulations.set(points, simulation);
    return simulation;
  }

  /** Evaluates the losses at the points, if there are no other unknowns to fit. */
  async #evaluated(points: readonly Float64Array[]): Promise<End[]> {
    const { objective, report } = this.#plan;
    const losses = await this.#losses.losses(points);
    const ends = points.map((x, k): End => {
      return { x, loss: objective.residuals ? objective.withPriors(x, losses[k]) : losses[k] };
    });
    for (const end of ends) if (end.loss < (this.#best?.loss ?? Number.POSITIVE_INFINITY)) this.#best = end;
    const best = this.#best;
    if (best)
      await report(best.loss, best.x, () =>
        Promise.reject(defect('Frames are kept where derivatives are followed, and here are values alone')),
      );
    return ends;
  }

  async #descended(points: readonly Float64Array[]): Promise<End[]> {
    const { options, report } = this.#plan;
    const reportBest: Plan['report'] = (loss, x, show, more) => {
      if (!(loss >= (this.#best?.loss ?? Number.POSITIVE_INFINITY))) this.#best = { x, loss };
      return report(this.#best?.loss ?? loss, this.#best?.x ?? x, show, more);
    };
    try {
      const found = await this.#descend({
        ...this.#plan,
        points,
        simulation: await this.#simulationFor(points.length),
        isWhole: true,
        options: { ...options, uncertainty: { ...options.uncertainty, standardErrors: false } },
        report: reportBest,
      });
      this.stopped = found.stopped;
      this.exploded ??= found.exploded;
      return points.map((point) => this.#endOf(point, found.ends));
    } catch (error) {
      if (!(error instanceof RunFailure)) throw error;
      if (points.length === 1) return [{ x: points[0], loss: Number.POSITIVE_INFINITY }];
      // The failing run is found one by one.
      const ends: End[] = [];
      for (const point of points) ends.push(...(await this.#descended([point])));
      return ends;
    }
  }

  /** Best of the ends with the point's value of the coordinate, which descents change only by rounding. */
  #endOf(point: Float64Array, ends: readonly End[]): End {
    const [low, high] = this.#plan.unknowns.bounds()[this.#k];
    const own = ends.filter(({ x }) => Math.abs(x[this.#k] - point[this.#k]) <= 1e-9 * (high - low));
    const [best] = own.sort((a, b) => a.loss - b.loss);
    if (!best) return { x: point, loss: Number.POSITIVE_INFINITY };
    return { ...best, x: this.pointWithValue(best.x, point[this.#k]) };
  }

  dispose(): void {
    for (const simulation of this.#simulations.values()) simulation.dispose();
    this.#losses.dispose();
  }
}

/**
 * Searches a problem with an unknown found by values alone: fits the others at values over its whole range, then
 * narrows the interval around the least loss by golden section (J. Kiefer, 1953). If the loss is constant over an
 * interval, as for a threshold between two moments at which it is passed, the middle of the interval is the estimate.
 */
export async function descendByValues(run: Descent, descend: (run: Descent) => Promise<Ends>): Promise<Ends> {
  const { unknowns, points, controls } = run;
  const k = unknowns.byValues!;
  const [low, high] = unknowns.bounds()[k];
  const fits = new FitsAtValues(run, descend);
  run.hadGradient[k] = 1;
  const samples: End[] = [];
  const isAborted = (): boolean => controls.signal?.aborted === true;
  const best = (): End => samples.reduce((a, b) => (b.loss < a.loss ? b : a));
  /** Loss at a value of the unknown; the fit of the others starts at their best values so far. */
  const lossAt = async (value: number): Promise<number> => {
    const [end] = await fits.fit([fits.pointWithValue(best().x, value)]);
    samples.push(end);
    return end.loss;
  };
  try {
    const values = [...evenlySpaced(low, high), ...points.map((x) => x[k])];
    samples.push(...(await fits.fit(points.flatMap((x) => values.map((value) => fits.pointWithValue(x, value))))));
    if (!Number.isFinite(best().loss))
      throw new RunFailure(
        new GradsimError(
          'optim/no-finite-value',
          `At no value of ${unknowns.names[k]} over its range the model gave values that are finite.`,
        ),
      );
    let [a, b] = around(samples, k, best());
    let [c, d] = [b - INVERSE_GOLDEN_RATIO * (b - a), a + INVERSE_GOLDEN_RATIO * (b - a)];
    let [atC, atD] = isAborted() ? [0, 0] : [await lossAt(c), await lossAt(d)];
    while (b - a > MIN_INTERVAL * (high - low) && !isAborted()) {
      if (atC <= atD) {
        [b, d, atD] = [d, c, atC];
        c = b - INVERSE_GOLDEN_RATIO * (b - a);
        atC = await lossAt(c);
      } else {
        [a, c, atC] = [c, d, atD];
        d = a + INVERSE_GOLDEN_RATIO * (b - a);
        atD = await lossAt(d);
      }
    }
    const found = best();
    const isEqual = (loss: number): boolean => loss <= found.loss * (1 + EQUAL_LOSSES) + Number.MIN_VALUE;
    const edge = async (side: 1 | -1): Promise<number> => {
      let { inner, outer } = edgeOf(samples, k, found, side, isEqual);
      while (outer !== null && Math.abs(outer - inner) > MIN_INTERVAL * (high - low) && !isAborted()) {
        const middle = (inner + outer) / 2;
        if (isEqual(await lossAt(middle))) inner = middle;
        else outer = middle;
      }
      return inner;
    };
    const isFlat = samples.some(
      ({ x, loss }) => isEqual(loss) && Math.abs(x[k] - found.x[k]) > MIN_INTERVAL * (high - low),
    );
    if (isFlat && !isAborted()) {
      const [end] = await fits.fit([fits.pointWithValue(found.x, ((await edge(-1)) + (await edge(1))) / 2)]);
      if (isEqual(end.loss)) return { ends: [end], stopped: fits.stopped, exploded: fits.exploded };
    }
    return {
      ends: [best()],
      stopped: isAborted() ? 'interrupted' : fits.stopped,
      exploded: fits.exploded,
    };
  } finally {
    fits.dispose();
  }
}

/** `SCAN_VALUES` evenly spaced values over a range, including both ends. */
export const evenlySpaced = (low: number, high: number): number[] =>
  Array.from({ length: SCAN_VALUES }, (_, i) => low + ((high - low) * i) / (SCAN_VALUES - 1));

/**
 * Neighbouring values of the best sample's among the samples, below and above; its own value at an end of the range.
 */
function around(samples: readonly End[], k: number, { x: at }: End): [number, number] {
  const values = samples.map(({ x }) => x[k]);
  const below = values.filter((value) => value < at[k]);
  const above = values.filter((value) => value > at[k]);
  return [below.length > 0 ? Math.max(...below) : at[k], above.length > 0 ? Math.min(...above) : at[k]];
}

/**
 * Farthest sample to one side of the best one with an equal loss (`inner`), and the next sample beyond it (`outer`),
 * null at the end of the range.
 */
function edgeOf(
  samples: readonly End[],
  k: number,
  best: End,
  side: 1 | -1,
  isEqual: (loss: number) => boolean,
): { inner: number; outer: number | null } {
  const beyond = samples.filter(({ x }) => side * (x[k] - best.x[k]) > 0).sort((a, b) => side * (a.x[k] - b.x[k]));
  let inner = best.x[k];
  for (const { x, loss } of beyond) {
    if (!isEqual(loss)) return { inner, outer: x[k] };
    inner = x[k];
  }
  return { inner, outer: null };
}
