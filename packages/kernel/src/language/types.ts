import type { Node } from '../form/nodes.ts';
import type { FieldName } from '../form/port.ts';
import type { ScalarType } from '../form/types.ts';
import type { F32, I32, Operand, U32 } from './scalar.ts';
import { Scalar, f32 as toF32, i32 as toI32, u32 as toU32, wrap } from './scalar.ts';
import type { Value } from './values.ts';
import type { Mat22, Mat33, Vec2, Vec3, Vec4 } from './vector.ts';
import * as vector from './vector.ts';
import { Mat, Quat, Vec } from './vector.ts';

/** Type of one element of a field. */
export interface ValueType<V extends Value = Value> {
  readonly typeName: string;
  readonly scalar: ScalarType;
  readonly components: number;
  readonly fromNodes: (nodes: readonly Node[]) => V;
}

function typed<F extends object, V extends Value>(
  construct: F,
  typeName: string,
  scalar: ScalarType,
  components: number,
  fromNodes: (nodes: readonly Node[]) => V,
): F & ValueType<V> {
  return Object.assign(construct, { typeName, scalar, components, fromNodes });
}

const scalars = (nodes: readonly Node[]): F32[] => nodes.map((n) => wrap<'f32'>(n));

// Each of these is both a constructor, `vec3(1, 0, 0)`, and the type of a field, `reads: { position: vec3 }`.
export const f32: ((x: Operand) => F32) & ValueType<F32> = typed(
  (x: Operand) => toF32(x),
  'f32',
  'f32',
  1,
  ([n]) => wrap<'f32'>(n),
);
export const i32: ((x: Operand<'i32'>) => I32) & ValueType<I32> = typed(
  (x: Operand<'i32'>) => toI32(x),
  'i32',
  'i32',
  1,
  ([n]) => new Scalar<'i32'>(n),
);
export const u32: ((x: Operand<'u32'>) => U32) & ValueType<U32> = typed(
  (x: Operand<'u32'>) => toU32(x),
  'u32',
  'u32',
  1,
  ([n]) => new Scalar<'u32'>(n),
);
export const vec2: ((x: Operand, y: Operand) => Vec2) & ValueType<Vec2> = typed(
  (x: Operand, y: Operand) => vector.vec2(x, y),
  'vec2',
  'f32',
  2,
  (n) => new Vec<2>(scalars(n)),
);
export const vec3: ((x: Operand, y: Operand, z: Operand) => Vec3) & ValueType<Vec3> = typed(
  (x: Operand, y: Operand, z: Operand) => vector.vec3(x, y, z),
  'vec3',
  'f32',
  3,
  (n) => new Vec<3>(scalars(n)),
);
export const vec4: ((x: Operand, y: Operand, z: Operand, w: Operand) => Vec4) & ValueType<Vec4> = typed(
  (x: Operand, y: Operand, z: Operand, w: Operand) => vector.vec4(x, y, z, w),
  'vec4',
  'f32',
  4,
  (n) => new Vec<4>(scalars(n)),
);
export const mat22: ((...entries: Operand[]) => Mat22) & ValueType<Mat22> = typed(
  (...entries: Operand[]) => vector.mat22(...entries),
  'mat22',
  'f32',
  4,
  (n) => new Mat<2>(2, scalars(n)),
);
export const mat33: ((...entries: Operand[]) => Mat33) & ValueType<Mat33> = typed(
  (...entries: Operand[]) => vector.mat33(...entries),
  'mat33',
  'f32',
  9,
  (n) => new Mat<3>(3, scalars(n)),
);
export const quat: ((x: Operand, y: Operand, z: Operand, w: Operand) => Quat) & ValueType<Quat> = typed(
  (x: Operand, y: Operand, z: Operand, w: Operand) => vector.quat(x, y, z, w),
  'quat',
  'f32',
  4,
  (n) => new Quat(scalars(n)),
);

export type ValueOf<T> = T extends ValueType<infer V> ? V : never;

/** A domain, by name or by an object that has one: a component, whose entities form it. */
export type DomainOf<D extends string> = D | { readonly domain: D };
export const nameOfDomain = <D extends string>(domain: DomainOf<D>): D =>
  typeof domain === 'string' ? domain : domain.domain;

/**
 * A field by reference: `reads`, `adds` and `writes` may name it instead of a type; it determines the field's domain,
 * name and type.
 */
export interface FieldRef<
  T extends ValueType | IndexType = ValueType | IndexType,
  D extends string = string,
  N extends string = string,
> extends FieldName {
  readonly kind: 'field';
  readonly key: `${D}.${N}`;
  /** Domain of the field; `world` for one value per world. */
  readonly domain: D;
  readonly name: N;
  readonly type: T;
  /** SI unit of the values. */
  readonly unit?: string;
}

/**
 * Reference to a field of values of one type, over any domain: `FieldOf<Vec3>` for `Particle.position`, for example.
 */
export type FieldOf<V extends Value> = FieldRef<ValueType<V>>;

/** A field that a kernel reads or adds to by element index. The domain `''` marks one value per world. */
export interface IndexedField<V extends Value = Value, D extends string = string> {
  readonly kind: 'other';
  readonly domain: D;
  readonly type: ValueType<V>;
  /** The field, if the kernel names it by reference. */
  readonly field?: FieldRef<ValueType<V>, D>;
}
/** A field with one value per world, over the domain `world`. */
export interface PerWorld<V extends Value = Value> {
  readonly kind: 'perWorld';
  readonly domain: 'world';
  readonly type: ValueType<V>;
}
/** Indices of elements of another domain, `count` for each element. */
export interface IndexType<C extends number = number> {
  readonly kind: 'index';
  readonly domain: string;
  readonly count: C;
  /** Domain of the index field itself; undefined for the kernel's own domain. */
  readonly ownDomain?: string;
  /** The index field, if it was named by reference; it is then read with `at(i)`. */
  readonly field?: FieldRef<IndexType>;
}

/** Values that an element writes to `count` consecutive elements of another domain. */
export interface Several<V extends Value = Value, D extends string = string> {
  readonly kind: 'several';
  readonly domain: D;
  readonly type: ValueType<V>;
  readonly count: number;
  /** The field, if the kernel names it by reference. */
  readonly field?: FieldRef<ValueType<V>, D>;
}

/**
 * A field read or added to by index: `position: fieldOn('particles', vec3)`, then `position.at(i)`. A reference over the
 * kernel's own domain, which would be the value of the own element, becomes such a field by `fieldOn(Particle.position)`.
 */
export function fieldOn<V extends Value, const D extends string>(domain: D, type: ValueType<V>): IndexedField<V, D>;
export function fieldOn<V extends Value, D extends string>(field: FieldRef<ValueType<V>, D>): IndexedField<V, D>;
export function fieldOn(fieldOrDomain: string | FieldRef<ValueType>, type?: ValueType): IndexedField {
  return typeof fieldOrDomain === 'string'
    ? { kind: 'other', domain: fieldOrDomain, type: type! }
    : { kind: 'other', domain: fieldOrDomain.domain, type: fieldOrDomain.type, field: fieldOrDomain };
}
/** A field with one value per world (gravity, say), used as that value. */
export function perWorld<V extends Value>(type: ValueType<V>): PerWorld<V> {
  return { kind: 'perWorld', domain: 'world', type };
}
/**
 * An index field: for each element, the indices of `count` elements of `domain`. An array of them if `count` is given.
 */
export function index(domain: string): IndexType<1>;
export function index<C extends number>(domain: string, count: C): IndexType<C>;
export function index(domain: string, count = 1): IndexType {
  return { kind: 'index', domain, count };
}
/**
 * An index field over another domain, read by index with `at(i)`: a list of indices. Given by its domain `ownDomain` and the
 * domain that it points into, or by reference.
 */
export function indexOn<const O extends string>(ownDomain: O, domain: string): IndexType<1> & { readonly ownDomain: O };
export function indexOn<O extends string>(field: FieldRef<IndexType<1>, O>): IndexType<1> & { readonly ownDomain: O };
export function indexOn(fieldOrDomain: string | FieldRef<IndexType<1>>, domain?: string): IndexType<1> {
  return typeof fieldOrDomain === 'string'
    ? { kind: 'index', domain: domain!, count: 1, ownDomain: fieldOrDomain }
    : { ...fieldOrDomain.type, ownDomain: fieldOrDomain.domain, field: fieldOrDomain };
}

/**
 * For `writes`: the elements `count * e` to `count * e + count - 1` of `domain`, for element e of the kernel's own,
 * returned as a list. So an element fills a short list, which others read with `list.at(k)`. Lists of floats have
 * derivatives.
 */
export function several<V extends F32 | I32 | U32, const D extends string>(
  domain: D,
  type: ValueType<V>,
  count: number,
): Several<V, D>;
export function several<V extends F32 | I32 | U32, D extends string>(
  field: FieldRef<ValueType<V>, D>,
  count: number,
): Several<V, D>;
export function several(
  ...args: [domain: string, type: ValueType, count: number] | [field: FieldRef<ValueType>, count: number]
): Several {
  if (args.length === 3) return { kind: 'several', domain: args[0], type: args[1], count: args[2] };
  const [field, count] = args;
  return { kind: 'several', domain: field.domain, type: field.type, count, field };
}

export { Mat, Quat, Vec };
