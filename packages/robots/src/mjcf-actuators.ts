import type { Element } from './element.ts';
import type { Compiler } from './mjcf-compiler.ts';
import type { Defaults } from './mjcf-defaults.ts';
import { rangeOf } from './mjcf-joints.ts';
import { onlyGiven } from './passive.ts';
import type { Actuator, RobotLink } from './robot.ts';

const KINDS = ['motor', 'position', 'velocity'] as const;

/** Those on joints with an axis; others are not read, and so are named. */
export function actuatorsOf(
  root: Element,
  links: readonly RobotLink[],
  compiler: Compiler,
  defaults: Defaults,
): Actuator[] {
  const found: Actuator[] = [];
  for (const group of root.all('actuator'))
    for (const element of group.children) {
      const kind = KINDS.find((each) => each === element.name);
      const isOnJoint = kind && defaults.apply(element).given('joint');
      if (!kind || !isOnJoint) continue;
      const joint = element.read().needText('joint');
      const link = links.findIndex(({ jointName }) => jointName === joint);
      if (link < 0) element.refuse(`drives the joint "${joint}", which there is not.`);
      if (!links[link].values.axis)
        element.refuse(`drives the joint "${joint}", which has no axis; give Link.ballDrive in the program.`);
      const [gear = 1, ...rest] = element.numbers('gear', 1, 2, 3, 4, 5, 6) ?? [];
      if (rest.some((value) => value !== 0))
        element.refuseValue('gear', element.text('gear') ?? '', 'one number');
      found.push(
        onlyGiven({
          ...{ name: element.text('name') ?? joint, kind, link, gear },
          kp: kind === 'position' ? (element.notNegative('kp') ?? 1) : undefined,
          kv: kind === 'motor' ? undefined : (element.notNegative('kv') ?? (kind === 'velocity' ? 1 : 0)),
          controlRange: rangeOf(element, compiler, ['ctrlrange', 'ctrllimited']),
          forceRange: rangeOf(element, compiler, ['forcerange', 'forcelimited']),
        }),
      );
    }
  return found;
}
