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
const STEP = 1 / 120;

/** State of a path at a time, also before its start; at the time of a contact, the state after it. */
export function along(path: Path, when: number, forces: Forces): State {
  let { time, position, velocity }: Path = path;
  for (const contact of path.contacts) {
    if (contact.time > when) break;
    position = fly({ position, velocity }, contact.time - time, forces).position;
    ({ time, velocity } = contact);
  }
  return fly({ position, velocity }, when - time, forces);
}

/** State after a free flight of some seconds: exact without drag, by the fourth-order Runge-Kutta method with drag. */
export function fly({ position, velocity }: State, seconds: number, { gravity, drag }: Forces): State {
  if (drag === 0)
    return {
      position: position.map((p, k) => p + seconds * (velocity[k] + (seconds / 2) * gravity[k])),
      velocity: velocity.map((v, k) => v + seconds * gravity[k]),
    };
  const steps = Math.max(1, Math.ceil(Math.abs(seconds) / STEP));
  const h = seconds / steps;
  const slowed = (v: V3): number[] => {
    const speed = Math.hypot(...v);
    return v.map((c, k) => gravity[k] - drag * speed * c);
  };
  let [p, v] = [position, velocity];
  for (let step = 0; step < steps; step++) {
    const plus = (a: V3, part: number): number[] => v.map((c, k) => c + part * h * a[k]);
    const a1 = slowed(v);
    const v2 = plus(a1, 0.5);
    const a2 = slowed(v2);
    const v3 = plus(a2, 0.5);
    const a3 = slowed(v3);
    const v4 = plus(a3, 1);
    const a4 = slowed(v4);
    const from = v;
    p = p.map((c, k) => c + (h / 6) * (from[k] + 2 * v2[k] + 2 * v3[k] + v4[k]));
    v = from.map((c, k) => c + (h / 6) * (a1[k] + 2 * a2[k] + 2 * a3[k] + a4[k]));
  }
  return { position: p, velocity: v };
}
