import type { F32, Kernel, Vec3 } from '@gradsim/core';
import { field, kernel, vec3, vec4, when } from '@gradsim/core';
import type { Grid } from '@gradsim/dynamics';
import { gravity } from '@gradsim/dynamics';
import { componentsOf } from '@gradsim/dynamics/internal';
import type { Walls } from './walls.ts';

/** Domain of the grid's nodes. */
export const NODES = 'mpmNodes';
/** Momentum (x, y, z), kg m/s, and mass (w), kg, of a node: one sum over all points near it. */
export const momentum = field(NODES, 'momentum', vec4);
/** Velocity of a node after gravity and walls, m/s. */
export const nodeVelocity = field(NODES, 'velocity', vec3, { unit: 'm/s' });

/** Mass below which a node counts as empty, kg: single precision has no whole digits left below. */
const LEAST_MASS = 1e-30;

/** Three components, those beyond a grid's axes 0. */
export const spatial = (components: readonly F32[]): Vec3 =>
  vec3(components[0], components[1] ?? 0, components[2] ?? 0);

/** Computes the velocity of every node: momentum over mass, gravity, then what walls allow. */
export function moveNodes(nodes: Grid<typeof NODES>, walls: Walls): Kernel {
  return kernel(
    'moveNodes',
    {
      domain: nodes,
      reads: { momentum, gravity, ...walls.reads },
      adds: walls.adds,
      writes: { velocity: nodeVelocity },
    },
    ({ momentum, gravity, ...handles }, { element, dt }) => {
      const { x, y, z, w: mass } = momentum;
      const moved = (): Vec3 => {
        const free = vec3(x, y, z).div(mass).add(gravity.mul(dt));
        const velocity = spatial(free.components.slice(0, nodes.size.length));
        const place = spatial(componentsOf(nodes.at(element).position));
        return walls.velocityAlongWalls({ place, velocity, mass, dt }, handles);
      };
      return { velocity: when(mass.gt(LEAST_MASS), moved, () => vec3(0, 0, 0)) };
    },
  );
}
