import type { Index, Operand } from '../scalar.ts';
import type { FieldRef, IndexedField, IndexType, PerWorld, Several, ValueOf, ValueType } from '../types.ts';
import type { AdjointOf, TangentOf } from './specs.ts';

// What a kernel's function is given for each field of `reads` and `adds`, and returns for those of `writes`.

/** A field over another domain, as the kernel function sees it. */
export interface Reader<V> {
  /** Value of element `index`: an entry of an index field, or an integer, constant or computed. */
  at(index: Operand<'u32'>): V;
}
export interface IndexReader {
  at(index: Operand<'u32'>): Index;
}
export interface Adder<V> {
  /**
   * Adds to element `index`: an entry of an index field, or an integer, constant or computed. An index out of range is
   * reported as an error after the run.
   */
  add(index: Operand<'u32'>, value: V): void;
}
export interface OwnAdder<V> {
  /** Adds to the own element (for one value per world, to that). */
  add(value: V): void;
}

/**
 * Type of a referenced field as a kernel over domain `D` sees it: the value of the own element, or a field over another
 * domain.
 */
type AccessedType<S, D extends string> =
  S extends FieldRef<infer T, infer Over>
    ? Over extends D
      ? T
      : T extends ValueType<infer V>
        ? Over extends 'world'
          ? PerWorld<V>
          : IndexedField<V, Over>
        : T & { readonly ownDomain: Over }
    : S;
type Reading<S, D extends string> = S extends AdjointOf<infer T> | TangentOf<infer T>
  ? Reading<T, D>
  : S extends FieldRef
    ? Reading<AccessedType<S, D>, D>
    : S extends IndexedField<infer V>
      ? Reader<V>
      : S extends PerWorld<infer V>
        ? V
        : S extends IndexType<infer C>
          ? S extends { readonly ownDomain: string }
            ? IndexReader
            : C extends 1
              ? Index
              : C extends 2
                ? [Index, Index]
                : C extends 3
                  ? [Index, Index, Index]
                  : C extends 4
                    ? [Index, Index, Index, Index]
                    : Index[]
          : ValueOf<S>;
export type Writing<S> =
  S extends Several<infer V>
    ? readonly V[]
    : S extends TangentOf<infer T>
      ? Writing<T>
      : S extends FieldRef<infer T>
        ? ValueOf<T>
        : ValueOf<S>;
type Adding<S, D extends string> = S extends FieldRef
  ? Adding<AccessedType<S, D>, D>
  : S extends AdjointOf<infer T>
    ? Adding<T, D>
    : S extends IndexedField<infer V>
      ? Adder<V>
      : S extends PerWorld<infer V>
        ? OwnAdder<V>
        : OwnAdder<ValueOf<S>>;

/** Fields of `reads` and `adds` as the function of a kernel over domain `D` sees them. */
export type KernelFields<R, A, D extends string = string> = { [K in keyof R]: Reading<R[K], D> } & {
  [K in keyof A]: Adding<A[K], D>;
};
