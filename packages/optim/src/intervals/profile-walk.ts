import type { System } from '../objective/system.ts';
import type { End } from '../posterior/found.ts';
import type { Limits } from '../unknowns/limits.ts';
import { clamped } from '../unknowns/limits.ts';
import type { ProfileModel } from './profile-model.ts';
import { profileModel } from './profile-model.ts';

/** Relative tolerance of the loss's rise at an end of an interval, and of the refit of the other unknowns. */
const RISE_TOLERANCE = 0.03;
/**
 * Share of the loss's rise, 0 to 1, that further refitting may still remove while the other unknowns count as fitted.
 */
const MAX_UNFITTED_SHARE = 0.5;
/** Errors of the predicted loss, relative to the rise searched for, below which steps lengthen and above which they fail. */
const [PREDICTED, MISPREDICTED] = [0.1, 0.5] as const;
/** Factors of the longest step after a predicted and after a failed one. */
const [LONGER, SHORTER] = [2, 0.25] as const;
/** Longest first step, in natural steps of the unknowns; it ends at the curvature's interval at most. */
const MAX_FIRST_STEP = 8;
/** Longest deviation from a straight step by the profile's bend, relative to the step: beyond it bends are not known. */
const MAX_TURN = 0.5;
/** Longest step, in natural steps of the unknowns, below which the loss counts as too rough for its model. */
const MIN_STEP = 1e-3;
/** Maximum number of steps towards an end. */
const MAX_STEPS = 20;
/** Distance, in half-lengths of the curvature's interval, at which an end that is not reached counts as infinite. */
const MAX_DISTANCE = 10;

/** Unknown and side of an interval's end. */
interface ProfileTarget {
  readonly unknown: number;
  readonly side: 1 | -1;
  /** Change of all unknowns with that of the unknown, by the curvature at the estimate. */
  readonly direction: ArrayLike<number>;
  /** Half-length of the curvature's interval. */
  readonly halfLength: number;
  /** True of a coordinate at which an end is so near that it is only bounded, until {@link ProfileWalk.refine}. */
  readonly isNear: (coordinate: number) => boolean;
  readonly limits: Limits;
  /** Natural steps of the unknowns. */
  readonly scales: Float64Array;
}

/** Point of the profile, with the change of all unknowns along it there. */
interface Heading {
  readonly x: Float64Array;
  readonly direction: ArrayLike<number>;
}
/** Point that a run was made at, with the model of the loss there. */
interface Base {
  readonly x: Float64Array;
  readonly model: ProfileModel;
  /** Change of the profile's direction with the unknown: the profile is a curve, which a straight step leaves. */
  readonly bend: Float64Array;
}

/**
 * Search for one end of an unknown's interval on the profile of the loss. Steps go where the quadratic model of the
 * last point predicts the end, along a parabola through the profile's directions there and at the point before, no
 * farther than a trust region allows; a step after which the loss is far above its prediction is taken back and repeated
 * with a quarter of its length.
 */
export class ProfileWalk {
  readonly unknown: number;
  readonly side: 1 | -1;
  /** Point to run the model at next. */
  x: Float64Array;

  readonly #target: ProfileTarget;
  readonly #start: End;
  readonly #rise: number;
  /** Farthest point with a loss below the target. */
  #inner: Float64Array;
  /** Nearest point with a loss above the target, the others refitted. */
  #outer: Float64Array | null = null;
  #base: Base | null = null;
  /** Base of a step after which the loss was far above its prediction and the others were refitted, once. */
  #followed: Base | null = null;
  /** Last point of the profile at another value of the unknown than the base's. */
  #before: Heading;
  /** Loss that the model predicts for x; null if x was not chosen by the model. */
  #predicted: number | null = null;
  /** Longest step, in natural steps of the unknowns. */
  #longest: number;
  #end: number | null = null;
  /** True once a point that is near has been found to lie beyond the end. */
  #isBounded = false;
  #isRefined = false;
  #steps = 0;

  /** @param rise rise of the loss above the estimate's at the end of the interval. */
  constructor(target: ProfileTarget, start: End, rise: number) {
    this.#target = target;
    this.#start = start;
    this.#rise = rise;
    this.#inner = start.x;
    this.#before = { x: start.x, direction: target.direction };
    this.unknown = target.unknown;
    this.side = target.side;
    const natural = lengthOf(target.direction, target.scales);
    const length = Math.min(target.halfLength, MAX_FIRST_STEP / natural);
    this.#longest = Math.max(1, length * natural);
    this.x = clamped(
      start.x.map((value, k) => value + target.side * length * target.direction[k]),
      target.limits,
    );
  }

  /** True if the end was found, is bounded where that is enough, or was given up. */
  get isFinished(): boolean {
    return this.#end !== null || this.#steps === MAX_STEPS || (this.#isBounded && !this.#isRefined);
  }

  /** True if an end was found, and is not near. */
  get isFar(): boolean {
    const { end } = this;
    return end !== null && !(Number.isFinite(end) && this.#target.isNear(end));
  }

  /** Continues until the end is exact. */
  refine(): void {
    this.#isRefined = true;
  }

  /**
   * Coordinate of the interval's end. Infinite if the loss has not risen enough at ten times the half-length of the
   * curvature's interval; null if nothing is known of it.
   */
  get end(): number | null {
    if (this.#end !== null) return this.#end;
    const { unknown, side, halfLength } = this.#target;
    // An end that was not reached lies somewhere before the point that was too far.
    if (this.#outer) return this.#outer[unknown];
    const isFar = Math.abs(this.#inner[unknown] - this.#start.x[unknown]) > MAX_DISTANCE * halfLength;
    return isFar ? side * Number.POSITIVE_INFINITY : null;
  }

  /** Takes the result of the run at x, null if it failed, and chooses the next x or finishes. */
  step(system: System | null): void {
    const { unknown: i, side, limits, scales, isNear } = this.#target;
    const { x } = this;
    this.#steps++;
    const isRead = system && [system.loss, ...system.gradient, ...system.hessian].every(Number.isFinite);
    if (!isRead) {
      this.#outer = x;
      this.#bisect();
      return;
    }
    const { loss } = system;
    const target = this.#start.loss + this.#rise;
    const model = profileModel(system, i, x, limits, scales);
    const isLimited = side > 0 ? x[i] >= limits.high[i] : x[i] <= limits.low[i];
    if (isLimited && loss < target) {
      this.#end = x[i];
      return;
    }
    const s = model.stepToLoss(target, side);
    if (Math.max(loss - model.refittedLoss, Math.abs(loss - target)) < RISE_TOLERANCE * this.#rise) {
      // The remaining distance is small, or the loss is rough here.
      const [left, passed] = [Math.abs(s), Math.abs(x[i] - this.#start.x[i])];
      this.#end = left < RISE_TOLERANCE * passed ? x[i] + s : x[i];
      return;
    }
    // Refitted, the loss lies between the model's minimum and its present value.
    if (loss < target && side * (x[i] - this.#inner[i]) > 0) this.#inner = x;
    // While the others still make up most of the loss, its model is unreliable.
    const isFitted = loss - model.refittedLoss < MAX_UNFITTED_SHARE * (loss - this.#start.loss);
    if (isFitted && model.refittedLoss > target && !(this.#outer && side * (this.#outer[i] - x[i]) < 0)) {
      this.#outer = x;
      this.#isBounded = isNear(x[i]);
    }
    const error = this.#predicted === null ? 0 : (loss - this.#predicted) / this.#rise;
    if (this.#base && loss > target && error > MISPREDICTED && this.#outer !== x) {
      // Along a bent valley the others may only have to follow.
      if (this.#base.x[i] !== x[i] && this.#followed !== this.#base) {
        this.#followed = this.#base;
        this.#move({ x, model, bend: new Float64Array(x.length) }, target, true);
        return;
      }
      this.#longest *= SHORTER;
      if (this.#longest < MIN_STEP) this.#end = this.#base.x[i];
      else this.#move(this.#base, target);
      return;
    }
    if (this.#predicted !== null && Math.abs(error) < PREDICTED) this.#longest *= LONGER;
    if (this.#base && this.#base.x[i] !== x[i])
      this.#before = { x: this.#base.x, direction: this.#base.model.direction };
    const passed = x[i] - this.#before.x[i];
    const bend = model.direction.map((d, k) => (passed === 0 ? 0 : (d - this.#before.direction[k]) / passed));
    this.#base = { x, model, bend };
    this.#move(this.#base, target, !isFitted && model.refittedLoss > target);
  }

  /** Chooses the next point from the model at a point; `refit`: with the unknown where it is. */
  #move({ x, model, bend }: Base, target: number, refit = false): void {
    const { unknown: i, side, limits, scales } = this.#target;
    const moved = (s: number): void => {
      const step = model.step(s);
      const share = shareOf(lengthOf(step, scales), this.#longest);
      const straight = step.map((d) => share * d);
      const turn = bend.map((d) => (d * (share * s) ** 2) / 2);
      const turned = shareOf(lengthOf(turn, scales), MAX_TURN * lengthOf(straight, scales));
      const to = (along: Float64Array): Float64Array =>
        clamped(
          x.map((value, k) => value + along[k]),
          limits,
        );
      this.x = to(straight.map((d, k) => d + turned * turn[k]));
      // Residuals turn with the profile: the loss follows the model of the straight step.
      this.#predicted = model.after(to(straight).map((value, k) => value - x[k]));
    };
    moved(refit ? 0 : model.stepToLoss(target, side));
    if (refit || !this.#outer) return;
    // If the loss is no parabola, bisect between the points that are too near and too far.
    const isBetween = side * (this.x[i] - this.#inner[i]) > 0 && side * (this.#outer[i] - this.x[i]) > 0;
    if (isBetween) return;
    // If it is in the middle already, only the others are refitted.
    if ((this.#inner[i] + this.#outer[i]) / 2 === x[i]) moved(0);
    else this.#bisect();
  }

  #bisect(): void {
    const [near, far] = [this.#inner, this.#outer!];
    this.x = near.map((value, k) => (value + far[k]) / 2);
    this.#predicted = null;
  }
}

/** Length of a step, in natural steps of the unknown that moves farthest by these. */
const lengthOf = (step: ArrayLike<number>, scales: Float64Array): number =>
  scales.reduce((length, scale, k) => Math.max(length, Math.abs(step[k]) / scale), 0);

/** Factor, at most 1, that limits a length. */
const shareOf = (length: number, most: number): number => (length > most ? most / length : 1);
