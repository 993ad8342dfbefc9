import { GradsimError } from '@gradsim/core';
import { solveByFactor, sum, sumOfProducts, sumOfSquares } from '@gradsim/numeric';
import type { Robot } from '../robot.ts';
import { axisJoints } from './axis-joints.ts';
import { baseParameters, solveBase } from './base-parameters.ts';
import { normalEquations } from './normal-equations.ts';
import type { Filtering, Recording } from './recording.ts';
import { JOINT_PARAMETERS } from './recording.ts';
import { rigidRegressor } from './regressor.ts';

/**
 * Refuses torques whose sign is turned: the inertia that a joint moves, found from its own torque alone, is then
 * negative.
 * @throws GradsimError naming the joint, if it is negative by more than five standard errors.
 */
export function refuseTurnedTorques(
  robot: Robot,
  recordings: readonly Recording[],
  columns: readonly (readonly (readonly Float64Array[])[])[],
  torques: readonly (readonly Float64Array[])[],
  { torqueBand }: Filtering,
  order: readonly number[],
): void {
  const names = axisJoints(robot);
  names.forEach((joint, j) => {
    const own = columns.map((of) => of[j]);
    const right = torques.map((of) => of[j]);
    const equations = normalEquations(own, right);
    const base = baseParameters(equations.normal, order);
    const { values, factor } = solveBase(base, equations.normal, equations.right);
    const left =
      right.reduce((sum, x) => sum + sumOfSquares(x), 0) -
      values.reduce((sum, value, i) => sum + value * equations.right[base.independent[i]], 0);
    const free = recordings.reduce((all, { step, slides }) => all + 2 * torqueBand * step * sum(slides[j]), 0);
    const variance = left / Math.max(free - values.length, 1);
    // Torque at unit acceleration of this joint, without gravity.
    const zeros = names.map(() => 0);
    const motion = { q: zeros, v: zeros, a: zeros.map((_, k) => Number(k === j)) };
    const unit = rigidRegressor(robot, motion, [0, 0, 0])[j];
    const armature = unit.length + JOINT_PARAMETERS.length * j;
    const row = base.independent.map((p) => (p === armature ? 1 : (unit[p] ?? 0)));
    const inertia = row.reduce((sum, x, i) => sum + x * values[i], 0);
    const deviation = Math.sqrt(variance * sumOfProducts(row, solveByFactor(factor, row)));
    if (inertia > -5 * deviation) return;
    throw new GradsimError(
      'robots/log-torque-turned',
      `The torque of joint "${joint}" acts against its acceleration, as if it moved an inertia of ${inertia.toPrecision(3)} kg m^2.`,
      {
        element: joint,
        hint: 'Turn the sign of its torque or of its position in the log, or of its axis in the model.',
      },
    );
  });
}
