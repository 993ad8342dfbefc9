import {
  add,
  boxInertia,
  conjugate,
  cross,
  freeRotation,
  greatestSpin,
  type Quaternion,
  quaternionAt,
  rotate,
  type Vector,
} from '@gradsim/base';
import type { BoxState } from '@gradsim/film';
import { cornerImpulse } from './corner-impulse.ts';

/** A box over the floor y = 0, on which its corners bounce. */
export interface BouncingBox {
  /** Size along its axes, m. */
  readonly size: readonly [number, number, number];
  /** Gravity, m/s^2, downwards. */
  readonly gravity: number;
  readonly restitution: number;
  readonly friction: number;
}

/** Motion of a box: its states at some times, and the times of its impacts, s. */
export interface BoxMotion {
  readonly states: BoxState[];
  readonly impacts: number[];
}

/** Step near the floor, s: within it a corner's path is nearly a parabola. */
const STEP = 2e-3;
/** Maximum number of impacts in a step. */
const MOST_IMPACTS = 8;
/** Height of a corner at which it touches the floor, m; and the maximum number of steps to find the instant. */
const TOUCH = 1e-9;
const MOST_HALVINGS = 40;

/** State of a box, with vectors and quaternions of known lengths. */
interface Body extends BoxState {
  readonly position: Vector;
  readonly velocity: Vector;
  readonly orientation: Quaternion;
  readonly angularVelocity: Vector;
}

/** Impact of a corner, given in body axes, m, after some seconds. */
interface Impact {
  readonly seconds: number;
  readonly corner: Vector;
  /** True for a corner that stays on the floor: it is without restitution. */
  readonly rests?: boolean;
}

/**
 * Motion of a box from a state at time 0: parabolas and free rotation, with instantaneous impacts of its corners by the laws of
 * @gradsim/contact (Newton's restitution, Coulomb's friction). It takes a tenth of a millisecond, so that a start of the search
 * is chosen from thousands; the search itself compares the model.
 *
 * @param times ascending, from 0 on, s.
 */
export function bouncing(box: BouncingBox, start: BoxState, times: readonly number[]): BoxMotion {
  const flight = new Flight(box);
  let body: Body = {
    position: vectorOf(start.position),
    velocity: vectorOf(start.velocity),
    orientation: quaternionAt(start.orientation, 0),
    angularVelocity: vectorOf(start.angularVelocity),
  };
  let time = 0;
  let height = flight.heightOf(body);
  const impacts: number[] = [];
  const states = times.map((end) => {
    while (time < end) {
      const next = Math.min(time + Math.max(flight.secondsAbove(body, height), STEP), end);
      ({ body, height } = flight.bounced(body, next - time, (left) => impacts.push(next - left)));
      time = next;
    }
    return body;
  });
  return { states, impacts };
}

const vectorOf = ([x, y, z]: readonly number[]): Vector => [x, y, z];

const HALVES = [-0.5, 0.5];

class Flight {
  readonly #box: BouncingBox;
  readonly #moments: Vector;
  readonly #corners: readonly Vector[];
  /** Distance of the corners from the middle, m. */
  readonly #reach: number;

  constructor(box: BouncingBox) {
    const { size } = box;
    this.#box = box;
    const inertia = boxInertia(size);
    this.#moments = [inertia[0], inertia[4], inertia[8]];
    this.#corners = HALVES.flatMap((x) =>
      HALVES.flatMap((y) => HALVES.map((z): Vector => [x * size[0], y * size[1], z * size[2]])),
    );
    this.#reach = Math.hypot(...size) / 2;
  }

  /** Time for which no corner of a box can reach the floor, s, from the height of its lowest one, m. */
  secondsAbove(body: Body, height: number): number {
    if (height <= 0) return 0;
    const { velocity, orientation, angularVelocity } = body;
    const spin = greatestSpin(rotate(conjugate(orientation), angularVelocity), this.#moments);
    const speed = spin * this.#reach - velocity[1];
    return (2 * height) / (speed + Math.sqrt(speed * speed + 2 * Math.max(this.#box.gravity, 0) * height));
  }

  /**
   * State after a step, with all corners above the floor or on it, and the height of the lowest one, m.
   * @param onImpact receives the time from an impact to the end of the step, s.
   */
  bounced(body: Body, seconds: number, onImpact: (left: number) => void): { body: Body; height: number } {
    let [now, left] = [body, seconds];
    for (let k = 0; k < MOST_IMPACTS; k++) {
      const end = this.#flown(now, left);
      const height = this.heightOf(end);
      if (height >= 0) return { body: end, height };
      const impact = this.#firstImpact(now, end, left);
      if (!impact) return this.#lifted(end);
      left -= impact.seconds;
      onImpact(left);
      now = this.#pushed(this.#flown(now, impact.seconds), impact, left);
    }
    return this.#lifted(this.#flown(now, left));
  }

  #lifted(body: Body): { body: Body; height: number } {
    const [x, y, z] = body.position;
    const height = this.heightOf(body);
    if (height >= 0) return { body, height };
    return { body: { ...body, position: [x, y - height, z] }, height: 0 };
  }

  /** Height of the lowest corner, m. */
  heightOf({ position, orientation }: Body): number {
    const { size } = this.#box;
    const [x, y, z] = rotate(conjugate(orientation), UP);
    return position[1] - (Math.abs(x) * size[0] + Math.abs(y) * size[1] + Math.abs(z) * size[2]) / 2;
  }

  #flown(body: Body, seconds: number): Body {
    const { position: x, velocity: v } = body;
    const fallen = this.#box.gravity * seconds;
    return {
      position: [x[0] + v[0] * seconds, x[1] + (v[1] - fallen / 2) * seconds, x[2] + v[2] * seconds],
      velocity: [v[0], v[1] - fallen, v[2]],
      ...freeRotation(body, seconds, this.#moments),
    };
  }

  /** First impact of a corner that is below the floor at the end of a step, and moves downwards. */
  #firstImpact(body: Body, end: Body, seconds: number): Impact | undefined {
    let first: Impact | undefined;
    for (const corner of this.#corners) {
      const arm = rotate(end.orientation, corner);
      const after = end.position[1] + arm[1];
      if (after >= 0 || end.velocity[1] + cross(end.angularVelocity, arm)[1] >= 0) continue;
      const impact = this.#impactOf(corner, body, after, seconds);
      if (!first || impact.seconds < first.seconds) first = impact;
    }
    return first;
  }

  #impactOf(corner: Vector, body: Body, after: number, seconds: number): Impact {
    const arm = rotate(body.orientation, corner);
    const before = body.position[1] + arm[1];
    if (before > TOUCH) return { corner, seconds: this.#touch(corner, body, [before, after], seconds) };
    const speed = body.velocity[1] + cross(body.angularVelocity, arm)[1];
    // What has just left, and would be back within the step, rests.
    return speed < 0 ? { corner, seconds: 0 } : { corner, seconds, rests: true };
  }

  /** Time at which a corner touches the floor, between two times of known heights: false position (Illinois). */
  #touch(corner: Vector, body: Body, heights: readonly [number, number], seconds: number): number {
    let [from, to, high, low] = [0, seconds, ...heights];
    let [time, side] = [seconds, 0];
    for (let k = 0; k < MOST_HALVINGS; k++) {
      time = (from * low - to * high) / (low - high);
      const there = this.#flown(body, time);
      const height = there.position[1] + rotate(there.orientation, corner)[1];
      if (Math.abs(height) < TOUCH) break;
      if (height > 0) {
        [from, high] = [time, height];
        if (side > 0) low /= 2;
        side = 1;
      } else {
        [to, low] = [time, height];
        if (side < 0) high /= 2;
        side = -1;
      }
    }
    return time;
  }

  /** State right after an impact of a corner. */
  #pushed(body: Body, { corner, rests }: Impact, left: number): Body {
    const { gravity, restitution, friction } = this.#box;
    const { orientation: q, angularVelocity } = body;
    const r = rotate(q, corner);
    const u = add(body.velocity, cross(angularVelocity, r));
    if (u[1] >= 0) return body;
    // A hop that would end within the step is none.
    const stays = rests || -2 * restitution * u[1] < gravity * left;
    const gained = -(1 + (stays ? 0 : restitution)) * u[1];
    // Change of the corner's velocity by an impulse: it is symmetric.
    const spinBy = (j: Vector): Vector => this.#spinOf(q, cross(r, j));
    const response = (j: Vector): Vector => add(j, cross(spinBy(j), r));
    const K = AXES.map(response);
    const j = cornerImpulse(K, u, gained, friction, stays);
    return {
      ...body,
      velocity: add(body.velocity, j),
      angularVelocity: add(angularVelocity, spinBy(j)),
    };
  }

  /** Angular velocity of an angular momentum per kilogram, both in world axes. */
  #spinOf(orientation: Quaternion, momentum: Vector): Vector {
    const [a, b, c] = rotate(conjugate(orientation), momentum);
    const [A, B, C] = this.#moments;
    return rotate(orientation, [a / A, b / B, c / C]);
  }
}

const UP: Vector = [0, 1, 0];
const AXES: readonly Vector[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
