import type { Adder, FieldOf, FieldRef, OtherDomain, Reader, Value, ValueType } from '@gradsim/core';
import { on } from '@gradsim/core';

type Refs = Readonly<Record<string, FieldOf<Value>>>;

/** Fields of other elements, each under its name: `on` of every one. */
export const onEach = <R extends Refs>(refs: R) =>
  Object.fromEntries(Object.entries(refs).map(([name, ref]) => [name, on(ref)])) as {
    readonly [K in keyof R]: R[K] extends FieldRef<ValueType<infer V>, infer D> ? OtherDomain<V, D> : never;
  };

/** What a kernel's function sees of such reads. */
export type ReadersOf<S> = {
  readonly [K in keyof S as S[K] extends OtherDomain ? K : never]: S[K] extends OtherDomain<infer V>
    ? Reader<V>
    : never;
};
/** What it sees of such adds. */
export type AddersOf<S> = { readonly [K in keyof S]: S[K] extends OtherDomain<infer V> ? Adder<V> : never };
