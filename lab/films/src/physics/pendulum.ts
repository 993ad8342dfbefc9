import { integrate } from './extrapolation.ts';

/** A ball fixed to a massless rod that swings in a plane. */
export interface Pendulum {
  /** Distance from the pivot to the ball's centre, m. */
  readonly length: number;
  /** Radius of the ball, m. */
  readonly radius: number;
  /** Acceleration of gravity, m/s^2. */
  readonly gravity: number;
  /** Rate at which the amplitude decays, 1/s. */
  readonly damping: number;
  /** Angle from the vertical at time 0, rad, and its rate, rad/s. */
  readonly angle: number;
  readonly rate: number;
}

/**
 * Squared angular frequency w^2, s^-2, of the pendulum's equation a'' = -w^2 sin a - 2 d a' for the angle a: a physical
 * pendulum with moment of inertia m l^2 + 2/5 m r^2.
 */
export const squaredFrequency = ({ length, radius, gravity }: Omit<Pendulum, 'angle' | 'rate' | 'damping'>): number =>
  (gravity * length) / (length ** 2 + 0.4 * radius ** 2);

/**
 * Returns a function for the angle from the vertical, rad, at any time, accurate to 1e-10: it integrates from the
 * nearest time already computed.
 */
export function pendulum(swing: Pendulum): (seconds: number) => number {
  const square = squaredFrequency(swing);
  const rate = ([angle, speed]: readonly number[]): number[] => [
    speed,
    -square * Math.sin(angle) - 2 * swing.damping * speed,
  ];
  const known: { readonly seconds: number; readonly state: readonly number[] }[] = [
    { seconds: 0, state: [swing.angle, swing.rate] },
  ];
  return (seconds) => {
    const nearest = known.reduce((best, each) =>
      Math.abs(each.seconds - seconds) < Math.abs(best.seconds - seconds) ? each : best,
    );
    const state = integrate(rate, nearest.state, seconds - nearest.seconds);
    known.push({ seconds, state });
    return state[0];
  };
}
