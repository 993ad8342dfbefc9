import { integrate } from './extrapolation.ts';
import { type Pendulum, squaredFrequency } from './pendulum.ts';

/** A ball on a massless string that goes round: `angle` and `rate` are those of the string from straight down. */
export interface ConicalPendulum extends Pendulum {
  /** Direction from the vertical, rad, and its rate, rad/s, at time 0. */
  readonly azimuth: number;
  readonly turning: number;
}

/**
 * Returns a function for angle from straight down and azimuth, rad, accurate to 1e-10, by the equations in these angles: a" =
 * sin a (z'^2 cos a - w^2) - 2 c a', z" = -2 a' z' cot a - 2 c z', w as of the pendulum. The ball does not spin about the string.
 */
export function conicalPendulum(thing: ConicalPendulum): (seconds: number) => { angle: number; azimuth: number } {
  const square = squaredFrequency(thing);
  const rate = ([a, , va, vz]: readonly number[]): number[] => [
    va,
    vz,
    Math.sin(a) * (vz * vz * Math.cos(a) - square) - 2 * thing.damping * va,
    (-2 * va * vz) / Math.tan(a) - 2 * thing.damping * vz,
  ];
  const start = [thing.angle, thing.azimuth, thing.rate, thing.turning];
  return (seconds) => {
    const [angle, azimuth] = integrate(rate, start, seconds);
    return { angle, azimuth };
  };
}
