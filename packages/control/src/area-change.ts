import { cross as crossProduct, norm as lengthOf, subtract, vectorAt } from '@gradsim/base';
import type { FieldOf, Plugin, Vec3 } from '@gradsim/core';
import {
  bind,
  cross,
  definePlugin,
  f32,
  fieldOn,
  GradsimError,
  index,
  kernel,
  norm,
  perWorld,
  vec3,
} from '@gradsim/core';

/**
 * Triangle mesh: `positions` of its vertices, x, y, z in turn, m, and `triangles`, three vertex numbers each; both
 * flat.
 */
export interface Surface {
  readonly positions: ArrayLike<number>;
  readonly triangles: ArrayLike<number>;
}

/**
 * Adds the field `world.areaChange`: the mean over a surface's triangles of (area / rest area - 1)^2, integrated over
 * time from the start of the run, s. As a loss it keeps a controller from inflating or crushing the surface.
 *
 * ```ts
 * const mesh = plane({ size: [1, 1] });
 * const scene = createScene([particles(), cloth(), areaChange(Particle.position, mesh)]);
 * addCloth(scene, mesh, { mu: 1e3, lambda: 1e3, mass: 0.1 });
 * const losses = [{ field: 'world.areaChange', frames: 'last', weight: 0.1 }];
 * ```
 * @param position field of the points; element k of its domain is vertex k of the surface.
 * @param surface the mesh at rest.
 * @throws for a surface without triangles, a triangle of zero area, or a vertex number out of range; when the model is
 * built, if the field has fewer elements than the surface has vertices.
 */
export function areaChange(position: FieldOf<Vec3>, { positions, triangles }: Surface): Plugin {
  const [vertices, count] = [positions.length / 3, triangles.length / 3];
  if (!(count >= 1 && Number.isInteger(count) && Number.isInteger(vertices)))
    throw new GradsimError(
      'control/wrong-size',
      `areaChange: the surface has ${triangles.length} numbers of vertices and ${positions.length} of positions; it needs three for each triangle and vertex.`,
    );
  const wrong = Array.from(triangles).findIndex((v) => !(Number.isInteger(v) && v >= 0 && v < vertices));
  if (wrong >= 0)
    throw new GradsimError(
      'control/no-such-vertex',
      `areaChange: triangle ${Math.floor(wrong / 3)} has the vertex ${triangles[wrong]}; there are 0 to ${vertices - 1}.`,
    );
  const rest = Float64Array.from({ length: count }, (_, t) => triangleAreaAt(positions, triangles, t));
  const flat = rest.findIndex((area) => !(area > 0 && Number.isFinite(area)));
  if (flat >= 0)
    throw new GradsimError(
      'control/degenerate-triangle',
      `areaChange: triangle ${flat} has the area ${rest[flat]} m^2 at rest.`,
    );
  return definePlugin({
    name: '@gradsim/control/area-change',
    contract: 1,
    build: ({ model }) => {
      const { domain } = model.field(position);
      const { size } = model.domain(domain);
      if (size < vertices)
        throw new GradsimError(
          'control/wrong-size',
          `areaChange: the surface has ${vertices} vertices, and this scene ${size} ${domain}.`,
        );
      model.addDomain(AREA_DOMAIN, count);
      model.addIndex(AREA_DOMAIN, 'corners', domain, 3, Array.from(triangles));
      model.addField(AREA_DOMAIN, 'restArea', f32, { values: rest, unit: 'm^2', range: 'positive' });
      model.addField('world', 'areaChange', f32, { fill: 0, unit: 's' });
      const square = kernel(
        'squareOfAreaChange',
        {
          domain: AREA_DOMAIN,
          reads: { corners: index(domain, 3), point: fieldOn(domain, vec3), restArea: f32 },
          adds: { square: perWorld(f32) },
        },
        ({ corners: [a, b, c], point, restArea, square: sum }) => {
          const from = point.at(a);
          const area = norm(cross(point.at(b).sub(from), point.at(c).sub(from))).mul(0.5);
          const change = area.div(restArea).sub(1);
          sum.add(change.mul(change).div(count));
        },
      );
      const integrate = kernel(
        'integralOfAreaChange',
        { domain: 'world', reads: { square: f32, areaChange: f32 }, writes: { areaChange: f32 } },
        ({ square: rate, areaChange: sum }, { dt }) => ({ areaChange: sum.add(rate.mul(dt)) }),
      );
      model.addPass('control', bind(square, { square: 'areaChangeRate', point: position }));
      model.addPass('control', bind(integrate, { square: 'areaChangeRate' }));
    },
  });
}

const AREA_DOMAIN = 'areasHeld';

function triangleAreaAt(positions: ArrayLike<number>, triangles: ArrayLike<number>, t: number): number {
  const [a, b, c] = [0, 1, 2].map((k) => vectorAt(positions, triangles[3 * t + k]));
  return lengthOf(crossProduct(subtract(b, a), subtract(c, a))) / 2;
}
