import type { Actor, Bend, Color, Pose, Solid } from '../shot.ts';
import type { Vector } from '../vectors.ts';
import { add, compose, rotate, turn } from '../vectors.ts';

/** Number of sides from which on a prism is met as a round one. */
const ROUND = 24;
/** Number of straight pieces of a strip. */
const PIECES = 24;

/** A convex solid in its place, which rays meet. */
export class Body {
  readonly solid: Solid;
  readonly position: Vector;
  /** Radius of a sphere about its position that holds it, m; and of one with as much volume. */
  readonly reach: number;
  readonly size: number;
  /** Rotation from its axes to the world's, row by row. */
  readonly #turned: Float64Array;
  /** Twelfths of a strip before this piece of it. */
  readonly #before: number;
  /** Sides of what has flat ones. */
  readonly #planes: readonly Plane[];
  /** Normal and place of the last meeting, in its axes. */
  readonly #normal = new Float64Array(3);
  readonly #at = new Float64Array(3);

  constructor(solid: Solid, { position, orientation }: Pose, before = 0) {
    this.solid = solid;
    this.position = position;
    this.#before = before;
    const axes = (
      [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ] as const
    ).map((axis) => rotate(orientation, axis));
    this.#turned = Float64Array.from([0, 1, 2].flatMap((row) => axes.map((axis) => axis[row])));
    const halves = halvesOf(solid);
    this.reach = solid.shape === 'sphere' ? solid.radius : Math.hypot(...halves);
    this.#planes = solid.shape === 'prism' ? sidesOf(solid) : facesOf(halves);
    this.size = Math.cbrt(halves[0] * halves[1] * halves[2]);
  }

  /** Distance at which a ray meets it, from the origin on; infinite if it does not before `far`. */
  meet([ox, oy, oz]: Vector, [dx, dy, dz]: Vector, far: number): number {
    const r = this.#turned;
    const [x, y, z] = [ox - this.position[0], oy - this.position[1], oz - this.position[2]];
    const nearest = -(x * dx + y * dy + z * dz);
    if (nearest < -this.reach || x * x + y * y + z * z - nearest * nearest > this.reach * this.reach)
      return Number.POSITIVE_INFINITY;
    const o: Vector = [r[0] * x + r[3] * y + r[6] * z, r[1] * x + r[4] * y + r[7] * z, r[2] * x + r[5] * y + r[8] * z];
    const d: Vector = [
      r[0] * dx + r[3] * dy + r[6] * dz,
      r[1] * dx + r[4] * dy + r[7] * dz,
      r[2] * dx + r[5] * dy + r[8] * dz,
    ];
    const t = this.#meetOwn(o, d);
    if (!(t > 1e-5 && t < far)) return Number.POSITIVE_INFINITY;
    for (let k = 0; k < 3; k++) this.#at[k] = o[k] + t * d[k];
    return t;
  }

  /** Unit normal where the last ray met it. */
  normal(): Vector {
    const [r, [x, y, z]] = [this.#turned, this.#normal];
    const size = Math.hypot(x, y, z);
    return [0, 3, 6].map((k) => (r[k] * x + r[k + 1] * y + r[k + 2] * z) / size) as unknown as Vector;
  }

  /** Colour where the last ray met it: they alternate over sectors, faces and lengths. */
  colour(): Color {
    const { colors } = this.solid.paint;
    const [x, y, z] = this.#at;
    const sector = (a: number, b: number, count: number): number => (Math.atan2(a, b) / Math.PI + 1) * count;
    const [nx, ny, nz] = this.#normal;
    const part = {
      sphere: () => sector(z, x, 3),
      ellipsoid: () => sector(z, x, 3),
      rod: () => sector(z, x, 3),
      prism: () => sector(y, x, colors.length),
      box: () => 2 * (Math.abs(ny) > 0.5 ? 1 : Math.abs(nz) > 0.5 ? 2 : 0) + Number(nx + ny + nz < 0),
      strip: () => this.#before,
    }[this.solid.shape]();
    return colors[Math.floor(part) % colors.length];
  }

  #meetOwn(o: Vector, d: Vector): number {
    const { solid } = this;
    switch (solid.shape) {
      case 'sphere':
        return this.#meetEllipsoid(o, d, [solid.radius, solid.radius, solid.radius]);
      case 'ellipsoid':
        return this.#meetEllipsoid(o, d, solid.radii);
      case 'prism':
        return solid.sides < ROUND
          ? this.#meetPlanes(o, d)
          : this.#meetCylinder(o, d, { ...solid, along: 2, half: solid.width / 2 });
      case 'rod':
        return this.#meetCylinder(o, d, { ...solid, along: 1, half: solid.length / 2 });
      default:
        return this.#meetPlanes(o, d);
    }
  }

  #meetEllipsoid(o: Vector, d: Vector, [a, b, c]: Vector): number {
    const [ox, oy, oz, dx, dy, dz] = [o[0] / a, o[1] / b, o[2] / c, d[0] / a, d[1] / b, d[2] / c];
    const [dd, od, oo] = [dx * dx + dy * dy + dz * dz, ox * dx + oy * dy + oz * dz, ox * ox + oy * oy + oz * oz - 1];
    const root = od * od - dd * oo;
    if (root < 0) return Number.POSITIVE_INFINITY;
    const t = (-od - Math.sqrt(root)) / dd;
    this.#normal.set([(ox + t * dx) / a, (oy + t * dy) / b, (oz + t * dz) / c]);
    return t;
  }

  #meetCylinder(o: Vector, d: Vector, of: { along: 1 | 2; half: number; radius: number }): number {
    const { along, half, radius } = of;
    const across = along === 1 ? 2 : 1;
    const dd = d[0] ** 2 + d[across] ** 2;
    const od = o[0] * d[0] + o[across] * d[across];
    const root = od * od - dd * (o[0] ** 2 + o[across] ** 2 - radius * radius);
    if (root < 0) return Number.POSITIVE_INFINITY;
    const round = (-od - Math.sqrt(root)) / dd;
    const cap = (-Math.sign(d[along]) * half - o[along]) / d[along];
    const t = Math.max(round, cap);
    if (t > Math.min((-od + Math.sqrt(root)) / dd, (Math.sign(d[along]) * half - o[along]) / d[along]))
      return Number.POSITIVE_INFINITY;
    this.#normal.fill(0);
    if (round >= cap) {
      this.#normal[0] = o[0] + t * d[0];
      this.#normal[across] = o[across] + t * d[across];
    } else this.#normal[along] = -Math.sign(d[along]);
    return t;
  }

  #meetPlanes(o: Vector, d: Vector): number {
    let [into, out] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    let [first] = this.#planes;
    for (const plane of this.#planes) {
      const speed = plane[0] * d[0] + plane[1] * d[1] + plane[2] * d[2];
      const t = (plane[3] - plane[0] * o[0] - plane[1] * o[1] - plane[2] * o[2]) / speed;
      if (speed > 0) out = Math.min(out, t);
      else if (t > into) {
        into = t;
        first = plane;
      }
    }
    this.#normal.set(first.slice(0, 3));
    return into < out ? into : Number.POSITIVE_INFINITY;
  }
}

/** Outward normal of a plane, and its distance from the origin, m. */
type Plane = readonly [x: number, y: number, z: number, distance: number];

const facesOf = ([x, y, z]: Vector): Plane[] => [
  [1, 0, 0, x],
  [-1, 0, 0, x],
  [0, 1, 0, y],
  [0, -1, 0, y],
  [0, 0, 1, z],
  [0, 0, -1, z],
];

function sidesOf({ radius, width, sides }: Extract<Solid, { shape: 'prism' }>): Plane[] {
  const inner = radius * Math.cos(Math.PI / sides);
  const around = Array.from({ length: sides }, (_, k): Plane => {
    const angle = ((2 * k + 1) * Math.PI) / sides;
    return [Math.sin(angle), Math.cos(angle), 0, inner];
  });
  return [...around, [0, 0, 1, width / 2], [0, 0, -1, width / 2]];
}

function halvesOf(solid: Solid): Vector {
  switch (solid.shape) {
    case 'sphere':
      return [solid.radius, solid.radius, solid.radius];
    case 'ellipsoid':
      return solid.radii;
    case 'box':
      return solid.halfSizes;
    case 'prism':
      return [solid.radius, solid.radius, solid.width / 2];
    case 'rod':
      return [solid.radius, solid.length / 2, solid.radius];
    case 'strip':
      return [solid.length / 2, solid.thickness / 2, solid.width / 2];
  }
}

/** Bodies of an actor at an instant of a frame: a strip is made of straight pieces. */
export function bodiesOf(actor: Actor, frame: number, instant: number): Body[] {
  const { solid } = actor;
  if ('poses' in actor) return [new Body(solid, actor.poses[frame][instant])];
  return solid.shape === 'strip' ? piecesOf(solid, actor.place, actor.bends[frame][instant]) : [];
}

function piecesOf(solid: Extract<Solid, { shape: 'strip' }>, place: Pose, line: Bend): Body[] {
  const stations = Array.from({ length: PIECES + 1 }, (_, k) => line[Math.round((k / PIECES) * (line.length - 1))]);
  return stations.slice(1).map(([x, y], k) => {
    const [fromX, fromY] = stations[k];
    const length = Math.hypot(x - fromX, y - fromY);
    const middle = rotate(place.orientation, [(x + fromX) / 2, (y + fromY) / 2, 0]);
    const lean = turn([0, 0, 1], Math.atan2(y - fromY, x - fromX));
    const pose = { position: add(place.position, middle), orientation: compose(place.orientation, lean) };
    return new Body({ ...solid, length: 1.001 * length }, pose, Math.floor((12 * k) / PIECES));
  });
}
