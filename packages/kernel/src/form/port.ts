import type { ScalarType } from './types.ts';

/** Which array a port addresses: the values of the field, their adjoint or their tangent. */
export type PortKind = 'primal' | 'adjoint' | 'tangent';

/** Name of a field. */
export interface FieldName {
  /** `domain.name`. */
  readonly key: string;
  readonly domain: string;
  readonly name: string;
  readonly unit?: string;
}

/** One field as a kernel sees it. */
export interface Port {
  /** Name of the field in the kernel: its own, unless `field` has it or a pass gives another one. */
  readonly name: string;
  /** The field, where the kernel refers to it. */
  readonly field?: FieldName;
  readonly kind: PortKind;
  /** Which of several tangents, from 1 on; the first has none. */
  readonly column?: number;
  readonly access: 'read' | 'write' | 'add';
  /** The domain that the field lies over; `''` stands for the kernel's own. */
  readonly domain: string;
  readonly scalar: ScalarType;
  readonly components: number;
  /** For an index: the domain that it points into. */
  readonly target?: string;
  /** Topology is shared by all worlds and is stored once, in the u32 buffer. */
  readonly shared: boolean;
  /** Whether its components are elements of the other domain, next to each other; see `several`. */
  readonly isSeveral?: boolean;
  /** Whether each invocation has a part of it for itself, as many elements as the other domain has, and one to spare. */
  readonly isAccumulator?: boolean;
}

/** Port of a function that is no kernel: loads of its components, one after another, are the arguments. */
export const ARGUMENTS: Port = {
  name: 'argument',
  kind: 'primal',
  access: 'read',
  domain: '',
  scalar: 'f32',
  components: 0,
  shared: false,
};

/** A port's name in generated code and in error messages. */
export function portLabel(port: Port): string {
  if (port.kind === 'adjoint') return `${port.name}_bar`;
  if (port.kind === 'tangent') return `${port.name}_dot${port.column ?? ''}`;
  return port.name;
}
