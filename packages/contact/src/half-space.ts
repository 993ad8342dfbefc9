import type { F32, Index, Reader } from '@gradsim/core';
import { f32, on, select, vec3 } from '@gradsim/core';
import type { Material } from './law.ts';
import { combine } from './law.ts';

/** What a kernel reads of the half-space that something touches. */
export const HALF_SPACE = {
  unitNormal: on('halfSpaces', vec3),
  offset: on('halfSpaces', f32),
  hasMaterial: on('halfSpaces', f32),
  surfaceKe: on('halfSpaces', f32),
  surfaceKd: on('halfSpaces', f32),
  surfaceKf: on('halfSpaces', f32),
  surfaceMu: on('halfSpaces', f32),
} as const;

type Surface = Readonly<
  Record<'hasMaterial' | 'surfaceKe' | 'surfaceKd' | 'surfaceKf' | 'surfaceMu', Reader<F32>>
>;

/** The material in touch: that of what touches, combined with the half-space's where it has one. */
export function materialOn(surface: Surface, halfSpace: Index, own: Material): Material {
  const both = combine(own, {
    ke: surface.surfaceKe.at(halfSpace),
    kd: surface.surfaceKd.at(halfSpace),
    kf: surface.surfaceKf.at(halfSpace),
    mu: surface.surfaceMu.at(halfSpace),
  });
  const hasBoth = surface.hasMaterial.at(halfSpace).gt(0);
  return {
    ke: select(hasBoth, both.ke, own.ke),
    kd: select(hasBoth, both.kd, own.kd),
    kf: select(hasBoth, both.kf, own.kf),
    mu: select(hasBoth, both.mu, own.mu),
  };
}
