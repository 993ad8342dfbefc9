import { describeValue, GradsimError } from '@gradsim/base';
import type { Node } from '../../form/nodes.ts';
import type { Port, PortKind } from '../../form/port.ts';
import { portOf } from '../../form/port.ts';
import type { ScalarType } from '../../form/types.ts';
import type { Builder } from '../builder.ts';
import type { Operand } from '../scalar.ts';
import { currentBuilder, Index, lift, Scalar, u32, use } from '../scalar.ts';
import type { FieldRef, IndexType, Several, ValueType } from '../types.ts';
import { fieldOn, perWorld } from '../types.ts';
import type { Value } from '../values.ts';
import { scalarsOf } from '../values.ts';
import type { AddSpec, AdjointOf, DataRef, DataSpec, ReadSpec, TangentOf, WriteSpec } from './specs.ts';

/** Ports of a kernel under construction. */
export class Ports {
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
  accessTypeOf(ref: FieldRef): Exclude<DataSpec, DataRef> | IndexType {
    const { domain, type } = ref;
    if (domain === this.own) return type;
    if ('kind' in type) return this.#list(ref as FieldRef<IndexType>);
    return domain === 'world' ? perWorld(type) : fieldOn(domain, type);
  }
  #list({ key, domain, type }: FieldRef<IndexType>): IndexType {
    if (type.count === 1) return { ...type, ownDomain: domain };
    throw new GradsimError(
      'kernel/wrong-size',
      `${key} holds ${type.count} indices an element; over other elements, a kernel reads lists of one.`,
      { kernel: this.kernelName, field: key },
    );
  }
}

export const isRef = (spec: object): spec is FieldRef => 'kind' in spec && spec.kind === 'field';

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
  const data = (isRef(given) ? ports.accessTypeOf(given) : given) as Exclude<DataSpec, DataRef>;
  const type = 'kind' in data ? data.type : data;
  const domain = 'kind' in data ? data.domain : '';
  const { scalar, components } = type;
  const port = ports.add(portOf(name, access, domain, { kind, scalar, components, field }));
  return { port, type, kind: 'kind' in data ? data.kind : 'own' };
}

const loadValue = (port: Port, type: ValueType, at: Node | null): Value =>
  type.fromNodes(Array.from({ length: port.components }, (_, c) => currentBuilder().load(port, c, at)));

export function reading(key: string, declared: ReadSpec, ports: Ports): unknown {
  const spec = isRef(declared) && 'kind' in declared.type ? ports.accessTypeOf(declared) : declared;
  if ('kind' in spec && spec.kind === 'index') {
    const field = isRef(declared) ? declared : spec.field;
    const { count: components, domain: target } = spec;
    const list = { scalar: 'u32', components, target, shared: true, field } as const;
    const port = ports.add(portOf(key, 'read', spec.ownDomain ?? '', list));
    const load = (c: number, at: Node | null): Index => new Index(currentBuilder().load(port, c, at), target);
    if (spec.ownDomain !== undefined) return { at: (i: Operand<'u32'>) => load(0, lift(i, 'u32')) };
    const indices = Array.from({ length: components }, (_, c) => load(c, null));
    return components === 1 ? indices[0] : indices;
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

export function adding(key: string, spec: AddSpec, ports: Ports): unknown {
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
export type KernelResult = Value | readonly Scalar[];

function severalPort(key: string, { domain, type, count, field }: Several, ports: Ports): Port {
  const { scalar } = type;
  return ports.add(portOf(key, 'write', domain, { scalar, components: count, isSeveral: true, field }));
}

function typeCheck(
  key: string,
  port: { components: number; scalar: ScalarType },
  value: KernelResult,
): readonly Scalar[] {
  const parts = Array.isArray(value) ? (value as readonly Scalar[]) : scalarsOf((value ?? {}) as Value);
  if (parts?.length !== port.components || parts.some((p) => !(p instanceof Scalar) || p.node.type !== port.scalar)) {
    const got = parts?.map((p) => p?.node?.type ?? describeValue(p)).join(', ') ?? describeValue(value);
    throw new GradsimError(
      'base/wrong-type',
      `"${key}" takes ${port.components} x ${port.scalar}, but was given (${got}).`,
      { kernel: currentBuilder().kernelName, field: key },
    );
  }
  return parts;
}

export function write(
  b: Builder,
  specs: Record<string, WriteSpec>,
  results: Record<string, KernelResult>,
  ports: Ports,
): void {
  for (const key of Object.keys(results)) {
    if (!(key in specs))
      throw new GradsimError('kernel/unknown-field', `gives back "${key}", which its writes do not name.`, {
        kernel: b.kernelName,
        field: key,
      });
  }
  for (const [key, type] of Object.entries(specs)) {
    if (!(key in results))
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
    typeCheck(key, port, results[key]).forEach((part, c) => b.output(port, c, null, use(part)));
  }
}
