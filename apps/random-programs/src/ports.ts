import type { ReadSpec, Value, ValueType } from '@gradsim/core';
import * as core from '@gradsim/core';
import type { KernelSpec, PortSpec, Type } from './program.ts';

const { index, indexOn, on, perWorld } = core;
const { f32, i32, mat22, mat33, quat, u32, vec2, vec3, vec4 } = core;
/** Types of fields, which make values of numbers too. */
const TYPES = { f32, i32, mat22, mat33, quat, u32, vec2, vec3, vec4 };
export const typeOf = (type: Type): ValueType => TYPES[type as keyof typeof TYPES] as ValueType;
export const literalOf = (type: Type, parts: readonly number[]): Value =>
  (TYPES[type as keyof typeof TYPES] as (...parts: readonly number[]) => Value)(...parts);

export const dataSpec = ({ kind, type, domain }: PortSpec): ReadSpec =>
  kind === 'own' ? typeOf(type) : kind === 'perWorld' ? perWorld(typeOf(type)) : on(domain!, typeOf(type));

/** What a kernel reads, as its author writes it. */
export const readsOf = ({ ports }: KernelSpec): Record<string, ReadSpec> =>
  Object.fromEntries(ports.filter((p) => p.access === 'read').map((p) => [p.name, readSpec(p)]));

function readSpec(port: PortSpec): ReadSpec {
  if (port.kind === 'index') return index(port.target!, port.count!);
  if (port.kind === 'indexOn') return indexOn(port.domain!, port.target!);
  return dataSpec(port);
}
