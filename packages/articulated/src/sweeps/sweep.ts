import type {
  Adder,
  AddSpec,
  FieldOf,
  Index,
  Kernel,
  KernelPass,
  Reader,
  ReadSpec,
  Surroundings,
  Value,
  ValueOf,
  ValueType,
  WriteSpec,
} from '@gradsim/core';
import { bind, detach, fieldOn, index, kernel } from '@gradsim/core';
import { Link } from '../link.ts';
import type { Rank } from '../ranks.ts';

type Types = Readonly<Record<string, ValueType>>;
type FieldRefs = Readonly<Record<string, FieldOf<Value>>>;
type Values<T extends Types> = { readonly [K in keyof T]: ValueOf<T[K]> };
type ValuesAt<R extends FieldRefs> = {
  readonly [K in keyof R]: R[K] extends FieldOf<infer V> ? V : never;
};
type KernelInputs = Readonly<Record<string, Value>>;

/**
 * A kernel that runs level by level: from the roots to the leaves, reading values of parents, or back, passing values
 * to them. Access to parents is resolved by {@link sweep}.
 */
export interface Sweep<
  O extends Types,
  P extends Types,
  L extends FieldRefs,
  H extends FieldRefs,
  W extends Types,
  U extends Types,
  S extends FieldRefs,
  C extends Types = Record<never, never>,
> {
  readonly name: string;
  /** Fields read at the element of the level itself (`own`), and at its parent (`parent`). */
  readonly own: O;
  readonly parent: P;
  /** Fields over all links, read at the element's link. */
  readonly link: L;
  /** Values of the parent for links that hang on the world, computed from fields of the world. */
  readonly world: { readonly reads: H; readonly of: (values: ValuesAt<H>) => Values<P> };
  /** Fields written at the element of the level itself. */
  readonly writes: W;
  /** Fields passed to the parent, as the sum over its children. */
  readonly lifts: U;
  /** Fields that children pass, as the parent reads them; `borne` is null if no child passes any. */
  readonly childFields?: C;
  /** Fields over all links, added to at the element's link. */
  readonly sums: S;
  /** True if everything that it returns counts as constant in derivatives. */
  readonly isConstant?: boolean;
  readonly run: (
    values: {
      readonly own: Values<O>;
      readonly parent: Values<P>;
      readonly link: ValuesAt<L>;
      readonly borne: Values<C> | null;
    },
    surroundings: Surroundings,
  ) => { readonly own: Values<W>; readonly lifted: Values<U>; readonly link: ValuesAt<S> };
}

/** Returns the name of a level's field, with the level's number: several levels can share a domain. */
export const levelFieldName = ({ id }: Rank, name: string): string => `${name}${id}`;

/** Port renames of a sweep, which allow it to run a second time in a substep on other fields. */
export interface PortRenames {
  /** Names of fields of levels that get `suffix`. */
  readonly names: readonly string[];
  readonly suffix: string;
  /** Replacements of fields over all links, by port name: `linkDamping`, `sumAcceleration`. */
  readonly ofLinks: Readonly<Record<string, string>>;
}

const prefixName = (prefix: string, name: string): string => `${prefix}${name[0].toUpperCase()}${name.slice(1)}`;
const prefixKeys = <A, B>(of: Readonly<Record<string, A>>, prefix: string, value: (a: A) => B) =>
  Object.fromEntries(Object.entries(of).map(([key, a]) => [prefixName(prefix, key), value(a)]));

const portsOf = (prefix: string, of: object): string[] => Object.keys(of).map((name) => prefixName(prefix, name));

/**
 * Creates the passes of a sweep, one per level. Its kernel is traced once for all levels with the same access to
 * parents.
 */
export function sweep<
  const O extends Types,
  const P extends Types,
  const L extends FieldRefs,
  const H extends FieldRefs,
  const W extends Types,
  const U extends Types,
  const S extends FieldRefs,
  const C extends Types = Record<never, never>,
>(of: Sweep<O, P, L, H, W, U, S, C>): (rank: Rank, rebound?: PortRenames) => KernelPass {
  const known = new Map<string, Kernel>();
  return (rank, rebound) => {
    const key = `${rank.domain} ${rank.access} ${rank.parent?.domain} ${rank.hasLoadingChildren}`;
    const traced = known.get(key) ?? trace(of, rank);
    known.set(key, traced);
    return bind(traced, bindingsOf(of, rank, rebound));
  };
}

type SweepShape = Pick<
  Sweep<Types, Types, FieldRefs, FieldRefs, Types, Types, FieldRefs, Types>,
  'own' | 'parent' | 'link' | 'writes' | 'lifts' | 'childFields' | 'sums'
>;

function bindingsOf(
  { own, parent, link, writes, lifts, childFields, sums }: SweepShape,
  rank: Rank,
  rebound?: PortRenames,
): Record<string, string> {
  const bindings: Record<string, string> = {};
  const nameOf = (of: Rank, name: string): string =>
    `${levelFieldName(of, name)}${rebound?.names.includes(name) ? rebound.suffix : ''}`;
  for (const [port, name] of Object.entries(rebound?.ofLinks ?? {}))
    if ([...portsOf('link', link), ...portsOf('sum', sums)].includes(port)) bindings[port] = name;
  if (Object.keys({ ...link, ...sums }).length > 0) bindings.link = levelFieldName(rank, 'link');
  const borne = rank.hasLoadingChildren ? childFields : {};
  for (const name of Object.keys({ ...own, ...borne, ...writes })) bindings[name] = nameOf(rank, name);
  if (!rank.parent) return bindings;
  const isIndexed = rank.access === 'indexed';
  if (isIndexed && Object.keys({ ...parent, ...lifts }).length > 0) bindings.above = levelFieldName(rank, 'above');
  for (const name of Object.keys(parent)) bindings[prefixName('parent', name)] = nameOf(rank.parent, name);
  for (const name of Object.keys(lifts)) bindings[prefixName('lifted', name)] = nameOf(rank.parent, name);
  return bindings;
}

function trace<
  O extends Types,
  P extends Types,
  L extends FieldRefs,
  H extends FieldRefs,
  W extends Types,
  U extends Types,
  S extends FieldRefs,
  C extends Types,
>(of: Sweep<O, P, L, H, W, U, S, C>, rank: Rank): Kernel {
  const { access, domain } = rank;
  const above = rank.parent?.domain ?? '';
  const at = (type: ValueType): ReadSpec => (access === 'indexed' ? fieldOn(above, type) : type);
  const readsLinks = Object.keys({ ...of.link, ...of.sums }).length > 0;
  const readsAbove = access === 'indexed' && Object.keys({ ...of.parent, ...of.lifts }).length > 0;
  const reads: Record<string, ReadSpec> = {
    ...(readsLinks ? { link: index(Link.domain) } : {}),
    ...(readsAbove ? { above: index(above) } : {}),
    ...of.own,
    ...(rank.hasLoadingChildren ? of.childFields : {}),
    ...(access === 'world' ? of.world.reads : prefixKeys(of.parent, 'parent', at)),
    ...prefixKeys(of.link, 'link', (ref): ReadSpec => fieldOn(ref)),
  };
  const adds: Record<string, AddSpec> = {
    ...prefixKeys(of.sums, 'sum', (ref): AddSpec => fieldOn(ref)),
    ...(access === 'indexed' ? prefixKeys(of.lifts, 'lifted', (type): AddSpec => fieldOn(above, type)) : {}),
  };
  const writes: Record<string, WriteSpec> = {
    ...of.writes,
    ...(access === 'same' ? prefixKeys(of.lifts, 'lifted', (type): WriteSpec => type) : {}),
  };
  const name = `${of.name}_${rank.joint}`;
  return kernel(name, { domain, reads, adds, writes }, (fields: Readonly<Record<string, unknown>>, around) => {
    const pick = (names: object, value: (name: string) => unknown): KernelInputs =>
      Object.fromEntries(Object.keys(names).map((key) => [key, value(key) as Value]));
    const link = fields.link as Index;
    const place = fields.above as Index;
    const parent = (key: string): unknown => {
      const field = fields[prefixName('parent', key)];
      return access === 'indexed' ? (field as Reader<Value>).at(place) : field;
    };
    const made = of.run(
      {
        own: pick(of.own, (key) => fields[key]) as Values<O>,
        parent:
          access === 'world'
            ? of.world.of(pick(of.world.reads, (key) => fields[key]) as ValuesAt<H>)
            : (pick(of.parent, parent) as Values<P>),
        borne:
          of.childFields && rank.hasLoadingChildren ? (pick(of.childFields, (key) => fields[key]) as Values<C>) : null,
        link: pick(of.link, (key) => (fields[prefixName('link', key)] as Reader<Value>).at(link)) as ValuesAt<L>,
      },
      around,
    );
    const given = of.isConstant
      ? { own: detachValues(made.own), lifted: detachValues(made.lifted), link: detachValues(made.link) }
      : made;
    for (const key of Object.keys(of.sums))
      (fields[prefixName('sum', key)] as Adder<Value>).add(link, (given.link as KernelInputs)[key]);
    const lifted = given.lifted as KernelInputs;
    if (access === 'indexed')
      for (const key of Object.keys(of.lifts))
        (fields[prefixName('lifted', key)] as Adder<Value>).add(place, lifted[key]);
    return {
      ...(given.own as KernelInputs),
      ...(access === 'same' ? prefixKeys(lifted, 'lifted', (value) => value) : {}),
    };
  });
}

const detachValues = (values: KernelInputs): KernelInputs =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, detach(value)]));
