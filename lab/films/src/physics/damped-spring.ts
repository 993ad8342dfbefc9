/** A mass on a vertical spring with viscous damping. */
export interface DampedSpring {
  /** Stiffness, N/m, and moved mass, kg. */
  readonly stiffness: number;
  readonly mass: number;
  /** Rate at which the amplitude decays, 1/s. */
  readonly damping: number;
  /** Height above the place of rest at time 0, m, and its rate, m/s. */
  readonly height: number;
  readonly rate: number;
}

/**
 * Returns a function for the height above the place of rest, m: y'' = -(k / m) y - 2 c y' is solved by exp(-c t) (y0 cos w t +
 * (v0 + c y0) / w sin w t), w^2 = k / m - c^2.
 */
export function dampedSpring({ stiffness, mass, damping, height, rate }: DampedSpring): (seconds: number) => number {
  const w = Math.sqrt(stiffness / mass - damping ** 2);
  return (t) => Math.exp(-damping * t) * (height * Math.cos(w * t) + ((rate + damping * height) / w) * Math.sin(w * t));
}
