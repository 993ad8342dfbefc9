import type { F32 } from '@gradsim/core';
import { column, f32, GradsimError, log, max, min, select, sqrt } from '@gradsim/core';
import type { Material } from './material.ts';

/**
 * Columns that define the stiffness and damping of contact with half-spaces by how a central impact on one point with
 * all of the mass bounces; they replace `ke` and `kd`.
 */
export const bounce = {
  /** Speed after a bounce over the speed before; replaces `kd`. 0 if `kd` is given. */
  restitution: column(f32, {
    default: 0,
    range: { requirement: 'be 0, or from 0.001 to 1', isMet: ([e]) => e === 0 || (e >= 0.001 && e <= 1) },
    unseen: 'Nothing that was seen bounces.',
  }),
  /** Contact time, s; replaces `ke`. 0 if `ke` is given. */
  duration: column(f32, { default: 0, unit: 's', range: 'nonNegative' }),
};

/**
 * Numerator of the rational function in `contactPhase`, constant term first, fitted by least squares of the relative error;
 * the denominator is `DENOMINATOR`.
 */
const NUMERATOR = [Math.PI, -0.6609202675, 0.06191177206, -0.003054176645, 6.528787443e-5];
const DENOMINATOR = [1, -0.007735785322, 0.008545455107, 0.0003628973414, 2.448327523e-5];
/** Lower bound applied to the restitution, so that its logarithm is finite. */
const MIN_RESTITUTION = 1e-3;

/**
 * Returns w0 times the contact time as a function of a = -ln e. A mass on a damped spring that does not pull, m x'' =
 * -max(0, ke x + kd x'), with w0^2 = ke / m, z = kd / (2 m w0) and A = acos(z) / sqrt(1 - z^2), is in contact for 2 A /
 * w0 and has restitution e = exp(-2 z A) (T. Schwager and T. Poeschel, 2007). So kd = 2 m a / duration and w0 duration
 * = 2 A, which depends on a only: 2 A(a) is approximated by a rational function, with a relative error of at most
 * 1.3e-7 for e from 1 to 0.001.
 */
function contactPhase<T>(a: T, { mul, add, div }: Arithmetic<T>): T {
  const at = (coefficients: readonly number[]): T =>
    coefficients.slice(0, -1).reduceRight<T>((sum, c) => add(mul(sum, a), c), add(mul(a, 0), coefficients.at(-1)!));
  return div(at(NUMERATOR), at(DENOMINATOR));
}

interface Arithmetic<T> {
  readonly mul: (x: T, y: T | number) => T;
  readonly add: (x: T, y: number) => T;
  readonly div: (x: T, y: T) => T;
}

const TRACED_ARITHMETIC: Arithmetic<F32> = {
  mul: (x, y) => x.mul(y),
  add: (x, y) => x.add(y),
  div: (x, y) => x.div(y),
};
const NUMBER_ARITHMETIC: Arithmetic<number> = {
  mul: (x, y) => x * y,
  add: (x, y) => x + y,
  div: (x, y) => x / y,
};

/**
 * Default friction stiffness over sqrt(ke m): friction then settles about as fast as the normal force, and needs no
 * shorter substeps.
 */
const DEFAULT_FRICTION_RATIO = 0.5;

/** Restitution, contact time (s) and mass (kg) of a bounce, as traced values. */
export interface Bounce {
  readonly restitution: F32;
  readonly duration: F32;
  readonly mass: F32;
}

/** Returns the material with ke computed from the contact time and kd from the restitution, each if given (above 0). */
export function withBounce(ownMaterial: Material, { restitution, duration, mass }: Bounce): Material {
  const [bounces, lasts] = [restitution.gt(0), duration.gt(0)];
  const a = log(min(max(restitution, f32(MIN_RESTITUTION)), f32(1))).neg();
  const turn = contactPhase(a, TRACED_ARITHMETIC);
  const w0 = turn.div(select(lasts, duration, f32(1)));
  const ke = select(lasts, mass.mul(w0).mul(w0), ownMaterial.ke);
  // z = a / (2 A), and kd = 2 z sqrt(ke m).
  const kd = a
    .mul(2)
    .div(turn)
    .mul(rootOf(ke.mul(mass)));
  return { ...ownMaterial, ke, kd: select(bounces, kd, ownMaterial.kd) };
}

/** Returns the material, with a default friction stiffness from its stiffness and the mass if kf is 0. */
export const withFriction = (ownMaterial: Material, mass: F32): Material => ({
  ...ownMaterial,
  kf: select(ownMaterial.kf.gt(0), ownMaterial.kf, rootOf(ownMaterial.ke.mul(mass)).mul(DEFAULT_FRICTION_RATIO)),
});

/** Returns a square root whose derivative is finite at 0. */
const rootOf = (square: F32): F32 => sqrt(max(square, f32(1e-30)));

/**
 * Returns stiffness (N/m) and damping (N s/m) that give a bounce, for materials without the columns `restitution` and
 * `duration`, such as that of a surface.
 *
 * ```ts
 * const { ke, kd } = bounceMaterial({ restitution: 0.6, duration: 0.004, mass: 0.05 });
 * ```
 * @param bounce restitution, speed after over speed before (0.001 to 1), contact time (s), and mass on the point (kg).
 * @throws for a restitution, contact time or mass out of range.
 */
export function bounceMaterial(bounce: {
  readonly restitution: number;
  readonly duration: number;
  readonly mass: number;
}): { ke: number; kd: number; kf: number } {
  const { restitution, duration, mass } = bounce;
  if (!(restitution >= MIN_RESTITUTION && restitution <= 1))
    throw new GradsimError('contact/value-out-of-range', `bounceMaterial: restitution is ${restitution}.`, {
      field: 'restitution',
      hint: `It must be from ${MIN_RESTITUTION} to 1.`,
    });
  for (const [name, value] of [
    ['duration', duration],
    ['mass', mass],
  ] as const)
    if (!(value > 0 && Number.isFinite(value)))
      throw new GradsimError('contact/value-out-of-range', `bounceMaterial: ${name} is ${value}.`, {
        field: name,
        hint: 'It must be a number above 0.',
      });
  const a = -Math.log(restitution);
  const ke = mass * (contactPhase(a, NUMBER_ARITHMETIC) / duration) ** 2;
  return { ke, kd: (2 * mass * a) / duration, kf: DEFAULT_FRICTION_RATIO * Math.sqrt(ke * mass) };
}
