import type {
  Adder,
  AddSpec,
  IndexedField,
  Kernel,
  KernelFields,
  KernelSpec,
  ReadSpec,
  Surroundings,
  Value,
} from '@gradsim/core';
import { GradsimError, kernel } from '@gradsim/core';
import type { ReadersOf } from '@gradsim/dynamics';

export { type ReadersOf, readsOnElements } from '@gradsim/dynamics';

/** Types of the adders that a kernel function gets for a record of additions to other elements' fields. */
export type AddersOf<S> = { readonly [K in keyof S]: S[K] extends IndexedField<infer V> ? Adder<V> : never };

/** Fields of other elements that a kernel reads, by name. */
export type Reads = Readonly<Record<string, IndexedField<Value>>>;

/**
 * Creates a kernel with two groups of reads: those in the spec, and those in `ownPorts`, which depend on the kind of shape.
 * Its function gets each group as a separate argument.
 */
export function kernelWith<
  const R extends Record<string, ReadSpec>,
  const A extends Record<string, AddSpec>,
  O extends Reads,
>(
  name: string,
  spec: KernelSpec<R, A, Record<never, never>>,
  ownPorts: O,
  body: (fields: KernelFields<R, A>, ownPorts: ReadersOf<O>, surroundings: Surroundings) => void,
): Kernel {
  const reads: Record<string, ReadSpec> = { ...spec.reads, ...ownPorts };
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
