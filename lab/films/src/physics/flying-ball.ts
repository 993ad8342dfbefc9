import type { Vector } from '../vectors.ts';
import { integrate } from './extrapolation.ts';

/** A ball that flies in air, which brakes it as the square of its speed. */
export interface FlyingBall {
  /** Acceleration of gravity, m/s^2. */
  readonly gravity: number;
  /** Deceleration by the air over the square of the speed, 1/m. */
  readonly drag: number;
  /** Position at time 0, m, and velocity, m/s. */
  readonly position: Vector;
  readonly velocity: Vector;
}

/** Returns a function for the position, m, at any time, s: v' = -g - c |v| v, integrated from time 0 to 1e-12. */
export function flyingBall({ gravity, drag, position, velocity }: FlyingBall): (seconds: number) => Vector {
  const rate = ([, , , u, v, w]: readonly number[]): number[] => {
    const braking = drag * Math.hypot(u, v, w);
    return [u, v, w, -braking * u, -gravity - braking * v, -braking * w];
  };
  return (seconds) => {
    const [x, y, z] = integrate(rate, [...position, ...velocity], seconds);
    return [x, y, z];
  };
}
