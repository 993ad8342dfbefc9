import type { Port } from '../form/port.ts';
import type { Kernel } from '../language/kernel.ts';
import type { SumTarget } from './surroundings.ts';

/** Value of a field between two writes. */
export interface VersionOf {
  readonly field: SumTarget;
}

/** A kernel with the versions that it reads and makes, by the key of the field. */
export interface KernelStep<V extends VersionOf = VersionOf> {
  readonly kind: 'pass';
  readonly kernel: Kernel;
  /** From the kernel's names to fields: `{ position: 'nextPosition' }`. */
  readonly rename: Readonly<Record<string, string>>;
  readonly reads: ReadonlyMap<string, V>;
  readonly writes: ReadonlyMap<string, V>;
  /** In a derivative written by hand as steps of its own: the versions whose adjoints or tangents it reads, and gives. */
  readonly derivatives?: {
    readonly reads: ReadonlyMap<string, V>;
    readonly gives: ReadonlyMap<string, V>;
  };
}
/** The sum of what kernels added to a field. */
export interface KernelSum<V extends VersionOf = VersionOf> {
  readonly kind: 'sum';
  readonly version: V;
  readonly from: readonly KernelStep<V>[];
}
export type Step<V extends VersionOf = VersionOf> = KernelStep<V> | KernelSum<V>;

/** The key of the field that a kernel's port stands for. */
export function fieldKey(port: Port, kernelDomain: string, rename: Readonly<Record<string, string>>): string {
  return `${port.domain || kernelDomain}.${rename[port.name] ?? port.field?.name ?? port.name}`;
}
