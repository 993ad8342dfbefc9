import type { F32, FieldOf, Index, U32 } from '@gradsim/core';
import { column, f32, sqrt } from '@gradsim/core';
import { type ReadersOf, readsOnElements } from './fields.ts';

/**
 * Material of a surface, as traced values: stiffness ke, N/m; damping kd, N s/m; friction stiffness kf, N s/m; friction
 * coefficient mu.
 */
export interface Material {
  readonly ke: F32;
  readonly kd: F32;
  readonly kf: F32;
  readonly mu: F32;
}

/** Columns for the material of a surface. */
export const material = {
  /** Contact stiffness: normal force over penetration, N/m. */
  ke: column(f32, { unit: 'N/m', range: 'nonNegative' }),
  /** Damping along the normal: force over normal speed, N s/m. */
  kd: column(f32, { default: 0, unit: 'N s/m', range: 'nonNegative' }),
  /**
   * Friction stiffness while sticking: force over slip velocity, N s/m. At 0, contact with half-spaces uses a default
   * from stiffness and mass, and other contact has no friction.
   */
  kf: column(f32, { default: 0, unit: 'N s/m', range: 'nonNegative' }),
  /** Coulomb's friction coefficient. */
  mu: column(f32, {
    default: 0,
    range: 'nonNegative',
    unseen: 'Friction goes by mu where something slides, and nothing that was seen does: it sticks, or does not touch.',
  }),
};

/** Material columns of an aspect, with defaults for elements without it. */
export const attachedMaterial = {
  ...material,
  /** Contact stiffness: normal force over penetration, N/m; 0 without contact. */
  ke: { ...material.ke, default: 0 },
};

/** A component with the columns of a material. */
export type MaterialFields = Readonly<Record<keyof Material, FieldOf<F32>>>;

/** Fields that a kernel reads of the touching element's material. */
export const materialIn = ({ ke, kd, kf, mu }: MaterialFields) => readsOnElements({ ke, kd, kf, mu });

/** Fields that a kernel reads of the touched surface's material. */
export const surfaceIn = ({ ke, kd, kf, mu }: MaterialFields) =>
  readsOnElements({ surfaceKe: ke, surfaceKd: kd, surfaceKf: kf, surfaceMu: mu });

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

/** Combines two materials: arithmetic means of ke, kd and kf, geometric mean of mu. */
export function combineMaterials(a: Material, b: Material): Material {
  const mean = (x: F32, y: F32): F32 => x.add(y).mul(0.5);
  return { ke: mean(a.ke, b.ke), kd: mean(a.kd, b.kd), kf: mean(a.kf, b.kf), mu: sqrt(a.mu.mul(b.mu)) };
}
