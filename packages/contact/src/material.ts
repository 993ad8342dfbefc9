import type { F32, FieldOf, Index, U32 } from '@gradsim/core';
import { column, f32, sqrt } from '@gradsim/core';
import { onEach, type ReadersOf } from './fields.ts';

/**
 * Material of a surface, as traced values: stiffness N/m, damping N s/m, friction stiffness N s/m, friction
 * coefficient.
 */
export interface Material {
  readonly ke: F32;
  readonly kd: F32;
  readonly kf: F32;
  readonly mu: F32;
}

/** Columns of the material of a surface. */
export const material = {
  /** Contact stiffness. */
  ke: column(f32, { unit: 'N/m', range: 'nonNegative' }),
  /** Damping along the normal. */
  kd: column(f32, { default: 0, unit: 'N s/m', range: 'nonNegative' }),
  /**
   * Friction stiffness: force over slip velocity while sticking. 0 means the one that follows from stiffness and mass
   * for contact with half-spaces, and no friction elsewhere.
   */
  kf: column(f32, { default: 0, unit: 'N s/m', range: 'nonNegative' }),
  /** Coulomb's friction coefficient. */
  mu: column(f32, {
    default: 0,
    range: 'nonNegative',
    unseen: 'Friction goes by mu where something slides, and nothing that was seen does: it sticks, or does not touch.',
  }),
};

/** Columns of the material as an aspect, with defaults for elements without it. */
export const attachedMaterial = {
  ...material,
  /** Contact stiffness. */
  ke: { ...material.ke, default: 0 },
};

/** A component with the columns of a material. */
export type MaterialFields = Readonly<Record<keyof Material, FieldOf<F32>>>;

/** Fields that a kernel reads of the touching element's material. */
export const materialIn = ({ ke, kd, kf, mu }: MaterialFields) => onEach({ ke, kd, kf, mu });

/** Fields that a kernel reads of the touched surface's material. */
export const surfaceIn = ({ ke, kd, kf, mu }: MaterialFields) =>
  onEach({ surfaceKe: ke, surfaceKd: kd, surfaceKf: kf, surfaceMu: mu });

/** Material of a touching element, read with {@link materialIn}. */
export const materialOf = (
  { ke, kd, kf, mu }: ReadersOf<ReturnType<typeof materialIn>>,
  element: U32 | Index,
): Material => ({ ke: ke.at(element), kd: kd.at(element), kf: kf.at(element), mu: mu.at(element) });

/** Material of a touched surface, read with {@link surfaceIn}. */
export const surfaceOf = (
  { surfaceKe, surfaceKd, surfaceKf, surfaceMu }: ReadersOf<ReturnType<typeof surfaceIn>>,
  element: U32 | Index,
): Material => materialOf({ ke: surfaceKe, kd: surfaceKd, kf: surfaceKf, mu: surfaceMu }, element);

/** Combines two materials: means of ke, kd, kf, geometric mean of mu. */
export function combine(a: Material, b: Material): Material {
  const mean = (x: F32, y: F32): F32 => x.add(y).mul(0.5);
  return { ke: mean(a.ke, b.ke), kd: mean(a.kd, b.kd), kf: mean(a.kf, b.kf), mu: sqrt(a.mu.mul(b.mu)) };
}
