import type { Kernel, Mat33, Vec3 } from '@gradsim/core';
import { fieldOn, kernel, mat33, vec3, vec4 } from '@gradsim/core';
import type { Grid, Stencil } from '@gradsim/dynamics';
import { pointOf } from '@gradsim/dynamics/internal';
import type { Material } from './material.ts';
import type { NODES } from './nodes.ts';
import { momentum, nodeVelocity, spatial } from './nodes.ts';

/*
 * Moving least squares material points: Y. Hu et al., A Moving Least Squares Material Point Method, 2018, with the affine
 * transfer of C. Jiang et al., The Affine Particle-In-Cell Method, 2015. With quadratic splines the sum of the weights
 * times offset times offset is h^2 / 4.
 */

const stencilOf = (nodes: Grid<typeof NODES>, position: Vec3): Stencil =>
  nodes.spline2(pointOf(position.components.slice(0, nodes.size.length)));

/**
 * Adds a point's mass and momentum to the nodes around it: m (v + C d) - dt V 4/h^2 tau d at the offset d, with the
 * gradient C of the velocity and Kirchhoff's stress tau.
 */
export function scatter({ component, columns, stress }: Material, nodes: Grid<typeof NODES>): Kernel {
  const { position, velocity, volume, density, strain, velocityGradient } = component;
  return kernel(
    `scatter_${component.domain}`,
    {
      domain: component,
      reads: { position, velocity, volume, density, strain, velocityGradient, ...columns },
      adds: { momentum: fieldOn(momentum) },
    },
    ({ position, velocity, volume, density, strain, velocityGradient, momentum, ...own }, { dt }) => {
      const mass = volume.mul(density);
      const pull = stress(strain, velocityGradient, own).mul(dt.mul(volume).mul(4 / nodes.spacing ** 2));
      const change = velocityGradient.mul(mass).sub(pull);
      const axes = nodes.size.map((_, axis) => axis);
      const along = (v: Vec3): Vec3 => spatial(axes.map((axis) => v.components[axis]));
      const { x, y, z } = along(velocity).mul(mass);
      const slopes = axes.map((axis) => {
        const { x, y, z } = along(change.column(axis) as Vec3);
        return vec4(x, y, z, 0);
      });
      stencilOf(nodes, position).spread(vec4(x, y, z, mass), slopes, (at, value) => momentum.add(at, value));
    },
  );
}

/** Moves a point by the velocity of the nodes around it, and strains it by their gradient. */
export function gather({ component, columns, advance }: Material, nodes: Grid<typeof NODES>): Kernel {
  const { position, velocity, strain, velocityGradient } = component;
  return kernel(
    `gather_${component.domain}`,
    {
      domain: component,
      reads: { position, strain, ...columns, flow: fieldOn(nodeVelocity) },
      writes: { position, velocity, strain, velocityGradient },
    },
    ({ position, strain, flow, ...own }, { dt }) => {
      const { sum: velocity, byAxis } = stencilOf(nodes, position).moments((at) => flow.at(at));
      const [x, y, z = vec3(0, 0, 0)] = byAxis;
      const velocityGradient = columns33(x, y, z).mul(4 / nodes.spacing ** 2);
      return {
        position: position.add(velocity.mul(dt)),
        velocity,
        velocityGradient,
        strain: advance(strain, velocityGradient.mul(dt), own),
      };
    },
  );
}

/** Matrix of three columns. */
const columns33 = (...columns: readonly Vec3[]): Mat33 =>
  mat33(...[0, 1, 2].flatMap((row) => columns.map((column) => column.components[row])));
