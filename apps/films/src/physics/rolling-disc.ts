/** A disc that rolls down an incline without slipping. */
export interface RollingDisc {
  /** Angle of the incline, rad. */
  readonly angle: number;
  /** Acceleration of gravity, m/s^2. */
  readonly gravity: number;
  /** Ratio I / (m r^2) about its axis: 1/2 of a full disc, 1 of a hoop. */
  readonly inertiaRatio: number;
  /** Speed downhill at time 0, m/s. */
  readonly speed: number;
}

/** Distance that the disc has rolled downhill, m: m g sin a = (m + I / r^2) a. */
export function rollingDisc({ angle, gravity, inertiaRatio, speed }: RollingDisc): (seconds: number) => number {
  const acceleration = (gravity * Math.sin(angle)) / (1 + inertiaRatio);
  return (t) => speed * t + (acceleration * t * t) / 2;
}
