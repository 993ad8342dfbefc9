import type { F32, Vec3 } from '@gradsim/core';
import { column, defineComponent, f32, norm, normalize, vec3 } from '@gradsim/core';
import { readsOnElements } from '../fields.ts';
import { material } from '../material.ts';
import { excessBeyond } from './beyond.ts';
import { segmentCore } from './core.ts';
import type { SurfaceDistance } from './shape.ts';
import { body, placement, shapeOf } from './shape.ts';
import { solidOf } from './solid.ts';

/**
 * A capsule that points touch: all points within `radius` of a segment along its y axis. It belongs to `body`, or is
 * static if that is not given.
 *
 * ```ts
 * scene.add(ContactCapsule, { position: [0, 1, 0], orientation: [0, 0, Math.SQRT1_2, Math.SQRT1_2], length: 2, radius:
 * 0.05, ke: 2e3 });
 * ```
 */
export const ContactCapsule = defineComponent(
  'capsules',
  {
    body,
    ...placement,
    /** Length of the segment between the centres of the two round ends, m; 0 makes a sphere. */
    length: column(f32, { unit: 'm', range: 'nonNegative' }),
    radius: column(f32, { unit: 'm', range: 'positive' }),
    ...material,
  },
  {},
  { noun: 'contact capsule' },
);

/**
 * Returns the exact signed distance to a capsule about the origin, m, and the normal. On the segment itself the normal
 * is undefined, so there is no force.
 */
function nearCapsule(point: Vec3, length: F32, radius: F32): SurfaceDistance {
  const away = vec3(point.x, excessBeyond(point.y, length.mul(0.5)), point.z);
  return { distance: norm(away).sub(radius), normal: normalize(away) };
}

export const capsules = shapeOf({
  component: ContactCapsule,
  solid: solidOf({
    surface: 'rounded',
    coreOf: ({ scene }, capsule) => {
      const [length, radius] = (['length', 'radius'] as const).map(
        (size) => scene.get(capsule, ContactCapsule, size)[0],
      );
      return { core: segmentCore(length, radius), half: [0, length / 2, 0], radius, extent: [0, 1, 0] };
    },
    reads: readsOnElements({ length: ContactCapsule.length, ownRadius: ContactCapsule.radius }),
    size: ({ length, ownRadius }, shape) => ({
      half: vec3(0, length.at(shape).mul(0.5), 0),
      radius: ownRadius.at(shape),
    }),
  }),
  orientation: ContactCapsule.orientation,
  reads: readsOnElements({ length: ContactCapsule.length, radius: ContactCapsule.radius }),
  surface:
    ({ length, radius }, { shape }) =>
    (point) =>
      nearCapsule(point, length.at(shape), radius.at(shape)),
});
