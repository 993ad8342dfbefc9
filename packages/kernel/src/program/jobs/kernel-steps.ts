import type { Port } from '../../form/port.ts';
import type { Kernel } from '../../language/kernel.ts';
import type { SumTarget } from './surroundings.ts';

/** A field together with one of its values between two writes. */
export interface VersionOf {
  readonly field: SumTarget;
}

/** A kernel with the versions that it reads and writes, by the key of the field. */
export interface KernelStep<V extends VersionOf = VersionOf> {
  readonly kind: 'pass';
  readonly kernel: Kernel;
  /** Map from names of ports in the kernel to names of fields: `{ position: 'nextPosition' }`. */
  readonly rename: Readonly<Record<string, string>>;
  readonly reads: ReadonlyMap<string, V>;
  readonly writes: ReadonlyMap<string, V>;
  /** For a hand-written derivative made of steps: the versions whose adjoints or tangents it reads and writes. */
  readonly derivatives?: {
    readonly reads: ReadonlyMap<string, V>;
    readonly gives: ReadonlyMap<string, V>;
  };
}
/** Sum of all additions by some kernels to a field. */
export interface KernelSum<V extends VersionOf = VersionOf> {
  readonly kind: 'sum';
  readonly version: V;
  readonly from: readonly KernelStep<V>[];
}
export type Step<V extends VersionOf = VersionOf> = KernelStep<V> | KernelSum<V>;

/** Returns the key of the field that a kernel's port stands for. */
export function fieldKey(port: Port, kernelDomain: string, rename: Readonly<Record<string, string>>): string {
  return `${port.domain || kernelDomain}.${rename[port.name] ?? port.field?.name ?? port.name}`;
}
