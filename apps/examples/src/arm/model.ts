import { addLogCholesky, articulated, Link } from '@gradsim/articulated';
import type { Entity, Model } from '@gradsim/core';
import { buildModel } from '@gradsim/core';
import type { View } from '../scenes/pendula.ts';
import { ball, DOWNWARD_ORIENTATION, filmedScene, rod } from '../scenes/pendula.ts';

/**
 * A link of the arm: mass, kg; `centre`, distance of its centre of mass from the joint, m; dry friction of the joint,
 * N m; `reach`, standard deviation of its mass about the centre along each axis, m, so that its inertia is 2 m reach^2.
 */
export interface Part {
  readonly mass: number;
  readonly centre: number;
  readonly friction: number;
  readonly reach: number;
}
/** Length of each link, m. */
export const LINK_LENGTH = 0.35;
/** Angular velocity at which dry friction reaches its full torque, rad/s: kf = tau_c / SLIP. */
export const SLIP_RATE = 0.2;
const ANGLES = [1.3, 0.5, -0.9, 0.8];

/** Model of an arm that hangs from its first joint and swings, driven by motors with constant torques, N m. */
export function armModel(parts: readonly Part[], motors: readonly number[], view: View): Model {
  const scene = filmedScene([articulated()], view);
  let parent: Entity | undefined;
  parts.forEach(({ mass, centre, friction, reach }, k) => {
    const across = mass * reach ** 2;
    const link = scene.add(Link, {
      ...(parent === undefined ? { restOrientation: DOWNWARD_ORIENTATION } : { parent, anchor: [0, LINK_LENGTH, 0] }),
      joint: 'revolute',
      axis: [0, 0, 1],
      coordinate: ANGLES[k],
      drive: motors[k],
      mesh: rod(LINK_LENGTH),
      mass,
      centre: [0, centre, 0],
      inertia: [2, 0, 0, 0, 2, 0, 0, 0, 2].map((i) => i * across),
      dryFriction: friction,
      frictionStiffness: friction / SLIP_RATE,
    });
    addLogCholesky(scene, link);
    parent = link;
  });
  scene.add(Link, { parent, joint: 'fixed', anchor: [0, LINK_LENGTH, 0], mesh: ball });
  return buildModel(scene);
}
