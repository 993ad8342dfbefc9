import type { Element } from '../element.ts';

/** Unsupported elements that make a file unreadable: without them the model would lack bodies or have them elsewhere. */
const ESSENTIAL_ELEMENTS = ['replicate', 'attach', 'composite', 'flexcomp', 'flex'];
/** Flags whose `disable` changes the motion. */
const FLAGS = ['constraint', 'limit', 'frictionloss', 'passive', 'spring', 'damper', 'actuation', 'eulerdamp'];
/** Attributes of tendons by which they act. */
const TENDON_ACTIONS = ['stiffness', 'damping', 'frictionloss', 'armature', 'range', 'actuatorfrcrange'];

/**
 * Refuses what changes the motion of a model and is not read: a line among others that say what does not matter would be
 * overlooked.
 * @throws GradsimError naming the element, and what to do.
 */
export function refuseUnread(root: Element): void {
  refuseNeeded(root);
  for (const group of root.all('equality'))
    for (const element of group.children)
      if (element.read().text('active') !== 'false' && !isRead(element))
        element.refuseUnsupported(
          'ties parts of the model together, and is not read; remove it, or set active="false", to have the model without.',
        );
  for (const group of root.all('tendon'))
    for (const element of group.children) {
      const acts = TENDON_ACTIONS.find((name) =>
        element
          .text(name)
          ?.split(/\s+/)
          .some((word) => Number(word) !== 0),
      );
      if (acts)
        element.refuseUnsupported(
          `acts on the model by its ${acts}, and tendons are not read; remove it to have the model without.`,
        );
    }
  for (const option of root.all('option')) {
    for (const name of ['density', 'viscosity'])
      if ((option.number(name) ?? 0) > 0)
        option.refuseUnsupported(
          `has ${name}, by which air or water brakes bodies, and that is not read; remove it to have the model in a vacuum.`,
        );
    const flag = option.one('flag');
    for (const name of FLAGS)
      if (name !== 'eulerdamp' && flag?.text(name) === 'disable')
        flag.refuseUnsupported(
          `has ${name}="disable", which is not read; remove it, and what it disables from the model.`,
        );
  }
}

/** True for an equality that is read: of joints, bodies or sites, and active. */
export const isRead = (element: Element): boolean =>
  ['joint', 'connect', 'weld'].includes(element.name) && element.text('active') !== 'false';

function refuseNeeded(element: Element): void {
  if (ESSENTIAL_ELEMENTS.includes(element.name))
    element.refuseUnsupported('is not read, and the robot would lack parts of it; write out what it stands for.');
  for (const child of element.children) refuseNeeded(child);
}

/** Refuses what acts on one body or joint and is not read. @throws GradsimError naming it. */
export function refuseUnreadForces(element: Element): void {
  if (element.name === 'body' && (element.number('gravcomp') ?? 0) !== 0)
    element.refuseUnsupported(
      'has gravcomp, a force against its weight, which is not read; remove it, and add the torques that it stands for.',
    );
  if (element.name === 'joint' && element.numbers('springdamper', 2)?.every((value) => value > 0))
    element.refuseUnsupported('has springdamper, which is not read; give stiffness and damping.');
}
