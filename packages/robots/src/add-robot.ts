import { Link } from '@gradsim/articulated';
import { add, multiplyQuaternions, rotate } from '@gradsim/base';
import type { Entity, Scene } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import { addCouplings, followingStates } from './couplings.ts';
import { ORIGIN } from './pose.ts';
import type { Robot, RobotPlace } from './robot.ts';

/**
 * Adds the links of a robot to a scene, and the constraints that couple its joints and close its loops. A joint that
 * follows another one begins where that one leads it; joints of a loop begin where it closes, or the scene is refused.
 *
 * ```ts
 * const robot = await readUrdf(text, { file: 'arm.urdf' });
 * const links = addRobot(scene, robot, { joints: { elbow: { coordinate: 0.5 } } });
 * ```
 *
 * @returns the entities of the links, in the order of `robot.links`.
 * @throws GradsimError for a name in `joints` of which the robot has no joint, and for a joint that follows a fixed one.
 */
export function addRobot(scene: Scene, robot: Robot, place: RobotPlace = {}): Entity[] {
  const { position, orientation, joints = {} } = { ...ORIGIN, ...place };
  const names = robot.links.map(({ jointName }) => jointName);
  const unknown = Object.keys(joints).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new GradsimError(
      'robots/unknown-joint',
      `addRobot: ${robot.name} has no joint "${unknown}"; its joints are ${names.join(', ')}.`,
    );
  const following = followingStates(robot, joints);
  const called = scene.nameGroup('robot', robot.name);
  const entities: Entity[] = [];
  for (const { name, jointName, parent, values } of robot.links) {
    const placed =
      parent === undefined
        ? {
            anchor: add(position, rotate(orientation, values.anchor)),
            restOrientation: multiplyQuaternions(orientation, values.restOrientation),
          }
        : { parent: entities[parent] };
    const more = Object.hasOwn(joints, jointName) ? joints[jointName] : {};
    const begun = Object.hasOwn(following, jointName) ? following[jointName] : {};
    entities.push(scene.add(Link, { ...values, ...placed, ...begun, ...more }, `link "${name}" of ${called}`));
  }
  addCouplings(scene, robot, entities, { position, orientation }, called);
  return entities;
}
