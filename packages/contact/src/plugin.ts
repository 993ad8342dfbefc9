import type { BuildContext, Plugin } from '@gradsim/core';
import { definePlugin, f32 } from '@gradsim/core';
import { BodiesThatTouch, PointsThatTouch } from '@gradsim/physics';
import { unitNormal } from './bodies.ts';
import { BodyContact, HalfSpace, HalfSpaceMaterial, ParticleContact } from './components.ts';
import {
  addBodyContacts,
  addParticleContacts,
  addShapeContacts,
  addSphereContacts,
  markTouching,
} from './pairs.ts';
import { boxes } from './shapes/box.ts';
import { capsules } from './shapes/capsule.ts';
import { meshes } from './shapes/mesh.ts';
import type { Shape } from './shapes/shape.ts';
import { bodyNumber } from './shapes/shape.ts';
import { spheres } from './shapes/sphere.ts';
import { bodiesIn, pointsIn } from './touching.ts';

const SHAPES: readonly Shape[] = [spheres, boxes, capsules, meshes];

/**
 * Compliant contact with friction: vertices and spheres of bodies against half-spaces, particles against half-spaces
 * and against spheres, boxes, capsules and meshes, of bodies or standing in the world. It needs `rigid`, `particles` or
 * both.
 *
 * ```ts
 * const scene = createScene([rigid(), contact()]);
 * const body = scene.add(Body, { mesh: box({ size: [0.2, 0.2, 0.2] }), density: 500, position: [0, 1, 0] });
 * scene.attach(body, BodyContact, { ke: 1e4, kd: 10, kf: 50, mu: 0.5 });
 * scene.add(HalfSpace, {});
 * ```
 */
export function contact(): Plugin {
  return definePlugin({
    name: '@gradsim/contact',
    contract: 1,
    components: [
      HalfSpace,
      HalfSpaceMaterial,
      BodyContact,
      ParticleContact,
      ...SHAPES.map(({ component }) => component),
    ],
    takes: [BodiesThatTouch, PointsThatTouch],
    build,
  });
}

function build(context: BuildContext): void {
  const [bodies, points] = [bodiesIn(context), pointsIn(context)];
  if (!bodies && !points) {
    throw new Error(
      'The plugin @gradsim/contact has nothing to touch with: register @gradsim/rigid, @gradsim/particles or both.',
    );
  }
  prepareHalfSpaces(context);
  if (bodies) {
    addBodyContacts(context, bodies);
    addSphereContacts(context);
  }
  if (!points) {
    refuseIdleShapes(context);
    return;
  }
  markTouching(context, points);
  addParticleContacts(context);
  for (const shape of SHAPES) {
    if (context.entities(shape.component).length === 0) continue;
    shape.build?.(context);
    addShapeContacts(context, shape);
  }
}

/** Normals of unit length, and which have a material. @throws when a normal is zero. */
function prepareHalfSpaces({ scene, model, entities }: BuildContext): void {
  const halfSpaces = entities(HalfSpace);
  for (const entity of halfSpaces) {
    if (scene.get(entity, HalfSpace, 'normal').every((n) => n === 0))
      throw new Error(
        `${scene.describe(entity)}: halfSpaces.normal is (0, 0, 0); it must point away from the inside.`,
      );
  }
  const hasMaterial = halfSpaces.map((entity) => (scene.has(entity, HalfSpaceMaterial.name) ? 1 : 0));
  model.addField('halfSpaces', 'hasMaterial', f32, { values: hasMaterial });
  model.addPass('setup', unitNormal);
}

/** @throws for what only particles touch, in a scene that has none. */
function refuseIdleShapes(context: BuildContext): void {
  const { scene, entities } = context;
  for (const shape of SHAPES) {
    for (const entity of entities(shape.component)) {
      if (shape === spheres && bodyNumber(context, entity, shape.component) !== undefined) continue;
      throw new Error(
        `${scene.describe(entity)}: only particles touch ${shape.component.name}${shape === spheres ? ' without a body' : ''}, and no plugin of this scene has any; register @gradsim/particles.`,
      );
    }
  }
}
