import { column, f32 } from '@gradsim/core';

/** Columns of a contact material. */
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
