import { vectorAt, vectorOf } from '@gradsim/base';
import type { Vec3 } from '@gradsim/core';
import { abs, column, defineComponent, detach, f32, max, norm, select, vec3 } from '@gradsim/core';
import { box } from '@gradsim/mesh';
import { readsOnElements } from '../fields.ts';
import { material } from '../material.ts';
import { excessBeyond } from './beyond.ts';
import { CUBE_CORE } from './core.ts';
import type { SurfaceDistance } from './shape.ts';
import { body, placement, shapeOf } from './shape.ts';
import { solidOf } from './solid.ts';

/**
 * A box that points touch. It belongs to `body`, or is static if that is not given.
 *
 * ```ts
 * const brick = scene.add(Body, { mesh: box({ size: [0.2, 0.1, 0.1] }), mass: 1, position: [0, 1, 0] });
 * scene.add(ContactBox, { body: brick, size: [0.2, 0.1, 0.1], ke: 2e3, kd: 2 });
 * scene.add(ContactBox, { position: [0, -0.5, 0], size: [4, 1, 4], ke: 2e3 }); // a table
 * ```
 */
export const ContactBox = defineComponent(
  'boxes',
  {
    body,
    ...placement,
    /** Edge lengths along the box's x, y and z axes, m. */
    size: column(vec3, { unit: 'm', range: 'positive' }),
    ...material,
  },
  {},
  { noun: 'contact box' },
);

/**
 * Distance from an edge of a box, over its size, below which derivatives take the normal as constant: it turns by all
 * directions there within what rounding moves a point, and its derivative, one over the distance, would be as good as
 * infinite.
 */
const ON_EDGE = 2 ** -20;

/**
 * Returns the exact signed distance to a box about the origin, m, and the normal. Outside, the normal points away from
 * the nearest point of the box and is continuous around edges and corners. Inside, it is the normal of the nearest
 * face, and jumps where two faces are equally near; points whose contact thickness exceeds their penetration never get
 * inside. A size may be 0 along axes, as those of the cores of spheres and capsules are.
 */
export function nearBox(point: Vec3, size: Vec3): SurfaceDistance {
  const half = size.mul(0.5).components;
  const past = point.components.map((x, k) => abs(x).sub(half[k]));
  const sides = point.components.map((x) => select(x.ge(0), f32(1), f32(-1)));
  const [x, y, z] = point.components.map((p, k) => excessBeyond(p, half[k]));
  const outside = norm(vec3(x, y, z));
  const isOutside = outside.gt(0);
  const isX = past[0].ge(past[1]).and(past[0].ge(past[2]));
  const isY = isX.not().and(past[1].ge(past[2]));
  const face = [isX, isY, isX.or(isY).not()].map((isIt) => select(isIt, f32(1), f32(0)));
  // Beyond one face alone the normal is that of the face: its quotient's derivative, 0, would cancel close to the face.
  const [pastX, pastY, pastZ] = past.map((p) => p.ge(0));
  const isRound = isOutside.and(pastX.and(pastY).or(pastZ.and(pastX.or(pastY))));
  const over = f32(1).div(select(isOutside, outside, f32(1)));
  const isOnEdge = outside.lt(half[0].add(half[1]).add(half[2]).mul(ON_EDGE));
  const [nx, ny, nz] = [x, y, z].map((e, k) => {
    const round = e.mul(over);
    return select(isRound, select(isOnEdge, detach(round), round), face[k].mul(sides[k]));
  });
  return {
    distance: select(isOutside, outside, max(max(past[0], past[1]), past[2])),
    normal: vec3(nx, ny, nz),
  };
}

export const boxes = shapeOf({
  component: ContactBox,
  solid: solidOf({
    surface: 'sharp',
    coreOf: ({ scene }, entity, share) => {
      const size = vectorAt(scene.get(entity, ContactBox, 'size'), 0);
      const radius = share * Math.min(...size);
      const half = vectorOf((k) => size[k] / 2 - radius);
      return { core: CUBE_CORE, half, radius, extent: [1, 1, 1], mesh: box({ size }) };
    },
    reads: readsOnElements({ size: ContactBox.size }),
    size: ({ size }, shape, rounding) => ({
      half: size
        .at(shape)
        .mul(0.5)
        .sub(vec3(rounding, rounding, rounding)),
      radius: rounding,
    }),
  }),
  orientation: ContactBox.orientation,
  reads: readsOnElements({ size: ContactBox.size }),
  surface:
    ({ size }, { shape }) =>
    (point) =>
      nearBox(point, size.at(shape)),
});
