import type { ComparisonSums, Device, Simulation } from '@gradsim/core';
import type { Residuals } from '../objective/residuals.ts';
import type { BentSystem } from '../objective/system.ts';
import { bentSystemOf, sumsAt } from '../objective/systems.ts';
import type { Journal } from '../plan/journal.ts';
import { noJournal } from '../plan/journal.ts';
import type { Limits } from '../unknowns/limits.ts';
import { clamped, zeroedAtLimits } from '../unknowns/limits.ts';
import { RunFailure } from '../unknowns/run-failure.ts';
import type { Unknowns } from '../unknowns/unknowns.ts';
import { dampedStep } from './damped-step.ts';

/** State of the descent from one start: its point, and the least-squares system there. */
export interface DampedState {
  x: Float64Array;
  loss: number;
  /** J^T J divided by the sum of weights; `gradient`: J^T r divided by it. */
  hessian: Float64Array;
  gradient: Float64Array;
  /** Numbers that the Hessian lacks on its diagonal, because unknowns are transformed. */
  bends: Float64Array;
  /** True from the first step on whose loss the Hessian with these predicts better than that without. */
  isBent: boolean;
  lambda: number;
  /** Relative decrease of the loss that an undamped step promises. */
  promise: number;
  /** Number of consecutive steps that did not lower the loss. */
  rejected: number;
  isDone: boolean;
}

export interface LevenbergMarquardtOptions {
  readonly precision: Device['precision'];
  readonly tolerance: number;
  readonly journal?: Journal;
  /** True if the other starts continue when one fits exactly. */
  readonly isWhole?: boolean;
}

/** A point, and the sums of the run there with all tangents. */
export interface Evaluation {
  readonly x: Float64Array;
  readonly sums: readonly ComparisonSums[];
}

/** Initial damping (Levenberg-Marquardt lambda), relative to the diagonal of J^T J. */
const FIRST_LAMBDA = 1e-3;
/** Smallest damping relative to the diagonal of J^T J, by precision of the device, below which rounding dominates. */
const SMALLEST_LAMBDA = { f32: 1e-7, f64: 1e-13 } as const;
/**
 * Relative difference of two losses, by precision of the device, below which it can be rounding. Gradients tell more
 * there: within it, the undamped step is judged by what the next one promises.
 */
const LOSS_ROUNDING = { f32: 1e-4, f64: 0 } as const;
/** Promise of an undamped step, in tolerances, below which one that does not halve it shows that gradients are rounding, too. */
const LEVEL_PROMISE = 10;
/**
 * Limits of the damping's factor after a step that lowers the loss, 1 - (2 r - 1)^3 of its gain ratio r (H. Nielsen,
 * 1999): in a curved valley, where short steps gain what their model predicts and long ones nothing, the damping settles.
 */
const [MIN_FACTOR, MAX_FACTOR] = [0.1, 2] as const;
/** Number of consecutive steps without decrease of the loss, each shorter than the previous one, that end a start. */
const MAX_REJECTED_STEPS = 6;
/** Damping from which that of a step that did not lower the loss is multiplied. */
const LEAST_REJECTED_LAMBDA = 1e-7;
/** Relative decrease of the loss by an undamped step below which an exact fit is limited by rounding only. */
const EXACT_GAIN = 0.1;

type Linearised = Pick<DampedState, 'x' | 'hessian' | 'gradient'>;

/** True if a system is finite, so that a step can be computed from it. */
const isRead = ({ loss, gradient, hessian }: BentSystem): boolean =>
  Number.isFinite(loss) && gradient.every(Number.isFinite) && hessian.every(Number.isFinite);

/**
 * The system with what its Hessian lacks on the diagonal, where that is above 0: without, steps of a logarithm that the data lower
 * and a prior holds are two and more times too long, and end beyond the minimum again and again.
 */
function bent<T extends Pick<DampedState, 'hessian' | 'bends'>>(system: T): T {
  if (!system.bends.some((bend) => bend > 0)) return system;
  const n = system.bends.length;
  const hessian = system.hessian.slice();
  system.bends.forEach((bend, k) => {
    hessian[k * n + k] += Math.max(bend, 0);
  });
  return { ...system, hessian };
}

/**
 * The system of which a step is computed: without the bends while it predicts losses better, which far from the minimum it does, as
 * NL2SOL chooses (J. Dennis, D. Gay and R. Welsch, 1981), but for good; with them also where losses tell nothing.
 */
const modelOf = (d: DampedState, isLevel: boolean): Linearised => (d.isBent || isLevel ? bent(d) : d);

/** Decrease of the loss that its quadratic model predicts for a point. */
function gainOf({ x, gradient, hessian }: Linearised, to: Float64Array): number {
  const step = to.map((value, k) => value - x[k]);
  const n = step.length;
  const change = (s: number, i: number): number =>
    s * (2 * gradient[i] + step.reduce((sum, t, j) => sum + hessian[i * n + j] * t, 0));
  return -step.reduce((sum, s, i) => sum + change(s, i), 0);
}

/** Hessian without rows and columns of coordinates that are at a limit and would cross it, so that these stay fixed. */
function ofFree({ hessian, gradient }: Pick<DampedState, 'hessian' | 'gradient'>, free: Float64Array): Float64Array {
  const n = gradient.length;
  const isHeld = (k: number): boolean => free[k] === 0 && gradient[k] !== 0;
  return hessian.map((h, at) => (isHeld(Math.floor(at / n)) || isHeld(at % n) ? 0 : h));
}

/**
 * Levenberg-Marquardt on all starts at once. Worlds carry the tangents along the unknowns of each start, so that one
 * forward run gives losses, gradients and Gauss-Newton Hessians of all starts. A step that lowers the loss changes the
 * damping by its gain ratio, the decrease over the predicted one; consecutive ones that do not multiply it by 4, 16, 64
 * and so on. A start whose undamped step promises no decrease within the tolerance ends: what the loss still changes by is
 * rounding.
 */
export class LevenbergMarquardt {
  readonly #simulation: Simulation;
  readonly #unknowns: Unknowns;
  readonly #residuals: Residuals;
  readonly #tolerance: number;
  readonly #longest: Float64Array;
  readonly #limits: Limits;
  readonly #smallestLambda: number;
  readonly #lossRounding: number;
  /** Loss up to which a fit counts as exact. */
  readonly #exactLoss: number;
  readonly #journal: Journal;
  descents: DampedState[] = [];
  /** The simulation's last run, if it was of a single point; null if it failed, or was read from the journal. */
  last: Evaluation | null = null;
  /** Evaluation that a single descent has reached; null if that was read from the journal. */
  reached: Evaluation | null = null;

  constructor(
    simulation: Simulation,
    unknowns: Unknowns,
    residuals: Residuals,
    { precision, tolerance, journal = noJournal, isWhole = false }: LevenbergMarquardtOptions,
  ) {
    this.#simulation = simulation;
    this.#unknowns = unknowns;
    this.#residuals = residuals;
    this.#tolerance = tolerance;
    this.#longest = unknowns.scales();
    this.#limits = unknowns.limits();
    this.#smallestLambda = SMALLEST_LAMBDA[precision];
    this.#lossRounding = LOSS_ROUNDING[precision];
    this.#exactLoss = isWhole ? 0 : residuals.exactLoss(precision);
    this.#journal = journal;
  }

  #systems(points: readonly Float64Array[], known: Evaluation['sums'] | null = null): Promise<BentSystem[]> {
    this.last = null;
    const [residuals, unknowns] = [this.#residuals, this.#unknowns];
    return this.#journal.once('least squares', points, async () => {
      const sums = known ?? (await sumsAt(this.#simulation, unknowns, residuals, points));
      if (!known && points.length === 1) this.last = { x: points[0], sums };
      const systems = residuals.normalEquations(sums, points.length, unknowns.count);
      return systems.map((system, s) => bentSystemOf(system, unknowns, points[s], residuals));
    });
  }

  /** @param known sums of the run at the points, if that was made before. */
  async start(points: readonly Float64Array[], known: Evaluation['sums'] | null = null): Promise<void> {
    const systems = await this.#systems(points, known);
    this.reached = known ? { x: points[0], sums: known } : this.last;
    this.descents = systems.map((system, s) => ({
      x: points[s],
      ...system,
      // Without derivatives no descent is possible from there, whatever the loss.
      loss: isRead(system) ? system.loss : Number.POSITIVE_INFINITY,
      lambda: FIRST_LAMBDA,
      promise: isRead(system) ? this.#promiseAt(points[s], system) : Number.POSITIVE_INFINITY,
      rejected: 0,
      isBent: false,
      isDone: !isRead(system),
    }));
    if (!this.descents.every((d) => d.isDone)) {
      this.#endIfExact();
      return;
    }
    const [{ loss }] = systems;
    const [what, value] = Number.isFinite(loss)
      ? (['A derivative of the loss', Number.NaN] as const)
      : (['The loss', loss] as const);
    throw new RunFailure(await this.#simulation.locateNonFinite(what, value));
  }

  /** Performs one iteration of every start. */
  async step(): Promise<void> {
    const trials = this.descents.map((d) =>
      d.isDone ? d.x : this.#stepped(modelOf(d, this.#isLevel(d)), this.#isLevel(d) ? this.#smallestLambda : d.lambda),
    );
    const systems = await this.#systems(trials).catch((error: unknown) => {
      // A run that cannot be read went too far, as does one whose values are refused; the start at fault is unknown, so
      // all take shorter steps.
      if (error instanceof RunFailure) return null;
      throw error;
    });
    this.descents.forEach((d, s) => {
      if (d.isDone) return;
      const system = systems?.[s];
      const finite = system && isRead(system);
      const moved = this.#largestChange(d, trials[s]);
      const { loss } = d;
      const isLevel = this.#isLevel(d);
      const predicted = gainOf(modelOf(d, isLevel), trials[s]);
      const small = this.#tolerance * loss;
      const hasNoMore = predicted < small && d.promise < this.#tolerance;
      const promise = finite ? this.#promiseAt(trials[s], system) : Number.POSITIVE_INFINITY;
      if (finite && !isLevel) {
        const off = (of: Linearised): number => Math.abs(loss - system.loss - gainOf(of, trials[s]));
        d.isBent ||= off(bent(d)) < off(d);
      }
      if (finite && isLevel && promise < d.promise / 2 && system.loss < loss * (1 + this.#lossRounding))
        this.#move(d, trials[s], { ...system, promise, isDone: hasNoMore });
      else if (finite && system.loss <= loss) {
        const gained = (loss - system.loss) / Math.max(loss, 1e-300);
        const isExact = loss <= this.#exactLoss;
        const ratio = predicted > 0 ? (loss - system.loss) / predicted : 0;
        const factor = Math.min(Math.max(1 - (2 * ratio - 1) ** 3, MIN_FACTOR), MAX_FACTOR);
        const isStill =
          hasNoMore ||
          moved < this.#tolerance ||
          (gained < this.#tolerance && moved < Math.sqrt(this.#tolerance)) ||
          (isExact && gained < EXACT_GAIN);
        this.#move(d, trials[s], {
          ...system,
          lambda: Math.max(d.lambda * factor, this.#smallestLambda),
          promise,
          rejected: 0,
          isDone: isStill,
        });
      } else {
        d.rejected++;
        d.lambda = Math.max(d.lambda, LEAST_REJECTED_LAMBDA) * 4 ** d.rejected;
        // A step this short differs from none by rounding only.
        const isRounding = isLevel && d.promise < LEVEL_PROMISE * this.#tolerance;
        d.isDone =
          hasNoMore ||
          isRounding ||
          d.rejected >= MAX_REJECTED_STEPS ||
          moved < this.#tolerance ||
          loss <= this.#exactLoss;
      }
    });
    this.#endIfExact();
  }

  #move(d: DampedState, x: Float64Array, state: Partial<DampedState>): void {
    Object.assign(d, { x, ...state });
    this.reached = this.last;
  }

  /** True if what the loss can still decrease by may be less than its rounding, so that its differences tell nothing. */
  #isLevel({ promise, rejected }: DampedState): boolean {
    return promise < this.#lossRounding && rejected === 0;
  }

  /** Relative decrease of the loss that an undamped step promises. */
  #promiseAt(x: Float64Array, system: BentSystem): number {
    const here = { ...bent(system), x };
    return gainOf(here, this.#stepped(here, this.#smallestLambda)) / Math.max(system.loss, 1e-300);
  }

  /** Point after a damped step, within the limits. */
  #stepped({ x, hessian, gradient }: Linearised, lambda: number): Float64Array {
    const free = zeroedAtLimits(gradient, x, this.#limits);
    const step = dampedStep(ofFree({ hessian, gradient }, free), free, lambda, this.#longest);
    return clamped(
      x.map((coordinate, k) => coordinate + step[k]),
      this.#limits,
    );
  }

  /**
   * Largest change of a coordinate: in natural steps, or as the change of the residuals that it makes, relative to them,
   * where that is less. Of an unknown that runs off, the residuals soon see nothing.
   */
  #largestChange({ x, hessian, loss }: DampedState, trial: Float64Array): number {
    const n = x.length;
    return trial.reduce((most, to, k) => {
      const change = Math.abs(to - x[k]);
      const seen = Math.sqrt(Math.max(hessian[k * n + k], 0) / Math.max(loss, 1e-300));
      return Math.max(most, change * Math.min(1 / this.#longest[k], seen));
    }, 0);
  }

  /**
   * Ends all other starts once one fits exactly; that one continues with the smallest damping until it gains nothing
   * more.
   */
  #endIfExact(): void {
    const { best } = this;
    if (!(best.loss <= this.#exactLoss)) return;
    for (const d of this.descents) if (d !== best || d.loss === 0) d.isDone = true;
    best.lambda = this.#smallestLambda;
  }

  get best(): DampedState {
    return this.descents.reduce((best, d) => (d.loss < best.loss || !Number.isFinite(best.loss) ? d : best));
  }
  /** True if no start continues: each has converged, or was ended by an exact fit. */
  get isDone(): boolean {
    return this.descents.every((d) => d.isDone);
  }
}
