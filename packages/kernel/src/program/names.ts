import type { AdjointOf, TangentOf } from '../language/fields/specs.ts';
import type { Kernel } from '../language/kernel.ts';
import type { I32, U32 } from '../language/scalar.ts';
import type { FieldRef, IndexedField, IndexType, PerWorld, Several, ValueType } from '../language/types.ts';

// Types of a program's inputs and outputs, by the fields of its kernels: `domain.name`.

/** Array of floats: of single precision, or of double precision on a device that computes in doubles. */
export type Floats = Float32Array | Float64Array;

/** Array type for the values of a field, by the type of an element. */
type ArrayOf<S> = S extends
  | IndexedField<infer V>
  | PerWorld<infer V>
  | Several<infer V>
  | FieldRef<ValueType<infer V>>
  | ValueType<infer V>
  ? V extends I32
    ? Int32Array
    : V extends U32
      ? Uint32Array
      : Floats
  : never;

type Key<S, Own extends string, Name> =
  S extends FieldRef<ValueType, infer D, infer N>
    ? `${D}.${N}`
    : S extends { readonly ownDomain: infer D extends string }
      ? `${D}.${Name & string}`
      : S extends IndexType
        ? `${Own}.${Name & string}`
        : S extends { readonly domain: infer D extends string }
          ? `${D}.${Name & string}`
          : `${Own}.${Name & string}`;

type FieldsOf<Specs, Own extends string, Left = never> = {
  -readonly [N in keyof Specs as Specs[N] extends Left ? never : Key<Specs[N], Own, N>]-?: ArrayOf<Specs[N]>;
};
// For one kernel; for a union of kernels, distributes over it.
type ReadFields<K> =
  K extends Kernel<infer T>
    ? FieldsOf<T['reads'], T['domain'], IndexType | FieldRef<IndexType> | AdjointOf | TangentOf>
    : never;
type OutputFields<K> =
  K extends Kernel<infer T>
    ? FieldsOf<T['adds'], T['domain'], AdjointOf> & FieldsOf<T['writes'], T['domain'], TangentOf>
    : never;
type All<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer I) => void ? I : never;

/** One kernel, or several that run one after another. */
export type Kernels = Kernel | readonly Kernel[];
type Listed<K extends Kernels> = K extends readonly Kernel[] ? K : readonly [K];

type InputsOf<K extends readonly unknown[], Known = never> = K extends readonly [infer First, ...infer Rest]
  ? Omit<ReadFields<First>, Known & string> & InputsOf<Rest, Known | keyof OutputFields<First>>
  : K extends readonly []
    ? unknown
    : K extends readonly (infer Each)[]
      ? Partial<All<ReadFields<Each>>>
      : never;
type OutputsOf<K extends readonly unknown[]> = K extends readonly [infer First, ...infer Rest]
  ? OutputFields<First> & OutputsOf<Rest>
  : K extends readonly []
    ? unknown
    : K extends readonly (infer Each)[]
      ? All<OutputFields<Each>>
      : never;

type FloatsOf<T> = { [K in keyof T as NonNullable<T[K]> extends Floats ? K : never]-?: Floats };
type Numbers<T> = { readonly [K in keyof T]: ArrayLike<number> };
type Flattened<T> = { [K in keyof T]: T[K] };

/** Inputs of a program by name: all fields that its kernels read before one of them writes them. */
export type Inputs<K extends Kernels> = Numbers<InputsOf<Listed<K>>>;
/** Outputs of a program by name: all fields that its kernels write or add to. */
export type Outputs<K extends Kernels> = Flattened<OutputsOf<Listed<K>>>;
/** Gradients with respect to the float inputs of a program, by name. */
export type Gradients<K extends Kernels> = Flattened<FloatsOf<InputsOf<Listed<K>>>>;
export type Tangents<K extends Kernels> = Partial<Numbers<Gradients<K>>>;
/** Tangents of the float outputs of a program, by name. */
export type OutputTangents<K extends Kernels> = Flattened<FloatsOf<OutputsOf<Listed<K>>>>;
export type Cotangents<K extends Kernels> = Partial<Numbers<OutputTangents<K>>>;
