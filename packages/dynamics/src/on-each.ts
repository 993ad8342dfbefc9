import type { FieldOf, FieldRef, IndexedField, Reader, Value, ValueType } from '@gradsim/core';
import { fieldOn } from '@gradsim/core';

type Refs = Readonly<Record<string, FieldOf<Value>>>;

/** Applies `fieldOn` to every field of a record, so that a kernel can access them on other elements than its own. */
export const readsOnElements = <R extends Refs>(refs: R) =>
  Object.fromEntries(Object.entries(refs).map(([name, ref]) => [name, fieldOn(ref)])) as {
    readonly [K in keyof R]: R[K] extends FieldRef<ValueType<infer V>, infer D> ? IndexedField<V, D> : never;
  };

/** Types of the readers that a kernel function gets for a record of reads of other elements' fields. */
export type ReadersOf<S> = {
  readonly [K in keyof S as S[K] extends IndexedField ? K : never]: S[K] extends IndexedField<infer V>
    ? Reader<V>
    : never;
};
