import type { BuildContext, Component, Plugin } from '@gradsim/core';
import { definePlugin } from '@gradsim/core';
import { BodiesThatTouch, PointsThatTouch } from '@gradsim/physics';
import { refuseBounces } from './bounce-refusals.ts';
import { contactOf, HalfSpace, HalfSpaceMaterial } from './components.ts';
import { addPoints, addSpheres, addVertices, prepareHalfSpaces } from './half-space.ts';
import { boxes } from './shapes/box.ts';
import { capsules } from './shapes/capsule.ts';
import { meshes } from './shapes/mesh.ts';
import type { Shape } from './shapes/shape.ts';
import { addShapeContacts } from './shapes/shape.ts';
import { ContactSphere, spheres } from './shapes/sphere.ts';
import type { Touching } from './touching.ts';
import { ownerOf, touchesOf, withContact } from './touching.ts';

const SHAPES: readonly Shape[] = [spheres, boxes, capsules, meshes];

/**
 * Compliant contact with friction: vertices and spheres of bodies against half-spaces, points against half-spaces and
 * against spheres, boxes, capsules and meshes, of bodies or standing in the world. Points and bodies are those of
 * `particles`, of `rigid`, and of any plugin that offers some as `PointsThatTouch` or `BodiesThatTouch`; it needs one.
 *
 * ```ts
 * const scene = createScene([rigid(), contact()]);
 * const body = scene.add(Body, { mesh: box({ size: [0.2, 0.2, 0.2] }), density: 500, position: [0, 1, 0] });
 * scene.attach(body, contactOf(Body), { ke: 1e4, kd: 10, kf: 50, mu: 0.5 });
 * scene.add(HalfSpace, {});
 * ```
 */
export function contact(): Plugin {
  return definePlugin({
    name: '@gradsim/contact',
    contract: 1,
    components: [HalfSpace, HalfSpaceMaterial, ...SHAPES.map(({ component }) => component)],
    aspects: [contactOf],
    takes: [BodiesThatTouch, PointsThatTouch],
    build,
  });
}

function build(context: BuildContext): void {
  const { model, entities } = context;
  const [bodies, points] = [model.offered(BodiesThatTouch), model.offered(PointsThatTouch)];
  refuseIdleMaterials(context, [...bodies, ...points]);
  refuseBounces(context, { bodies, points, shapes: SHAPES.map(({ component }) => component) });
  prepareHalfSpaces(context);
  for (const one of bodies) {
    addVertices(context, one);
    addSpheres(context, one);
  }
  if (points.length === 0) {
    refuseIdleShapes(context);
    return;
  }
  const touching = points.flatMap((one) => markTouching(context, one));
  for (const one of touching) addPoints(context, one);
  for (const shape of SHAPES)
    if (entities(shape.component).length > 0) addShapeContacts(context, shape, touching);
}

/** Says in the model which points have contact; nothing where none has. */
function markTouching(context: BuildContext, points: PointsThatTouch): Touching[] {
  const has = withContact(context, points.component);
  if (!has.includes(true)) return [];
  context.model.addField(touchesOf(points), { shared: true, values: has.map(Number) });
  return [{ points, numbers: [...has.keys()].filter((k) => has[k]) }];
}

/** @throws for contact of what no plugin offers, and where none offers anything. */
function refuseIdleMaterials(
  { scene, entities }: BuildContext,
  offered: readonly { component: Component }[],
): void {
  if (offered.length === 0)
    throw new Error(
      'The plugin @gradsim/contact has nothing to touch with: register one that offers points or bodies, @gradsim/rigid or @gradsim/particles say.',
    );
  for (const aspect of scene.components) {
    const [entity] = aspect.from === contactOf ? entities(aspect) : [];
    if (entity === undefined || offered.some(({ component }) => component.domain === aspect.of)) continue;
    throw new Error(
      `${scene.describe(entity)} has contact, but no plugin offers ${aspect.of} as points or bodies that can touch; those offered are ${offered.map(({ component }) => component.name).join(', ')}.`,
    );
  }
}

/** @throws for what only points touch, in a scene that has none. */
function refuseIdleShapes(context: BuildContext): void {
  const { scene, entities } = context;
  for (const { component } of SHAPES) {
    for (const entity of entities(component)) {
      const isSphere = component === ContactSphere;
      if (isSphere && ownerOf(context, entity, component)) continue;
      throw new Error(
        `${scene.describe(entity)}: only points touch ${component.name}${isSphere ? ' without a body' : ''}, and no plugin of this scene has any; register one that does, @gradsim/particles say.`,
      );
    }
  }
}
