import type { Adder, BuildContext, Component, Entity, IndexedField, Quat, Reader, Vec3 } from '@gradsim/core';
import { cross, fieldOn, GradsimError, rotate, rotateInverse } from '@gradsim/core';
import { BodiesThatTouch } from '@gradsim/dynamics';

/** A body that carries a shape, as the kernel of nodes sees it. */
interface Carrier {
  readonly reads: Readonly<Record<string, IndexedField>>;
  readonly adds: Readonly<Record<string, IndexedField>>;
  readonly pointAt: (place: Vec3, handles: Readonly<Record<string, unknown>>) => BodyPoint;
}

/** A place on a body. */
interface BodyPoint {
  /** The place in body axes, m. */
  readonly place: Vec3;
  /** Velocity of the body there, m/s. */
  readonly velocity: Vec3;
  /** Turns a direction from body axes to those of the world. */
  readonly toWorldAxes: (direction: Vec3) => Vec3;
  /** Adds a force there, N, to the body. */
  readonly push: (force: Vec3) => void;
}

/**
 * Returns the body that carries a shape; undefined for a shape of the world.
 * @throws when no plugin has that body.
 */
export function carrierOf(
  { scene, model, entities }: BuildContext,
  shape: Entity,
  component: Component,
): Carrier | undefined {
  if (!('body' in component.columns)) return undefined;
  const body = scene.object(shape, component, 'body') as Entity | undefined;
  if (body === undefined) return undefined;
  const bodies = model.offered(BodiesThatTouch).find(({ component }) => entities(component).includes(body));
  if (!bodies)
    throw new GradsimError(
      'mpm/unknown-body',
      `${component.name}.body is ${String(body)}, which is no body of the scene.`,
      {
        field: `${component.name}.body`,
        element: scene.describe(shape),
        hint: 'Register the plugin of bodies, such as @gradsim/rigid.',
      },
    );
  const k = entities(bodies.component).indexOf(body);
  const { position, velocity, orientation, angularVelocity, force, torque } = bodies;
  const nameOf = (name: string): string => `${position.domain}_${name}`;
  const named = (fields: Readonly<Record<string, typeof position | typeof orientation>>) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [nameOf(name), fieldOn(field as typeof position)]),
    );
  return {
    reads: named({ position, velocity, orientation, angularVelocity }),
    adds: named({ force, torque }),
    pointAt: (place, handles) => {
      const read = (name: string) => (handles[nameOf(name)] as Reader<Vec3>).at(k);
      const add = (name: string, value: Vec3) => (handles[nameOf(name)] as Adder<Vec3>).add(k, value);
      const turned = (handles[nameOf('orientation')] as Reader<Quat>).at(k);
      const arm = place.sub(read('position'));
      return {
        place: rotateInverse(turned, arm),
        velocity: read('velocity').add(cross(read('angularVelocity'), arm)),
        toWorldAxes: (direction) => rotate(turned, direction),
        push: (f) => {
          add('force', f);
          add('torque', cross(arm, f));
        },
      };
    },
  };
}
