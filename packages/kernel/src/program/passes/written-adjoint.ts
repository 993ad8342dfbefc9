import { GradsimError } from '@gradsim/base';
import type { KernelForm } from '../../form/kernel-form.ts';
import type { Port } from '../../form/port.ts';

/**
 * Refuses a hand-written adjoint with a port that matches no input or output of its kernel and no other known field.
 * @param kernel display name of that kernel.
 * @param key returns the key of a port's field.
 * @param find returns the field of a key.
 */
export function checkWrittenAdjoint(
  kernel: string,
  form: KernelForm,
  key: (port: Port) => string,
  { reads, writes }: { readonly reads: ReadonlyMap<string, unknown>; readonly writes: ReadonlyMap<string, unknown> },
  find: (key: string) => Pick<Port, 'components' | 'scalar'>,
): void {
  const refuse = (what: string): never => {
    throw new GradsimError('kernel/wrong-adjoint', `the adjoint ${form.name} of ${kernel} ${what}`);
  };
  const names = (versions: ReadonlyMap<string, unknown>): string => [...versions.keys()].join(', ') || 'none';
  for (const port of form.ports) {
    const at = key(port);
    const isAdjoint = port.kind === 'adjoint';
    if (port.access === 'read' && isAdjoint && !writes.has(at))
      refuse(`reads the adjoint of ${at}, which that kernel does not give; it gives ${names(writes)}.`);
    if (port.access !== 'read' && !isAdjoint)
      refuse(`gives ${at} itself; adjoints only add to adjoints, declared with adjointOf.`);
    if (port.access !== 'read' && !reads.has(at))
      refuse(`adds to the adjoint of ${at}, which that kernel does not read; it reads ${names(reads)}.`);
    const field = find(at);
    if (field.components !== port.components || field.scalar !== port.scalar)
      refuse(`takes ${at} as ${port.components} x ${port.scalar}, but it is ${field.components} x ${field.scalar}.`);
  }
}
