/** A disc that rolls down an incline without slipping. */
export interface RollingDisc {
  /** Angle of the incline, rad. */
  readonly angle: number;
  /** Acceleration of gravity, m/s^2. */
  readonly gravity: number;
  /** Ratio I / (m r^2) about the disc's axis: 1/2 for a full disc, 1 for a hoop. */
  readonly inertiaRatio: number;
  /** Speed downhill at time 0, m/s. */
  readonly speed: number;
}

/** Returns a function for the distance rolled downhill, m, with acceleration g sin(angle) / (1 + I / (m r^2)). */
export function rollingDisc({ angle, gravity, inertiaRatio, speed }: RollingDisc): (seconds: number) => number {
  const acceleration = (gravity * Math.sin(angle)) / (1 + inertiaRatio);
  return (t) => speed * t + (acceleration * t * t) / 2;
}
