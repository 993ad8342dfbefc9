import { GradsimError } from '@gradsim/core';

/** Observable properties of a bounce. */
export interface Bounce {
  /** Speed after over speed before, above 0 and below 1. */
  readonly restitution: number;
  /** Contact time, s. */
  readonly duration: number;
}

/** Contact parameters that cause a bounce. */
export interface BouncingMaterial {
  /** Contact stiffness, N/m. */
  readonly ke: number;
  /** Contact damping, N s/m. */
  readonly kd: number;
}

/**
 * The bounce of a mass on the law of contact, f = max(0, ke C - kd v), without gravity: with w = sqrt(ke / m) and the
 * damping ratio z = kd / (2 sqrt(ke m)) it lasts until the force is 0, T = 2 g(z) / w, g(z) = acos(z) / sqrt(1 - z^2),
 * and gives back e = exp(-2 z g(z)) of the speed (T. Schwager and T. Poeschel, Granular Matter 9, 2007); for z above 1
 * by acosh and sqrt(z^2 - 1). Where weight matters, speed below some g T, a bounce is longer and gives back less.
 *
 * ```ts
 * bounceOf({ ke: 500, kd: 1 }, 0.1); // { restitution: 0.808..., duration: 0.0425... }
 * ```
 * @param material of what touches and what is touched together: means, where both have one.
 * @param mass kg; 1 where ke and kd are those per kilogram.
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

/** g(z) = acos(z) / sqrt(1 - z^2), smooth through z = 1. */
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
