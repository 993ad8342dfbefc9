import type { Entity, Scene } from '@gradsim/core';
import type { Pose } from './host-pose.ts';
import { poseOf, turn, unit } from './host-pose.ts';
import { Link } from './link.ts';
import type { TreeLink } from './ranks.ts';

/** Mass, first moment and second moments of mass about the world's origin, of a link with all that hangs on it. */
interface Composite {
  mass: number;
  readonly moment: number[];
  /** The inertia about the origin, row by row. */
  readonly inertia: number[];
}

/** Least inertia about an axis, as a part of the mean about all axes: rounding is below. */
const LEAST = 1e-6;

/**
 * Inertia that each joint moves with all that hangs on it, other joints fixed, by the values and the pose of the scene: about
 * the axis of a revolute joint, the mean about the point of a ball joint, kg m^2; along a prismatic joint, kg; with the
 * armature. Links that are free count by themselves.
 */
export function inertiasMoved(scene: Scene, links: readonly Entity[], trees: readonly TreeLink[]): number[] {
  const poses = new Map<Entity, Pose>();
  const all = links.map((link) => compositeOf(scene, link, poseOf(scene, link, poses)));
  for (const k of leavesFirst(trees)) {
    const { parent, joint } = trees[k];
    if (parent >= 0 && joint !== 'free') add(all[parent], all[k]);
  }
  return links.map((link, k) => {
    const [armature] = scene.get(link, Link, 'armature');
    const { mass, moment: h, inertia } = all[k];
    const { position: p, orientation } = poses.get(link)!;
    const a = turn(orientation, unit(Array.from(scene.get(link, Link, 'axis'))));
    const { joint } = trees[k];
    if (joint === 'prismatic') return mass + armature;
    const mean = (inertia[0] + inertia[4] + inertia[8] - 4 * dot(h, p) + 2 * mass * dot(p, p)) / 3;
    if (joint !== 'revolute') return Math.max(mean, 0) + armature;
    // About the line through p along a: a^T J a less what the distance of the origin adds.
    const rows = [0, 1, 2].map((i) => dot(inertia.slice(3 * i, 3 * i + 3), a));
    const away = 2 * dot(h, p) - 2 * dot(a, h) * dot(a, p) - mass * (dot(p, p) - dot(a, p) ** 2);
    return Math.max(dot(rows, a) - away, LEAST * mean) + armature;
  });
}

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, x, k) => sum + x * b[k], 0);

function compositeOf(scene: Scene, link: Entity, { position, orientation }: Pose): Composite {
  const [mass] = scene.get(link, Link, 'mass');
  const own = Array.from(scene.get(link, Link, 'inertia'));
  const c = turn(orientation, Array.from(scene.get(link, Link, 'centre'))).map((x, i) => x + position[i]);
  // R I R^T: columns of R are the link's axes in the world.
  const axes = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ].map((e) => turn(orientation, e));
  const inertia = own.map((_, k) => {
    const [i, j] = [Math.floor(k / 3), k % 3];
    let sum = mass * ((i === j ? dot(c, c) : 0) - c[i] * c[j]);
    for (let a = 0; a < 3; a++) for (let b = 0; b < 3; b++) sum += axes[a][i] * own[3 * a + b] * axes[b][j];
    return sum;
  });
  return { mass, moment: c.map((x) => x * mass), inertia };
}

function add(to: Composite, from: Composite): void {
  to.mass += from.mass;
  from.moment.forEach((x, k) => {
    to.moment[k] += x;
  });
  from.inertia.forEach((x, k) => {
    to.inertia[k] += x;
  });
}

/** Numbers of links, children before their parents. */
function leavesFirst(trees: readonly TreeLink[]): number[] {
  const depths: number[] = [];
  const depthOf = (k: number): number => {
    const way: number[] = [];
    let at = k;
    for (; at >= 0 && depths[at] === undefined; at = trees[at].parent) way.push(at);
    let depth = at >= 0 ? depths[at] : -1;
    for (const link of way.reverse()) depths[link] = ++depth;
    return depths[k];
  };
  return trees.map((_, k) => k).sort((a, b) => depthOf(b) - depthOf(a));
}
