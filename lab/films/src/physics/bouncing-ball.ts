import type { Vector } from '../vectors.ts';

/** A ball without spin above a smooth level floor, without air. */
export interface BouncingBall {
  /** Radius, m. */
  readonly radius: number;
  /** Coefficient of restitution: vertical speed after an impact divided by that before it. */
  readonly restitution: number;
  /** Acceleration of gravity, m/s^2. */
  readonly gravity: number;
  /** Position of the centre at time 0, m, with the floor at y = 0, and velocity, m/s. */
  readonly position: Vector;
  readonly velocity: Vector;
}

/** Minimum speed of a bounce, m/s; a slower ball rests. */
const MIN_SPEED = 1e-6;

/** Free flight of the ball between two contacts with the floor. */
interface Flight {
  readonly from: number;
  readonly until: number;
  /** Height of the centre at `from`, m, and its vertical velocity, m/s. */
  readonly height: number;
  readonly speed: number;
}

/**
 * Returns a function for the position of the ball's centre, m, at times up to `until`, s; negative times continue the
 * first flight backwards. Each impact is found from the quadratic equation of its flight.
 */
export function bouncingBall(ball: BouncingBall, until: number): (seconds: number) => Vector {
  const { radius, gravity, position, velocity } = ball;
  const flights = flightsOf(ball, until);
  return (seconds) => {
    const { from, height, speed } = flights.findLast((flight) => flight.from <= seconds) ?? flights[0];
    const t = seconds - from;
    const isAtRest = from > 0 && speed === 0;
    const y = isAtRest ? radius : height + speed * t - (gravity * t * t) / 2;
    return [position[0] + velocity[0] * seconds, y, position[2] + velocity[2] * seconds];
  };
}

function flightsOf({ radius, restitution, gravity, position, velocity }: BouncingBall, end: number): Flight[] {
  const flights: Flight[] = [];
  let [from, height, speed] = [0, position[1], velocity[1]];
  while (from <= end) {
    // height + speed t - g t^2 / 2 = radius
    const impact = Math.sqrt(speed * speed + 2 * gravity * (height - radius));
    const until = from + (speed + impact) / gravity;
    flights.push({ from, until, height, speed });
    [from, height, speed] = [until, radius, restitution * impact];
    if (speed < MIN_SPEED) {
      flights.push({ from, until: end, height: radius, speed: 0 });
      break;
    }
  }
  return flights;
}

/** Times of impact before `until`, s. */
export const impactTimes = (ball: BouncingBall, until: number): number[] =>
  flightsOf(ball, until)
    .map((flight) => flight.until)
    .filter((time) => time < until);
