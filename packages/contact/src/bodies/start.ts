import type { Quaternion, Vector } from '@gradsim/base';
import {
  add,
  conjugate,
  cross,
  dot,
  multiplyQuaternions,
  norm,
  normalizeQuaternion,
  quaternionAt,
  rotate,
  scale,
  subtract,
  vectorAt,
  vectorOf,
} from '@gradsim/base';
import type { BuildContext, FieldOf, Quat, Vec3 } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import { SignedDistance } from '@gradsim/mesh';
import type { ContactBox } from '../shapes/box.ts';
import type { TouchingShape } from './shapes.ts';

/**
 * Maximum allowed initial penetration of a sphere or capsule, as a fraction of its diameter; for boxes and meshes it is
 * their rounding radius.
 */
const SHARE_OF_BALL = 0.03;
/** Positions of sample points along an edge, as fractions of its length. */
const EDGE_SAMPLES = [0.2, 0.4, 0.5, 0.6, 0.8];
/** Positions of sample points between the centre of a mesh (0) and a corner (1). */
const INWARD_SAMPLES = [0.4, 0.8];
/** Maximum number of a mesh's corners towards which interior points are sampled. */
const MAX_INWARD_CORNERS = 64;

interface Pose {
  readonly x: Vector;
  readonly q: Quaternion;
}
/** A ball inside a shape: centre in world axes, m, and radius, m. */
interface Ball {
  readonly centre: Vector;
  readonly radius: number;
}
/** A shape at its initial pose: bounding sphere, balls inside it, and its signed distance, in world axes. */
interface InitialShape {
  readonly x: Vector;
  readonly reach: number;
  readonly balls: readonly Ball[];
  readonly distance: (point: Vector) => number;
  /** Vectors from the centre of a box to its faces, in world axes, m; undefined for other shapes. */
  readonly axes?: readonly Vector[];
  /** Maximum allowed penetration into another shape, m; two shapes may penetrate by the sum of theirs. */
  readonly allowed: number;
}

/**
 * Checks that no two shapes overlap at the start.
 * @throws when two overlap by more than the sum of their allowed penetrations, with the depth.
 */
export function refuseOverlaps(
  context: BuildContext,
  shapes: readonly TouchingShape[],
  isApart: (a: TouchingShape, b: TouchingShape) => boolean,
): void {
  const standing = shapes.map((shape) => initialShape(context, shape));
  const order = [...shapes.keys()]
    .filter((k) => standing[k])
    .sort((i, j) => lowestPoint(standing[i]!) - lowestPoint(standing[j]!));
  for (const [place, i] of order.entries()) {
    const one = standing[i]!;
    for (const j of order.slice(place + 1)) {
      const other = standing[j]!;
      if (lowestPoint(other) > one.x[0] + one.reach) break;
      if (!(shapes[i].owner || shapes[j].owner) || isApart(shapes[i], shapes[j])) continue;
      const between = subtract(one.x, other.x);
      if (dot(between, between) > (one.reach + other.reach) ** 2) continue;
      const depth = one.axes && other.axes ? overlapOf(one, other) : Math.max(depthIn(one, other), depthIn(other, one));
      const allowed = one.allowed + other.allowed;
      if (depth <= allowed) continue;
      const [first, second] = [nameOf(context, shapes[i]), nameOf(context, shapes[j])];
      throw new GradsimError(
        'contact/overlap-at-start',
        `${first} and ${second} start inside each other, by ${depth.toPrecision(3)} m; contact lets them press into each other by ${allowed.toPrecision(3)} m.`,
        {
          hint: "Move them apart by their `position`, or, where they shall pass through each other, name both in `excludedPairs` of contact's bodies.",
        },
      );
    }
  }
}

const lowestPoint = ({ x, reach }: InitialShape): number => x[0] - reach;

function nameOf({ scene, entities }: BuildContext, { entity, owner }: TouchingShape): string {
  const shape = scene.describe(entity);
  return owner ? `${scene.describe(entities(owner.bodies.component)[owner.number])} (${shape})` : shape;
}

/**
 * Returns the largest depth of a ball of the first shape in the second, m: a lower bound of the translation that
 * separates both.
 */
const depthIn = ({ balls }: InitialShape, { distance }: InitialShape): number =>
  balls.reduce((most, { centre: at, radius }) => Math.max(most, radius - distance(at)), -Infinity);

/**
 * Returns the length of the shortest translation that separates two boxes, m; negative if they are apart.
 * Separating-axis theorem: over face normals and cross products of edges.
 */
function overlapOf(one: InitialShape, other: InitialShape): number {
  const [a, b] = [one.axes!, other.axes!];
  const ways = [...a, ...b, ...a.flatMap((x) => b.map((y) => cross(x, y)))];
  const reachOf = (axes: readonly Vector[], n: Vector): number => axes.reduce((sum, x) => sum + Math.abs(dot(x, n)), 0);
  const between = subtract(other.x, one.x);
  return ways.reduce((least, way) => {
    const length = norm(way);
    // Parallel edges have no cross product.
    if (length < 1e-9 * one.reach * other.reach) return least;
    return Math.min(least, (reachOf(a, way) + reachOf(b, way) - Math.abs(dot(between, way))) / length);
  }, Infinity);
}

/**
 * Returns the shape at its initial pose; undefined for bodies whose pose is not known before the run, such as links.
 */
function initialShape(context: BuildContext, shape: TouchingShape): InitialShape | undefined {
  const {
    core,
    half,
    radius,
    mesh,
    shape: {
      solid: { surface },
    },
  } = shape;
  const pose = poseOf(context, shape);
  if (!pose) return undefined;
  const scaled = (p: Vector): Vector => [p[0] * half[0], p[1] * half[1], p[2] * half[2]];
  const placed = (p: Vector): Vector => add(pose.x, rotate(pose.q, scaled(p)));
  const along = core.edges.flatMap(({ ends: [a, b] }) => EDGE_SAMPLES.map((t) => add(a, scale(subtract(b, a), t))));
  // Corners are compared with the sharp surface of a box.
  const grown = surface === 'sharp' ? radius : 0;
  const sharp: Vector = [half[0] + grown, half[1] + grown, half[2] + grown];
  const sampled = mesh && surface === 'sampled' ? new SignedDistance(mesh) : undefined;
  const corners = [...core.corners, ...along];
  // Two meshes in the same place have all corners on each other's surface: points inside show the penetration.
  const within = sampled
    ? innerPoints(core.corners).flatMap((p) => {
        const inside = -sampled.at(scaled(p));
        return inside > radius ? [{ centre: placed(p), radius: inside }] : [];
      })
    : [];
  return {
    x: pose.x,
    reach: Math.max(...corners.map((p) => norm(scaled(p)))) + radius,
    balls: [...corners.map((p) => ({ centre: placed(p), radius })), ...within],
    distance: (point) => {
      const local = rotate(conjugate(pose.q), subtract(point, pose.x));
      return sampled ? sampled.at(local) : distanceToBox(local, sharp) - (radius - grown);
    },
    axes: surface === 'sharp' ? axesOf(pose, sharp) : undefined,
    allowed: mesh ? radius : 2 * SHARE_OF_BALL * radius,
  };
}

/**
 * Returns the centre of the bounding box of the given points, and points between it and up to `MAX_INWARD_CORNERS` of
 * them.
 */
function innerPoints(points: readonly Vector[]): Vector[] {
  const middle = vectorOf((k) => {
    const of = points.map((p) => p[k]);
    return (smallest(of) - smallest(of.map((x) => -x))) / 2;
  });
  const stride = Math.ceil(points.length / MAX_INWARD_CORNERS);
  const some = points.filter((_, k) => k % stride === 0);
  return [middle, ...some.flatMap((p) => INWARD_SAMPLES.map((t) => add(middle, scale(subtract(p, middle), t))))];
}
const smallest = (of: readonly number[]): number => of.reduce((a, b) => Math.min(a, b), Infinity);

const axesOf = ({ q }: Pose, [x, y, z]: Vector): Vector[] => [
  rotate(q, [x, 0, 0]),
  rotate(q, [0, y, 0]),
  rotate(q, [0, 0, z]),
];

function distanceToBox(p: Vector, half: Vector): number {
  const past = p.map((x, k) => Math.abs(x) - half[k]);
  const outside = Math.hypot(...past.map((d) => Math.max(d, 0)));
  return outside > 0 ? outside : Math.max(...past);
}

function poseOf(context: BuildContext, { entity, shape, owner }: TouchingShape): Pose | undefined {
  const { scene, model } = context;
  const x = vectorAt(scene.get(entity, shape.component, 'position'), 0);
  const q: Quaternion =
    shape.orientation === undefined
      ? [0, 0, 0, 1]
      : quaternionAtRow(scene.get(entity, shape.component as typeof ContactBox, 'orientation'), 0);
  if (!owner) return { x, q };
  const values = (ref: FieldOf<Vec3 | Quat>): ArrayLike<number> | undefined => model.field(ref).values;
  const [places, turns] = [values(owner.bodies.position), values(owner.bodies.orientation)];
  if (!places || !turns) return undefined;
  const body = quaternionAtRow(turns, owner.number);
  return { x: add(vectorAt(places, owner.number), rotate(body, x)), q: multiplyQuaternions(body, q) };
}

const quaternionAtRow = (values: ArrayLike<number>, k: number): Quaternion =>
  normalizeQuaternion(quaternionAt(values, k));
