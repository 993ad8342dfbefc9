import type { Device, Simulation } from '@gradsim/core';
import type { Residuals } from '../objective/residuals.ts';
import type { System } from '../objective/system.ts';
import { systemsAt } from '../objective/systems.ts';
import type { Journal } from '../plan/journal.ts';
import { noJournal } from '../plan/journal.ts';
import type { TangentRun } from '../plan/simulation-pool.ts';
import type { Limits } from '../unknowns/limits.ts';
import { clamped, within } from '../unknowns/limits.ts';
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
  lambda: number;
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
  /** True if the simulation's last run was that of the start, with all tangents. */
  readonly hasRun?: boolean;
}

/** Initial damping (Levenberg-Marquardt lambda), relative to the diagonal of J^T J. */
const FIRST_LAMBDA = 1e-3;
/** Smallest damping relative to the diagonal of J^T J, by precision of the device, below which rounding dominates. */
const SMALLEST_LAMBDA = { f32: 1e-7, f64: 1e-13 } as const;
/** Number of consecutive steps without decrease of the loss, each shorter than the previous one, that end a start. */
const MAX_REJECTED_STEPS = 6;
/** Relative decrease of the loss by an undamped step below which an exact fit is limited by rounding only. */
const EXACT_GAIN = 0.1;

/** True if a system is finite, so that a step can be computed from it. */
const isRead = ({ loss, gradient, hessian }: System): boolean =>
  Number.isFinite(loss) && gradient.every(Number.isFinite) && hessian.every(Number.isFinite);

/** Hessian without rows and columns of coordinates that are at a limit and would cross it, so that these stay fixed. */
function ofFree({ hessian, gradient }: Pick<DampedState, 'hessian' | 'gradient'>, free: Float64Array): Float64Array {
  const n = gradient.length;
  const isHeld = (k: number): boolean => free[k] === 0 && gradient[k] !== 0;
  return hessian.map((h, at) => (isHeld(Math.floor(at / n)) || isHeld(at % n) ? 0 : h));
}

/**
 * Levenberg-Marquardt on all starts at once. Worlds carry the tangents along the unknowns of each start, so that one
 * forward run gives losses, gradients and Gauss-Newton Hessians of all starts. A step that lowers the loss divides the
 * damping by 10; consecutive ones that do not multiply it by 4, 16, 64 and so on.
 */
export class LevenbergMarquardt {
  readonly #simulation: Simulation;
  readonly #unknowns: Unknowns;
  readonly #residuals: Residuals;
  readonly #tolerance: number;
  readonly #longest: Float64Array;
  readonly #limits: Limits;
  readonly #smallestLambda: number;
  /** Loss up to which a fit counts as exact. */
  readonly #exactLoss: number;
  readonly #journal: Journal;
  /** True until the first systems are read, if the simulation has run there. */
  #hasRun: boolean;
  descents: DampedState[] = [];
  /** Points of the simulation's last run; null if it failed, or was read from the journal. */
  #ran: readonly Float64Array[] | null = null;

  constructor(
    simulation: Simulation,
    unknowns: Unknowns,
    residuals: Residuals,
    { precision, tolerance, journal = noJournal, isWhole = false, hasRun = false }: LevenbergMarquardtOptions,
  ) {
    this.#simulation = simulation;
    this.#unknowns = unknowns;
    this.#residuals = residuals;
    this.#tolerance = tolerance;
    this.#longest = unknowns.scales();
    this.#limits = unknowns.limits();
    this.#smallestLambda = SMALLEST_LAMBDA[precision];
    this.#exactLoss = isWhole ? 0 : residuals.exactLoss(precision);
    this.#journal = journal;
    this.#hasRun = hasRun;
  }

  #systems(points: readonly Float64Array[]): Promise<System[]> {
    this.#ran = null;
    const hasRun = this.#hasRun;
    this.#hasRun = false;
    return this.#journal.once('least squares', points, async () => {
      const systems = await systemsAt(this.#simulation, this.#unknowns, this.#residuals, points, hasRun);
      this.#ran = points;
      return systems;
    });
  }

  /** Last run of the simulation, if it was of a single point and is known. */
  get ran(): TangentRun | null {
    return this.#ran?.length === 1 ? { x: this.#ran[0], frames: this.#residuals.frames } : null;
  }

  async start(points: readonly Float64Array[]): Promise<void> {
    const systems = await this.#systems(points);
    this.descents = systems.map((system, s) => ({
      x: points[s],
      ...system,
      // Without derivatives no descent is possible from there, whatever the loss.
      loss: isRead(system) ? system.loss : Number.POSITIVE_INFINITY,
      lambda: FIRST_LAMBDA,
      rejected: 0,
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
    const trials = this.descents.map((d) => {
      if (d.isDone) return d.x;
      const free = within(d.gradient, d.x, this.#limits);
      const step = dampedStep(ofFree(d, free), free, d.lambda, this.#longest);
      return clamped(
        d.x.map((x, k) => x + step[k]),
        this.#limits,
      );
    });
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
      const moved = this.#moved(d, trials[s]);
      if (finite && system.loss <= d.loss) {
        const gained = (d.loss - system.loss) / Math.max(d.loss, 1e-300);
        const isExact = d.loss <= this.#exactLoss;
        const isStill =
          moved < this.#tolerance ||
          (gained < this.#tolerance && moved < Math.sqrt(this.#tolerance)) ||
          (isExact && gained < EXACT_GAIN);
        Object.assign(d, {
          x: trials[s],
          ...system,
          lambda: Math.max(d.lambda / 10, this.#smallestLambda),
          rejected: 0,
          isDone: isStill,
        });
      } else {
        d.rejected++;
        d.lambda = Math.max(d.lambda, 1e-5) * 4 ** d.rejected;
        // A step this short differs from none by rounding only.
        if (d.rejected >= MAX_REJECTED_STEPS || moved < this.#tolerance || d.loss <= this.#exactLoss) d.isDone = true;
      }
    });
    this.#endIfExact();
  }

  /**
   * Largest change of a coordinate: in natural steps, or as the change of the residuals that it makes, relative to them,
   * where that is less. Of an unknown that runs off, the residuals soon see nothing.
   */
  #moved({ x, hessian, loss }: DampedState, trial: Float64Array): number {
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
