import {
  add,
  conjugate,
  cross,
  dot,
  multiplyQuaternions,
  type Quaternion,
  rotate,
  scale,
  type Vector,
} from '@gradsim/base';
import { LINK_PARAMETERS, type Motion } from '../logs/regressor.ts';
import type { Robot } from '../robot.ts';

/** Derivatives of a number by the coordinates, rates and accelerations of the joints with an axis. */
export interface MotionGradient {
  readonly q: number[];
  readonly v: number[];
  readonly a: number[];
}

const ZERO: Vector = [0, 0, 0];

/** Motion of a link in its own axes, what of it comes from the parent, and the joints that carry it. */
interface LinkMotion {
  readonly w: Vector;
  readonly alpha: Vector;
  /** Acceleration of the link's origin less gravity. */
  readonly a: Vector;
  /** Rate and accelerations of the parent, in the link's axes. */
  readonly u: Vector;
  readonly ofAlpha: Vector;
  readonly ofA: Vector;
  /** The link's origin in the parent's axes. */
  readonly arm: Vector;
  readonly orientation: Quaternion;
  /** Angular rate, and rate of the link's origin, per rate of each joint that carries the link. */
  readonly ratesByJoint: Map<number, { readonly turn: Vector; readonly shift: Vector }>;
}

/** Adjoints of a link's motion. */
interface Adjoint {
  w: Vector;
  alpha: Vector;
  a: Vector;
  readonly ratesByJoint: Map<number, { turn: Vector; shift: Vector }>;
}

/**
 * Gradient of the sum over joints and parameters of `weights[joint][parameter]` times the rigid regressor, by reverse
 * differentiation of recursive Newton-Euler in the links' axes.
 * @param weights as rows of `rigidRegressor`; columns beyond those of links are not read.
 * @param gravity m/s^2, in the robot's axes.
 */
export function pullBack(
  { links }: Robot,
  { q, v, a }: Motion,
  weights: readonly Float64Array[],
  gravity: Vector,
): MotionGradient {
  const moving: LinkMotion[] = [];
  const joints: number[] = [];
  let count = 0;
  for (const { parent, values } of links) {
    const j = values.joint === 'fixed' ? -1 : count++;
    joints.push(j);
    moving.push(movedBy(values, parent === undefined ? worldAt(gravity) : moving[parent], j, q[j], v[j], a[j]));
  }
  const adjoints = moving.map((link, k) => wrenchAdjoint(link, weights, k));
  const found: MotionGradient = { q: q.map(() => 0), v: v.map(() => 0), a: a.map(() => 0) };
  for (let k = links.length - 1; k >= 0; k--) {
    const { parent, values } = links[k];
    const base = parent === undefined ? worldAt(gravity) : moving[parent];
    const own = adjoints[k];
    const { u, ofAlpha, ofA, arm, orientation, ratesByJoint } = moving[k];
    const back = (x: Vector): Vector => rotate(orientation, x);
    const j = joints[k];
    const turns = values.joint === 'revolute';
    const axis = j < 0 ? ZERO : (values.axis ?? [0, 0, 1]);
    const along = cross(u, axis);
    let ofU = own.w;
    if (j >= 0 && turns) {
      found.v[j] += dot(axis, own.w) + dot(own.alpha, along);
      found.a[j] += dot(axis, own.alpha);
      ofU = add(ofU, scale(cross(axis, own.alpha), v[j]));
      found.q[j] -= dot(ofU, cross(axis, u)) + dot(own.alpha, cross(axis, ofAlpha)) + dot(own.a, cross(axis, ofA));
    } else if (j >= 0) {
      found.v[j] += 2 * dot(own.a, along);
      found.a[j] += dot(axis, own.a);
      ofU = add(ofU, scale(cross(axis, own.a), 2 * v[j]));
    }
    let ofArm = ZERO;
    const into = parent === undefined ? undefined : adjoints[parent];
    for (const [i, to] of own.ratesByJoint) {
      if (i === j) continue;
      const { turn, shift } = ratesByJoint.get(i)!;
      if (turns && j >= 0) found.q[j] -= dot(to.turn, cross(axis, turn)) + dot(to.shift, cross(axis, shift));
      const before = base.ratesByJoint.get(i)!;
      const y = back(to.shift);
      ofArm = add(ofArm, cross(y, before.turn));
      const parentOwn = into!.ratesByJoint.get(i)!;
      parentOwn.turn = add(parentOwn.turn, add(back(to.turn), cross(arm, y)));
      parentOwn.shift = add(parentOwn.shift, y);
    }
    const c = back(own.a);
    const w = base.w;
    ofArm = add(ofArm, add(cross(c, base.alpha), add(scale(w, dot(c, w)), scale(c, -dot(w, w)))));
    if (j >= 0 && !turns) found.q[j] += dot(ofArm, rotate(values.restOrientation, axis));
    if (!into) continue;
    into.a = add(into.a, c);
    into.alpha = add(into.alpha, add(back(own.alpha), cross(arm, c)));
    const carriedRate = add(scale(c, dot(w, arm)), add(scale(arm, dot(c, w)), scale(w, -2 * dot(c, arm))));
    into.w = add(into.w, add(back(ofU), carriedRate));
  }
  return found;
}

const worldAt = (gravity: Vector): Pick<LinkMotion, 'w' | 'alpha' | 'a' | 'ratesByJoint'> => ({
  w: ZERO,
  alpha: ZERO,
  a: scale(gravity, -1),
  ratesByJoint: new Map(),
});

function movedBy(
  values: Robot['links'][number]['values'],
  base: Pick<LinkMotion, 'w' | 'alpha' | 'a' | 'ratesByJoint'>,
  joint: number,
  q: number,
  v: number,
  a: number,
): LinkMotion {
  const axis = values.axis ?? [0, 0, 1];
  const turns = values.joint === 'revolute';
  const orientation = turns
    ? multiplyQuaternions(values.restOrientation, [...scale(axis, Math.sin(q / 2)), Math.cos(q / 2)])
    : values.restOrientation;
  const arm =
    values.joint === 'prismatic' ? add(values.anchor, scale(rotate(values.restOrientation, axis), q)) : values.anchor;
  const inOwn = (x: Vector): Vector => rotate(conjugate(orientation), x);
  const u = inOwn(base.w);
  const ofAlpha = inOwn(base.alpha);
  const ofA = inOwn(add(base.a, add(cross(base.alpha, arm), cross(base.w, cross(base.w, arm)))));
  const ratesByJoint = new Map(
    [...base.ratesByJoint].map(([i, { turn, shift }]) => [
      i,
      { turn: inOwn(turn), shift: inOwn(add(shift, cross(turn, arm))) },
    ]),
  );
  const frame = { u, ofAlpha, ofA, arm, orientation, ratesByJoint };
  if (joint < 0) return { ...frame, w: u, alpha: ofAlpha, a: ofA };
  ratesByJoint.set(joint, turns ? { turn: axis, shift: ZERO } : { turn: ZERO, shift: axis });
  if (turns) {
    const alpha = add(ofAlpha, add(scale(axis, a), scale(cross(u, axis), v)));
    return { ...frame, w: add(u, scale(axis, v)), alpha, a: ofA };
  }
  return { ...frame, w: u, alpha: ofAlpha, a: add(ofA, add(scale(axis, a), scale(cross(u, axis), 2 * v))) };
}

/**
 * Adjoints of the wrench of a link: shift . f + turn . n of each joint that carries it, with f = m a + alpha x h + w x (w x h) and
 * n = h x a + J alpha + w x J w at the joint's weights.
 */
function wrenchAdjoint(
  { w, alpha, a, ratesByJoint }: LinkMotion,
  weights: readonly Float64Array[],
  link: number,
): Adjoint {
  const first = LINK_PARAMETERS.length * link;
  const found: Adjoint = { w: ZERO, alpha: ZERO, a: ZERO, ratesByJoint: new Map() };
  for (const [j, { turn, shift }] of ratesByJoint) {
    const [m, hx, hy, hz, xx, yy, zz, xy, xz, yz] = weights[j].subarray(first, first + LINK_PARAMETERS.length);
    const h: Vector = [hx, hy, hz];
    const J = (x: Vector): Vector => [
      xx * x[0] + xy * x[1] + xz * x[2],
      xy * x[0] + yy * x[1] + yz * x[2],
      xz * x[0] + yz * x[1] + zz * x[2],
    ];
    const spin = J(w);
    const force = add(scale(a, m), add(cross(alpha, h), cross(w, cross(w, h))));
    const moment = add(cross(h, a), add(J(alpha), cross(w, spin)));
    found.ratesByJoint.set(j, { turn: moment, shift: force });
    found.a = add(found.a, add(scale(shift, m), cross(turn, h)));
    found.alpha = add(found.alpha, add(cross(h, shift), J(turn)));
    const ofForce = add(scale(shift, dot(w, h)), add(scale(h, dot(shift, w)), scale(w, -2 * dot(shift, h))));
    const ofMoment = add(cross(spin, turn), J(cross(turn, w)));
    found.w = add(found.w, add(ofForce, ofMoment));
  }
  return found;
}
