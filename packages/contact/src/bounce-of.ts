import { GradsimError } from '@gradsim/core';

/** Observable properties of a bounce: restitution and contact time. */
export interface Bounce {
  /** Speed after the bounce over the speed before, above 0 and below 1. */
  readonly restitution: number;
  /** Contact time, s. */
  readonly duration: number;
}

/** Contact parameters of a material that determine how it bounces. */
export interface BouncingMaterial {
  /** Contact stiffness, N/m. */
  readonly ke: number;
  /** Contact damping, N s/m. */
  readonly kd: number;
}

/**
 * Computes how a mass bounces by the contact law f = max(0, ke C - kd v), without gravity. With w = sqrt(ke / m) and
 * the damping ratio z = kd / (2 sqrt(ke m)), the contact lasts until the force is 0, T = 2 g(z) / w, g(z) = acos(z) /
 * sqrt(1 - z^2), and the speed after over that before is e = exp(-2 z g(z)) (T. Schwager and T. Poeschel, Granular
 * Matter 9, 2007); for z above 1 with acosh and sqrt(z^2 - 1). Where weight matters, at impact speeds below about T
 * times the acceleration of gravity, the contact lasts longer and the restitution is smaller.
 *
 * ```ts
 * bounceOf({ ke: 500, kd: 1 }, 0.1); // { restitution: 0.808..., duration: 0.0425... }
 * ```
 * @param material of the pair in contact: where both sides have a material, the means of their parameters.
 * @param mass kg; 1 where ke and kd are given per kilogram.
 * @throws when ke or the mass is not above 0, or kd is below 0.
 */
export function bounceOf({ ke, kd }: BouncingMaterial, mass: number): Bounce {
  refuse('ke', ke, ke > 0, 'above 0');
  refuse('kd', kd, kd >= 0, 'at least 0');
  refuse('the mass', mass, mass > 0, 'above 0');
  const z = kd / (2 * Math.sqrt(ke * mass));
  const g = touching(z);
  return { restitution: Math.exp(-2 * z * g), duration: (2 * g) / Math.sqrt(ke / mass) };
}

/** Returns g(z) = acos(z) / sqrt(1 - z^2) of the damping ratio z, continued smoothly through z = 1. */
function touching(z: number): number {
  const d = 1 - z;
  // g(1 - d) = 1 + d / 3 + 2 d^2 / 15 + 2 d^3 / 35 + ...: the quotient is 0 / 0 there.
  if (Math.abs(d) < 1e-3) return 1 + d * (1 / 3 + d * (2 / 15 + d * (2 / 35 + (d * 8) / 315)));
  return z < 1 ? Math.acos(z) / Math.sqrt(1 - z * z) : Math.acosh(z) / Math.sqrt(z * z - 1);
}

function refuse(what: string, value: number, isRight: boolean, must: string): void {
  if (!(isRight && Number.isFinite(value)))
    throw new GradsimError('contact/value-out-of-range', `Of the bounce ${what} is ${value}.`, {
      hint: `It must be ${must}.`,
    });
}
