import { GradsimError } from '@gradsim/base';
import type { KernelForm } from '../form/kernel-form.ts';
import { firstLoadsOf } from '../form/loads.ts';
import type { Port } from '../form/port.ts';

/** Returns the ports that a form loads from, in the order of their first loads. */
export const portsRead = ({ root }: KernelForm): Set<Port> => new Set(firstLoadsOf(root).map(({ port }) => port));

/** Refuses a `several` port if the other domain does not have that many elements per element of the kernel's own. */
export function checkSeveral(
  kernel: string,
  domain: string,
  port: Port,
  key: string,
  sizeOf: (domain: string) => number,
): void {
  const [own, other] = [sizeOf(domain), sizeOf(port.domain)];
  if (own * port.components === other) return;
  throw new GradsimError(
    'kernel/wrong-size',
    `kernel ${kernel} writes ${port.components} elements of ${key} for each of the ${own} of ${domain}, but ${port.domain} has ${other}.`,
    { kernel, field: key },
  );
}
