import { Actuator as ActuatorComponent } from '@gradsim/articulated';
import type { Entity, Scene } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';

import { onlyGiven } from './passive.ts';
import type { Actuator, Robot } from './robot.ts';

/**
 * Force f = gain u + b0 + b1 l + b2 l', for a length l as the file defines it: gear times the joint's coordinate in the
 * file.
 */
function lawOf({ kind, gain = 1, bias = [0, 0, 0], kp = 0, kv = 0 }: Actuator) {
  switch (kind) {
    case 'motor':
      return { gain: 1, bias: [0, 0, 0] };
    case 'position':
      return { gain: kp, bias: [0, -kp, -kv] };
    case 'velocity':
      return { gain: kv, bias: [0, 0, -kv] };
    case 'general':
      return { gain, bias };
  }
}

/**
 * Adds the actuators of a robot to a scene, each with a control that a program, a schedule or a controller sets:
 * `Actuator` of `@gradsim/articulated`.
 *
 * ```ts
 * const links = addRobot(scene, robot);
 * addActuators(scene, robot, links, { elbow: 0.3 });
 * ```
 *
 * @param links what `addRobot` gave.
 * @param controls of actuators by name; 0 of others.
 * @returns their entities, in the order of `robot.actuators`.
 * @throws GradsimError for an actuator that the robot does not have.
 */
export function addActuators(
  scene: Scene,
  robot: Robot,
  links: readonly Entity[],
  controls: Readonly<Record<string, number>> = {},
): Entity[] {
  const names = robot.actuators.map(({ name }) => name);
  const unknown = Object.keys(controls).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new GradsimError(
      'robots/unknown-actuator',
      `addActuators: ${robot.name} has no actuator "${unknown}"; ${names.length > 0 ? `its actuators are ${names.join(', ')}` : 'it has none'}.`,
    );
  if (links.length !== robot.links.length)
    throw new GradsimError(
      'robots/wrong-size',
      `addActuators: there are ${links.length} links, and ${robot.name} has ${robot.links.length}.`,
      { field: 'there', hint: 'Give what addRobot gave.' },
    );
  return robot.actuators.map((actuator) => {
    const { name, link, gear, controlRange, forceRange } = actuator;
    const { gain, bias } = lawOf(actuator);
    const from = gear * (robot.links[link].reference ?? 0);
    const values = {
      link: links[link],
      gear,
      gain,
      bias: bias[0] + bias[1] * from,
      stiffness: -bias[1],
      damping: -bias[2],
      control: controls[name] ?? 0,
      lowerControl: controlRange?.[0],
      upperControl: controlRange?.[1],
      lowerForce: forceRange?.[0],
      upperForce: forceRange?.[1],
    };
    return scene.add(ActuatorComponent, onlyGiven(values), name);
  });
}
