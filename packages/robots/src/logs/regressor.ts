import { add, cross, dot, multiplyQuaternions, type Quaternion, rotate, scale, type Vector } from '@gradsim/base';
import type { Robot } from '../robot.ts';

/**
 * Parameters of a link, in which its wrench is linear: mass m, kg; first moment h = m c about the link's origin, kg m;
 * inertia J about that origin, kg m^2; all in the link's axes.
 */
export const LINK_PARAMETERS = ['m', 'hx', 'hy', 'hz', 'Jxx', 'Jyy', 'Jzz', 'Jxy', 'Jxz', 'Jyz'] as const;

/** Parameters of a joint besides those of links: armature, viscous, dry friction, and dry friction per load. */
export const JOINT_PARAMETERS = ['armature', 'damping', 'dryFriction', 'loadFriction'] as const;

/** Coordinates of the joints with an axis, and their first and second derivatives. */
export interface Motion {
  readonly q: readonly number[];
  readonly v: readonly number[];
  readonly a: readonly number[];
}

interface Moving {
  readonly orientation: Quaternion;
  readonly position: Vector;
  readonly w: Vector;
  readonly alpha: Vector;
  /** Acceleration of the link's origin less gravity. */
  readonly a: Vector;
  readonly axis: Vector;
}

const ORIGIN: Moving = {
  orientation: [0, 0, 0, 1],
  position: [0, 0, 0],
  w: [0, 0, 0],
  alpha: [0, 0, 0],
  a: [0, 0, 0],
  axis: [0, 0, 1],
};

/**
 * Regressor of rigid inverse dynamics: torque of joint j = sum over p of rows[j][p] times parameter p, ten parameters a
 * link (recursive Newton-Euler, linear in them: Atkeson, An and Hollerbach 1986).
 * @param gravity m/s^2, in the robot's axes.
 */
export function rigidRegressor({ links }: Robot, { q, v, a }: Motion, gravity: Vector): Float64Array[] {
  const count = links.length * LINK_PARAMETERS.length;
  const moving: Moving[] = [];
  const jointOf: number[] = [];
  let joints = 0;
  const rows: Float64Array[] = [];
  links.forEach(({ parent, values }, k) => {
    const isMoved = values.joint !== 'fixed';
    jointOf.push(isMoved ? joints : -1);
    const base = parent === undefined ? { ...ORIGIN, a: scale(gravity, -1) } : moving[parent];
    const at: [number, number, number] = isMoved ? [q[joints], v[joints], a[joints]] : [0, 0, 0];
    moving.push(linkMotionAfterJoint(base, values, at));
    if (isMoved) {
      joints++;
      rows.push(new Float64Array(count));
    }
    const wrenches = unitWrenches(moving[k]);
    for (let j: number | undefined = k; j !== undefined; j = links[j].parent) {
      if (jointOf[j] < 0) continue;
      const { axis, position } = moving[j];
      const arm: Vector = [
        moving[k].position[0] - position[0],
        moving[k].position[1] - position[1],
        moving[k].position[2] - position[2],
      ];
      const turns = links[j].values.joint === 'revolute';
      wrenches.forEach(({ force, moment }, p) => {
        const along = turns ? dot(axis, moment) + dot(axis, cross(arm, force)) : dot(axis, force);
        rows[jointOf[j as number]][LINK_PARAMETERS.length * k + p] = along;
      });
    }
  });
  return rows;
}

/**
 * Torques of the joints for a motion at given parameters, ten a link, as {@link rigidRegressor} has them: its rows times these.
 * @param gravity m/s^2, in the robot's axes.
 */
export function rigidTorques(
  { links }: Robot,
  parameters: ArrayLike<number>,
  { q, v, a }: Motion,
  gravity: Vector,
): number[] {
  const moving: Moving[] = [];
  const forces: Vector[] = [];
  const moments: Vector[] = [];
  let joints = 0;
  for (const [k, { parent, values }] of links.entries()) {
    const base = parent === undefined ? { ...ORIGIN, a: scale(gravity, -1) } : moving[parent];
    const isMoved = values.joint !== 'fixed';
    moving.push(linkMotionAfterJoint(base, values, isMoved ? [q[joints], v[joints], a[joints]] : [0, 0, 0]));
    if (isMoved) joints++;
    const { orientation, w, alpha, a: own } = moving[k];
    const x = (p: number): number => parameters[LINK_PARAMETERS.length * k + p];
    const axes = UNITS.map((unit) => rotate(orientation, unit));
    const inWorld = (b: Vector): Vector => add(add(scale(axes[0], b[0]), scale(axes[1], b[1])), scale(axes[2], b[2]));
    const h = inWorld([x(1), x(2), x(3)]);
    const turned = (of: Vector): Vector => {
      const [i, j, l] = axes.map((axis) => dot(axis, of));
      return inWorld([x(4) * i + x(7) * j + x(8) * l, x(7) * i + x(5) * j + x(9) * l, x(8) * i + x(9) * j + x(6) * l]);
    };
    forces.push(add(scale(own, x(0)), add(cross(alpha, h), cross(w, cross(w, h)))));
    moments.push(add(cross(h, own), add(turned(alpha), cross(w, turned(w)))));
  }
  const torques = new Array<number>(joints);
  for (let k = links.length - 1; k >= 0; k--) {
    const { parent, values } = links[k];
    if (values.joint !== 'fixed')
      torques[--joints] = dot(moving[k].axis, values.joint === 'revolute' ? moments[k] : forces[k]);
    if (parent === undefined) continue;
    const arm = add(moving[k].position, scale(moving[parent].position, -1));
    forces[parent] = add(forces[parent], forces[k]);
    moments[parent] = add(moments[parent], add(moments[k], cross(arm, forces[k])));
  }
  return torques;
}

const UNITS: readonly Vector[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

function linkMotionAfterJoint(
  base: Moving,
  values: Robot['links'][number]['values'],
  [q, v, a]: readonly [number, number, number],
): Moving {
  const own = values.axis ?? [0, 0, 1];
  const atRest = multiplyQuaternions(base.orientation, values.restOrientation);
  const axis = rotate(atRest, own);
  const slides = values.joint === 'prismatic';
  const arm = slides
    ? add(rotate(base.orientation, values.anchor), scale(axis, q))
    : rotate(base.orientation, values.anchor);
  const carried = add(base.a, add(cross(base.alpha, arm), cross(base.w, cross(base.w, arm))));
  const position = add(base.position, arm);
  if (slides) {
    const slid = add(carried, add(scale(axis, a), scale(cross(base.w, axis), 2 * v)));
    return { ...base, orientation: atRest, position, axis, a: slid };
  }
  const turn: Quaternion = [...scale(own, Math.sin(q / 2)), Math.cos(q / 2)];
  return {
    orientation: multiplyQuaternions(atRest, turn),
    position,
    axis,
    w: add(base.w, scale(axis, v)),
    alpha: add(base.alpha, add(scale(axis, a), scale(cross(base.w, axis), v))),
    a: carried,
  };
}

/** Wrench about the link's origin per unit of each of its parameters, world axes: f = m a + alpha x h + w x (w x h), n = h x a + J alpha + w x J w. */
function unitWrenches({ orientation, w, alpha, a }: Moving): { readonly force: Vector; readonly moment: Vector }[] {
  const none: Vector = [0, 0, 0];
  const units = UNITS.map((unit) => rotate(orientation, unit));
  const inertia = (i: number, j: number): { force: Vector; moment: Vector } => {
    const times = (x: Vector): Vector =>
      i === j
        ? scale(units[i], dot(units[i], x))
        : add(scale(units[i], dot(units[j], x)), scale(units[j], dot(units[i], x)));
    return { force: none, moment: add(times(alpha), cross(w, times(w))) };
  };
  return [
    { force: a, moment: none },
    ...units.map((h) => ({ force: add(cross(alpha, h), cross(w, cross(w, h))), moment: cross(h, a) })),
    ...[inertia(0, 0), inertia(1, 1), inertia(2, 2), inertia(0, 1), inertia(0, 2), inertia(1, 2)],
  ];
}
