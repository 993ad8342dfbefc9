/** A ball that rolls on an incline without slipping, downhill or uphill at first. */
export interface RollingBall {
  /** Angle of the incline, rad. */
  readonly angle: number;
  /** Acceleration of gravity, m/s^2. */
  readonly gravity: number;
  /** Ratio I / (m r^2): 2/5 of a solid ball, 2/3 of a hollow one, 0 of what hardly turns, as a cart. */
  readonly factor: number;
  /** Rolling friction: resisting force as a part of the normal force, below the tangent of the angle. */
  readonly friction: number;
  /** Speed downhill at time 0, m/s. */
  readonly speed: number;
}

/**
 * Returns a function for the distance rolled downhill, m: the acceleration is g (sin a - mu cos a) / (1 + f) on its way
 * down, and g (sin a + mu cos a) / (1 + f) before, on its way up.
 */
export function rollingBall({ angle, gravity, factor, friction, speed }: RollingBall): (seconds: number) => number {
  const [along, brakes] = [gravity * Math.sin(angle), friction * gravity * Math.cos(angle)];
  const [down, up] = [-1, 1].map((sign) => (along + sign * brakes) / (1 + factor));
  if (speed >= 0) return (t) => speed * t + (down * t * t) / 2;
  const turn = -speed / up;
  const before = (t: number): number => speed * t + (up * t * t) / 2;
  return (t) => (t < turn ? before(t) : before(turn) + (down * (t - turn) ** 2) / 2);
}
