import type { BuildContext, Component, Entity } from '@gradsim/core';
import { f32, field, GradsimError } from '@gradsim/core';
import { BodiesThatTouch, memoise, type PointsThatTouch } from '@gradsim/dynamics';
import { contactOf } from './components.ts';
import { readsOnElements } from './fields.ts';

/** Fields that a kernel reads for position, velocity and contact thickness of points. */
export const pointReads = ({ component, position, velocity }: PointsThatTouch) =>
  readsOnElements({ position, velocity, thickness: contactOf(component).thickness });

/** Fields that a kernel reads for position, velocity, contact thickness and material of points. */
export const pointIn = (points: PointsThatTouch) => {
  const { ke, kd, kf, mu } = contactOf(points.component);
  return { ...pointReads(points), ...readsOnElements({ ke, kd, kf, mu }) };
};

/** Fields that a kernel reads for pose and velocities of bodies. */
export const bodyReads = ({ position, orientation, velocity, angularVelocity }: BodiesThatTouch) =>
  readsOnElements({ bodyPosition: position, bodyOrientation: orientation, bodyVelocity: velocity, angularVelocity });
/** Force and torque fields of bodies, to which a kernel adds. */
export const bodyLoads = ({ force, torque }: BodiesThatTouch) => readsOnElements({ bodyForce: force, torque });

/** Field that is 1 for a point with contact, otherwise 0. */
export const touchesOf = memoise(({ component }: PointsThatTouch) => field(component.domain, 'touches', f32));

/** Returns, for each element of a component, whether it has contact. */
export const hasContactByElement = ({ scene, entities }: BuildContext, component: Component): boolean[] =>
  entities(component).map((entity) => scene.has(entity, contactOf(component).name));

/** Points of a plugin, and the indices of those with contact. */
export interface ContactPoints {
  readonly points: PointsThatTouch;
  readonly numbers: readonly number[];
}

/** A body of the scene: the offer that it belongs to, and its index among the bodies of that offer. */
export interface OwnerBody {
  readonly bodies: BodiesThatTouch;
  readonly number: number;
}

/**
 * Returns the body that a shape belongs to; undefined for a static shape.
 * @throws when the shape's `body` is no body of the scene.
 */
export function ownerOf(context: BuildContext, shape: Entity, component: Component): OwnerBody | undefined {
  const { scene, model, entities } = context;
  const body = scene.object(shape, component, 'body') as Entity | undefined;
  if (body === undefined) return undefined;
  const all = model.offered(BodiesThatTouch);
  const owners = all.map((bodies) => ({ bodies, number: entities(bodies.component).indexOf(body) }));
  const owner = owners.find(({ number }) => number >= 0);
  if (owner) return owner;
  throw new GradsimError(
    'contact/unknown-body',
    `${component.name}.body is ${String(body)}, which is no body of the scene${all.length > 0 ? '' : '; no plugin has bodies, register @gradsim/rigid'}.`,
    { field: `${component.name}.body`, element: scene.describe(shape) },
  );
}
