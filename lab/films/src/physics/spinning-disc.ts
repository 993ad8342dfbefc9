import { integrate } from './extrapolation.ts';

/** A disc on an axle that slows down. */
export interface SpinningDisc {
  /** Angular velocity at time 0, rad/s, positive. */
  readonly rate: number;
  /** Terms a, b and c of the deceleration a + b w + c w^2: rad/s^2, 1/s and 1/rad. */
  readonly dry: number;
  readonly viscous: number;
  readonly air: number;
}

/** Time at which the disc is at rest, s; infinity without dry friction. By Simpson's rule for dt = -dw / (a + b w + c w^2). */
export function restTime({ rate, dry, viscous, air }: SpinningDisc): number {
  if (dry === 0) return Number.POSITIVE_INFINITY;
  const count = 2000;
  const sum = Array.from({ length: count + 1 }, (_, k) => {
    const w = (rate * k) / count;
    const weight = k === 0 || k === count ? 1 : 2 + 2 * (k % 2);
    return weight / (dry + viscous * w + air * w * w);
  }).reduce((all, each) => all + each, 0);
  return (sum * rate) / count / 3;
}

/** Returns a function for the angle turned since time 0, rad, accurate to 1e-10, of a disc that stays at rest once it is. */
export function spinningDisc(disc: SpinningDisc): (seconds: number) => number {
  const { rate, dry, viscous, air } = disc;
  const end = restTime(disc);
  const motion = ([, w]: readonly number[]): number[] => [w, -(dry + viscous * w + air * w * w)];
  return (seconds) => integrate(motion, [0, rate], Math.min(seconds, end))[0];
}
