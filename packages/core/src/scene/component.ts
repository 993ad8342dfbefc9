import type { Scalar, Value, ValueType } from '@gradsim/kernel';

/** What a value must be beside finite. */
export type Range = 'any' | 'positive' | 'nonNegative';

/** Numbers of an element that become a field: one of the kernel language's types. */
export interface ValueColumn<V extends Value = Value> {
  readonly kind: 'value';
  readonly type: ValueType<V>;
  /** Taken when an entity gives none; without it the value is required. One number stands for all components. */
  readonly default?: number | readonly number[];
  readonly unit?: string;
  readonly range?: Range;
}
/** Other entities that an element is made of; they become an index field. */
export interface ReferenceColumn<C extends number = number> {
  readonly kind: 'reference';
  /** The component that those entities have. */
  readonly component: string;
  readonly count: C;
}
/** Something that is no field, a mesh say: kept for the plugin that builds fields from it. */
export interface ObjectColumn<T = unknown> {
  readonly kind: 'object';
  readonly required: boolean;
  /** Only for its type. */
  readonly example?: T;
}
export type Column = ValueColumn | ReferenceColumn | ObjectColumn;

/** A named set of columns. Entities that have it form the domain of that name. */
export interface Component<C extends Record<string, Column> = Record<string, Column>> {
  readonly name: string;
  readonly columns: C;
  /** For an aspect: the component whose entities it adds columns to, instead of a domain of its own. */
  readonly of?: string;
}

/**
 * Declares a component: a kind of element. Its entities become a domain, its columns fields.
 *
 * ```ts
 * const Spring = defineComponent('springs', {
 *   ends: reference('particles', 2),
 *   stiffness: column(f32, { unit: 'N/m', range: 'positive' }),
 * });
 * ```
 */
export function defineComponent<const C extends Record<string, Column>>(
  name: string,
  columns: C,
): Component<C> {
  return { name, columns };
}

/** Declares more columns for the elements of another component: contact material for bodies, say. */
export function defineAspect<const C extends Record<string, Column>>(
  of: string,
  name: string,
  columns: C,
): Component<C> {
  return { name, columns, of };
}

export function column<V extends Value>(
  type: ValueType<V>,
  options: Omit<ValueColumn, 'kind' | 'type'> = {},
): ValueColumn<V> {
  return { kind: 'value', type, ...options };
}
export function reference(component: string): ReferenceColumn<1>;
export function reference<C extends number>(component: string, count: C): ReferenceColumn<C>;
export function reference(component: string, count = 1): ReferenceColumn {
  return { kind: 'reference', component, count };
}
export function resource<T>({ required = true } = {}): ObjectColumn<T> {
  return { kind: 'object', required };
}

/** An entity. Its number means nothing outside of its scene. */
export type Entity = number;

type Given<C> =
  C extends ValueColumn<infer V>
    ? V extends Scalar
      ? number
      : readonly number[]
    : C extends ReferenceColumn<infer N>
      ? N extends 1
        ? Entity
        : readonly Entity[]
      : C extends ObjectColumn<infer T>
        ? T
        : never;

/** What an entity may give for a component. What has no default is required; adding it without is an error. */
export type ValuesOf<C> =
  C extends Component<infer Columns> ? { readonly [K in keyof Columns]?: Given<Columns[K]> } : never;

/** Many entities' values: one array a column, element by element. */
export type ManyValuesOf<C> =
  C extends Component<infer Columns>
    ? {
        readonly [K in keyof Columns]?: Columns[K] extends ObjectColumn<infer T>
          ? readonly T[]
          : ArrayLike<number>;
      }
    : never;
