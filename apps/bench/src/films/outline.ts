import type { FieldOf, Plugin, Vec3 } from '@gradsim/core';
import {
  bind,
  definePlugin,
  f32,
  field,
  index,
  kernel,
  max,
  on,
  perWorld,
  sqrt,
  vec2,
  vec3,
} from '@gradsim/core';
import { outline, outlineShift } from '@gradsim/film';
import type { Pinhole } from './camera.ts';
import { focalLength, fromCamera } from './camera.ts';

/**
 * The outline of a ball: an ellipse, whose middle is a little farther from the picture's middle than that of the ball is
 * seen. In directions (u, v, 1) from the eye it is (u x + v y + z)^2 = (u^2 + v^2 + 1)(x^2 + y^2 + z^2 - r^2), of which the
 * middle is (x, y) z / (z^2 - r^2), and the half axes are r / sqrt(z^2 - r^2) and that times
 * sqrt((x^2 + y^2 + z^2 - r^2) / (z^2 - r^2)).
 *
 * @param position of the only element of its domain: a body or particle.
 */
export function ballOutline(
  camera: Pinhole,
  radius: number,
  position: FieldOf<Vec3>,
  element: number,
  requires: string,
): Plugin {
  const focal = focalLength(camera);
  const draw = kernel(
    'ballOutline',
    {
      domain: 'world',
      reads: { position: on(position.domain, vec3), outlineShift },
      writes: { outline },
    },
    ({ position: at, outlineShift: shift }) => {
      const { right, up, depth } = fromCamera(camera, at.at(element));
      const below = depth.mul(depth).sub(radius * radius);
      const stretched = right.mul(right).add(up.mul(up)).div(below).add(1);
      const size = sqrt(sqrt(stretched))
        .mul(focal * radius)
        .div(sqrt(below));
      return {
        outline: vec3(
          right
            .mul(depth)
            .div(below)
            .mul(focal)
            .add(camera.width / 2),
          up
            .mul(depth)
            .div(below)
            .mul(-focal)
            .add(camera.height / 2),
          size,
        ).add(shift),
      };
    },
  );
  return definePlugin({
    name: 'bench/ball-outline',
    contract: 1,
    requires: [requires],
    build: ({ model }) => {
      model.addField(outlineShift, { fill: 0 });
      model.addPass('observe', draw);
    },
  });
}

const area = field('world', 'outlineArea', f32);
const moment = field('world', 'outlineMoment', vec2);
/** A surface whose corners go with elements that move. */
export interface MovingSurface {
  /** The domain of these elements, of which the field `position` is. */
  readonly domain: string;
  /** Three elements a triangle, counter-clockwise seen from outside. */
  readonly corners: ArrayLike<number>;
  /** How far each corner is from its element along z, m. Default 0. */
  readonly across?: readonly number[];
  readonly requires: string;
}

/** The outline of the mesh of the only body, which is convex. */
export const meshOutline = (camera: Pinhole, corners: ArrayLike<number>): Plugin =>
  surfaceOutline(camera, { domain: 'bodyVertices', corners, requires: '@gradsim/rigid' });

/**
 * The outline of a closed surface of which no part hides another: the triangles that face the camera cover it once, so its
 * area and moments are sums over theirs.
 */
export function surfaceOutline(camera: Pinhole, surface: MovingSurface): Plugin {
  const { domain, across = Array(surface.corners.length).fill(0) } = surface;
  const focal = focalLength(camera);
  const cover = kernel(
    'coverOutline',
    {
      domain: 'outlineTriangles',
      reads: { corners: index(domain, 3), across: vec3, position: on(domain, vec3) },
      adds: { area: perWorld(f32), moment: perWorld(vec2) },
    },
    ({ corners, across, position, area, moment }) => {
      const aside = [across.x, across.y, across.z];
      const [a, b, c] = corners.map((corner, k) => {
        const at = position.at(corner).add(vec3(0, 0, aside[k]));
        const { right, up, depth } = fromCamera(camera, at);
        return vec2(right.div(depth).mul(focal), up.div(depth).mul(focal));
      });
      const [u, v] = [b.sub(a), c.sub(a)];
      // Counter-clockwise, seen from outside.
      const own = max(u.x.mul(v.y).sub(u.y.mul(v.x)).mul(0.5), 0);
      area.add(own);
      moment.add(a.add(b).add(c).mul(own.div(3)));
    },
  );
  const draw = kernel(
    'drawOutline',
    { domain: 'world', reads: { area, moment, outlineShift }, writes: { outline } },
    ({ area, moment, outlineShift: shift }) => ({
      outline: vec3(
        moment.x.div(area).add(camera.width / 2),
        moment.y
          .div(area)
          .neg()
          .add(camera.height / 2),
        sqrt(area.div(Math.PI)),
      ).add(shift),
    }),
  );
  return definePlugin({
    name: 'bench/mesh-outline',
    contract: 1,
    requires: [surface.requires],
    build: ({ model }) => {
      model.addDomain('outlineTriangles', surface.corners.length / 3);
      model.addIndex('outlineTriangles', 'corners', domain, 3, surface.corners);
      model.addField('outlineTriangles', 'across', vec3, { values: across });
      model.addField(outlineShift, { fill: 0 });
      model.addAccumulator(area);
      model.addAccumulator(moment);
      model.addPass('observe', bind(cover, { area, moment }));
      model.addPass('observe', draw);
    },
  });
}
