import { GradsimError, refuseUnknownOptions } from '@gradsim/base';
import type { FieldRef, IndexType, Scalar, Value, ValueType } from '@gradsim/kernel';
import { field, index } from '@gradsim/kernel';
import type { DomainOf } from '@gradsim/kernel/internal';
import { nameOfDomain } from '@gradsim/kernel/internal';
import type { ValueRange } from '../model/fit.ts';
import { refuseUnknownRange } from '../model/fit.ts';

/** Column of numbers, which becomes a field of one of the kernel language's types. */
export interface ValueColumn<V extends Value = Value> {
  readonly kind: 'value';
  readonly type: ValueType<V>;
  /**
   * Default for entities that give no value; without it the value is required. One number stands for all components.
   */
  readonly default?: number | readonly number[];
  readonly unit?: string;
  readonly range?: ValueRange;
  /** Sentence for reports of estimates that explains what it means if no observation depends on the values. */
  readonly unseen?: string;
}
/** Column of references to other entities, which becomes an index field. */
export interface ReferenceColumn<C extends number = number> {
  readonly kind: 'reference';
  /** Name of the component that the referenced entities have. */
  readonly component: string;
  readonly count: C;
}
/** Column of objects, such as meshes, from which a plugin builds fields; the column itself becomes no field. */
export interface ObjectColumn<T = unknown> {
  readonly kind: 'object';
  readonly required: boolean;
  /** Carries the type for TypeScript; never set. */
  readonly example?: T;
}
export type Column = ValueColumn | ReferenceColumn | ObjectColumn;

/**
 * A field over the component's elements that is not a column: passes of any plugin add to a `sum`; the plugin itself
 * writes a `computed` one.
 */
export interface ComputedField<T extends ValueType = ValueType> {
  readonly kind: 'sum' | 'computed';
  readonly type: T;
  readonly unit?: string;
}

/** A named set of columns. Entities that have it form the domain of that name. */
export interface Component<C extends Record<string, Column> = Record<string, Column>> {
  readonly name: string;
  readonly columns: C;
  /** Fields over its elements that its plugin computes, or to which passes add. */
  readonly computed: Readonly<Record<string, ComputedField>>;
  /** Word for one of its entities in messages, such as `body`. */
  readonly noun?: string;
  /** Name of the domain of its columns: its own name, or for an aspect, the domain of the component that it extends. */
  readonly domain: string;
  /** For an aspect: name of the component to whose entities it adds columns, instead of forming its own domain. */
  readonly extendedComponent?: string;
  /** For an aspect from {@link defineAspects}: the function that created it. */
  readonly aspectsFunction?: Aspects;
}

/** References to the fields of a component's columns, by name. */
export type ColumnRefs<C, D extends string> = {
  readonly [K in keyof C as C[K] extends ObjectColumn ? never : K]: C[K] extends ValueColumn<infer V>
    ? FieldRef<ValueType<V>, D, K & string>
    : C[K] extends ReferenceColumn<infer N>
      ? FieldRef<IndexType<N>, D, K & string>
      : never;
};
/** References to the `sum` and `computed` fields of a component, by name. */
export type ComputedRefs<M, D extends string> = {
  readonly [K in keyof M]: M[K] extends ComputedField<infer T> ? FieldRef<T, D, K & string> : never;
};
type ComputedFields = Readonly<Record<string, ComputedField>>;
/** A component, with a reference for each of its fields, such as `Spring.stiffness`. */
export type Declared<
  C extends Record<string, Column>,
  D extends string,
  M extends ComputedFields = Record<never, never>,
> = Component<C> & { readonly domain: D } & ColumnRefs<C, D> & ComputedRefs<M, D>;

/**
 * Declares a component: a kind of element. Its entities become a domain, its columns fields, to which kernels and hosts
 * refer as `Spring.stiffness`. Fields that passes write, `sum` or `computed`, are declared so that kernels of all
 * plugins can refer to them.
 *
 * ```ts
 * const Spring = defineComponent('springs', {
 *   ends: reference(Particle, 2),
 *   stiffness: column(f32, { unit: 'N/m', range: 'positive' }),
 * }, {
 *   energy: computed(f32, { unit: 'J' }),
 * });
 * ```
 * @param options `noun`: word for one of its entities in messages, which say `spring 3` then, and else `element 3 of
 * springs`.
 * @throws when a field has a reserved name: name, columns, computed, domain, of, from or noun.
 */
export function defineComponent<
  const D extends string,
  const C extends Record<string, Column>,
  const M extends ComputedFields = Record<never, never>,
>(name: D, columns: C, computed: M = {} as M, { noun }: { readonly noun?: string } = {}): Declared<C, D, M> {
  return { name, columns, computed, noun, domain: name, ...refsOf(name, name, columns, computed) };
}

/**
 * Returns the name for messages of an entity without a label: its noun with its index, or with another word that
 * identifies it.
 */
export const labelOfUnnamed = ({ name, noun }: Component, identifier: number | string): string =>
  noun ? `${noun} ${identifier}` : `element ${identifier} of ${name}`;

/**
 * Declares more columns for the elements of another component: contact material for bodies, say. Aspects with the same
 * column constant under the same name share its field.
 */
export function defineAspect<
  const D extends string,
  const C extends Record<string, Column>,
  const M extends ComputedFields = Record<never, never>,
>(extended: DomainOf<D>, name: string, columns: C, computed: M = {} as M): Declared<C, D, M> {
  const domain = nameOfDomain(extended);
  return { name, columns, computed, domain, extendedComponent: domain, ...refsOf(name, domain, columns, computed) };
}

/** Returns the aspect for a component, given the name of its domain: see {@link defineAspects}. */
export type Aspects = (of: string) => Component;
/** Declares an aspect's columns for the elements of any component: see {@link defineAspects}. */
export type AspectsOf<C extends Record<string, Column>> = <const D extends string>(of: DomainOf<D>) => Declared<C, D>;

/**
 * Declares columns for the elements of whichever components other plugins have. The plugin lists the returned function
 * in its `aspects`; calling it with a component returns the aspect of that one, always the same object.
 *
 * ```ts
 * export const paintOf = defineAspects('paintOf', { gloss: column(f32, { default: 0.5 }) });
 * scene.attach(mote, paintOf(Mote), { gloss: 0.9 }); // the field `motes.gloss`, paintOf(Mote).gloss
 * ```
 * @param name name of the aspects for messages.
 */
export function defineAspects<const C extends Record<string, Column>>(name: string, columns: C): AspectsOf<C> {
  const known = new Map<string, Component<C>>();
  const aspects = <D extends string>(of: DomainOf<D>): Declared<C, D> => {
    const domain = nameOfDomain(of);
    const aspect = known.get(domain) ?? {
      ...defineAspect(domain, `${name}(${domain})`, columns),
      aspectsFunction: aspects,
    };
    known.set(domain, aspect);
    return aspect as Declared<C, D>;
  };
  return aspects;
}

const COMPONENT_PROPERTIES = new Set(['name', 'columns', 'computed', 'domain', 'of', 'from', 'noun']);

function refsOf<C extends Record<string, Column>, D extends string, M extends ComputedFields>(
  component: string,
  domain: D,
  columns: C,
  computed: M,
): ColumnRefs<C, D> & ComputedRefs<M, D> {
  const refs: Record<string, FieldRef> = {};
  for (const [name, column] of [...Object.entries(columns), ...Object.entries(computed)]) {
    if (COMPONENT_PROPERTIES.has(name))
      throw new GradsimError(
        'core/reserved-name',
        `The component "${component}" has a column "${name}", as components call a part of their own.`,
        { hint: 'Give it another name.' },
      );
    if (name in refs)
      throw new GradsimError('core/defined-twice', `The component "${component}" has two fields "${name}".`, {
        hint: 'Give one of them another name.',
      });
    if (column.kind === 'value') refs[name] = refOfColumn(column, domain, name);
    else if (column.kind === 'sum' || column.kind === 'computed')
      refs[name] = field(domain, name, column.type, { unit: column.unit });
    else if (column.kind === 'reference') refs[name] = field(domain, name, index(column.component, column.count));
  }
  return refs as ColumnRefs<C, D> & ComputedRefs<M, D>;
}

/** Cache of references to fields, by column, then by key. */
const refsByColumn = new WeakMap<ValueColumn, Map<string, FieldRef>>();

/** Returns the reference to a column's field: the same object, even if several aspects of a domain share the column. */
function refOfColumn(column: ValueColumn, domain: string, name: string): FieldRef {
  const known = refsByColumn.get(column) ?? new Map<string, FieldRef>();
  refsByColumn.set(column, known);
  const ref = field(domain, name, column.type, { unit: column.unit });
  known.set(ref.key, known.get(ref.key) ?? ref);
  return known.get(ref.key)!;
}

/** Returns the reference to a field of a component. */
export const refOf = (component: Component, column: string): FieldRef =>
  (component as unknown as Readonly<Record<string, FieldRef>>)[column];

export function column<V extends Value>(
  type: ValueType<V>,
  options: Omit<ValueColumn, 'kind' | 'type'> = {},
): ValueColumn<V> {
  refuseUnknownOptions('column', options, { default: true, unit: true, range: true, unseen: true });
  refuseUnknownRange('column', options.range);
  return { kind: 'value', type, ...options };
}
/** Declares a field to which passes of any plugin add: the sum of their contributions, zero without any. */
export const sum = <T extends ValueType>(type: T, options: { readonly unit?: string } = {}): ComputedField<T> => ({
  kind: 'sum',
  type,
  ...options,
});
/** Declares a field that the plugin computes: a pass writes it, or `build` fills it. */
export const computed = <T extends ValueType>(type: T, options: { readonly unit?: string } = {}): ComputedField<T> => ({
  kind: 'computed',
  type,
  ...options,
});
/** Declares references to other entities, by their component or its name. */
export function reference(component: DomainOf<string>): ReferenceColumn<1>;
export function reference<C extends number>(component: DomainOf<string>, count: C): ReferenceColumn<C>;
export function reference(component: DomainOf<string>, count = 1): ReferenceColumn {
  return { kind: 'reference', component: nameOfDomain(component), count };
}
export function resource<T>({ required = true } = {}): ObjectColumn<T> {
  return { kind: 'object', required };
}

/** An entity: a number that is valid only in its scene. */
export type Entity = number;

type ColumnInput<C> =
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

/** Values that can be given for an entity of a component. Columns without a default are required. */
export type ValuesOf<C> =
  C extends Component<infer Columns> ? { readonly [K in keyof Columns]?: ColumnInput<Columns[K]> } : never;

/** Values of many entities: one flat array per column, element by element. */
export type ManyValuesOf<C> =
  C extends Component<infer Columns>
    ? {
        readonly [K in keyof Columns]?: Columns[K] extends ObjectColumn<infer T> ? readonly T[] : ArrayLike<number>;
      }
    : never;
