import { described, GradsimError, isGradsimError, suggestion } from '@gradsim/base';
import type { KernelForm } from '../form/kernel-form.ts';
import type { Node } from '../form/nodes.ts';
import type { Port, PortKind } from '../form/port.ts';
import type { ScalarType } from '../form/types.ts';
import { Builder } from './builder.ts';
import type { F32, Operand, U32 } from './scalar.ts';
import { currentBuilder, Index, lift, refuseUnusedComparisons, Scalar, trace, u32, use, wrap } from './scalar.ts';
import { simplify } from './simplify.ts';
import type { DomainOf, FieldRef, IndexType, OtherDomain, PerWorld, Several, ValueOf, ValueType } from './types.ts';
import { fieldOn, nameOfDomain, perWorld } from './types.ts';
import type { Value } from './values.ts';
import { scalarsOf } from './values.ts';

/** Port of a field's adjoint, for hand-written adjoint kernels. */
export interface AdjointOf<S extends DataSpec = DataSpec> {
  readonly kind: 'adjoint';
  readonly field: string;
  readonly spec: S;
}
/** Refers to the adjoint of `field`: read it where the primal kernel wrote, add to it where the primal kernel read. */
export function adjointOf<S extends DataRef>(field: S): AdjointOf<S>;
export function adjointOf<S extends DataSpec>(field: string, spec: S): AdjointOf<S>;
export function adjointOf(field: string | DataRef, spec?: DataSpec): AdjointOf {
  return { kind: 'adjoint', ...namedSpec(field, spec) };
}
const namedSpec = (field: string | DataRef, spec?: DataSpec): { field: string; spec: DataSpec } =>
  typeof field === 'string' ? { field, spec: spec! } : { field: field.name, spec: field };

/** Port of a field's tangent, for hand-written forward-mode derivatives. */
export interface TangentOf<S extends DataSpec = DataSpec> {
  readonly kind: 'tangent';
  readonly field: string;
  readonly spec: S;
}
/**
 * Refers to the tangent of `field`, for the forward mode of a block of passes: read it where the block reads the field,
 * write it, at the own element, where the block writes the field.
 */
export function tangentOf<S extends DataRef>(field: S): TangentOf<S>;
export function tangentOf<S extends DataSpec>(field: string, spec: S): TangentOf<S>;
export function tangentOf(field: string | DataRef, spec?: DataSpec): TangentOf {
  return { kind: 'tangent', ...namedSpec(field, spec) };
}

/** Reference to a field of values, as opposed to indices. */
export type DataRef = FieldRef<ValueType>;
export type DataSpec = ValueType | OtherDomain | PerWorld | DataRef;
export type ReadSpec = DataSpec | IndexType | FieldRef<IndexType> | AdjointOf | TangentOf;
export type AddSpec = DataSpec | AdjointOf;
export type WriteSpec = ValueType | DataRef | Several | TangentOf<ValueType | DataRef>;

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
type Seen<S, D extends string> =
  S extends FieldRef<infer T, infer Over>
    ? Over extends D
      ? T
      : T extends ValueType<infer V>
        ? Over extends 'world'
          ? PerWorld<V>
          : OtherDomain<V, Over>
        : T & { readonly over: Over }
    : S;
type Reading<S, D extends string> = S extends AdjointOf<infer T> | TangentOf<infer T>
  ? Reading<T, D>
  : S extends FieldRef
    ? Reading<Seen<S, D>, D>
    : S extends OtherDomain<infer V>
      ? Reader<V>
      : S extends PerWorld<infer V>
        ? V
        : S extends IndexType<infer C>
          ? S extends { readonly over: string }
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
type Writing<S> =
  S extends Several<infer V>
    ? readonly V[]
    : S extends TangentOf<infer T>
      ? Writing<T>
      : S extends FieldRef<infer T>
        ? ValueOf<T>
        : ValueOf<S>;
type Adding<S, D extends string> = S extends FieldRef
  ? Adding<Seen<S, D>, D>
  : S extends AdjointOf<infer T>
    ? Adding<T, D>
    : S extends OtherDomain<infer V>
      ? Adder<V>
      : S extends PerWorld<infer V>
        ? OwnAdder<V>
        : OwnAdder<ValueOf<S>>;

/** Fields of `reads` and `adds` as the function of a kernel over domain `D` sees them. */
export type KernelFields<R, A, D extends string = string> = { [K in keyof R]: Reading<R[K], D> } & {
  [K in keyof A]: Adding<A[K], D>;
};

/** Values that a kernel can use besides its fields. */
export interface Surroundings {
  /** Duration of the substep, s. */
  readonly dt: F32;
  /** Duration of the substep before it, s; `dt` in the first of a simulation. */
  readonly previousDt: F32;
  /** Duration of the longest substep of the simulation, s, for bounds that hold in all of them. */
  readonly longestDt: F32;
  /** Number of the substep since the start of the run, from 0. */
  readonly substep: U32;
  /** Number of the substep since its frame began, from 0; outside of simulations, `substep`. */
  readonly substepOfFrame: U32;
  /** Number of the frame since the start of the run, from 0. */
  readonly frame: U32;
  /** Iteration number, from 0, for a pass within a loop of passes: the innermost one. */
  readonly round: U32;
  /** Time at the start of the substep, s. */
  readonly time: F32;
  /** Time at its end, s: exactly the `time` of the next substep. */
  readonly nextTime: F32;
  /** Machine epsilon of the device's precision: distance from 1 to the next float. */
  readonly epsilon: F32;
  /** Index of the own element in its domain. */
  readonly element: U32;
}

export interface KernelSpec<R, A, W, D extends string = string> {
  /** Domain that the kernel runs over, one call per element (and world). */
  readonly domain: DomainOf<D>;
  readonly reads?: R;
  /** Fields that the kernel adds to. All additions of a phase start from zero and are summed in a fixed order. */
  readonly adds?: A;
  /** Fields of the own element (or lists, see {@link several}) that the kernel function returns. */
  readonly writes?: W;
  /** Hand-written kernels that propagate adjoints backwards through this one, in place of the derived adjoint. */
  readonly adjoint?: () => readonly Kernel[];
}

/** Types of the fields of a kernel, by name. */
export interface KernelTypes {
  readonly domain: string;
  readonly reads: Readonly<Record<string, ReadSpec>>;
  readonly adds: Readonly<Record<string, AddSpec>>;
  readonly writes: Readonly<Record<string, WriteSpec>>;
}

/** A traced kernel. */
export interface Kernel<T extends KernelTypes = KernelTypes> {
  /** Types of the fields, for TypeScript only: undefined at run time. */
  readonly types?: T;
  readonly name: string;
  readonly form: KernelForm;
  readonly adjoint?: () => readonly Kernel[];
}

/**
 * A function over a domain, written once: from it come the code of every device and both derivatives.
 *
 * `body` is called once, here, with traced values. It returns the fields of `writes`.
 *
 * ```ts
 * const decay = kernel('decay', {
 *   domain: 'particles',
 *   reads: { velocity: vec3, rate: f32 },
 *   writes: { velocity: vec3 },
 * }, ({ velocity, rate }, { dt }) => ({ velocity: velocity.mul(exp(rate.mul(dt).neg())) }));
 * ```
 * @throws when a traced value is used as a JavaScript number or condition, or the returned values do not fit `writes`.
 */
export function kernel<
  const R extends Record<string, ReadSpec> = Record<never, ReadSpec>,
  const A extends Record<string, AddSpec> = Record<never, AddSpec>,
  const W extends Record<string, WriteSpec> = Record<never, WriteSpec>,
  const D extends string = string,
>(
  name: string,
  spec: KernelSpec<R, A, W, D>,
  body: (
    fields: KernelFields<R, A, D>,
    surroundings: Surroundings,
  ) => keyof W extends never ? void : { [K in keyof W]: Writing<W[K]> },
): Kernel<{ domain: NoInfer<D>; reads: NoInfer<R>; adds: NoInfer<A>; writes: NoInfer<W> }> {
  if (/[\r\n]/.test(name))
    throw new GradsimError('kernel/wrong-name', `A kernel's name is one line, not ${described(name)}.`);
  for (const [key, type] of Object.entries({ ...spec.reads, ...spec.adds, ...spec.writes }))
    if (!type)
      throw new GradsimError('base/wrong-type', `"${key}" has no type, but ${type}.`, {
        kernel: name,
        field: key,
        hint: 'Write f32, vec3, on(...).',
      });
  for (const [key, write] of Object.entries(spec.writes ?? {})) {
    if ((write as { kind?: string }).kind === 'adjoint')
      throw new GradsimError(
        'kernel/adjoint-written',
        `the adjoint "${key}" stands in writes; adjoints are added to, in adds.`,
        { kernel: name, field: key },
      );
  }
  const builder = new Builder(name);
  const ports = new Ports(name, nameOfDomain(spec.domain));
  const form = trace(builder, (): KernelForm => {
    const fields: Record<string, unknown> = {};
    for (const [key, read] of Object.entries(spec.reads ?? {})) fields[key] = reading(key, read, ports);
    for (const [key, add] of Object.entries(spec.adds ?? {})) {
      if (key in fields)
        throw new GradsimError('kernel/read-and-added', `"${key}" cannot be both read and added to.`, {
          kernel: name,
          field: key,
        });
      fields[key] = adding(key, add, ports);
    }
    withKnownNames(name, fields, (known) => {
      const given = body(known as Parameters<typeof body>[0], surroundings(builder));
      write(builder, spec.writes ?? {}, (given ?? {}) as Record<string, Given>, ports);
    });
    return { name, domain: ports.own, ports: ports.list, root: builder.root, outputs: builder.outputs };
  });
  refuseTwoOfOneName(form);
  refuseUnusedComparisons(builder);
  return { name, form: simplify(form), adjoint: spec.adjoint };
}

/**
 * Calls a function with a kernel's fields. A name that is none of them is undefined, since a field may be read under a
 * condition; where the function then fails, the error says so.
 */
function withKnownNames(kernel: string, fields: Record<string, unknown>, body: (fields: object) => void): void {
  const absent = new Set<string>();
  const known = new Proxy(fields, {
    get(all, key) {
      if (typeof key === 'string' && !(key in all)) absent.add(key);
      return Reflect.get(all, key);
    },
  });
  try {
    body(known);
  } catch (error) {
    const [key] = absent;
    if (key === undefined || (isGradsimError(error) && !error.message.includes('undefined'))) throw error;
    throw new GradsimError(
      'kernel/unknown-field',
      `"${key}" is none of the fields that its reads and adds name. ${suggestion(key, Object.keys(fields))}`,
      { kernel, field: key, cause: error },
    );
  }
}

/**
 * Checks that a name means one field: derivatives assume that reads and writes under one name are of the same field.
 * @throws when a kernel reads one field and writes another under one name.
 */
function refuseTwoOfOneName({ name, domain: own, ports }: KernelForm): void {
  const fieldOf = ({ field, domain, name: key }: Port): string => field?.key ?? `${domain || own}.${key}`;
  for (const written of ports) {
    if (written.access !== 'write' || written.kind !== 'primal') continue;
    const read = ports.find((port) => port.access === 'read' && port.kind === 'primal' && port.name === written.name);
    if (read && fieldOf(read) !== fieldOf(written))
      throw new GradsimError(
        'kernel/two-names',
        `"${written.name}" is ${fieldOf(read)} where it is read, and ${fieldOf(written)} where it is written.`,
        { kernel: name, hint: 'Give one of them another name.' },
      );
  }
}

function surroundings(b: Builder): Surroundings {
  return {
    get dt() {
      return wrap<'f32'>(b.builtin('dt'));
    },
    get previousDt() {
      return wrap<'f32'>(b.builtin('previousDt'));
    },
    get longestDt() {
      return wrap<'f32'>(b.builtin('longestDt'));
    },
    get substep() {
      return wrap<'u32'>(b.builtin('substep'));
    },
    get substepOfFrame() {
      return wrap<'u32'>(b.builtin('substepOfFrame'));
    },
    get frame() {
      return wrap<'u32'>(b.builtin('frame'));
    },
    get epsilon() {
      return wrap<'f32'>(b.builtin('epsilon'));
    },
    get round() {
      return wrap<'u32'>(b.builtin('round'));
    },
    get time() {
      return wrap<'f32'>(b.builtin('time'));
    },
    get nextTime() {
      return wrap<'f32'>(b.builtin('nextTime'));
    },
    get element() {
      return wrap<'u32'>(b.builtin('element'));
    },
  };
}

/** Ports of a kernel under construction. */
class Ports {
  readonly list: Port[] = [];
  readonly kernelName: string;
  /** Domain that the kernel runs over. */
  readonly own: string;
  constructor(kernelName: string, own: string) {
    this.kernelName = kernelName;
    this.own = own;
  }
  add(port: Port): Port {
    this.list.push(port);
    return port;
  }
  /** Returns how this kernel sees a referenced field: by value at its own element, per world, or by index. */
  seen(ref: FieldRef): Exclude<DataSpec, DataRef> | IndexType {
    const { domain, type } = ref;
    if (domain === this.own) return type;
    if ('kind' in type) return this.#list(ref as FieldRef<IndexType>);
    return domain === 'world' ? perWorld(type) : fieldOn(domain, type);
  }
  #list({ key, domain, type }: FieldRef<IndexType>): IndexType {
    if (type.count === 1) return { ...type, over: domain };
    throw new GradsimError(
      'kernel/wrong-size',
      `${key} holds ${type.count} indices an element; over other elements, a kernel reads lists of one.`,
      { kernel: this.kernelName, field: key },
    );
  }
}

const isRef = (spec: object): spec is FieldRef => 'kind' in spec && spec.kind === 'field';

function dataPort(
  key: string,
  spec: DataSpec | AdjointOf | TangentOf,
  access: Port['access'],
  ports: Ports,
): { port: Port; type: ValueType; kind: string } {
  let name = key;
  let kind: PortKind = 'primal';
  let given: DataSpec;
  if ('kind' in spec && (spec.kind === 'adjoint' || spec.kind === 'tangent')) {
    name = spec.field;
    kind = spec.kind;
    given = spec.spec;
  } else given = spec as DataSpec;
  const field = isRef(given) ? given : 'field' in given ? (given.field as FieldRef) : undefined;
  const data = (isRef(given) ? ports.seen(given) : given) as Exclude<DataSpec, DataRef>;
  const type = 'kind' in data ? data.type : data;
  const domain = 'kind' in data ? data.domain : '';
  const port = ports.add({
    name,
    kind,
    access,
    domain,
    scalar: type.scalar,
    components: type.components,
    shared: false,
    field,
  });
  return { port, type, kind: 'kind' in data ? data.kind : 'own' };
}

const loadValue = (port: Port, type: ValueType, at: Node | null): Value =>
  type.fromNodes(Array.from({ length: port.components }, (_, c) => currentBuilder().load(port, c, at)));

function reading(key: string, given: ReadSpec, ports: Ports): unknown {
  const spec = isRef(given) && 'kind' in given.type ? ports.seen(given) : given;
  if ('kind' in spec && spec.kind === 'index') {
    const field = isRef(given) ? given : spec.field;
    const port = ports.add({
      name: key,
      kind: 'primal',
      access: 'read',
      domain: spec.over ?? '',
      scalar: 'u32',
      components: spec.count,
      target: spec.domain,
      shared: true,
      field,
    });
    if (spec.over !== undefined) {
      return {
        at: (i: Operand<'u32'>) => new Index(currentBuilder().load(port, 0, lift(i, 'u32')), spec.domain),
      };
    }
    const indices = Array.from(
      { length: spec.count },
      (_, c) => new Index(currentBuilder().load(port, c, null), spec.domain),
    );
    return spec.count === 1 ? indices[0] : indices;
  }
  const { port, type, kind } = dataPort(key, spec as DataSpec | AdjointOf | TangentOf, 'read', ports);
  if (kind === 'other') {
    return {
      at: (i: Operand<'u32'>) => {
        checkDomain(key, port, i);
        return loadValue(port, type, lift(i, 'u32'));
      },
    };
  }
  if (kind === 'perWorld') return loadValue(port, type, use(u32(0)));
  const own = loadValue(port, type, null);
  return port.kind === 'primal' ? withOthers(own, [key, port, type], ports) : own;
}

/** Gives the value of the own element the method that reads the field at others, whose port is there once it is called. */
function withOthers(own: Value, [key, port, type]: [string, Port, ValueType], ports: Ports): Value {
  let others: Port | undefined;
  const at = (i: Operand<'u32'>): Value => {
    others ??= ports.add({ ...port, domain: ports.own });
    checkDomain(key, others, i);
    return loadValue(others, type, lift(i, 'u32'));
  };
  return Object.assign(own, { at });
}

function adding(key: string, spec: AddSpec, ports: Ports): unknown {
  const { port, kind } = dataPort(key, spec, 'add', ports);
  const own = currentBuilder();
  const add = (at: Node | null, value: Value): void => {
    const b = currentBuilder();
    if (b !== own)
      throw new GradsimError(
        'kernel/add-within-vjp',
        `"${key}" is added to in a function that vjp takes the derivative of.`,
        { kernel: b.kernelName, field: key, hint: 'Give the value back from it.' },
      );
    const parts = typeCheck(key, port, value);
    parts.forEach((part, c) => b.output(port, c, at, use(part)));
  };
  if (kind !== 'other') return { add: (value: Value) => add(kind === 'perWorld' ? use(u32(0)) : null, value) };
  return {
    add: (i: Operand<'u32'>, value: Value) => {
      checkDomain(key, port, i);
      add(lift(i, 'u32'), value);
    },
  };
}

function checkDomain(key: string, port: Port, i: Operand<'u32'>): void {
  if (i instanceof Index && i.domain !== port.domain) {
    throw new GradsimError(
      'kernel/wrong-domain',
      `"${key}" lies over ${port.domain}, but was given an index of ${i.domain}.`,
      { kernel: currentBuilder().kernelName, field: key },
    );
  }
}

/** Value that a kernel function may return under one name: a value, or a list of scalars for {@link several}. */
type Given = Value | readonly Scalar[];

function severalPort(key: string, { domain, type, count, field }: Several, ports: Ports): Port {
  const { scalar } = type;
  return ports.add({
    name: key,
    kind: 'primal',
    access: 'write',
    domain,
    scalar,
    components: count,
    shared: false,
    isSeveral: true,
    field,
  });
}

function typeCheck(key: string, port: { components: number; scalar: ScalarType }, value: Given): readonly Scalar[] {
  const parts = Array.isArray(value) ? (value as readonly Scalar[]) : scalarsOf(value as Value);
  if (parts.length !== port.components || parts.some((p) => !(p instanceof Scalar) || p.node.type !== port.scalar)) {
    const got = parts.map((p) => p.node.type).join(', ');
    throw new GradsimError(
      'base/wrong-type',
      `"${key}" takes ${port.components} x ${port.scalar}, but was given (${got}).`,
      { kernel: currentBuilder().kernelName, field: key },
    );
  }
  return parts;
}

function write(b: Builder, specs: Record<string, WriteSpec>, given: Record<string, Given>, ports: Ports): void {
  for (const key of Object.keys(given)) {
    if (!(key in specs))
      throw new GradsimError('kernel/unknown-field', `gives back "${key}", which its writes do not name.`, {
        kernel: b.kernelName,
        field: key,
      });
  }
  for (const [key, type] of Object.entries(specs)) {
    if (!(key in given))
      throw new GradsimError('kernel/field-not-returned', `does not give back "${key}", which its writes name.`, {
        kernel: b.kernelName,
        field: key,
      });
    if (isRef(type) && type.domain !== ports.own)
      throw new GradsimError(
        'kernel/wrong-domain',
        `writes ${type.key}, but runs over ${ports.own}; a kernel writes fields of its own elements, and adds to those of others.`,
        { kernel: b.kernelName, field: type.key },
      );
    const port =
      'kind' in type && type.kind === 'several'
        ? severalPort(key, type, ports)
        : dataPort(key, type, 'write', ports).port;
    typeCheck(key, port, given[key]).forEach((part, c) => b.output(port, c, null, use(part)));
  }
}
