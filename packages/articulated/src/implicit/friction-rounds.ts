import type { Bool, F32, Pass, U32, Vec3 } from '@gradsim/core';
import {
  bind,
  block,
  dot,
  f32,
  fieldOn,
  index,
  iterate,
  kernel,
  mat33,
  max,
  min,
  norm,
  select,
  vec3,
} from '@gradsim/core';
import { kickDuration, memoise } from '@gradsim/dynamics';
import { constraintRounds, loadPasses, renamesUnderConstraints, TRIAL_SUFFIX } from '../constraints/solve.ts';
import type { FrictionLaw } from '../efforts/friction.ts';
import { frictionAt, frictionPotential, lineariseFriction, ratesOf } from '../efforts/friction.ts';
import {
  allUnsettled,
  endRates,
  freedoms,
  frictionSlope,
  frictionTurn,
  impulse,
  LINK_TREES,
  objectiveChanges,
  trialIterate,
  unsettled,
} from '../efforts/implicit-fields.ts';
import { Link } from '../link.ts';
import type { Rank } from '../ranks.ts';
import { ACCELERATION, accelerate, JOINT_ACCELERATION } from '../sweeps/accelerate.ts';
import { BURDEN_FIELDS, GAIN_FIELDS, inward } from '../sweeps/inward.ts';
import type { PortRenames } from '../sweeps/sweep.ts';
import type { DragFields } from './joints.ts';

/*
 * Rates at the end of a substep under dry friction, by Newton's method. They minimise
 *
 *   E(w) = 1/2 dw^T M dw - dt dw^T tau + dt Phi(w),   dw = w - w_old,
 *
 * with the mass matrix M (armature and dt times damping in it), all other torques tau and the potential Phi of
 * friction. E is strictly convex, and piecewise quadratic but for ball joints. A step solves the problem with friction
 * linearised about the rates of the last one: one articulated body sweep. Behind a full step, M dw - dt tau is -dt
 * times the linearised friction, so changes of E along a step are sums over joints, without M:
 *
 *   E(w + t s) - E(w) = t s.r + t^2/2 s.(r_new - r) + dt (Phi(w + t s) - Phi(w)),   r = M dw - dt tau.
 *
 * A step whose friction is that of its rates is the solution. Else a tree takes the length t = 4^-k, k = 0 to 8, with
 * the least E. As E is convex, that lowers E by a quarter at least of what the best length would, down to 4^-8, so the
 * method converges from anywhere, as Newton's with exact line search does, and ends after finitely many steps where E
 * is piecewise quadratic (J. Sun, On piecewise quadratic Newton and trust region problems, 1997).
 */

const STEP_LENGTHS = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((k) => 4 ** -k);
/** Rounds after which turns of joints are known, see `turnOf`. */
const TURN_ROUNDS = 3;
/** Maximum number of Newton iterations for the friction of a substep. */
const MAX_ROUNDS = 40;
/**
 * Rounding error that the solution for friction may have, in units of machine epsilon; iterations after {@link
 * STRICT_ROUNDS} allow more, up to 200 times as much.
 */
const LOOSE_TOLERANCE = 16;
/** Number of iterations with the strict tolerance {@link LOOSE_TOLERANCE}; later ones allow a growing rounding error. */
const STRICT_ROUNDS = 12;
/** Lower bound of divisors that are rates, rad/s or m/s. */
const MIN_RATE = 1e-30;

const beginFriction = kernel(
  'beginFriction',
  {
    domain: Link,
    reads: { freedoms, rate: Link.rate, angularVelocity: Link.angularVelocity },
    writes: { held: endRates, turn: frictionTurn, impulse },
  },
  ({ freedoms, rate, angularVelocity }) => ({
    held: ratesOf(freedoms, rate, angularVelocity),
    turn: vec3(0, 0, 0),
    impulse: vec3(0, 0, 0),
  }),
);

const measureFriction = memoise(() =>
  kernel(
    'measureFriction',
    {
      domain: Link,
      reads: {
        held: endRates,
        turn: frictionTurn,
        impulse,
        frictionSlope,
        freedoms,
        tree: index(LINK_TREES),
        acceleration: trialIterate.acceleration,
        angularAcceleration: trialIterate.angularAcceleration,
        rate: Link.rate,
        angularVelocity: Link.angularVelocity,
        dryFriction: Link.dryFriction,
        frictionWidth: Link.frictionWidth,
        frictionStiffness: Link.frictionStiffness,
      },
      writes: { rates: trialIterate.rates, next: trialIterate.impulse, turn: frictionTurn },
      adds: { changes: fieldOn(objectiveChanges), unsettled: fieldOn(unsettled), allUnsettled },
    },
    (l, moment) => {
      const { epsilon, round } = moment;
      const dt = kickDuration(moment);
      const law: FrictionLaw = l;
      const old = ratesOf(l.freedoms, l.rate, l.angularVelocity);
      const rates = old.add(ratesOf(l.freedoms, l.acceleration, l.angularAcceleration).mul(dt));
      const { torque } = frictionAt(law, l.held, rates);
      const next = torque.mul(dt).neg();
      // Rounding of the rates changes friction by its slope: by kf if a joint sticks in one linearisation and slides in
      // the next.
      const [before, after] = [lineariseFriction(law, l.held), lineariseFriction(law, rates)];
      const sliding = l.dryFriction.div(max(norm(rates), f32(MIN_RATE)));
      const slopeThere = select(before.isSticking.eq(after.isSticking), min(l.frictionSlope, sliding), l.frictionSlope);
      const rounded = slopeThere.mul(norm(old).add(norm(rates)));
      const late = max(round.toF32().sub(STRICT_ROUNDS), 0);
      const tolerance = epsilon.mul(LOOSE_TOLERANCE).mul(late.mul(late).mul(0.25).add(1));
      const error = norm(after.torque.sub(torque));
      const isOff = error.gt(tolerance.mul(max(l.dryFriction.add(rounded), 0)));
      const isSharp = l.frictionWidth.eq(0).and(l.frictionStiffness.eq(0));
      const turning = turnOf(law, { old, held: l.held, rates, isOff, isSharp }, round);
      const count = select(isOff.or(turning.isFound), f32(1), f32(0));
      l.unsettled.add(l.tree, count);
      l.allUnsettled.add(count);
      const step = rates.sub(l.held);
      const [slope, bend] = [dot(step, l.impulse), dot(step, next.sub(l.impulse))];
      const start = frictionPotential(law, l.held);
      const change = (k: number): F32 => {
        const t = STEP_LENGTHS[k];
        const rubbed = frictionPotential(law, l.held.add(step.mul(t))).sub(start);
        return slope
          .mul(t)
          .add(bend.mul((t * t) / 2))
          .add(rubbed.mul(dt));
      };
      const rows = [change(0), change(1), change(2), change(3), change(4)] as const;
      l.changes.add(l.tree, mat33(...rows, change(5), change(6), change(7), change(8)));
      return { rates: turning.begin, next, turn: turning.turn };
    },
  ),
);

/**
 * Finds in two rounds how a joint turns back: where friction that opposes its old rate would reverse it, the second round has
 * friction that opposes the reversed one, and the change of rate by that is twice the turn. A load below the friction does not turn the
 * joint, which holds. From the third round on, rates are about the turn. A joint with a width of friction of its own crosses that.
 */
function turnOf(
  law: FrictionLaw,
  {
    old,
    held,
    rates,
    isOff,
    isSharp,
  }: Readonly<Record<'old' | 'held' | 'rates', Vec3> & Record<'isOff' | 'isSharp', Bool>>,
  round: U32,
): { readonly isFound: Bool; readonly turn: Vec3; readonly begin: Vec3 } {
  const speed = norm(old);
  const direction = old.div(max(speed, MIN_RATE));
  const width = law.dryFriction.div(max(law.frictionSlope, MIN_RATE));
  const isReversed = round.eq(0).and(isSharp).and(isOff).and(speed.gt(0)).and(dot(rates, direction).lt(width));
  const isFound = round.eq(1).and(isSharp).and(dot(held, direction).lt(width.neg()));
  const half = rates.sub(old).mul(0.5);
  const size = norm(half);
  const isTurned = isFound.and(dot(half, direction).lt(0)).and(size.gt(width));
  const turned = half.mul(f32(1).sub(width.div(max(size, MIN_RATE))));
  const turn = select(isTurned, turned, select(round.lt(2), vec3(0, 0, 0), law.turn));
  const reversed = direction.mul(speed.add(width.mul(2)).neg());
  return { isFound, turn, begin: select(isReversed, reversed, select(isFound, turn, rates)) };
}

const takeFrictionStep = kernel(
  'takeFrictionStep',
  {
    domain: Link,
    reads: {
      held: endRates,
      impulse,
      rates: trialIterate.rates,
      next: trialIterate.impulse,
      tree: index(LINK_TREES),
      changes: fieldOn(objectiveChanges),
      unsettled: fieldOn(unsettled),
    },
    writes: { held: endRates, impulse },
  },
  (l, { round }) => {
    const all = l.changes.at(l.tree).entries;
    let [best, least] = [f32(1), all[0]];
    STEP_LENGTHS.forEach((t, k) => {
      if (k === 0) return;
      const isLess = all[k].lt(least);
      best = select(isLess, f32(t), best);
      least = select(isLess, all[k], least);
    });
    // The first steps lead to rates at which r is known, and find turns, which change E.
    const isFull = round.lt(TURN_ROUNDS).or(l.unsettled.at(l.tree).lt(0.5));
    const t = select(isFull, f32(1), best);
    const rest = f32(1).sub(t);
    return {
      held: l.held.mul(rest).add(l.rates.mul(t)),
      impulse: l.impulse.mul(rest).add(l.next.mul(t)),
    };
  },
);

/** Port renames for trial sweeps: fields of depth levels that both sweeps overwrite, and the accelerations of links. */
export const TRIAL_RENAMES: PortRenames = {
  names: [BURDEN_FIELDS, ...Object.values(GAIN_FIELDS), ACCELERATION, ...Object.values(JOINT_ACCELERATION)].flatMap(
    (of) => Object.keys(of),
  ),
  suffix: TRIAL_SUFFIX,
  ofLinks: {
    sumAcceleration: trialIterate.acceleration.name,
    sumAngularAcceleration: trialIterate.angularAcceleration.name,
    sumLinearAcceleration: trialIterate.linearAcceleration.name,
  },
};

/**
 * Adds the passes that find the rates about which friction is linearised in the following sweeps. The derivative goes
 * through those sweeps only: with the sticking and sliding sets fixed, they are one step of Newton's method at the
 * solution, whose derivative is that of the implicit function theorem, and the rates themselves are constants.
 */
export function frictionRounds(
  ranks: readonly Rank[],
  { isLoaded, isConstrained }: { readonly isLoaded: boolean; readonly isConstrained: boolean },
  drag: DragFields,
): Pass {
  const rebound = { ...TRIAL_RENAMES, ofLinks: { ...TRIAL_RENAMES.ofLinks, ...drag.rebound?.ofLinks } };
  const of = (rank: Rank): PortRenames =>
    isConstrained ? renamesUnderConstraints(rank, rebound, TRIAL_RENAMES.suffix) : rebound;
  const sweeps: Pass[] = [
    // The energy of soft constraints is quadratic, as that of inertia, so that all of the above holds with it.
    ...(isConstrained ? [...constraintRounds(ranks, drag), ...loadPasses(TRIAL_RENAMES.suffix)] : []),
    ...[...ranks].reverse().map((rank) => inward(rank, { isLoaded, drag: 'friction' }, of(rank))),
    ...ranks.map((rank) => accelerate(rank, of(rank))),
  ];
  const name = 'dry friction of joints';
  const rounds = iterate([...sweeps, bind(measureFriction(), drag.ofFriction), takeFrictionStep], {
    until: { field: allUnsettled, below: 0.5 },
    maxRounds: MAX_ROUNDS,
    name,
    advice: 'Give friction a larger `frictionWidth`, or take more substeps.',
  });
  return block([beginFriction, rounds], { vjp: [], name });
}
