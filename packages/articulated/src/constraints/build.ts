import {
  add,
  conjugate,
  dot,
  multiplyQuaternions,
  normalizeQuaternion,
  type Quaternion,
  rotate,
  subtract,
  type Vector,
} from '@gradsim/base';
import type { BuildContext, Entity, Scene } from '@gradsim/core';
import { GradsimError, refuseUnknownChoice } from '@gradsim/core';
import type { Mobility, TreesAtRest } from '../at-rest/dynamics.ts';
import { mobilityOf, treesAtRest } from '../at-rest/dynamics.ts';
import type { Pose } from '../at-rest/pose.ts';
import { poseOf } from '../at-rest/pose.ts';
import { hasAxis } from '../joint.ts';
import { Link } from '../link.ts';
import type { TreeLink } from '../ranks.ts';
import type { ConstraintKind } from './constraint.ts';
import { CONSTRAINT_KINDS, Constraint } from './constraint.ts';
import { CONSTRAINT_ROWS, constraintOf, first, multiplier, rowScale, second, weights } from './fields.ts';
import type { RowLoad } from './mobility.ts';
import { couple, forceAt, mobilityOfRow } from './mobility.ts';

/** An equation of a constraint, of three numbers. */
interface Row {
  readonly constraint: number;
  readonly kind: 'point' | 'turn' | 'gear';
  readonly ends: readonly [number, number | undefined];
}
const ROW_WEIGHTS = { point: [1, 0, 0], turn: [0, 1, 0], gear: [0, 0, 1] } as const;
const ROWS_OF = { connect: ['point'], weld: ['point', 'turn'], gear: ['gear'] } as const;
const UNITS: readonly Vector[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/**
 * Adds the rows of a scene's constraints. @returns whether there are any.
 * @throws for a constraint of what is no link, of a link with itself, of joints without an axis, of links that nothing
 * moves, and for one that the scene's pose is far from.
 */
export function addConstraints(
  { scene, model, entities }: BuildContext,
  trees: readonly TreeLink[],
  isMoved: boolean,
): boolean {
  const [all, links] = [entities(Constraint), entities(Link)];
  if (all.length === 0) return false;
  if (!isMoved)
    throw new GradsimError(
      'articulated/constraint-unused',
      "is given, and another plugin moves joints (integrator 'none'): constraints are part of this package's own step.",
      { element: scene.describe(all[0]), hint: 'Leave out `integrator`.' },
    );
  const resting = treesAtRest(scene, links, trees);
  const mobility = mobilityOf(resting);
  const rows = all.flatMap((entity, constraint) => {
    const { kind, ends } = checked(scene, links, trees, entity);
    return ROWS_OF[kind].map((row): Row => ({ constraint, kind: row, ends }));
  });
  const scales = rows.map((row) => rowScaleOf(scene, all[row.constraint], row, resting, mobility));
  all.forEach((entity, constraint) => {
    if (rows.every((row, k) => row.constraint !== constraint || scales[k] === 0))
      throw new GradsimError(
        'articulated/constraint-of-fixed-links',
        'holds links that no joint moves against each other in that way.',
        { element: scene.describe(entity), hint: 'Leave it out.' },
      );
  });
  model.addDomain(CONSTRAINT_ROWS, rows.length, { describe: (row) => scene.describe(all[rows[row].constraint]) });
  model.addIndex(
    constraintOf,
    rows.map(({ constraint }) => constraint),
  );
  model.addIndex(
    first,
    rows.map(({ ends }) => ends[0]),
  );
  model.addIndex(
    second,
    rows.map(({ ends }) => ends[1] ?? ends[0]),
  );
  model.addField(weights, {
    values: rows.flatMap(({ kind, ends }) => [...ROW_WEIGHTS[kind], ends[1] === undefined ? 0 : 1]),
    shared: true,
  });
  model.addField(rowScale, { values: scales, shared: true });
  model.addField(multiplier, { fill: 0 });
  return true;
}

function checked(
  scene: Scene,
  links: readonly Entity[],
  trees: readonly TreeLink[],
  entity: Entity,
): { readonly kind: ConstraintKind; readonly ends: Row['ends'] } {
  const who = scene.describe(entity);
  const kind = scene.object(entity, Constraint, 'kind') as ConstraintKind;
  refuseUnknownChoice(`${who}: constraints.kind`, kind, CONSTRAINT_KINDS);
  const numberOf = (side: 'link' | 'other'): number | undefined => {
    const link = scene.object(entity, Constraint, side) as Entity | undefined;
    if (link === undefined && side === 'other') return undefined;
    const number = links.indexOf(link as Entity);
    if (number < 0)
      throw new GradsimError(
        'articulated/unknown-end',
        `constraints.${side} is ${String(link)}, which is no link of the scene.`,
        { field: `constraints.${side}`, element: who, hint: 'Give what scene.add(Link, ...) returned.' },
      );
    if (kind === 'gear' && !hasAxis(trees[number].joint))
      throw new GradsimError(
        'articulated/gear-without-axis',
        `constraints.${side} is ${scene.describe(links[number])}, whose joint is ${trees[number].joint}; a gear couples joints with an axis.`,
        { field: `constraints.${side}`, element: who, hint: 'Use a weld or a connect.' },
      );
    return number;
  };
  const [link, other] = [numberOf('link')!, numberOf('other')];
  if (link === other)
    throw new GradsimError(
      'articulated/constraint-to-itself',
      `constraints.link and constraints.other are both ${scene.describe(links[link])}; a constraint holds one link to another, or to the world without \`other\`.`,
      { field: 'constraints.other', element: who },
    );
  refuseInitialViolation(scene, entity, kind);
  return { kind, ends: [link, other] };
}

/** Largest violation in the pose of a scene: of the lever of a point, of 1 rad, or of 1 for a coordinate. */
const MAX_INITIAL_VIOLATION = 0.01;

/** Errors of a constraint in the pose of the scene: the distance of its points, m, and the turn between them, rad. */
function refuseInitialViolation(scene: Scene, entity: Entity, kind: ConstraintKind): void {
  const { held, holder, isWorld } = attachmentFrames(scene, entity);
  const apart = Math.hypot(...subtract(held.point, holder.point));
  const between = multiplyQuaternions(conjugate(holder.orientation), held.orientation);
  const turned = 2 * Math.asin(Math.min(1, Math.hypot(between[0], between[1], between[2])));
  const lever = Math.max(held.leverArm, isWorld ? 0 : holder.leverArm);
  const [ratio, offset] = ['ratio', 'offset'].map((name) => scene.get(entity, Constraint, name)[0]);
  const coordinate = (side: 'link' | 'other'): number => {
    const link = scene.object(entity, Constraint, side) as Entity | undefined;
    return link === undefined ? 0 : scene.get(link, Link, 'coordinate')[0];
  };
  const missing = coordinate('link') - ratio * coordinate('other') - offset;
  const what =
    kind === 'gear'
      ? Math.abs(missing) > MAX_INITIAL_VIOLATION &&
        `the coordinate is ${missing.toPrecision(3)} away from what it follows`
      : apart > MAX_INITIAL_VIOLATION * (lever || 1)
        ? `its points are ${apart.toPrecision(3)} m apart`
        : kind === 'weld' && turned > MAX_INITIAL_VIOLATION && `its links are turned by ${turned.toPrecision(3)} rad`;
  if (what)
    throw new GradsimError('articulated/constraint-open', `${what} in the pose of the scene.`, {
      element: scene.describe(entity),
      hint: 'Give joints coordinates at which it holds: a run begins there, and only closes what is left of rounding.',
    });
}

interface AttachmentFrame {
  readonly point: Vector;
  readonly orientation: Quaternion;
  /** Distance of the point from the joint of its link, m. */
  readonly leverArm: number;
}

/** Returns where a constraint holds its links in the pose of the scene. */
function attachmentFrames(
  scene: Scene,
  entity: Entity,
): { held: AttachmentFrame; holder: AttachmentFrame; isWorld: boolean } {
  const values = (name: string): number[] => Array.from(scene.get(entity, Constraint, name));
  const other = scene.object(entity, Constraint, 'other') as Entity | undefined;
  const still: Pose = { position: [0, 0, 0], orientation: [0, 0, 0, 1] };
  const rest = normalizeQuaternion(values('restOrientation'));
  const place = (pose: Pose, local: readonly number[], orientation: Quaternion): AttachmentFrame => ({
    point: add(pose.position, rotate(pose.orientation, local)),
    orientation,
    leverArm: Math.sqrt(dot(local, local)),
  });
  const pose = poseOf(scene, scene.object(entity, Constraint, 'link') as Entity);
  const around = other === undefined ? still : poseOf(scene, other);
  return {
    held: place(pose, values('point'), pose.orientation),
    holder: place(around, values('otherPoint'), multiplyQuaternions(around.orientation, rest)),
    isWorld: other === undefined,
  };
}

/** Inverse inertia of two ends against each other, over that of either alone, below which it is rounding. */
const MIN_RELATIVE_MOBILITY = 1e-9;

/**
 * Returns the root of the inertia that a row moves, from the mean of its inverse over the row's directions; 0 if joints
 * hold its ends already, as a ball joint does those of a weld.
 */
function rowScaleOf(
  scene: Scene,
  entity: Entity,
  { kind, ends: [link, other] }: Row,
  resting: TreesAtRest,
  mobility: Mobility,
): number {
  const [ratio] = scene.get(entity, Constraint, 'ratio');
  const { point } = attachmentFrames(scene, entity).held;
  const loadsAlong = (e: Vector): Omit<RowLoad, 'link'>[] =>
    kind === 'gear'
      ? [{ effort: 1 }, { effort: -ratio }]
      : [1, -1].map((sign) => ({ wrench: (kind === 'point' ? forceAt(point, e) : couple(e)).map((x) => sign * x) }));
  const of = (...loads: RowLoad[]): number => mobilityOfRow(resting, mobility, loads);
  let [together, apart] = [0, 0];
  for (const e of kind === 'gear' ? [UNITS[0]] : UNITS) {
    const [one, two] = loadsAlong(e);
    const loads = [{ link, ...one }, ...(other === undefined ? [] : [{ link: other, ...two }])];
    together += of(...loads);
    apart += loads.reduce((sum, load) => sum + of(load), 0);
  }
  if (together <= MIN_RELATIVE_MOBILITY * apart) return 0;
  return Math.sqrt((kind === 'gear' ? 1 : UNITS.length) / together);
}
