import { dot, type Vector } from '@gradsim/base';
import { type Masses, massesInParent, sumOfMasses } from '../masses.ts';
import { composedPose, type Pose } from '../pose.ts';
import type { RobotLink } from '../robot.ts';

/**
 * Inertia that a joint with an axis moves in the pose of the file: of its link and all that hang on it, kg m^2 of a revolute
 * joint, kg of a prismatic one, and its armature.
 */
export function reflectedInertia(links: readonly RobotLink[], joint: number): number {
  const poses = new Map<number, Pose>([[joint, { position: [0, 0, 0], orientation: [0, 0, 0, 1] }]]);
  const parts: Masses[] = [];
  links.forEach(({ parent, values }, k) => {
    const above = parent === undefined ? undefined : poses.get(parent);
    if (above && k !== joint)
      poses.set(k, composedPose(above, { position: values.anchor, orientation: values.restOrientation }));
    const pose = poses.get(k);
    if (pose) parts.push(massesInParent(pose, values));
  });
  const { mass, centre, inertia } = sumOfMasses(parts);
  const { axis = [0, 0, 1], joint: kind, armature = 0 } = links[joint].values;
  if (kind === 'prismatic') return mass + armature;
  const rows = [0, 1, 2].map((i) => inertia.slice(3 * i, 3 * i + 3) as unknown as Vector);
  const own = dot(axis, rows.map((row) => dot(row, axis)) as unknown as Vector);
  const along = dot(centre, axis);
  return own + mass * (dot(centre, centre) - along * along) + armature;
}
