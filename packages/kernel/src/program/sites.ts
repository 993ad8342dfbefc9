import type { KernelForm, Node, Output, Port } from '../language/form.ts';

/** Additions of one kernel to one field, at one index: one slot an element. */
export interface Site {
  readonly port: Port;
  /** Null for the own element. */
  readonly index: Node | null;
  readonly outputs: readonly Output[];
}

/** Sites of a form: its outputs of access `add`, grouped by port and index. */
export function sitesOf(form: KernelForm): Site[] {
  const groups = new Map<string, { port: Port; index: Node | null; outputs: Output[] }>();
  for (const output of form.outputs) {
    if (output.port.access !== 'add') continue;
    // Two additions to one element are two sites.
    let copy = 0;
    const keyOf = () =>
      `${output.port.name}|${output.port.shade}|${output.port.domain}|${output.index?.id ?? 'own'}|${copy}`;
    while (groups.get(keyOf())?.outputs.some((o) => o.component === output.component)) copy++;
    const group = groups.get(keyOf()) ?? { port: output.port, index: output.index, outputs: [] };
    group.outputs.push(output);
    groups.set(keyOf(), group);
  }
  return [...groups.values()];
}

/**
 * The form with every site's outputs on a port of its own, going to the own element: to a slot instead of a target.
 * Gives the ports in the order of `sites`.
 */
export function separateSites(form: KernelForm, sites: readonly Site[]): { form: KernelForm; ports: Port[] } {
  const ports = sites.map((site) => ({ ...site.port, domain: '' }));
  const outputs = form.outputs.map((output): Output => {
    const k = sites.findIndex((site) => site.outputs.includes(output));
    return k < 0 ? output : { ...output, port: ports[k], index: null };
  });
  return { form: { ...form, outputs }, ports };
}
