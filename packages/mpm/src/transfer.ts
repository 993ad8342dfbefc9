import type { F32, Kernel, Mat33, Vec3 } from '@gradsim/core';
import { fieldOn, kernel, mat33, vec4 } from '@gradsim/core';
import type { Grid, Stencil } from '@gradsim/dynamics';
import { componentsOf, pointOf } from '@gradsim/dynamics/internal';
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

/** m x of the components of x that a grid has, as a sum by columns, which stencils share. */
const times = (m: Mat33, x: readonly F32[]): Vec3 =>
  x.map((c, k) => m.column(k).mul(c) as Vec3).reduce((a, b) => a.add(b));

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
      const average = spatial(velocity.components.slice(0, nodes.size.length)).mul(mass);
      for (const { at, weight, offset } of stencilOf(nodes, position)) {
        const { x, y, z } = spatial(
          average.add(times(change, componentsOf(offset))).components.slice(0, nodes.size.length),
        );
        momentum.add(at, vec4(x, y, z, mass).mul(weight));
      }
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
      const near = stencilOf(nodes, position);
      const velocity = near.sum(({ at, weight }) => flow.at(at).mul(weight));
      const velocityGradient = near
        .sum(({ at, weight, offset }) => dyad(flow.at(at).mul(weight), spatial(componentsOf(offset))))
        .mul(4 / nodes.spacing ** 2);
      return {
        position: position.add(velocity.mul(dt)),
        velocity,
        velocityGradient,
        strain: advance(strain, velocityGradient.mul(dt), own),
      };
    },
  );
}

/** Product of a column and a row. */
const dyad = (a: Vec3, b: Vec3): Mat33 => mat33(...a.components.flatMap((x) => b.components.map((y) => x.mul(y))));
