import { Actuator as ActuatorComponent } from '@gradsim/articulated';
import type { Entity, Scene } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';

import { onlyGiven } from './passive.ts';
import type { Actuator, Robot } from './robot.ts';

/**
 * Coefficients of an actuator's force f = gain u + b0 + b1 l + b2 dl/dt, with the control u and the length l = gear
 * times the joint's coordinate in the file.
 */
export function lawOf({ kind, gain = 1, bias = [0, 0, 0], kp = 0, kv = 0 }: Actuator): {
  readonly gain: number;
  readonly bias: readonly [number, number, number];
} {
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
 * Adds the actuators of a robot to a scene as entities of the component `Actuator` of `@gradsim/articulated`. Their
 * controls can be set by a program, a schedule or a controller.
 *
 * ```ts
 * const links = addRobot(scene, robot);
 * addActuators(scene, robot, links, { elbow: 0.3 });
 * ```
 *
 * @param links the entities that `addRobot` returned.
 * @param controls initial controls by name of the actuator; 0 for those not named.
 * @returns the entities of the actuators, in the order of `robot.actuators`.
 * @throws GradsimError for a name in `controls` of which the robot has no actuator.
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
