import type { FieldRef, IndexType, Scalar, Value, ValueType } from '@gradsim/kernel';
import { field, index } from '@gradsim/kernel';

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
  /** The domain that its columns lie over: its name, or for an aspect, that of the component that it belongs to. */
  readonly domain: string;
  /** For an aspect: the component whose entities it adds columns to, instead of a domain of its own. */
  readonly of?: string;
}

/** References to the fields that columns become. */
export type ColumnRefs<C, D extends string> = {
  readonly [K in keyof C & string as C[K] extends ObjectColumn ? never : K]: C[K] extends ValueColumn<infer V>
    ? FieldRef<ValueType<V>, D, K>
    : C[K] extends ReferenceColumn<infer N>
      ? FieldRef<IndexType<N>, D, K>
      : never;
};
/** A component, with a reference for each of its columns: `Spring.stiffness`. */
export type Declared<C extends Record<string, Column>, D extends string> = Component<C> & {
  readonly domain: D;
} & ColumnRefs<C, D>;

/** A domain, by its name or by the component whose entities form it. */
type DomainOf<D extends string> = D | { readonly domain: D };
const nameOf = <D extends string>(domain: DomainOf<D>): D =>
  typeof domain === 'string' ? domain : domain.domain;

/**
 * Declares a component: a kind of element. Its entities become a domain, its columns fields, to which kernels and hosts
 * refer as `Spring.stiffness`.
 *
 * ```ts
 * const Spring = defineComponent('springs', {
 *   ends: reference(Particle, 2),
 *   stiffness: column(f32, { unit: 'N/m', range: 'positive' }),
 * });
 * ```
 * @throws when a column has a name that components use themselves: name, columns, domain, of.
 */
export function defineComponent<const D extends string, const C extends Record<string, Column>>(
  name: D,
  columns: C,
): Declared<C, D> {
  return { name, columns, domain: name, ...refsOf(name, name, columns) };
}

/** Declares more columns for the elements of another component: contact material for bodies, say. */
export function defineAspect<const D extends string, const C extends Record<string, Column>>(
  of: DomainOf<D>,
  name: string,
  columns: C,
): Declared<C, D> {
  const domain = nameOf(of);
  return { name, columns, domain, of: domain, ...refsOf(name, domain, columns) };
}

const OWN = new Set(['name', 'columns', 'domain', 'of']);

function refsOf<C extends Record<string, Column>, D extends string>(
  component: string,
  domain: D,
  columns: C,
): ColumnRefs<C, D> {
  const refs: Record<string, FieldRef> = {};
  for (const [name, column] of Object.entries(columns)) {
    if (OWN.has(name))
      throw new Error(
        `The component "${component}" has a column "${name}", as components call a part of their own; give it another name.`,
      );
    if (column.kind === 'value') refs[name] = field(domain, name, column.type, { unit: column.unit });
    else if (column.kind === 'reference')
      refs[name] = field(domain, name, index(column.component, column.count));
  }
  return refs as ColumnRefs<C, D>;
}

/** The reference to the field that a column becomes. */
export const refOf = (component: Component, column: string): FieldRef =>
  (component as unknown as Readonly<Record<string, FieldRef>>)[column];

export function column<V extends Value>(
  type: ValueType<V>,
  options: Omit<ValueColumn, 'kind' | 'type'> = {},
): ValueColumn<V> {
  return { kind: 'value', type, ...options };
}
/** Other entities that an element is made of: of a component, or of the one of that name. */
export function reference(component: DomainOf<string>): ReferenceColumn<1>;
export function reference<C extends number>(component: DomainOf<string>, count: C): ReferenceColumn<C>;
export function reference(component: DomainOf<string>, count = 1): ReferenceColumn {
  return { kind: 'reference', component: nameOf(component), count };
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
