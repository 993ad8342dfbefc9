import type { Kernel } from '@gradsim/core';
import { f32, kernel } from '@gradsim/core';
import { leastRateOf } from '@gradsim/dynamics';
import type { Material } from './material.ts';

/**
 * Largest wave number that the grid resolves, times the distance h of nodes. Measured: with four points a cell, in two
 * and three dimensions, motion stays bounded up to substeps of 1.2 h over the speed of sound, which is 1.6; the rest is
 * for surfaces and compression.
 */
const WAVE_NUMBER = 2;

/**
 * Kernel that computes the minimum number of substeps per second of each point, as of particles: w = k sqrt(modulus /
 * density), c = k^2 viscosity / density and k = WAVE_NUMBER / h.
 */
export function leastRate({ component, columns, modulus, viscosity }: Material, spacing: number): Kernel {
  const { density, leastRate } = component;
  const square = (WAVE_NUMBER / spacing) ** 2;
  return kernel(
    `leastRate_${component.domain}`,
    { domain: component, reads: { density, ...columns }, writes: { leastRate } },
    ({ density, ...own }) => {
      const squareW = modulus(own).div(density).mul(square);
      const c = viscosity?.(own).div(density).mul(square) ?? f32(0);
      return { leastRate: leastRateOf(c, squareW) };
    },
  );
}
