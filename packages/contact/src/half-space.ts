import type { F32, Index, Reader } from '@gradsim/core';
import { f32, on, select, vec3 } from '@gradsim/core';
import type { Material } from './material.ts';
import { combine, type SURFACE_NAMES, surfaceIn, surfaceOf } from './material.ts';

/** What a kernel reads of the half-space that something touches. */
export const HALF_SPACE = {
  unitNormal: on('halfSpaces', vec3),
  offset: on('halfSpaces', f32),
  hasMaterial: on('halfSpaces', f32),
  ...surfaceIn('halfSpaces'),
} as const;

type Surface = Readonly<Record<'hasMaterial' | keyof typeof SURFACE_NAMES, Reader<F32>>>;

/** The material in touch: that of what touches, combined with the half-space's where it has one. */
export function materialOn(surface: Surface, halfSpace: Index, own: Material): Material {
  const both = combine(own, surfaceOf(surface, halfSpace));
  const hasBoth = surface.hasMaterial.at(halfSpace).gt(0);
  return {
    ke: select(hasBoth, both.ke, own.ke),
    kd: select(hasBoth, both.kd, own.kd),
    kf: select(hasBoth, both.kf, own.kf),
    mu: select(hasBoth, both.mu, own.mu),
  };
}
