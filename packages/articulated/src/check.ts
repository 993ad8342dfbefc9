import { determinant, dot, rowsOf, transform } from '@gradsim/base';
import type { Entity, Scene } from '@gradsim/core';
import { GradsimError, refuseUnknownChoice } from '@gradsim/core';
import { hasAxis, JOINT_KINDS } from './joint.ts';
import type { JointKind } from './link.ts';
import { Link, NO_LIMIT } from './link.ts';
import type { TreeLink } from './ranks.ts';

/**
 * Checks the links of a scene and returns them as nodes of trees.
 * @throws for a parent that is not a link, a loop of parents, an unknown joint, values that a kind of joint does not
 * use, a lower limit above the upper one, an inertia that no body can have, and an end of a chain without inertia.
 */
export function treesOf(scene: Scene, links: readonly Entity[]): TreeLink[] {
  const number = new Map(links.map((entity, k) => [entity, k]));
  const trees = links.map((entity): TreeLink => {
    const joint = scene.object(entity, Link, 'joint') as JointKind;
    refuseUnknownChoice(`${scene.describe(entity)}: links.joint`, joint, JOINT_KINDS);
    const parent = scene.object(entity, Link, 'parent') as Entity | undefined;
    if (parent === undefined) return { parent: -1, joint };
    const k = number.get(parent);
    if (k === undefined)
      throw new GradsimError(
        'articulated/unknown-parent',
        `links.parent is ${String(parent)}, which is no link of the scene.`,
        {
          field: 'links.parent',
          element: scene.describe(entity),
          hint: 'Give what scene.add(Link, ...) gave, or leave it out for one on the world.',
        },
      );
    return { parent: k, joint };
  });
  refuseLoops(scene, links, trees);
  const [bearing, borne] = [new Set<number>(), subtreeMasses(scene, links, trees)];
  // Free links are not borne by their parent.
  for (const { parent, joint } of trees) if (joint !== 'free') bearing.add(parent);
  links.forEach((entity, k) => {
    checkJoint(scene, entity, trees[k].joint);
    checkInertia(scene, entity);
    if (trees[k].joint === 'fixed') return;
    refuseMassless(scene, entity, borne[k]);
    if (!bearing.has(k)) checkChainEnd(scene, entity, trees[k].joint);
  });
  return trees;
}

function refuseLoops(scene: Scene, links: readonly Entity[], trees: readonly TreeLink[]): void {
  const isFine = new Set<number>([-1]);
  links.forEach((entity, start) => {
    const way: number[] = [];
    for (let k = start; !isFine.has(k); k = trees[k].parent) {
      if (way.includes(k)) {
        const loop = [...way.slice(way.indexOf(k)), k].map((link) => scene.describe(links[link]));
        throw new GradsimError(
          'articulated/loop-of-links',
          `links.parent leads in a loop, ${loop.join(' on ')}; links form trees.`,
          { element: scene.describe(entity), hint: 'Leave out one parent, and close the loop with a Constraint.' },
        );
      }
      way.push(k);
    }
    for (const k of way) isFine.add(k);
  });
}

const AXIS_ONLY = ['coordinate', 'rate', 'drive', 'restCoordinate'];
const BALL_ONLY = ['ballDrive', 'angularVelocity'];
const FREE_ONLY = ['translation', 'velocity'];
const PASSIVE_COLUMNS = [
  'stiffness',
  'damping',
  'dryFriction',
  'frictionStiffness',
  'limitStiffness',
  'limitDamping',
  'armature',
];

/**
 * Columns that a joint does not use, by kind of joint; values given for them are refused, since they would have no
 * effect.
 */
const UNUSED_COLUMNS: Readonly<Record<JointKind, readonly string[]>> = {
  revolute: [...BALL_ONLY, ...FREE_ONLY],
  prismatic: [...BALL_ONLY, ...FREE_ONLY],
  ball: [...AXIS_ONLY, ...FREE_ONLY],
  free: [...AXIS_ONLY, 'ballDrive', ...PASSIVE_COLUMNS],
  fixed: [...AXIS_ONLY, ...BALL_ONLY, ...FREE_ONLY, ...PASSIVE_COLUMNS],
};

function checkJoint(scene: Scene, entity: Entity, joint: JointKind): void {
  const who = scene.describe(entity);
  for (const name of UNUSED_COLUMNS[joint]) {
    const value = Array.from(scene.get(entity, Link, name));
    if (value.some((c) => c !== 0))
      throw new GradsimError(
        'articulated/idle-value',
        `links.${name} is ${value.length > 1 ? `(${value.join(', ')})` : value[0]}, which a ${joint} joint has no use for.`,
        { field: `links.${name}`, element: who, hint: 'Leave it out.' },
      );
  }
  const [lower, upper] = ['lower', 'upper'].map((name) => scene.get(entity, Link, name)[0]);
  if (lower >= upper)
    throw new GradsimError('articulated/limits-reversed', `links.lower is ${lower}, and links.upper ${upper}.`, {
      field: 'links.lower',
      element: who,
      hint: 'Lower must be below upper.',
    });
  if (!hasAxis(joint) && lower > -NO_LIMIT)
    throw new GradsimError(
      'articulated/idle-value',
      `links.lower is ${lower}, which a ${joint} joint has no use for.`,
      { field: 'links.lower', element: who, hint: 'Leave it out.' },
    );
  if (joint === 'ball' && upper <= 0)
    throw new GradsimError(
      'articulated/limit-out-of-range',
      `links.upper is ${upper}; the most that a ball joint turns must be above 0.`,
      { field: 'links.upper', element: who },
    );
}

/** Relative violation of symmetry, or of the triangle inequality, that rounding can cause in an inertia. */
const INERTIA_TOLERANCE = 1e-6;

/**
 * Checks that an inertia tensor is that of a possible body: the second moments of its mass, tr(I) / 2 - I, must be
 * positive semidefinite, that is, all their principal minors at least 0.
 */
function checkInertia(scene: Scene, entity: Entity): void {
  const m = Array.from(scene.get(entity, Link, 'inertia'));
  const mass = scene.get(entity, Link, 'mass')[0];
  const size = Math.max(...m.map(Math.abs));
  const refuse = (why: string): never => {
    throw new GradsimError('articulated/inertia-not-physical', `links.inertia is (${m.join(', ')}), ${why}`, {
      field: 'links.inertia',
      element: scene.describe(entity),
    });
  };
  if (size === 0) return;
  if (mass === 0) refuse('and links.mass is 0; what has inertia has mass.');
  for (const [a, b] of [
    [1, 3],
    [2, 6],
    [5, 7],
  ])
    if (Math.abs(m[a] - m[b]) > INERTIA_TOLERANCE * size) refuse('which is not symmetric.');
  const half = (m[0] + m[4] + m[8]) / 2;
  const s = m.map((x, k) => ((k % 4 === 0 ? half : 0) - x) / size);
  const pair = (i: number, j: number): number => s[4 * i] * s[4 * j] - s[3 * i + j] ** 2;
  const minors = [s[0], s[4], s[8], pair(0, 1), pair(0, 2), pair(1, 2), determinant(rowsOf(s))];
  if (minors.some((minor) => minor < -INERTIA_TOLERANCE))
    refuse('which no body has: a principal moment of inertia is at least 0 and at most the sum of the other two.');
}

/** Returns the mass of each link plus that of its descendants, except those at and beyond a free joint, kg. */
function subtreeMasses(scene: Scene, links: readonly Entity[], trees: readonly TreeLink[]): number[] {
  const borne = links.map(() => 0);
  links.forEach((entity, k) => {
    const [mass] = scene.get(entity, Link, 'mass');
    for (let at = k; at >= 0; at = trees[at].joint === 'free' ? -1 : trees[at].parent) borne[at] += mass;
  });
  return borne;
}

/** @throws where a joint without armature moves no mass: that of its link and of all descendants is 0. */
function refuseMassless(scene: Scene, entity: Entity, mass: number): void {
  if (mass === 0 && scene.get(entity, Link, 'armature')[0] === 0)
    throw new GradsimError(
      'articulated/no-mass',
      'links.mass is 0, and so is that of all that hangs on it; the end of a chain needs mass.',
      { field: 'links.mass', element: scene.describe(entity) },
    );
}

/**
 * @throws where a joint at the end of a chain has no inertia about or along its axes: its acceleration would be
 * infinite.
 */
function checkChainEnd(scene: Scene, entity: Entity, joint: JointKind): void {
  const who = scene.describe(entity);
  const of = (name: string): number[] => Array.from(scene.get(entity, Link, name));
  const [[mass], [armature], c, inertia] = [of('mass'), of('armature'), of('centre'), of('inertia')];
  const about = inertia.map((x, k) => x + mass * ((k % 4 === 0 ? dot(c, c) : 0) - c[Math.floor(k / 3)] * c[k % 3]));
  const advice = 'give it an inertia, an armature, or a centre away from there.';
  if (joint === 'revolute') {
    const axis = of('axis');
    const moment = dot(axis, transform(rowsOf(about), axis));
    if (armature === 0 && moment <= 1e-12 * mass * dot(axis, axis))
      throw new GradsimError(
        'articulated/no-inertia',
        `links.centre is (${c.join(', ')}), and all of its mass lies on the axis of its joint, so that nothing resists turning; ${advice}`,
        { field: 'links.centre', element: who },
      );
  }
  if (joint === 'ball' || joint === 'free') {
    const scale = Math.max(...about.map(Math.abs));
    const spinless = determinant(rowsOf(joint === 'ball' ? about : inertia));
    if (armature === 0 && spinless <= 1e-12 * scale ** 3)
      throw new GradsimError(
        'articulated/no-inertia',
        `links.inertia is (${inertia.join(', ')}), and nothing resists turning about a line through its mass; ${joint === 'ball' ? 'give it an inertia or an armature.' : 'give it an inertia.'}`,
        { field: 'links.inertia', element: who },
      );
  }
}
