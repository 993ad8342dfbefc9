import type { BuildContext, Component } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import type { BodiesThatTouch, PointsThatTouch } from '@gradsim/dynamics';
import { contactOf } from './components.ts';
import { ContactSphere } from './shapes/sphere.ts';
import { hasContactByElement, ownerOf } from './touching.ts';

/** Offered bodies, offered points, and components of shapes that can be in contact. */
interface TouchingThings {
  readonly bodies: readonly BodiesThatTouch[];
  readonly points: readonly PointsThatTouch[];
  readonly shapes: readonly Component[];
}

const NEEDS_MASS = 'need a mass, which the plugin that has these does not offer';
const BESIDE_SHAPES = 'are for half-spaces, and these touch shapes too';
const BESIDE_POINTS = 'are for half-spaces, and points touch this too';

/**
 * Checks columns `restitution` and `duration`.
 * @throws when they are given together with the `kd` or `ke` that they replace, or `duration` without `restitution`, or
 * for elements whose contact they cannot define: those without a mass, and those that touch more than half-spaces.
 */
export function refuseBounces(context: BuildContext, { bodies, points, shapes }: TouchingThings): void {
  const { scene, entities } = context;
  const hasContact = ({ component }: PointsThatTouch): boolean =>
    scene.components.includes(contactOf(component)) && hasContactByElement(context, component).includes(true);
  const hasShapes = shapes.some((shape) => entities(shape).some((e) => !ownerOf(context, e, shape)));
  for (const { component, mass } of bodies) refuse(context, contactOf(component), mass ? null : NEEDS_MASS);
  for (const { component, mass } of points)
    refuse(context, contactOf(component), hasShapes ? BESIDE_SHAPES : mass ? null : NEEDS_MASS);
  const isAlone = entities(ContactSphere).every((e) => ownerOf(context, e, ContactSphere));
  refuse(context, ContactSphere, isAlone && !points.some(hasContact) ? null : BESIDE_POINTS);
}

/**
 * Checks the bounce columns of one component.
 * @param flaw why its elements cannot use them, null if they can.
 */
function refuse({ scene, entities }: BuildContext, component: Component, flaw: string | null): void {
  if (!scene.components.includes(component)) return;
  const { domain } = component;
  for (const entity of entities(component)) {
    const value = (name: string): number => scene.get(entity, component, name)[0];
    const [ke, kd, restitution, duration] = ['ke', 'kd', 'restitution', 'duration'].map(value);
    const who = scene.describe(entity);
    if (ke > 0 && duration > 0)
      throw new GradsimError('contact/two-ways-given', `${domain}.ke is ${ke} and ${domain}.duration is ${duration}.`, {
        field: `${domain}.ke`,
        element: who,
        hint: 'Give one of them.',
      });
    if (kd > 0 && restitution > 0)
      throw new GradsimError(
        'contact/two-ways-given',
        `${domain}.kd is ${kd} and ${domain}.restitution is ${restitution}.`,
        { field: `${domain}.kd`, element: who, hint: 'Give one of them.' },
      );
    if (duration > 0 && restitution === 0)
      throw new GradsimError(
        'contact/incomplete-bounce',
        `${domain}.duration is ${duration}, and ${domain}.restitution is not given.`,
        { field: `${domain}.duration`, element: who, hint: 'Give both.' },
      );
    if (flaw !== null && (restitution > 0 || duration > 0))
      throw new GradsimError('contact/bounce-not-possible', `${domain}.restitution and duration ${flaw}.`, {
        field: `${domain}.restitution`,
        element: who,
        hint: 'Give ke and kd.',
      });
  }
}
