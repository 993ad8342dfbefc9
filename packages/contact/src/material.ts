import type { F32, Index, Reader, U32 } from '@gradsim/core';
import { column, f32, on, sqrt } from '@gradsim/core';

/** What a surface is made of, as traced values: stiffness N/m, damping N s/m, friction stiffness N s/m, friction coefficient. */
export interface Material {
  readonly ke: F32;
  readonly kd: F32;
  readonly kf: F32;
  readonly mu: F32;
}

/** Columns of the material of a surface. */
export const material = {
  /** Stiffness. */
  ke: column(f32, { unit: 'N/m', range: 'nonNegative' }),
  /** Damping along the normal. */
  kd: column(f32, { default: 0, unit: 'N s/m', range: 'nonNegative' }),
  /** Friction stiffness: force over slip velocity while sticking. */
  kf: column(f32, { default: 0, unit: 'N s/m', range: 'nonNegative' }),
  /** Coulomb's friction coefficient. */
  mu: column(f32, { default: 0, range: 'nonNegative' }),
};

/** The same in an aspect, of which elements without it take the defaults. */
export const attachedMaterial = {
  ...material,
  /** Stiffness. */
  ke: { ...material.ke, default: 0 },
};

/** What a kernel reads of the material of what touches. */
export const materialIn = (domain: string) => ({
  ke: on(domain, f32),
  kd: on(domain, f32),
  kf: on(domain, f32),
  mu: on(domain, f32),
});

/** What a kernel reads of the material of what is touched, under names that {@link SURFACE_NAMES} makes fields of. */
export const surfaceIn = (domain: string) => ({
  surfaceKe: on(domain, f32),
  surfaceKd: on(domain, f32),
  surfaceKf: on(domain, f32),
  surfaceMu: on(domain, f32),
});

/** A kernel reads the materials of two domains, whose fields have the same names. */
export const SURFACE_NAMES = { surfaceKe: 'ke', surfaceKd: 'kd', surfaceKf: 'kf', surfaceMu: 'mu' } as const;

/** The material of an element that touches, read with {@link materialIn}. */
export const materialOf = (
  { ke, kd, kf, mu }: Readonly<Record<keyof Material, Reader<F32>>>,
  element: U32 | Index,
): Material => ({ ke: ke.at(element), kd: kd.at(element), kf: kf.at(element), mu: mu.at(element) });

/** The material of an element that is touched, read with {@link surfaceIn}. */
export const surfaceOf = (
  { surfaceKe, surfaceKd, surfaceKf, surfaceMu }: Readonly<Record<keyof typeof SURFACE_NAMES, Reader<F32>>>,
  element: U32 | Index,
): Material => materialOf({ ke: surfaceKe, kd: surfaceKd, kf: surfaceKf, mu: surfaceMu }, element);

/** Two materials in touch: means of ke, kd, kf, geometric mean of mu. */
export function combine(a: Material, b: Material): Material {
  const mean = (x: F32, y: F32): F32 => x.add(y).mul(0.5);
  return { ke: mean(a.ke, b.ke), kd: mean(a.kd, b.kd), kf: mean(a.kf, b.kf), mu: sqrt(a.mu.mul(b.mu)) };
}
