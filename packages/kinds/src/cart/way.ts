import type { Roll } from '@gradsim/film';

/** Way of a cart as its track shows it, along an axis that points to the side and down by an angle. */
interface CartPath {
  /** Side of the picture to which the axis points: 1, the right, or -1. */
  readonly side: number;
  /** Angle by which it points down, degrees. */
  readonly angle: number;
  /** Speed, m/s, at time 0, and acceleration, m/s^2, along the axis. */
  readonly speed: number;
  readonly acceleration: number;
  /** 1 if it moves along the axis at first, or -1. */
  readonly heads: number;
  /** True if the cart turns back within the film. */
  readonly turns: boolean;
  /** Friction that explains the acceleration on an incline of the measured angle, limited to usual values. */
  readonly friction: number;
}

/** Unit vector along a way that points down by an angle, degrees, its plane turned about the vertical, rad. */
export function axisOf({ side, angle: own }: CartPath, angle = own, turn = 0): number[] {
  const tilt = (angle * Math.PI) / 180;
  return [side * Math.cos(tilt) * Math.cos(turn), -Math.sin(tilt), -side * Math.cos(tilt) * Math.sin(turn)];
}

/** Range of the start value of friction. */
const FRICTION_RANGE = [0.003, 0.5] as const;

/**
 * Way of a cart by its start: on a track of a known angle along the direction of its acceleration, which is downhill, and
 * else along the direction in which it moves at first.
 *
 * @param seconds duration of the film, s.
 */
export function cartPathOf(
  start: Roll,
  seconds: number,
  { angle, gravity }: { readonly angle: number | null; readonly gravity: number },
): CartPath {
  const { speed, acceleration } = start;
  const end = speed + acceleration * seconds;
  const turns =
    speed * end < 0 && Math.min(Math.abs(speed), Math.abs(end)) > 0.1 * Math.max(Math.abs(speed), Math.abs(end));
  const first = speed + (acceleration * seconds) / 8;
  const sign = Math.sign(angle === null ? first : angle === 0 ? speed : acceleration) || 1;
  const tilt = ((angle ?? (sign * start.angle * 180) / Math.PI) * Math.PI) / 180;
  const shown = (gravity * Math.sin(tilt) - sign * acceleration) / (gravity * Math.cos(tilt));
  const [low, high] = FRICTION_RANGE;
  return {
    side: start.side * sign,
    angle: (tilt * 180) / Math.PI,
    speed: sign * speed,
    acceleration: sign * acceleration,
    heads: Math.sign(sign * first) || 1,
    turns,
    friction: Math.min(Math.max(sign * first < 0 ? -shown : shown, low), high),
  };
}
