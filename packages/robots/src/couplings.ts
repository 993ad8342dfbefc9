import { Constraint } from '@gradsim/articulated';
import { multiplyQuaternions } from '@gradsim/base';
import type { Entity, Scene } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import type { Pose } from './pose.ts';
import { composedPose } from './pose.ts';
import type { Mimic, Robot } from './robot.ts';

/**
 * Refuses a robot whose links close loops.
 * @param reason it is refused, as in `and no motion is planned for it`.
 * @throws GradsimError naming the constraint.
 */
export function refuseLoops({ name, constraints: [first] = [] }: Robot, reason: string): void {
  if (first)
    throw new GradsimError(
      'robots/closed-loop',
      `${name}: ${first.name} ${first.kind === 'gear' ? 'holds a joint' : 'closes a loop of links'}, ${reason}.`,
      {
        field: first.name,
        hint: 'Log torques in N m or N that count from zero, and positions from the zeros of the model; of gradsim plan, fix the joints of the loop (--set fixed=JOINT,JOINT).',
      },
    );
}

/**
 * Refuses a robot whose joints follow others, for which no motion is planned.
 * @throws GradsimError naming the joints.
 */
export function refuseMimics({ name, mimics: [first] = [] }: Robot): void {
  if (first) refuseMimic(name, first, 'and no motion is planned for coupled joints');
}

/** @throws GradsimError naming a joint that follows another one, and why it cannot. */
export function refuseMimic(name: string, { joint, leader, multiplier, offset }: Mimic, reason: string): never {
  throw new GradsimError(
    'robots/mimic',
    `${name}: the joint "${joint}" follows "${leader}" (${multiplier} times it plus ${offset}), ${reason}.`,
    {
      field: joint,
      hint: `Fix both, withFixedJoints(robot, ['${joint}', '${leader}']) (of gradsim plan: --set fixed=${joint},${leader}), or remove <mimic>, or its <equality>, from the file to have two joints that move by themselves.`,
    },
  );
}

type State = Readonly<{ coordinate?: number; rate?: number }>;

/**
 * Returns the coordinates and rates at which joints that follow others or are held begin: those that hold.
 * @param states states of other joints, by name; a joint without one begins at 0.
 */
export function followingStates(
  { name, links, mimics = [], constraints = [] }: Robot,
  states: Readonly<Record<string, State>>,
): Record<string, Required<State>> {
  const leaders = new Map(mimics.map((mimic) => [mimic.joint, mimic]));
  const stateOf = (joint: string, waiting: readonly string[] = []): Required<State> => {
    const mimic = leaders.get(joint);
    if (mimic && waiting.includes(joint)) refuseMimic(name, mimic, 'which follows it in turn');
    const { coordinate = 0, rate = 0 } = Object.hasOwn(states, joint) ? states[joint] : {};
    if (!mimic) return { coordinate, rate };
    const leader = stateOf(mimic.leader, [...waiting, joint]);
    return {
      coordinate: mimic.multiplier * leader.coordinate + mimic.offset,
      rate: mimic.multiplier * leader.rate,
    };
  };
  for (const mimic of mimics)
    for (const joint of [mimic.joint, mimic.leader])
      if (!links.find(({ jointName }) => jointName === joint)?.values.axis)
        refuseMimic(name, mimic, `and "${joint}" is fixed`);
  const held = constraints.flatMap(({ kind, link, offset = 0 }) =>
    kind === 'gear' ? [[links[link].jointName, { coordinate: offset, rate: 0 }] as const] : [],
  );
  return Object.fromEntries([...held, ...mimics.map(({ joint }) => [joint, stateOf(joint)] as const)]);
}

/** Adds the constraints of a robot to a scene that has its links. @param place where the file's origin is in the world. */
export function addCouplings(
  scene: Scene,
  robot: Robot,
  entities: readonly Entity[],
  place: Pose,
  called: string,
): void {
  const { links, mimics = [], constraints = [] } = robot;
  const entityOf = (joint: string): Entity => entities[links.findIndex(({ jointName }) => jointName === joint)];
  for (const { joint, leader, multiplier, offset } of mimics)
    scene.add(
      Constraint,
      { kind: 'gear', link: entityOf(joint), other: entityOf(leader), ratio: multiplier, offset },
      `joint "${joint}" that follows "${leader}" of ${called}`,
    );
  for (const { name, link, otherLink, ...values } of constraints) {
    const { otherPoint, restOrientation } = values;
    const inWorld = otherLink === undefined && {
      ...(otherPoint && {
        otherPoint: composedPose(place, { position: otherPoint, orientation: place.orientation }).position,
      }),
      ...(restOrientation && { restOrientation: multiplyQuaternions(place.orientation, restOrientation) }),
    };
    const ends = { link: entities[link], ...(otherLink !== undefined && { other: entities[otherLink] }) };
    scene.add(Constraint, { ...values, ...inWorld, ...ends }, `${name} of ${called}`);
  }
}
