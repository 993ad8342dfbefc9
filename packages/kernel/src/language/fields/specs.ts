import type { FieldRef, IndexedField, IndexType, PerWorld, Several, ValueType } from '../types.ts';

// What `reads`, `adds` and `writes` of a kernel may name.

/** Port of a field's adjoint, for hand-written adjoint kernels. */
export interface AdjointOf<S extends DataSpec = DataSpec> {
  readonly kind: 'adjoint';
  readonly field: string;
  readonly spec: S;
}
/** Refers to the adjoint of `field`: read it where the primal kernel wrote, add to it where the primal kernel read. */
export function adjointOf<S extends DataRef>(field: S): AdjointOf<S>;
export function adjointOf<S extends DataSpec>(field: string, spec: S): AdjointOf<S>;
export function adjointOf(field: string | DataRef, spec?: DataSpec): AdjointOf {
  return { kind: 'adjoint', ...namedSpec(field, spec) };
}
const namedSpec = (field: string | DataRef, spec?: DataSpec): { field: string; spec: DataSpec } =>
  typeof field === 'string' ? { field, spec: spec! } : { field: field.name, spec: field };

/** Port of a field's tangent, for hand-written forward-mode derivatives. */
export interface TangentOf<S extends DataSpec = DataSpec> {
  readonly kind: 'tangent';
  readonly field: string;
  readonly spec: S;
}
/**
 * Refers to the tangent of `field`, for the forward mode of a block of passes: read it where the block reads the field,
 * write it, at the own element, where the block writes the field.
 */
export function tangentOf<S extends DataRef>(field: S): TangentOf<S>;
export function tangentOf<S extends DataSpec>(field: string, spec: S): TangentOf<S>;
export function tangentOf(field: string | DataRef, spec?: DataSpec): TangentOf {
  return { kind: 'tangent', ...namedSpec(field, spec) };
}

/** Reference to a field of values, as opposed to indices. */
export type DataRef = FieldRef<ValueType>;
export type DataSpec = ValueType | IndexedField | PerWorld | DataRef;
export type ReadSpec = DataSpec | IndexType | FieldRef<IndexType> | AdjointOf | TangentOf;
export type AddSpec = DataSpec | AdjointOf;
export type WriteSpec = ValueType | DataRef | Several | TangentOf<ValueType | DataRef>;
