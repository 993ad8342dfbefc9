import type { Robot } from './robot.ts';

/**
 * Returns a robot some of whose joints are fixed in the pose of the file, such as those of a gripper that no log has.
 *
 * ```ts
 * const arm = withFixedJoints(robot, unloggedJoints(text, robot));
 * ```
 */
export function withFixedJoints(robot: Robot, names: readonly string[]): Robot {
  const links = robot.links.map((link) => {
    if (!names.includes(link.jointName)) return link;
    const { anchor, restOrientation, mass, centre, inertia, mesh } = link.values;
    const values = {
      joint: 'fixed' as const,
      anchor,
      restOrientation,
      mass,
      centre,
      inertia,
      ...(mesh ? { mesh } : {}),
    };
    return { ...link, values };
  });
  const isFixed = (k: number): boolean => names.includes(links[k].jointName);
  const { mimics = [], constraints = [], ...rest } = robot;
  const left = mimics.filter(({ joint, leader }) => !names.includes(joint) || !names.includes(leader));
  // A loop of fixed joints closes by itself.
  const moves = (k: number | undefined): boolean =>
    k !== undefined && (links[k].values.joint !== 'fixed' || moves(links[k].parent));
  const closing = constraints.filter(({ link, otherLink }) => moves(link) || moves(otherLink));
  return {
    ...rest,
    links,
    actuators: robot.actuators.filter(({ link }) => !isFixed(link)),
    ...(left.length > 0 && { mimics: left }),
    ...(closing.length > 0 && { constraints: closing }),
  };
}
