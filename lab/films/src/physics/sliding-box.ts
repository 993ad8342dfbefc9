/** A box that slides down an incline without turning over. */
export interface SlidingBox {
  /** Angle of the incline, rad. */
  readonly angle: number;
  /** Acceleration of gravity, m/s^2. */
  readonly gravity: number;
  /** Coefficient of Coulomb friction. */
  readonly mu: number;
  /** Speed downhill at time 0, m/s, at least 0. */
  readonly speed: number;
}

/**
 * Returns a function for the distance slid downhill, m, with acceleration g (sin(angle) - mu cos(angle)); if friction
 * stops the box, it stays.
 */
export function slidingBox({ angle, gravity, mu, speed }: SlidingBox): (seconds: number) => number {
  const acceleration = gravity * (Math.sin(angle) - mu * Math.cos(angle));
  const stop = acceleration < 0 ? -speed / acceleration : Infinity;
  return (seconds) => {
    const t = Math.min(seconds, stop);
    return speed * t + (acceleration * t * t) / 2;
  };
}
