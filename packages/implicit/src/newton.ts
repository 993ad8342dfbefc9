import type { EvaluationAt, F32, KernelPass, Pass, Tolerance, Vec3 } from '@gradsim/core';
import {
  bind,
  conjugateResiduals,
  dot,
  f32,
  field,
  iterate,
  jacobianProduct,
  kernel,
  max,
  min,
  select,
  sign,
  sin,
  sqrt,
  transposedProduct,
  vec3,
  vec4,
} from '@gradsim/core';
import { gravity } from '@gradsim/dynamics';
import { Particle } from '@gradsim/particles';
import type { Solve } from './motion.ts';
import { effectiveMass } from './motion.ts';
import { addPreconditionedSquare, pieceSums, precondition } from './precondition.ts';

/*
 * Newton's method for the velocity at the end of a substep. All sizes of r are sqrt(r.M r), with the preconditioner M.
 *
 * A step goes along the velocity change p that conjugate residuals find for J p = -r, with products from the kernels'
 * own tangents. J is symmetric up to damping and friction, and mostly positive definite: conjugate gradients would ask
 * for both; GMRES would keep all directions. What buckles or slides is neither, and they come to no end: then conjugate
 * gradients on the normal equations go on, which take any matrix and more rounds. However far a solve goes, the
 * residual it leaves is below r, so r^2 falls along p at first. Early solves stop at a part of r (Eisenstat and Walker,
 * Choosing the forcing terms in an inexact Newton method, 1996), the last ones where nothing is left to see.
 *
 * The step is halved until r^2 is below a mean of what it was in the steps before (Zhang and Hager, A nonmonotone line
 * search technique and its application to unconstrained optimization, 2004). To fall below the last one was too much:
 * where forces have kinks, as those of contact have, no part of a step that leads across one may make r less at once,
 * and one scene in ten ended there. A mean alone allows going in circles, so by turns r^2 has to fall.
 *
 * What can be seen ends at rounding: a position known to eps |x| / 2 gives forces an error of their derivative along
 * it, which one more product measures. Stiff bodies in single precision have it far above gravity, and what is below it
 * says nothing of soft motions. There a linear solve that goes all the way decides, since in that the stiff part of the
 * error does no harm: where it changes the momentum by no more than the root of the tolerance, the square of which is
 * what Newton's method leaves, the step is solved.
 */

/** Smallest fraction of a Newton step that counts as a full step when deciding whether a substep is solved. */
const MIN_STEP_LENGTH = 0.25;
/** Maximum number of times that a step is halved. */
const MAX_HALVINGS = 14;
/** Residual that early linear solves leave, relative to r. */
const MAX_FORCING = 0.1;
/** Factor by which the weight of each earlier step decays in the weighted mean of r^2 that a new r^2 must be below. */
const WEIGHT_DECAY = 0.85;
/**
 * Number of consecutive Newton steps that must reduce r^2 below its mean over earlier steps. As many steps follow that
 * must reduce it below that of the step before: a comparison with the mean alone allows cycles.
 */
const MONOTONE_STEPS = 4;
/** Fraction of its slope along the step by which r^2 must decrease (Armijo condition). */
const ARMIJO = 1e-4;
/** Ratio of the error of forces from all rounding to that from the rounding of positions alone. */
const ROUNDING_FACTOR = 3;
/** Initial value of quantities that the first step overwrites: near the largest number of single precision. */
const INITIAL_VALUE = 3e38;

const stepBase = field('particles', 'newtonBase', vec3);
const step = field('particles', 'newtonStep', vec3);
const positionJitter = field('particles', 'newtonJitter', vec3);
const velocityJitter = field('particles', 'newtonJitterOfVelocity', vec3);

const worldNumber = (name: string) => field('world', name, f32);
/** Maximum residual of the equation of a step, relative to the momentum, dimensionless. */
export const tolerance = worldNumber('stepTolerance');
/** Relative tolerance of the linear solve of the derivative: not below its rounding error. */
export const derivativeTolerance = worldNumber('derivativeTolerance');
const squaredResidual = worldNumber('newtonSize');
const squaredResidualBefore = worldNumber('newtonSizeBefore');
/** Weighted mean of r^2 over the steps so far, later ones weighted more, and the sum of the weights. */
const weightedMean = worldNumber('newtonMean');
const sumOfWeights = worldNumber('newtonWeight');
/** 1 if r^2 has to fall below its last value, not only below the weighted mean; else 0. */
const mustDecrease = worldNumber('newtonMustFall');
const momentum = worldNumber('newtonMomentum');
const change = worldNumber('newtonChange');
/** Rounding error of r^2. */
const roundingError = worldNumber('newtonRounding');
/** Fraction of the Newton step that is being tried, in (0, 1]. */
const stepFraction = worldNumber('newtonPart');
const searching = worldNumber('newtonSearching');
/** Relative residual that the linear solve may leave; and 1 if it was to be solved down to rounding, else 0. */
const forcing = worldNumber('newtonForcing');
const isExact = worldNumber('newtonIsExact');
const excessRatio = worldNumber('newtonLeft');
/** Reason why no fraction of a step is accepted, as a number of {@link REJECTION_REASONS}; 0 if one is accepted. */
export const rejectionReason = worldNumber('newtonHindrance');
/** Residual r divided by the momentum. */
export const relativeResidual = worldNumber('newtonRemaining');

/**
 * Fields in which a solve accumulates sums over particles. `tried` has four: r^2 of the tried step; the squared
 * momentum, p^2 / m, to which it is compared; the squared change of momentum; and the part of it that moves no particle
 * by more than the rounding error of its position.
 */
const solveSums = (name: string) => ({
  tried: field('world', `${name}Tried`, vec4),
  shaking: worldNumber(`${name}Shaking`),
  shaken: field('particles', `${name}Shaken`, vec3),
  right: field('particles', `${name}Side`, vec3),
});
type SolveSums = ReturnType<typeof solveSums>;

/** Reasons why a step is rejected. */
export const REJECTION_REASONS = { larger: 1, alarm: 2, infinite: 3 } as const;

/** Sets the initial guess as a first step from velocity 0, so that it can be shortened if it is not possible. */
const beginAtRest = ({ initialGuess: firstTry }: Solve) =>
  kernel(
    'beginAtRest',
    { domain: Particle, reads: { firstTry, fixed: Particle.fixed }, writes: { base: stepBase, step } },
    ({ firstTry, fixed }) => ({
      base: vec3(0, 0, 0),
      step: select(fixed.gt(0), vec3(0, 0, 0), firstTry),
    }),
  );
const beginNewton = kernel(
  'beginNewton',
  {
    domain: 'world',
    writes: {
      part: stepFraction,
      size: squaredResidual,
      sizeBefore: squaredResidualBefore,
      mean: weightedMean,
      weight: sumOfWeights,
      mustFall: mustDecrease,
      momentum,
      change,
      rounding: roundingError,
      hindrance: rejectionReason,
      isExact,
      remaining: relativeResidual,
    },
  },
  () => ({
    mean: f32(INITIAL_VALUE),
    weight: f32(0),
    mustFall: f32(0),
    part: f32(1),
    size: f32(INITIAL_VALUE),
    sizeBefore: f32(INITIAL_VALUE),
    momentum: f32(0),
    rounding: f32(0),
    change: f32(0),
    hindrance: f32(0),
    isExact: f32(0),
    remaining: f32(0),
  }),
);

const tryFraction = ({ unknown }: Solve) =>
  kernel(
    'tryPart',
    { domain: Particle, reads: { base: stepBase, step, part: stepFraction }, writes: { velocity: unknown } },
    ({ base, step, part }) => ({ velocity: base.add(step.mul(part)) }),
  );
const measureTrial = (
  { unknown, momentumResidual: imbalance, nextPosition }: Solve,
  { tried }: SolveSums,
  ofSubstep: number,
) =>
  kernel(
    'measureTry',
    {
      domain: Particle,
      reads: {
        velocity: unknown,
        totalMass: Particle.totalMass,
        fixed: Particle.fixed,
        gravity,
        imbalance,
        inertia: effectiveMass,
        step,
        part: stepFraction,
        nextPosition,
      },
      adds: { tried },
    },
    ({ velocity, totalMass, fixed, gravity, imbalance, inertia, step, part, nextPosition, tried }, { dt, epsilon }) => {
      const m = select(fixed.gt(0), f32(0), totalMass);
      const h = dt.mul(ofSubstep);
      const fall = gravity.mul(h);
      const squares = dot(velocity, velocity).add(dot(fall, fall)).mul(m);
      const turn = dot(step, step).mul(part).mul(part).mul(m);
      const unseen = epsilon.mul(ROUNDING_FACTOR).div(h);
      const still = dot(nextPosition, nextPosition).mul(unseen).mul(unseen).mul(m);
      tried.add(vec4(dot(imbalance, imbalance).div(inertia), squares, turn, still));
    },
  );

/** Accepts the tried fraction of a step, or halves it. */
const acceptOrHalve = (raised: EvaluationAt['alarmNumber'], { tried }: SolveSums) =>
  kernel(
    'judgeTry',
    {
      domain: 'world',
      reads: {
        tried,
        raised,
        part: stepFraction,
        size: squaredResidual,
        sizeBefore: squaredResidualBefore,
        mean: weightedMean,
        weight: sumOfWeights,
        mustFall: mustDecrease,
        momentum,
        change,
        rounding: roundingError,
        hindrance: rejectionReason,
      },
      writes: {
        part: stepFraction,
        searching,
        size: squaredResidual,
        sizeBefore: squaredResidualBefore,
        mean: weightedMean,
        weight: sumOfWeights,
        momentum,
        change,
        hindrance: rejectionReason,
      },
    },
    (s, { round }) => {
      const from = select(s.mustFall.gt(0), s.size, s.mean);
      const most = max(from.sub(min(s.size, from).mul(s.part.mul(2 * ARMIJO))), s.rounding);
      const isNumber = s.tried.x.le(INITIAL_VALUE);
      const isTaken = isNumber.and(s.tried.x.le(most)).and(s.raised.eq(0));
      const isLast = round.add(1).ge(MAX_HALVINGS);
      const { larger, alarm, infinite } = REJECTION_REASONS;
      const why = select(s.raised.gt(0), f32(alarm), select(isNumber, f32(larger), infinite));
      const heavier = s.weight.mul(WEIGHT_DECAY).add(1);
      const earlier = select(s.weight.gt(0), s.mean.mul(s.weight.mul(WEIGHT_DECAY)), 0);
      return {
        mean: select(isTaken, earlier.add(s.tried.x).div(heavier), s.mean),
        weight: select(isTaken, heavier, s.weight),
        part: select(isTaken, s.part, s.part.mul(0.5)),
        searching: select(isTaken.or(isLast), f32(0), 1),
        size: select(isTaken, s.tried.x, s.size),
        sizeBefore: select(isTaken, s.size, s.sizeBefore),
        momentum: select(isTaken, s.tried.y, s.momentum),
        change: select(isTaken, max(s.tried.z.sub(s.tried.w), 0), s.change),
        hindrance: select(isTaken.or(isLast.not()), s.hindrance, why),
      };
    },
  );

/** Perturbs positions and velocities by their rounding errors, with alternating sign. */
const perturbByRounding = ({ nextPosition, nextVelocity }: Solve) =>
  kernel(
    'shake',
    {
      domain: Particle,
      reads: { nextPosition, nextVelocity },
      writes: { jitter: positionJitter, jitterOfVelocity: velocityJitter },
    },
    ({ nextPosition, nextVelocity }, { element, epsilon }) => {
      const turn = (k: number): F32 =>
        sign(
          sin(
            element
              .toF32()
              .mul(1.7 + k)
              .add(0.5 + k),
          ),
        );
      const half = epsilon.mul(0.5 * ROUNDING_FACTOR);
      const turned = vec3(turn(0), turn(1), turn(2)).mul(half);
      const rounded = (a: Vec3): Vec3 => vec3(a.x.mul(turned.x), a.y.mul(turned.y), a.z.mul(turned.z));
      return { jitter: rounded(nextPosition), jitterOfVelocity: rounded(nextVelocity) };
    },
  );
const measureRounding = ({ shaken, shaking }: SolveSums) =>
  kernel(
    'measureRounding',
    { domain: Particle, reads: { shaken, inertia: effectiveMass }, adds: { shaking } },
    ({ shaken, inertia, shaking }) => shaking.add(dot(shaken, shaken).div(inertia)),
  );

/** Decides whether r is small enough, and if not, the accuracy of the next linear solve. */
const checkConvergence = ({ shaking }: SolveSums) =>
  kernel(
    'assessStep',
    {
      domain: 'world',
      reads: {
        size: squaredResidual,
        sizeBefore: squaredResidualBefore,
        momentum,
        change,
        shaking,
        hindrance: rejectionReason,
        isExact,
        part: stepFraction,
        tolerance,
      },
      writes: {
        left: excessRatio,
        forcing,
        isExact,
        part: stepFraction,
        rounding: roundingError,
        remaining: relativeResidual,
        mustFall: mustDecrease,
      },
    },
    (s, { round, epsilon }) => {
      const allowed = s.tolerance;
      const tiny = (a: F32): F32 => max(a, 1e-37);
      const ofMomentum = s.size.div(tiny(s.momentum.mul(allowed).mul(allowed)));
      const isWhole = s.isExact.gt(0).and(s.part.ge(MIN_STEP_LENGTH));
      const isSmall = isWhole.and(s.change.le(s.momentum.mul(allowed)));
      const ofRounding = select(isSmall, s.size.div(tiny(s.shaking)), f32(INITIAL_VALUE));
      const floor = min(
        sqrt(s.momentum.div(tiny(s.size)))
          .mul(allowed)
          .mul(0.5),
        MAX_FORCING,
      );
      const gain = s.size.div(tiny(s.sizeBefore)).mul(0.9);
      const early = max(min(gain, MAX_FORCING), floor);
      const first = select(round.eq(0), f32(MAX_FORCING), early);
      const next = max(select(s.size.le(s.shaking.mul(100)), floor, first), epsilon);
      return {
        left: select(s.hindrance.gt(0), f32(0), min(ofMomentum, ofRounding)),
        forcing: next,
        isExact: select(next.le(max(floor, epsilon)), f32(1), 0),
        part: f32(1),
        mustFall: select(round.div(MONOTONE_STEPS).rem(2).eq(1), f32(1), 0),
        rounding: s.shaking,
        remaining: sqrt(s.size.div(tiny(s.momentum))),
      };
    },
  );

/**
 * Kernel that sets the start and the right-hand side of the next Newton step; the right-hand side is 0 if no step is
 * needed.
 */
const beginStep = ({ unknown, momentumResidual: imbalance }: Solve, { right }: SolveSums) =>
  kernel(
    'beginStep',
    {
      domain: Particle,
      reads: { velocity: unknown, imbalance, left: excessRatio, base: stepBase, hindrance: rejectionReason },
      writes: { base: stepBase, right },
    },
    ({ velocity, imbalance, left, base, hindrance }) => ({
      base: select(hindrance.gt(0), base, velocity),
      right: select(left.lt(1), vec3(0, 0, 0), imbalance.neg()),
    }),
  );

/**
 * Kernel that, if no fraction of a step is accepted, returns particles to the last accepted state, so that plugins
 * never see rejected ones.
 */
const restoreAccepted = ({ unknown }: Solve) =>
  kernel(
    'standBack',
    {
      domain: Particle,
      reads: { velocity: unknown, base: stepBase, hindrance: rejectionReason },
      writes: { velocity: unknown },
    },
    ({ velocity, base, hindrance }) => ({ velocity: select(hindrance.gt(0), base, velocity) }),
  );

/** Maximum numbers of Newton steps and of iterations of a linear solve, and the requested relative tolerance. */
export interface Newton {
  readonly newtonSteps: number;
  readonly products: number;
  readonly tolerance?: Tolerance;
}

/**
 * Returns the passes that find the velocity with which the momentum residual is 0.
 * @param ofSubstep fraction of the substep that the solve covers.
 * @param equations kernels that compute the residual for a velocity; the passes `alarms` run after them and detect
 * alarms.
 * @param fromThere those of `equations` that start from the positions and velocities to which the velocity leads.
 */
export function newton(
  solve: Solve,
  ofSubstep: number,
  equations: readonly KernelPass[],
  fromThere: readonly KernelPass[],
  { alarms, alarmNumber }: Pick<EvaluationAt, 'alarms' | 'alarmNumber'>,
  { newtonSteps, products, tolerance }: Newton,
): Pass[] {
  const { name, unknown, momentumResidual: imbalance, nextPosition, nextVelocity } = solve;
  const own = solveSums(name);
  const sums = pieceSums(imbalance.name);
  const search = iterate(
    [
      ...[tryFraction(solve), ...equations, ...alarms, measureTrial(solve, own, ofSubstep)],
      ...[sums.pass, addPreconditionedSquare(sums, own.tried), acceptOrHalve(alarmNumber, own)],
    ],
    {
      until: { field: searching, below: 0.5 },
      maxRounds: MAX_HALVINGS,
      name: `${name}Search`,
    },
  );
  const roundingOfForces = jacobianProduct(imbalance, {
    along: { [nextPosition.key]: positionJitter, [nextVelocity.key]: velocityJitter },
    into: own.shaken,
    differentiatedPasses: fromThere,
  });
  const linear = conjugateResiduals({
    rightSide: own.right,
    solution: step,
    precondition,
    name: `${name}Newton`,
    tolerance: forcing,
    maxRounds: 2 * products,
    orStop: true,
    product: (direction, into) =>
      jacobianProduct(imbalance, { along: { [unknown.key]: direction }, into, differentiatedPasses: equations }),
    transposed: (weights, into) =>
      transposedProduct(imbalance, { weights, into: { [unknown.key]: into }, differentiatedPasses: equations }),
  });
  const steps = [
    ...[search, perturbByRounding(solve), roundingOfForces, measureRounding(own), checkConvergence(own)],
    ...[beginStep(solve, own), ...linear],
  ];
  return [
    ...[bind(beginAtRest(solve)), bind(beginNewton)],
    iterate(steps, {
      until: { field: excessRatio, below: 1 },
      maxRounds: newtonSteps,
      tolerance,
      name: `${name}Steps`,
      advice:
        "So much is missing to momentum, squared and in units of what may be, after all of Newton's steps. Take more substeps a second, or allow more `newtonSteps` or `products`; a tolerance near the precision of the device may be out of its reach.",
    }),
    bind(restoreAccepted(solve)),
  ];
}
