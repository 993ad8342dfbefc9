import { SURFACE_NAMES } from './material.ts';

/** Fields that the names in kernels stand for, where two domains that a kernel reads have fields of one name. */
export const FIELD_NAMES = {
  ...SURFACE_NAMES,
  shapePosition: 'position',
  shapeOrientation: 'orientation',
  bodyPosition: 'position',
  bodyOrientation: 'orientation',
  bodyVelocity: 'velocity',
  bodyForce: 'force',
} as const;
