import { multiplyQuaternions } from '@gradsim/base';
import type { FieldKey } from '@gradsim/core';
import type { ArraySpec, DerivedSpec, ParameterSpec } from '@gradsim/optim';

const AXES = ['x', 'y', 'z'] as const;

/**
 * Parameters for the three components of a field: `velocity x`, `velocity y` and `velocity z`.
 *
 * ```ts
 * const parameters = [...vectorUnknowns('velocity', Body.velocity, start.velocity, 0.1), mass];
 * ```
 * @param scale natural step of each component, in the field's unit.
 */
export const vectorUnknowns = (
  name: string,
  field: FieldKey,
  initial: readonly number[],
  scale: number,
): ParameterSpec[] =>
  AXES.map((axis, component) => ({ name: `${name} ${axis}`, field, component, initial: initial[component], scale }));

/** Derived quantity: length of a vector whose components are unknowns made by {@link vectorUnknowns}. */
export const lengthOf = (name: string, unit: string): DerivedSpec => ({
  unit,
  compute: (values) => Math.hypot(...AXES.map((axis) => values[`${name} ${axis}`])),
});

/** Natural step of each component of a rotation vector in a search, rad. */
const ROTATION_STEP = 0.05;

/**
 * Array parameter for a rotation relative to an orientation, as a rotation vector in world axes, rad; it sets the field
 * of a unit quaternion.
 *
 * @param orientation x, y, z, w.
 */
export const turnUnknown = (field: FieldKey, orientation: readonly number[]): ArraySpec => ({
  name: 'turn',
  field,
  initial: 0,
  scale: ROTATION_STEP,
  unit: 'rad',
  // d q = 1/2 r q; the simulation brings it to unit length.
  modes: AXES.map((_, k) => multiplyQuaternions([...AXES.map((__, j) => (j === k ? 0.5 : 0)), 0], orientation)),
});
