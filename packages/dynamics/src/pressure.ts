import type { Bool, F32, Model, Surroundings } from '@gradsim/core';
import { abs, f32, max, select, sqrt } from '@gradsim/core';

/**
 * Time that the force evaluated at a state stands for: `around` it, from half a substep before to half a substep after
 * (semi-implicit Euler, a leapfrog); `before` it, the substep that ends there (implicit steps); or none, the `instant`
 * (stages of other integrators).
 */
export type ForceInterval = 'around' | 'before' | 'instant';

/** Returns the time that forces of a model stand for, those on implicit points (`isAtEnd`) or on others. */
export const intervalOf = (model: Model, { isAtEnd }: { readonly isAtEnd?: boolean } = {}): ForceInterval =>
  model.stages > 1 ? 'instant' : isAtEnd ? 'before' : 'around';

/** The straight motion that led to a state. */
export interface MotionToState {
  /** Its duration, s: that of the substep before, but 0 where there was none, in the first state of a run and in stages. */
  readonly time: F32;
  /** True if forces stand for the time of this motion; else they do for that from half of it to half a substep on. */
  readonly isAtEnd: boolean;
  /**
   * Part of a displacement by which a point has to be inside to touch, the square root of the machine epsilon. Where a
   * touch begins exactly at a state, which round numbers make common, rounding alone would decide whether it counts as
   * begun, and decide anew in the next state: part of it would count twice or not at all.
   */
  readonly tolerance: F32;
}

/** What kernels know of the moment in which they run. */
export type SubstepClock = Pick<Surroundings, 'dt' | 'previousDt' | 'substep' | 'epsilon'>;

/** Returns the motion that led to the current state, given the time that the force evaluated at it stands for. */
export function motionToState(
  { dt, previousDt, substep, epsilon }: SubstepClock,
  interval: ForceInterval = 'around',
): MotionToState {
  const isAtEnd = interval === 'before';
  const tolerance = sqrt(epsilon);
  if (interval === 'instant') return { time: f32(0), isAtEnd, tolerance };
  return { time: isAtEnd ? dt : select(substep.eq(0), f32(0), previousDt), isAtEnd, tolerance };
}

/** One-sided spring and damper: penetration C, m, its rate of leaving v_n, m/s, ke, N/m, and kd, N s/m. */
export interface Touch {
  readonly penetration: F32;
  readonly leaving: F32;
  readonly ke: F32;
  readonly kd: F32;
}

/** Mean force of a one-sided spring and damper over a substep, and what friction needs to know of it. */
export interface Pressure {
  /** Mean of max(0, p) over the substep, N. */
  readonly force: F32;
  /** Least and greatest p+ = max(0, p) within the span, N, and the change of p over it. */
  readonly smallest: F32;
  readonly largest: F32;
  readonly change: F32;
  /** Length of the span that is integrated over, and the part of it with p > 0, in substeps. */
  readonly span: F32;
  readonly pressedShare: F32;
}

/**
 * Returns whether a pair may press within the time that a force stands for, as far as can be told without its velocity.
 * Outside, where C <= 0, what leaves at v_n was pressed by ke (C + v_n time / 2) - kd v_n at most, half a substep before:
 * not at all where kd >= ke time / 2.
 */
export function mayPress({ penetration, ke, kd }: Omit<Touch, 'leaving'>, { time, isAtEnd }: MotionToState): Bool {
  const isInside = penetration.gt(0);
  return isAtEnd ? isInside : isInside.or(ke.mul(time.mul(0.5)).gt(kd));
}

/** Returns how far a pair is inside within the time that a force stands for, m: no force unless it is above 0. */
export function depthInside(
  { penetration, leaving }: Pick<Touch, 'penetration' | 'leaving'>,
  { time, isAtEnd, tolerance }: MotionToState,
): F32 {
  if (isAtEnd) return penetration;
  // What leaves was deeper half a substep before.
  const left = leaving.mul(time);
  return penetration.add(max(left.mul(0.5), left.mul(tolerance)));
}

/**
 * Mean pressure of a one-sided spring and damper over a substep, to be evaluated only where {@link depthInside} is above 0.
 */
export const pressureOf = (touch: Touch, lead: MotionToState): Pressure =>
  (lead.isAtEnd ? pressureAtEnd : meanPressure)(touch, lead);

/**
 * Mean of the pressure max(0, p), p = ke C - kd v_n, over the time that the force of a semi-implicit substep stands for,
 * along the straight motion that led to the state: C(t) = C + t moved, moved = -v_n dt, with t from a = -1/2 to b = 1/2
 * substeps. In the first substep of a touch, where 0 < C < moved, it begins where the touch did, a = -C / moved: up to
 * 3/2 of a substep count at once. With p linear in t between p- and p+ and the span L = b - a, the integral of its
 * positive part is L (p- + p+) / 2 where both are positive, else L p+^2 / (2 (p+ - p-)).
 *
 * Taken at one instant, the impulse of a touch would depend on where within a substep it begins and ends. That is little,
 * but it comes and goes while a parameter moves the touch by one substep, so derivatives would not be those of the
 * motion: see docs/reference/decisions.md.
 *
 * Where no motion led to the state the law is that of the instant.
 */
function meanPressure({ penetration, leaving, ke, kd }: Touch, { time, tolerance }: MotionToState): Pressure {
  const moved = leaving.mul(time).neg();
  const isFirst = penetration.lt(moved.add(moved.mul(tolerance)));
  const span = select(isFirst, penetration.div(select(isFirst, moved, f32(1))).add(0.5), f32(1));
  // ke L |moved|, without the quotient.
  const change = ke.mul(select(isFirst, penetration.add(moved.mul(0.5)), abs(moved)));
  // At the touch p is that of the damping alone.
  const damping = kd.mul(leaving).neg();
  const lowest = select(isFirst, damping, ke.mul(penetration).add(damping).sub(change.mul(0.5)));
  const most = max(lowest.add(change), f32(0));
  const isWhole = lowest.ge(0);
  // Between 0 and 1 where it is used: squares of forces would underflow in single precision.
  const share = most.div(select(isWhole.or(change.eq(0)), f32(1), change));
  const pressed = select(isWhole, span, span.mul(share));
  // Not `max`, whose derivative at 0, where every touch without damping begins, is a half.
  const least = select(isWhole, lowest, f32(0));
  return {
    force: pressed.mul(least.add(most)).mul(0.5),
    smallest: least,
    largest: most,
    change,
    span,
    pressedShare: pressed,
  };
}

/**
 * Pressure for implicit steps, whose force is evaluated at the end of the time that it stands for: p = ke C - kd v_n
 * there. In the first substep of a touch, s = C / moved of which have passed since it began, it is ke C (1 + s) / 2 - s
 * kd v_n; where the point leaves and p falls to 0 within r = p / (ke |moved|) of a substep, p (1 + r) / 2. So the sum
 * over a touch is that of trapezia from its beginning to its end, and does not depend on where in a substep these are.
 */
function pressureAtEnd({ penetration, leaving, ke, kd }: Touch, { time }: MotionToState): Pressure {
  const moved = leaving.mul(time).neg();
  const isFirst = penetration.lt(moved);
  const since = select(isFirst, penetration.div(select(isFirst, moved, f32(1))), f32(1));
  const damping = kd.mul(leaving).neg();
  const whole = max(ke.mul(penetration).add(damping), f32(0));
  const falls = ke.mul(moved.neg());
  const isLast = whole.lt(falls);
  const until = select(isLast, whole.div(select(isLast, falls, f32(1))), f32(1));
  // ke C (1 + s) / 2 s = ke (moved + C) / 2
  const first = ke.mul(penetration.add(moved)).mul(0.5).add(damping);
  const mean = select(isFirst, first, whole.mul(until.add(1)).mul(0.5));
  return { force: since.mul(mean), smallest: mean, largest: mean, change: f32(0), span: since, pressedShare: since };
}
