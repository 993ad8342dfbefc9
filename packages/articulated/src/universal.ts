import { cross as crossProduct, norm } from '@gradsim/base';
import type { Entity, Scene, ValuesOf } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import { Link } from './link.ts';

type LinkValues = ValuesOf<typeof Link>;

/** Options of each axis of a universal joint: those of a revolute joint without the mass properties and the mesh. */
export type UniversalAxis = Pick<LinkValues, 'axis'> &
  Partial<
    Pick<
      LinkValues,
      | 'coordinate'
      | 'rate'
      | 'drive'
      | 'stiffness'
      | 'restCoordinate'
      | 'damping'
      | 'dryFriction'
      | 'frictionStiffness'
      | 'frictionWidth'
      | 'implicitJoint'
      | 'lower'
      | 'upper'
      | 'limitStiffness'
      | 'limitDamping'
      | 'armature'
    >
  >;

/** Options of a link on a universal joint. */
export type UniversalLink = Partial<
  Pick<LinkValues, 'parent' | 'anchor' | 'restOrientation' | 'mass' | 'centre' | 'inertia' | 'mesh'>
> & {
  /** First axis, fixed to the parent, given in the link's axes at rest, with its options. */
  readonly first: UniversalAxis;
  /** Second axis, rotated by the first one and fixed to the link, given in the link's axes, with its options. */
  readonly second: UniversalAxis;
};

/** Sine of the angle between two axes below which they count as parallel. */
const MIN_AXIS_SINE = 1e-6;

/**
 * Adds a link on a universal joint (Cardan, Hooke): two revolute joints one after the other, with a massless cross
 * between them. Each joint has its own coordinate, motor, spring, friction and limits.
 *
 * ```ts
 * const { link } = addUniversal(scene, {
 *   mass: 1, centre: [0, -1, 0], inertia: [0.02, 0, 0, 0, 0.01, 0, 0, 0, 0.02],
 *   first: { axis: [1, 0, 0], coordinate: 0.3 },
 *   second: { axis: [0, 0, 1], damping: 0.05 },
 * });
 * ```
 * @returns the link, and the cross, whose coordinate is the turn about the first axis.
 * @throws for parallel axes, which are a single axis.
 */
export function addUniversal(
  scene: Scene,
  values: UniversalLink,
  name = 'universal joint',
): { readonly cross: Entity; readonly link: Entity } {
  const { first, second, parent, anchor, restOrientation, ...body } = values;
  const [a, b] = [first.axis ?? [0, 0, 1], second.axis ?? [0, 0, 1]];
  if (!(norm(crossProduct(a, b)) > MIN_AXIS_SINE * norm(a) * norm(b)))
    throw new GradsimError(
      'articulated/equal-axes',
      `${name}: its axes are (${a.join(', ')}) and (${b.join(', ')}), which have one direction or none.`,
      { hint: 'Give two, at right angles as a rule.' },
    );
  const given = Object.fromEntries(
    Object.entries({ parent, anchor, restOrientation }).filter(([, value]) => value !== undefined),
  );
  const cross = scene.add(Link, { ...given, ...first, joint: 'revolute' }, `cross of ${name}`);
  const link = scene.add(Link, { ...body, ...second, parent: cross, joint: 'revolute' }, name);
  return { cross, link };
}
