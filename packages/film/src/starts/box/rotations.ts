import type { V3 } from '../path.ts';
import type { Quaternion } from './turning.ts';

/** Angle of the rotation between two orientations, rad. */
export const angleBetween = (a: Quaternion, b: Quaternion): number =>
  2 * Math.acos(Math.min(1, Math.abs(a.reduce((total, c, k) => total + c * b[k], 0))));

/**
 * Orientations spread evenly over all rotations: a spiral over the sphere of unit quaternions. Source: M. Alexa,
 * Super-Fibonacci Spirals, 2022.
 */
export function orientations(count: number): Quaternion[] {
  const [phi, psi] = [Math.SQRT2, 1.533751168755204];
  return Array.from({ length: count }, (_, k) => {
    const s = k + 0.5;
    const [r, R] = [Math.sqrt(s / count), Math.sqrt(1 - s / count)];
    const [a, b] = [(2 * Math.PI * s) / phi, (2 * Math.PI * s) / psi];
    return [r * Math.sin(a), r * Math.cos(a), R * Math.sin(b), R * Math.cos(b)];
  });
}

/**
 * True for one of each four orientations that differ by half rotations about the body's axes: the one whose last
 * quaternion component is the largest in magnitude.
 */
export const isFirstOfHalfTurns = (q: Quaternion): boolean =>
  q.every((component) => Math.abs(component) <= Math.abs(q[3]));

/** Angular velocities on a cubic grid with this step, up to the magnitude `fastest`, rad/s. */
export function spins(fastest: number, step: number): V3[] {
  const count = Math.ceil(fastest / step);
  const steps = Array.from({ length: 2 * count + 1 }, (_, k) => (k - count) * step);
  return steps
    .flatMap((x) => steps.flatMap((y) => steps.map((z) => [x, y, z])))
    .filter((spin) => Math.hypot(...spin) <= fastest);
}
