import type { KernelForm, Node, Output, Port } from '../language/form.ts';
import { isConstantRange, regionOf, roundsOf } from '../language/form.ts';

/** Additions of one kernel to one field, at one index: once an element, or in every round of a loop. */
export interface Site {
  readonly port: Port;
  /** Null for the own element. */
  readonly index: Node | null;
  /** How many there are for an element; null where nobody knows. */
  readonly rounds: number | null;
  readonly outputs: readonly Output[];
}

/** Sites of a form: its outputs of access `add`, grouped by port, index and round. */
export function sitesOf(form: KernelForm): Site[] {
  const groups = new Map<string, Site & { readonly outputs: Output[] }>();
  for (const output of form.outputs) {
    const { port, index, round, rounds } = output;
    if (port.access !== 'add') continue;
    // Two additions to one element are two sites.
    let copy = 0;
    const keyOf = () =>
      `${port.name}|${port.shade}|${port.domain}|${index?.id ?? 'own'}|${round?.id ?? 'once'}|${copy}`;
    while (groups.get(keyOf())?.outputs.some((o) => o.component === output.component)) copy++;
    const group = groups.get(keyOf()) ?? { port, index, rounds, outputs: [] };
    group.outputs.push(output);
    groups.set(keyOf(), group);
  }
  return [...groups.values()];
}

/** A loop around a site that makes the same rounds for every element. */
export interface ConstantLoop {
  readonly counter: Node;
  readonly start: number;
  readonly rounds: number;
}

/**
 * The loops that a site stands in, from the outermost; null where some of its slots may be left empty: by a branch, or by
 * a loop whose rounds data decide.
 */
export function constantLoopsOf({ outputs: [{ block }] }: Site): ConstantLoop[] | null {
  const loops: ConstantLoop[] = [];
  for (let region = regionOf(block); region; region = regionOf(region.block)) {
    if (!isConstantRange(region)) return null;
    const { body, start } = region;
    loops.unshift({ counter: body.counter, start: start.value, rounds: Math.max(1, roundsOf(region)) });
  }
  return loops;
}

/** A site whose additions can have a slot each. */
export type SlottedSite = Site & { readonly rounds: number };
export const isSlotted = (site: Site): site is SlottedSite => site.rounds !== null;

/** The ports of a site that stands on its own. */
export interface SitePorts {
  readonly values: Port;
  /** Where each value goes, for a site whose index only the run knows. */
  readonly targets: Port | null;
}

/**
 * The form with every site's outputs on a port of its own, going to the own element: to a slot instead of a target.
 * Gives the ports in the order of `sites`.
 * @param targets for sites whose index only the run knows: the number of elements that there are to add to.
 */
export function separateSites(
  form: KernelForm,
  sites: readonly Site[],
  targets: readonly (number | null)[],
): { form: KernelForm; ports: SitePorts[] } {
  const ports = sites.map(({ port }, k): SitePorts => {
    const own = { ...port, domain: '' };
    // A tangent goes where its value goes.
    const isSorted = targets[k] !== null && port.shade !== 'tangent';
    return { values: own, targets: isSorted ? { ...own, scalar: 'u32', components: 1 } : null };
  });
  const outputs = form.outputs.flatMap((output): Output[] => {
    const k = sites.findIndex((site) => site.outputs.includes(output));
    if (k < 0) return [output];
    const { values, targets: to } = ports[k];
    const value = { ...output, port: values, index: null };
    const all = sites[k].outputs;
    if (!to || output !== all[0]) return [value];
    const fallback = { values: all.map((o) => o.value), elements: targets[k]! };
    return [value, { ...value, port: to, component: 0, value: output.index!, fallback }];
  });
  return { form: { ...form, outputs }, ports };
}
