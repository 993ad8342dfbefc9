import { symmetricEigen } from '@gradsim/base/decompositions';
import type { Element } from '../element.ts';
import type { Masses } from '../masses.ts';
import type { Compiler } from './compiler.ts';

/** Relative part by which the largest principal moment may be above the sum of the others by rounding. */
const ROUNDING = 1e-9;

/**
 * Applies `boundmass`, `boundinertia` and `balanceinertia` of the compiler to a body, as MuJoCo does: bounds first, on principal
 * moments, then the mean of moments that no body could have.
 */
export function bounded(masses: Masses, { leastMass, leastInertia, balancesInertia }: Compiler, body: Element): Masses {
  const mass = Math.max(masses.mass, leastMass);
  const { values, vectors } = symmetricEigen(masses.inertia);
  let moments = values.map((moment) => Math.max(moment, leastInertia));
  const most = Math.max(...moments);
  const sum = moments.reduce((total, moment) => total + moment, 0);
  if (2 * most > sum * (1 + ROUNDING)) {
    if (!balancesInertia)
      body.refuse(
        'has principal moments of inertia of which one is above the sum of the others; no body is like that. Correct them, or set balanceinertia="true" at the <compiler>.',
      );
    moments = moments.map(() => sum / 3);
  }
  if (moments.every((moment, i) => moment === values[i])) return { ...masses, mass };
  const inertia = Array.from({ length: 9 }, (_, k) =>
    moments.reduce((total, moment, i) => total + moment * vectors[i][Math.floor(k / 3)] * vectors[i][k % 3], 0),
  );
  return { ...masses, mass, inertia };
}
