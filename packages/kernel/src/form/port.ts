import type { ScalarType } from './types.ts';

/** Which array of a field a port addresses: its values, their adjoint or their tangent. */
export type PortKind = 'primal' | 'adjoint' | 'tangent';

/** Name of a field. */
export interface FieldName {
  /** Unique key: `domain.name`. */
  readonly key: string;
  readonly domain: string;
  readonly name: string;
  readonly unit?: string;
}

/** A field as a kernel sees it. */
export interface Port {
  /** Name in the kernel: that of the field, unless a pass renames it. */
  readonly name: string;
  /** Field that the kernel names by reference; undefined if it names only a type. */
  readonly field?: FieldName;
  readonly kind: PortKind;
  /** Number of the tangent, from 1 on; undefined for the first tangent, number 0. */
  readonly column?: number;
  readonly access: 'read' | 'write' | 'add';
  /** Domain that the field lies over; `''` stands for the kernel's own. */
  readonly domain: string;
  readonly scalar: ScalarType;
  readonly components: number;
  /** For an index field: the domain that it points into. */
  readonly target?: string;
  /** True for topology, which all worlds share and which is stored once, in the u32 buffer. */
  readonly shared: boolean;
  /** True if its components are neighbouring elements of the other domain; see `several`. */
  readonly isSeveral?: boolean;
  /** True for a private accumulator: each invocation has its own copy of the other domain's elements, plus padding. */
  readonly isAccumulator?: boolean;
}

/** Port of a function that is not a kernel: loads of its components are the arguments, in order. */
export const ARGUMENT_PORT: Port = {
  name: 'argument',
  kind: 'primal',
  access: 'read',
  domain: '',
  scalar: 'f32',
  components: 0,
  shared: false,
};

/** Creates a port of a kernel that is written node by node; see `Port` for the domain. */
export const portOf = (
  name: string,
  access: Port['access'],
  domain: string,
  options: Partial<Omit<Port, 'name' | 'access' | 'domain'>> = {},
): Port => ({
  name,
  kind: 'primal',
  access,
  domain,
  scalar: 'f32',
  components: 1,
  shared: false,
  ...options,
});

/** Returns a port's name in generated code and in error messages. */
export function portLabel(port: Port): string {
  if (port.kind === 'adjoint') return `${port.name}_bar`;
  if (port.kind === 'tangent') return `${port.name}_dot${port.column ?? ''}`;
  return port.name;
}
