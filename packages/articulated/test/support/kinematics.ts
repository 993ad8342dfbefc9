/** Computes the kinematics of links independently of the package, in plain numbers, by rotation matrices. */

export type Vector = readonly number[];
export type Matrix = readonly Vector[];

/** Options of a link in a test scene, with the index of its parent. */
export interface LinkGiven {
  readonly parent?: number;
  readonly joint: 'revolute' | 'prismatic' | 'ball' | 'free' | 'fixed';
  readonly anchor?: Vector;
  readonly axis?: Vector;
  readonly restOrientation?: Vector;
  readonly mass: number;
  readonly centre: Vector;
  readonly inertia?: Vector;
  readonly coordinate?: number;
  readonly rate?: number;
  readonly jointOrientation?: Vector;
  readonly angularVelocity?: Vector;
  readonly translation?: Vector;
  readonly velocity?: Vector;
}
/** State of one link: coordinates and rates of its joint at some time. */
export interface LinkState {
  readonly coordinate: number;
  readonly rate: number;
  readonly jointOrientation: Vector;
  readonly angularVelocity: Vector;
  readonly translation: Vector;
  readonly velocity: Vector;
}

const plus = (a: Vector, b: Vector): number[] => a.map((x, k) => x + b[k]);
const scaled = (a: Vector, s: number): number[] => a.map((x) => x * s);
export const dot = (a: Vector, b: Vector): number => a.reduce((sum, x, k) => sum + x * b[k], 0);
export const cross = ([a, b, c]: Vector, [x, y, z]: Vector): number[] => [b * z - c * y, c * x - a * z, a * y - b * x];
const apply = (m: Matrix, v: Vector): number[] => m.map((row) => dot(row, v));
const transposed = (m: Matrix): number[][] => [0, 1, 2].map((k) => m.map((row) => row[k]));
const product = (a: Matrix, b: Matrix): number[][] => a.map((row) => transposed(b).map((column) => dot(row, column)));

/** Rotation matrix about a unit axis by an angle, by Rodrigues' formula. */
function aboutAxis(axis: Vector, angle: number): number[][] {
  const [x, y, z] = scaled(axis, 1 / Math.hypot(...axis));
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const K = [
    [0, -z, y],
    [z, 0, -x],
    [-y, x, 0],
  ];
  const KK = product(K, K);
  return K.map((row, i) => row.map((k, j) => (i === j ? 1 : 0) + s * k + (1 - c) * KK[i][j]));
}
function ofQuaternion(given: Vector): number[][] {
  const [x, y, z, w] = scaled(given, 1 / Math.hypot(...given));
  const sine = Math.hypot(x, y, z);
  return sine === 0 ? aboutAxis([1, 0, 0], 0) : aboutAxis([x, y, z], 2 * Math.atan2(sine, w));
}

/** Total energy, J, momentum, N s, and angular momentum about the world's origin, N m s. */
export interface Totals {
  readonly energy: number;
  readonly momentum: Vector;
  readonly angularMomentum: Vector;
}

export function totals(links: readonly LinkGiven[], states: readonly LinkState[], gravity: Vector): Totals {
  const world = { R: aboutAxis([1, 0, 0], 0), x: [0, 0, 0], w: [0, 0, 0], v: [0, 0, 0] };
  const moved: (typeof world)[] = [];
  let energy = 0;
  let [momentum, angularMomentum] = [
    [0, 0, 0],
    [0, 0, 0],
  ];
  links.forEach((link, k) => {
    const p = link.parent === undefined ? world : moved[link.parent];
    const s = states[k];
    const atRest = product(p.R, ofQuaternion(link.restOrientation ?? [0, 0, 0, 1]));
    const given = link.axis ?? [0, 0, 1];
    const unit = scaled(given, 1 / Math.hypot(...given));
    const axis = apply(atRest, unit);
    let R = atRest;
    let arm = apply(p.R, link.anchor ?? [0, 0, 0]);
    let [w, slide] = [p.w, [0, 0, 0]];
    if (link.joint === 'revolute') {
      R = product(atRest, aboutAxis(unit, s.coordinate));
      w = plus(w, scaled(axis, s.rate));
    }
    if (link.joint === 'prismatic') {
      arm = plus(arm, scaled(axis, s.coordinate));
      slide = scaled(axis, s.rate);
    }
    if (link.joint === 'ball' || link.joint === 'free') {
      R = product(atRest, ofQuaternion(s.jointOrientation));
      w = plus(w, apply(R, s.angularVelocity));
    }
    if (link.joint === 'free') {
      arm = plus(arm, apply(p.R, s.translation));
      slide = apply(p.R, s.velocity);
    }
    const x = plus(p.x, arm);
    const v = plus(plus(p.v, cross(p.w, arm)), slide);
    moved.push({ R, x, w, v });
    const c = apply(R, link.centre);
    const [at, u] = [plus(x, c), plus(v, cross(w, c))];
    const inertia = link.inertia ?? Array<number>(9).fill(0);
    const own = apply(transposed(R), w);
    const spin = apply(
      R,
      [0, 1, 2].map((i) => dot(inertia.slice(3 * i, 3 * i + 3), own)),
    );
    energy += 0.5 * link.mass * dot(u, u) + 0.5 * dot(w, spin) - link.mass * dot(gravity, at);
    momentum = plus(momentum, scaled(u, link.mass));
    angularMomentum = plus(angularMomentum, plus(spin, scaled(cross(at, u), link.mass)));
  });
  return { energy, momentum, angularMomentum };
}
