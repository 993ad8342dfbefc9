/** A vector of the world, x, y, z. */
export type V3 = readonly number[];

/** Position in metres and velocity in m/s. */
export interface State {
  readonly position: V3;
  readonly velocity: V3;
}

/** Accelerations that act on a flight. */
export interface Forces {
  /** Acceleration of gravity, a vector, m/s^2. */
  readonly gravity: V3;
  /** Drag coefficient: deceleration by the air divided by the square of the speed, 1/m. */
  readonly drag: number;
}

/** A flight with an instantaneous change of velocity at each contact. */
export interface Path extends State {
  /** Time of `position` and `velocity`, s. */
  readonly time: number;
  readonly contacts: readonly { readonly time: number; readonly velocity: V3 }[];
}

/** Maximum integration step for a flight with drag, s. */
const MAX_STEP = 1 / 40;

/** State of a path at a time, also before its start; at the time of a contact, the state after it. */
export const stateOnPath = (path: Path, time: number, forces: Forces): State => statesAlong(path, [time], forces)[0];

/** States of a path at ascending times, as by `stateOnPath`: each flight begins at the state before. */
export function statesAlong(path: Path, times: readonly number[], forces: Forces): State[] {
  const { contacts } = path;
  let { time, position, velocity }: Path = path;
  let next = 0;
  return times.map((when) => {
    for (; next < contacts.length && contacts[next].time <= when; next++) {
      position = fly({ position, velocity }, contacts[next].time - time, forces).position;
      ({ time, velocity } = contacts[next]);
    }
    const state = fly({ position, velocity }, when - time, forces);
    ({ position, velocity } = state);
    time = when;
    return state;
  });
}

/** State after a free flight of some seconds: exact without drag, by the fourth-order Runge-Kutta method with drag. */
export function fly({ position, velocity }: State, seconds: number, { gravity, drag }: Forces): State {
  if (drag === 0)
    return {
      position: position.map((p, k) => p + seconds * (velocity[k] + (seconds / 2) * gravity[k])),
      velocity: velocity.map((v, k) => v + seconds * gravity[k]),
    };
  const steps = Math.max(1, Math.ceil(Math.abs(seconds) / MAX_STEP));
  const h = seconds / steps;
  // In numbers, not in arrays, which take several times as long: a fit asks for thousands of flights.
  let [x, y, z] = position;
  let [u, v, w] = velocity;
  const [gx, gy, gz] = gravity;
  for (let step = 0; step < steps; step++) {
    let [right, up, near] = [0, 0, 0];
    let [du, dv, dw] = [0, 0, 0];
    let [su, sv, sw] = [0, 0, 0];
    for (let stage = 0; stage < 4; stage++) {
      // The four stages lie at 0, h/2, h/2 and h, and count 1, 2, 2 and 1 sixths.
      const far = stage === 0 ? 0 : stage === 3 ? h : h / 2;
      const count = stage === 1 || stage === 2 ? h / 3 : h / 6;
      const [a, b, c] = [u + far * du, v + far * dv, w + far * dw];
      const braking = drag * Math.sqrt(a * a + b * b + c * c);
      [du, dv, dw] = [gx - braking * a, gy - braking * b, gz - braking * c];
      right += count * a;
      up += count * b;
      near += count * c;
      su += count * du;
      sv += count * dv;
      sw += count * dw;
    }
    [x, y, z] = [x + right, y + up, z + near];
    [u, v, w] = [u + su, v + sv, w + sw];
  }
  return { position: [x, y, z], velocity: [u, v, w] };
}
