import type {
  Adder,
  AddSpec,
  FieldOf,
  FieldRef,
  Kernel,
  KernelFields,
  KernelSpec,
  OtherDomain,
  Reader,
  ReadSpec,
  Surroundings,
  Value,
  ValueType,
} from '@gradsim/core';
import { fieldOn, GradsimError, kernel } from '@gradsim/core';

type Refs = Readonly<Record<string, FieldOf<Value>>>;

/** Applies `fieldOn` to every field of a record, so that a kernel can access them on other elements than its own. */
export const onEach = <R extends Refs>(refs: R) =>
  Object.fromEntries(Object.entries(refs).map(([name, ref]) => [name, fieldOn(ref)])) as {
    readonly [K in keyof R]: R[K] extends FieldRef<ValueType<infer V>, infer D> ? OtherDomain<V, D> : never;
  };

/** Types of the readers that a kernel function gets for a record of reads of other elements' fields. */
export type ReadersOf<S> = {
  readonly [K in keyof S as S[K] extends OtherDomain ? K : never]: S[K] extends OtherDomain<infer V>
    ? Reader<V>
    : never;
};
/** Types of the adders that a kernel function gets for a record of additions to other elements' fields. */
export type AddersOf<S> = { readonly [K in keyof S]: S[K] extends OtherDomain<infer V> ? Adder<V> : never };

/** Fields of other elements that a kernel reads, by name. */
export type Reads = Readonly<Record<string, OtherDomain<Value>>>;

/**
 * Creates a kernel with two groups of reads: those in the spec, and those in `own`, which depend on the kind of shape.
 * Its function gets each group as a separate argument.
 */
export function kernelWith<
  const R extends Record<string, ReadSpec>,
  const A extends Record<string, AddSpec>,
  O extends Reads,
>(
  name: string,
  spec: KernelSpec<R, A, Record<never, never>>,
  own: O,
  body: (fields: KernelFields<R, A>, own: ReadersOf<O>, surroundings: Surroundings) => void,
): Kernel {
  const reads: Record<string, ReadSpec> = { ...spec.reads, ...own };
  const adds: Record<string, AddSpec> = { ...spec.adds };
  return kernel(name, { domain: spec.domain, reads, adds }, (fields, surroundings) => {
    requireAll<KernelFields<R, A> & ReadersOf<O>>(fields, { ...reads, ...adds });
    body(fields, fields, surroundings);
  });
}

function requireAll<T extends object>(fields: object, named: object): asserts fields is T {
  const missing = Object.keys(named).find((name) => !(name in fields));
  if (missing !== undefined)
    throw new GradsimError('contact/kernel-without-field', `A kernel does not have the field "${missing}".`);
}
