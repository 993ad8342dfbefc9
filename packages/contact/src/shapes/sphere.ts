import { column, defineComponent, f32, norm, normalize, vec3 } from '@gradsim/core';
import { bounce } from '../bounce.ts';
import { readsOnElements } from '../fields.ts';
import { attachedMaterial } from '../material.ts';
import { POINT_CORE } from './core.ts';
import { body, shapeOf } from './shape.ts';
import { solidOf } from './solid.ts';

/**
 * A sphere that points touch. It belongs to `body`, or is static if that is not given. A sphere of a body touches
 * half-spaces too: exact for balls, where the vertices of a mesh would bounce like a polyhedron; several make a rounded
 * shape. It adds neither mass nor looks to the body.
 *
 * ```ts
 * const ball = scene.add(Body, { mesh: icosphere({ radius: 0.02 }), mass: 0.01, position: [0, 2, 0] });
 * scene.add(ContactSphere, { body: ball, radius: 0.02, ke: 2e3, kd: 2 });
 * ```
 */
export const ContactSphere = defineComponent(
  'spheres',
  {
    body,
    /** Centre relative to the body's centre of mass, in body axes, m; in world axes for a static sphere. */
    position: column(vec3, { default: 0, unit: 'm' }),
    radius: column(f32, { unit: 'm', range: 'positive' }),
    ...attachedMaterial,
    ...bounce,
  },
  {},
  { noun: 'contact sphere' },
);

export const spheres = shapeOf({
  component: ContactSphere,
  solid: solidOf({
    surface: 'ball',
    coreOf: ({ scene }, sphere) => ({
      core: POINT_CORE,
      half: [0, 0, 0],
      radius: scene.get(sphere, ContactSphere, 'radius')[0],
      extent: [0, 0, 0],
    }),
    reads: readsOnElements({ ownRadius: ContactSphere.radius }),
    size: ({ ownRadius }, shape) => ({ half: vec3(0, 0, 0), radius: ownRadius.at(shape) }),
  }),
  reads: readsOnElements({ radius: ContactSphere.radius }),
  surface:
    ({ radius }, { shape, shapePosition }) =>
    (point) => {
      const away = point.sub(shapePosition.at(shape));
      return { distance: norm(away).sub(radius.at(shape)), normal: normalize(away) };
    },
});
