import type { AddSpec, FieldRef, IndexType, ReadSpec, Value, ValueType, WriteSpec } from '@gradsim/core';
import * as core from '@gradsim/core';
import type { KernelSpec, PortSpec, Type } from './program.ts';

const { field, index, indexOn, fieldOn, perWorld, several } = core;
const { f32, i32, mat22, mat33, quat, u32, vec2, vec3, vec4 } = core;
/** Field types by name; each is also a function that makes a value from numbers. */
const TYPES = { f32, i32, mat22, mat33, quat, u32, vec2, vec3, vec4 };
export const typeOf = (type: Type): ValueType => TYPES[type as keyof typeof TYPES] as ValueType;
export const literalOf = (type: Type, parts: readonly number[]): Value =>
  (TYPES[type as keyof typeof TYPES] as (...parts: readonly number[]) => Value)(...parts);

export const dataSpec = ({ kind, type, domain }: PortSpec): ReadSpec =>
  kind === 'own' ? typeOf(type) : kind === 'perWorld' ? perWorld(typeOf(type)) : fieldOn(domain!, typeOf(type));

const refs = new Map<string, FieldRef>();

/** Returns the reference to a field of a type, the same object for the same field and type. */
export function refTo<T extends ValueType | IndexType>(domain: string, name: string, type: T): FieldRef<T> {
  const held = 'kind' in type ? `${type.count} of ${type.domain}` : type.typeName;
  const key = `${domain}.${name} ${held}`;
  const known = refs.get(key) ?? field(domain, name, type);
  refs.set(key, known);
  return known as FieldRef<T>;
}

/** Tells whether a kernel reads a field of its own domain at other elements by `at` of its own value: half of such ports do. */
export const isReadByAt = (kernel: KernelSpec, { access, kind, domain, name }: PortSpec): boolean =>
  access === 'read' &&
  kind === 'on' &&
  domain === kernel.domain &&
  !kernel.adjoint &&
  name.charCodeAt(name.length - 1) % 2 > 0;

/** Returns the spec of a kernel's port as an author would write it: a reference to a field, or a type. */
function specOf(kernel: KernelSpec, given: PortSpec): ReadSpec | WriteSpec {
  const port = isReadByAt(kernel, given) ? { ...given, kind: 'own' as const, domain: undefined } : given;
  const { name, kind, type, domain, target, count } = port;
  const number = typeOf(type) as ValueType<core.F32 | core.U32>;
  if (kernel.refers) {
    const over = domain ?? (kind === 'perWorld' ? 'world' : kernel.domain);
    const called = kernel.refers[name] ?? name;
    if (kind === 'index') return refTo(over, called, index(target!, count!));
    if (kind === 'indexOn') return indexOn(refTo(over, called, index(target!)));
    if (kind === 'several') return several(refTo(over, called, number), count!);
    const ref = refTo(over, called, typeOf(type));
    return kind === 'on' ? fieldOn(ref) : ref;
  }
  if (kind === 'several') return several(domain!, number, count!);
  if (kind === 'index') return index(target!, count!);
  if (kind === 'indexOn') return indexOn(domain!, target!);
  return dataSpec(port);
}

/** Returns the specs of a kernel's ports that read, add or write, by name. */
const specsOf = (kernel: KernelSpec, access: PortSpec['access']) =>
  Object.fromEntries(kernel.ports.filter((p) => p.access === access).map((p) => [p.name, specOf(kernel, p)]));
export const readsOf = (kernel: KernelSpec) => specsOf(kernel, 'read') as Record<string, ReadSpec>;
export const addsOf = (kernel: KernelSpec) => specsOf(kernel, 'add') as Record<string, AddSpec>;
export const writesOf = (kernel: KernelSpec) => specsOf(kernel, 'write') as Record<string, WriteSpec>;
