import { add, norm, rotate, scale, subtract, type Vector } from '@gradsim/base';
import { type TriangleMesh, weldMesh } from '@gradsim/mesh';
import type { Pose } from '../pose.ts';
import { posesOf } from '../poses.ts';
import type { Robot } from '../robot.ts';
import { areApart, furthest } from './apart.ts';

/** Clearance of the links of a robot from each other, by the convex hulls of the parts of their meshes. */
export interface Clearance {
  /** True if no two links that are told apart come nearer than the clearance at coordinates as links have them, rad or m. */
  readonly isFree: (coordinates: readonly number[]) => boolean;
  /** Names of links that are not told apart: they are nearer at rest, as hulls of concave links are. */
  readonly uncheckedPairs: readonly (readonly [string, string])[];
}

/** Part of a link: corners of a convex hull in the link's axes, and a sphere about them. */
interface Part {
  readonly corners: readonly Vector[];
  readonly centre: Vector;
  readonly radius: number;
}

/** Directions in which corners of a mesh of many are kept: its hull is smaller than it by less than 1 % of its radius. */
const DIRECTIONS = 300;

/**
 * Prepares the clearance of a robot whose links have meshes. Links that a joint connects are not told apart; nor are links
 * that stand on the same one, and what is around the robot is not known.
 * @param restPositions coordinates at which links that are too near are not told apart.
 * @param minDistance clearance, m.
 */
export function clearanceOf(robot: Robot, restPositions: readonly number[], minDistance: number): Clearance {
  const { links } = robot;
  const parts = links.map(({ values: { mesh } }) => (mesh ? partsOf(mesh) : []));
  /** Link that moves a link: itself, or the one that it is fixed to; -1 for the world. */
  const moverOf = (k: number): number => {
    const { parent, values } = links[k];
    if (values.joint !== 'fixed') return k;
    return parent === undefined ? -1 : moverOf(parent);
  };
  const movers = links.map((_, k) => moverOf(k));
  const baseOf = (mover: number): number => {
    const parent = mover < 0 ? undefined : links[mover].parent;
    return parent === undefined ? -1 : movers[parent];
  };
  const isNear = (a: number, b: number): boolean => a === b || baseOf(a) === b || baseOf(b) === a;
  const all = links.flatMap((_, i) =>
    links.slice(0, i).flatMap((__, k) => (isNear(movers[i], movers[k]) ? [] : [[k, i] as const])),
  );
  const touch = (poses: readonly Pose[], [i, k]: readonly [number, number]): boolean =>
    parts[i].some((one) => parts[k].some((other) => !arePartsApart(one, poses[i], other, poses[k], minDistance)));
  const atRest = posesOf(robot, restPositions);
  const untold = all.filter((pair) => touch(atRest, pair));
  const told = all.filter((pair) => !untold.includes(pair));
  return {
    isFree: (coordinates) => {
      const poses = posesOf(robot, coordinates);
      return !told.some((pair) => touch(poses, pair));
    },
    uncheckedPairs: untold.map(([i, k]) => [links[i].name, links[k].name]),
  };
}

function arePartsApart(one: Part, at: Pose, other: Part, there: Pose, least: number): boolean {
  const placed =
    (pose: Pose) =>
    (x: Vector): Vector =>
      add(pose.position, rotate(pose.orientation, x));
  const [here, beyond] = [placed(at), placed(there)];
  const between = norm(subtract(here(one.centre), beyond(other.centre)));
  if (between > one.radius + other.radius + least) return true;
  return areApart(one.corners.map(here), other.corners.map(beyond), least);
}

/** Parts of a mesh that no triangle connects, each as the corners of its hull. */
function partsOf(mesh: TriangleMesh): Part[] {
  const { positions, triangles } = weldMesh(mesh);
  const owner = Array.from({ length: positions.length / 3 }, (_, v) => v);
  const rootOf = (v: number): number => {
    let root = v;
    while (owner[root] !== root) root = owner[root];
    owner[v] = root;
    return root;
  };
  for (let t = 0; t < triangles.length; t += 3)
    for (const v of [triangles[t + 1], triangles[t + 2]]) owner[rootOf(v)] = rootOf(triangles[t]);
  const points = new Map<number, Vector[]>();
  for (const v of new Set(triangles)) {
    const own = points.get(rootOf(v)) ?? [];
    own.push([positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]]);
    points.set(rootOf(v), own);
  }
  return [...points.values()].map((own) => {
    const corners =
      own.length > DIRECTIONS ? [...new Set(SPHERE_DIRECTIONS.map((direction) => furthest(own, direction)))] : own;
    const centre = scale(corners.reduce(add), 1 / corners.length);
    return { corners, centre, radius: Math.max(...corners.map((corner) => norm(subtract(corner, centre)))) };
  });
}

/** Directions spread evenly over the sphere, along a spiral of golden angles. */
const SPHERE_DIRECTIONS = Array.from({ length: DIRECTIONS }, (_, k): Vector => {
  const z = 1 - (2 * k + 1) / DIRECTIONS;
  const angle = k * Math.PI * (3 - Math.sqrt(5));
  const across = Math.sqrt(1 - z * z);
  return [across * Math.cos(angle), across * Math.sin(angle), z];
});
