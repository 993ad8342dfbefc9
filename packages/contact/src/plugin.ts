import type { BuildContext, Component, Plugin } from '@gradsim/core';
import { definePlugin, GradsimError, refuseUnknownOptions } from '@gradsim/core';
import { BodiesThatTouch, Integrators, PointsThatTouch } from '@gradsim/dynamics';
import { addBodiesOnBodies } from './bodies/add.ts';
import type { BodiesOnBodies } from './bodies/options.ts';
import { checked } from './bodies/options.ts';
import { touchingShapes } from './bodies/shapes.ts';
import { refuseBounces } from './bounce-refusals.ts';
import { contactOf, HalfSpace, HalfSpaceMaterial } from './components.ts';
import { addPoints, addSpheres, addVertices, prepareHalfSpaces } from './half-space.ts';
import { warnOfBalls } from './round-mesh.ts';
import { SHAPES } from './shapes/list.ts';
import { addShapeContacts } from './shapes/shape.ts';
import { ContactSphere } from './shapes/sphere.ts';
import type { ContactPoints } from './touching.ts';
import { hasContactByElement, ownerOf, touchesOf } from './touching.ts';

/** Options of {@link contact}. */
export interface ContactOptions {
  /** Contact of shapes of bodies with each other and with static shapes. Without it, they pass through each other. */
  readonly bodies?: BodiesOnBodies;
}

/**
 * Compliant contact with friction: of points and of bodies' vertices and spheres with half-spaces; and of points with
 * spheres, boxes, capsules and meshes, which belong to bodies or are static. Points and bodies are those of
 * `particles`, of `rigid`, and of any plugin that offers some as `PointsThatTouch` or `BodiesThatTouch`; at least one
 * is needed.
 *
 * ```ts
 * const scene = createScene([rigid(), contact()]);
 * const body = scene.add(Body, { mesh: box({ size: [0.2, 0.2, 0.2] }), density: 500, position: [0, 1, 0] });
 * scene.attach(body, contactOf(Body), { ke: 1e4, kd: 10, kf: 50, mu: 0.5 });
 * scene.add(HalfSpace, {});
 * ```
 *
 * With `bodies`, shapes of bodies touch those of other bodies and of the world:
 *
 * ```ts
 * const scene = createScene([rigid(), contact({ bodies: { maxSpeed: 5 } })]);
 * const brick = scene.add(Body, { mesh: box({ size: [0.2, 0.1, 0.1] }), mass: 1, position: [0, 1, 0] });
 * scene.add(ContactBox, { body: brick, size: [0.2, 0.1, 0.1], ke: 1e4, kd: 10, kf: 50, mu: 0.5 });
 * ```
 * @throws when an option is out of its range.
 */
export function contact(options: ContactOptions = {}): Plugin {
  refuseUnknownOptions<ContactOptions>('contact', options, { bodies: true });
  const bodies = options.bodies && checked(options.bodies);
  return definePlugin({
    name: '@gradsim/contact',
    contract: 1,
    components: [HalfSpace, HalfSpaceMaterial, ...SHAPES.map(({ component }) => component)],
    aspects: [contactOf],
    takes: [BodiesThatTouch, PointsThatTouch, Integrators],
    build: (context) => build(context, bodies),
  });
}

function build(context: BuildContext, onBodies: Required<BodiesOnBodies> | undefined): void {
  const { model, entities } = context;
  const [bodies, points] = [model.offered(BodiesThatTouch), model.offered(PointsThatTouch)];
  refuseIdleMaterials(context, [...bodies, ...points]);
  refuseBounces(context, { bodies, points, shapes: SHAPES.map(({ component }) => component) });
  prepareHalfSpaces(context);
  for (const one of bodies) {
    addVertices(context, one);
    if (entities(HalfSpace).length > 0) warnOfBalls(context, one);
    addSpheres(context, one);
  }
  if (points.length === 0 && !onBodies) {
    refuseIdleShapes(context);
    return;
  }
  const touching = points.flatMap((one) => markTouching(context, one));
  const shapes = onBodies ? touchingShapes(context, onBodies.rounding) : [];
  const reach = Math.max(greatestThickness(context, touching), ...shapes.map(({ radius }) => radius));
  for (const one of touching) addPoints(context, one);
  for (const shape of SHAPES) {
    if (entities(shape.component).length === 0) continue;
    shape.build?.(context, reach);
    addShapeContacts(context, shape, touching);
  }
  if (onBodies) addBodiesOnBodies(context, shapes, onBodies);
}

/** Largest contact thickness of points, m. */
const greatestThickness = ({ model }: BuildContext, touching: readonly ContactPoints[]): number =>
  touching
    .flatMap(({ points }) => Array.from(model.field(contactOf(points.component).thickness).values!))
    .reduce((most, t) => Math.max(most, t), 0);

/**
 * Adds a field that flags the points with contact, and returns their indices; returns an empty list if there are none.
 */
function markTouching(context: BuildContext, points: PointsThatTouch): ContactPoints[] {
  const has = hasContactByElement(context, points.component);
  if (!has.includes(true)) return [];
  context.model.addField(touchesOf(points), { shared: true, values: has.map(Number) });
  return [{ points, numbers: [...has.keys()].filter((k) => has[k]) }];
}

/**
 * Checks that plugins offer the points and bodies that have contact.
 * @throws when no plugin offers any, or an element with contact is of a component that none offers.
 */
function refuseIdleMaterials({ scene, entities }: BuildContext, offered: readonly { component: Component }[]): void {
  if (offered.length === 0)
    throw new GradsimError('contact/nothing-offered', 'The plugin @gradsim/contact has nothing to touch with.', {
      hint: 'Register one that offers points or bodies, @gradsim/rigid or @gradsim/particles say.',
    });
  for (const aspect of scene.components) {
    const [entity] = aspect.aspectsFunction === contactOf ? entities(aspect) : [];
    if (entity === undefined || offered.some(({ component }) => component.domain === aspect.extendedComponent))
      continue;
    throw new GradsimError(
      'contact/nothing-offered',
      `has contact, but no plugin offers ${aspect.extendedComponent} as points or bodies that can touch; those offered are ${offered.map(({ component }) => component.name).join(', ')}.`,
      { element: scene.describe(entity) },
    );
  }
}

/**
 * Checks a scene without points for shapes that only points touch.
 * @throws when there is one.
 */
function refuseIdleShapes(context: BuildContext): void {
  const { scene, entities } = context;
  for (const { component } of SHAPES) {
    for (const entity of entities(component)) {
      const isSphere = component === ContactSphere;
      if (isSphere && ownerOf(context, entity, component)) continue;
      throw new GradsimError(
        'contact/nothing-offered',
        `only points touch ${component.name}${isSphere ? ' without a body' : ''}, and no plugin of this scene has any.`,
        { element: scene.describe(entity), hint: 'Register one that does, @gradsim/particles say.' },
      );
    }
  }
}
