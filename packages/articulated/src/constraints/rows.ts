import type { F32, Index, Quat, Reader, Vec3 } from '@gradsim/core';
import { cross, f32, fieldOn, kernel, max, normalize, rotate, select, vec3 } from '@gradsim/core';
import { gravity, memoise } from '@gradsim/dynamics';
import { Link } from '../link.ts';
import { Constraint } from './constraint.ts';
import {
  constraintLoads,
  constraintOf,
  first,
  movedAccelerations,
  multiplier,
  residual,
  rowScale,
  second,
  weights,
} from './fields.ts';

/*
 * Constraints r(q) = 0 of a tree, with multipliers l that act as J^T l, J = dr/dq. The accelerations a solve
 *
 *   M a + c = tau + J^T l,   J a + J' v + 2 J v / T + r / T^2 + R l = 0,
 *
 * with Baumgarte's time constant T, and R, a millionth of the inverse inertia that a constraint moves in the pose of
 * the scene. So constraints that say the same twice, as those of a plane loop in space do, share a load and do not
 * contradict each other. R is the softness of a spring of stiffness 1 / (R T^2): a load f violates by R T^2 f.
 */

/** R over the inverse inertia that a constraint moves, dimensionless. */
export const REGULARISATION = 1e-6;
/** Default time constant in substeps, and the least. */
const [USUAL, LEAST] = [10, 2];

const GEOMETRY_READS = {
  constraint: constraintOf,
  first,
  second,
  weights,
  rowScale,
  point: fieldOn(Constraint.point),
  otherPoint: fieldOn(Constraint.otherPoint),
  ratio: fieldOn(Constraint.ratio),
  centre: fieldOn(Link.centre),
  position: fieldOn(Link.centrePosition),
  orientation: fieldOn(Link.bodyOrientation),
};
interface Geometry {
  readonly constraint: Index;
  readonly weights: { readonly w: F32 };
  readonly point: Reader<Vec3>;
  readonly otherPoint: Reader<Vec3>;
  readonly centre: Reader<Vec3>;
  readonly position: Reader<Vec3>;
  readonly orientation: Reader<Quat>;
}

/** Returns the vectors, in world axes, from a link's centre of mass to a point given in its axes, and to its joint. */
function armsOf(row: Geometry, link: Index, point: Vec3): { readonly arm: Vec3; readonly joint: Vec3 } {
  const [orientation, centre] = [row.orientation.at(link), row.centre.at(link)];
  return { arm: rotate(orientation, point.sub(centre)), joint: rotate(orientation, centre).neg() };
}

/** Adds the loads of constraints, J^T l. */
export const addConstraintLoads = memoise(() =>
  kernel(
    'pullConstraint',
    {
      domain: multiplier.domain,
      reads: { ...GEOMETRY_READS, multiplier },
      adds: {
        force: fieldOn(constraintLoads.force),
        torque: fieldOn(constraintLoads.torque),
        effort: fieldOn(constraintLoads.effort),
      },
    },
    (row) => {
      const { x: isPoint, y: isTurn, z: isGear, w: hasOther } = row.weights;
      const l = row.multiplier.mul(row.rowScale);
      const [force, couple, effort] = [l.mul(isPoint), l.mul(isTurn), l.x.mul(isGear)];
      const one = armsOf(row, row.first, row.point.at(row.constraint)).arm;
      const other = armsOf(row, row.second, row.otherPoint.at(row.constraint)).arm;
      row.force.add(row.first, force);
      row.torque.add(row.first, couple.add(cross(one, force)));
      row.effort.add(row.first, effort);
      const back = hasOther.neg();
      row.force.add(row.second, force.mul(back));
      row.torque.add(row.second, couple.add(cross(other, force)).mul(back));
      row.effort.add(row.second, effort.mul(row.ratio.at(row.constraint)).mul(back));
    },
  ),
);

/** Copies the loads of other plugins and the efforts of joints to those that {@link addConstraintLoads} adds to. */
export const copyExternalLoads = kernel(
  'carryLoads',
  {
    domain: Link,
    reads: { ownForce: Link.force, ownTorque: Link.torque, ownEffort: Link.effort },
    adds: { force: constraintLoads.force, torque: constraintLoads.torque, effort: constraintLoads.effort },
  },
  (l) => {
    l.force.add(l.ownForce);
    l.torque.add(l.ownTorque);
    l.effort.add(l.ownEffort);
  },
);

/** Adds the residual of each row: J a + J' v + 2 J v / T + r / T^2 + R l, times the row's scale. */
export const addRowResiduals = memoise(() =>
  kernel(
    'measureConstraint',
    {
      domain: multiplier.domain,
      reads: {
        ...GEOMETRY_READS,
        multiplier,
        gravity,
        restOrientation: fieldOn(Constraint.restOrientation),
        offset: fieldOn(Constraint.offset),
        timeConstant: fieldOn(Constraint.timeConstant),
        velocity: fieldOn(Link.centreVelocity),
        spin: fieldOn(Link.bodyAngularVelocity),
        coordinate: fieldOn(Link.coordinate),
        rate: fieldOn(Link.rate),
        alpha: fieldOn(movedAccelerations.alpha),
        linear: fieldOn(movedAccelerations.acceleration),
        coastAlpha: fieldOn(movedAccelerations.coastAlpha),
        coastLinear: fieldOn(movedAccelerations.coastAcceleration),
        jointAcceleration: fieldOn(Link.acceleration),
      },
      adds: { residual },
    },
    (row, { longestDt, previousDt }) => {
      const { constraint, first: a, second: b } = row;
      const { x: isPoint, y: isTurn, z: isGear, w: hasOther } = row.weights;
      const at = (link: Index, point: Vec3) => {
        const { arm, joint } = armsOf(row, link, point);
        const w = row.spin.at(link);
        const fromJoint = arm.sub(joint);
        const turning = cross(w, cross(w, fromJoint));
        const accelerated = (linear: Reader<Vec3>, alpha: Reader<Vec3>): Vec3 =>
          linear
            .at(link)
            .add(cross(alpha.at(link), fromJoint))
            .add(turning);
        return {
          position: row.position.at(link).add(arm),
          velocity: row.velocity.at(link).add(cross(w, arm)),
          acceleration: accelerated(row.linear, row.alpha),
          coasting: accelerated(row.coastLinear, row.coastAlpha),
        };
      };
      // The world accelerates upward, as for links: less gravity.
      const worldPoint = row.otherPoint.at(constraint);
      const held = at(a, row.point.at(constraint));
      const there = at(b, worldPoint);
      const isWorld = hasOther.lt(0.5);
      const still = vec3(0, 0, 0);
      const holder = {
        position: select(isWorld, worldPoint, there.position),
        velocity: select(isWorld, still, there.velocity),
        acceleration: select(isWorld, row.gravity.neg(), there.acceleration),
        coasting: select(isWorld, still, there.coasting),
      };
      const q = row.orientation.at(a);
      const rest = normalize(row.restOrientation.at(constraint));
      const wanted = select(isWorld, rest, row.orientation.at(b).mul(rest));
      const error = q.mul(wanted.conjugate());
      const turn = error.vector.mul(select(error.w.lt(0), f32(-2), f32(2)));
      const ratio = row.ratio.at(constraint).mul(hasOther);
      const along = (of: Reader<F32>): Vec3 => vec3(of.at(a).sub(ratio.mul(of.at(b))), 0, 0);
      const violation = (point: Vec3, turned: Vec3, coordinate: Vec3): Vec3 =>
        point.mul(isPoint).add(turned.mul(isTurn)).add(coordinate.mul(isGear));
      const r = violation(
        held.position.sub(holder.position),
        turn,
        along(row.coordinate).sub(vec3(row.offset.at(constraint), 0, 0)),
      );
      const between = (of: Reader<Vec3>): Vec3 => of.at(a).sub(of.at(b).mul(hasOther));
      const r1 = violation(held.velocity.sub(holder.velocity), between(row.spin), along(row.rate));
      const r2 = violation(
        held.acceleration.sub(holder.acceleration),
        between(row.alpha),
        along(row.jointAcceleration),
      );
      const coasting = violation(held.coasting.sub(holder.coasting), between(row.coastAlpha), still);
      const given = row.timeConstant.at(constraint);
      const time = max(select(given.gt(0), given, longestDt.mul(USUAL)), longestDt.mul(LEAST));
      const rate = f32(1).div(time);
      // Rates are those in the middle of the last substep, and r' that of now: J v + J a dt / 2.
      const now = r1.add(r2.sub(coasting).mul(previousDt.mul(0.5)));
      const missing = r2.add(now.mul(rate).mul(2)).add(r.mul(rate).mul(rate));
      row.residual.add(missing.mul(row.rowScale).add(row.multiplier.mul(REGULARISATION)));
    },
  ),
);
