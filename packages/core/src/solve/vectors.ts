import { GradsimError } from '@gradsim/base';
import type { F32, FieldRef, ValueType, Vec } from '@gradsim/kernel';
import { dot, f32, Scalar, select } from '@gradsim/kernel';

/** Traced value of one element of a linear system: 1 to 4 numbers. */
export type Entry = F32 | Vec;
/** Reference to a field that is a vector of a linear system. */
export type VectorRef = FieldRef<ValueType<F32> | ValueType<Vec>>;

export const product = (a: Entry, b: Entry): F32 => (a instanceof Scalar ? a.mul(b as F32) : dot(a, b as Vec));
export const times = (a: Entry, factor: F32): Entry => (a instanceof Scalar ? a.mul(factor) : a.mul(factor));
export const plus = (a: Entry, b: Entry, factor: F32): Entry =>
  a instanceof Scalar ? a.add((b as F32).mul(factor)) : a.add((b as Vec).mul(factor));
/** Returns a / b, or 0 where b is 0: then a converged search takes no step. */
export const ratio = (a: F32, b: F32): F32 => select(b.eq(0), f32(0), a.div(select(b.eq(0), f32(1), b)));

/** Maximum number of components of an element of a linear system. */
const MAX_COMPONENTS = 4;

/**
 * @throws when the solution of a linear system has another type or domain than its right side, or more than four
 * components.
 */
export function checkVectors(name: string, b: VectorRef, x: VectorRef): void {
  const { components, scalar } = x.type;
  if (scalar !== 'f32' || components > MAX_COMPONENTS)
    throw new GradsimError(
      'core/wrong-type',
      `${name}: ${x.key} is of ${components} x ${scalar}; a linear system has 1 to ${MAX_COMPONENTS} floats at each element.`,
      { field: x.key },
    );
  if (b.domain !== x.domain || b.type.components !== components || b.type.scalar !== scalar)
    throw new GradsimError(
      'core/wrong-type',
      `${name}: the right side ${b.key} is not like the solution ${x.key}, of ${components} floats over ${x.domain}.`,
      { field: b.key },
    );
}
