import type { F32 } from './scalar.ts';
import { Scalar } from './scalar.ts';
import { Mat, Quat, Vec } from './vector.ts';

/** Traced values that can be selected, carried and stored: scalars, vectors, matrices, quaternions. */
export type Value = Scalar | Vec | Mat | Quat;

/** Returns the scalars of a value, in storage order. */
export function scalarsOf(value: Value): readonly Scalar[] {
  if (value instanceof Scalar) return [value];
  return value instanceof Mat ? value.entries : value.components;
}

/** Rebuilds a value like `model` from other scalars. */
export function likeValue<V extends Value>(model: V, scalars: readonly Scalar[]): V {
  const parts = scalars as readonly F32[];
  if (model instanceof Scalar) return scalars[0] as V;
  if (model instanceof Vec) return new Vec(parts) as Value as V;
  if (model instanceof Quat) return new Quat(parts) as Value as V;
  return new Mat(model.size, parts) as Value as V;
}
