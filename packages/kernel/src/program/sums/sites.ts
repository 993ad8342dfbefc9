import { keptWithForm } from '../../form/kept-with-form.ts';
import type { KernelForm, KernelOutput } from '../../form/kernel-form.ts';
import type { Block, Node, SideBlock } from '../../form/nodes.ts';
import type { Port } from '../../form/port.ts';
import { portLabel } from '../../form/port.ts';
import { isConstantRange, regionOf, roundsOf } from '../../form/walk.ts';
import { NO_ELEMENT } from '../../language/fields/no-element.ts';

/** Additions of one kernel to one field at one index node: one per element, or one in every iteration of a loop. */
export interface Site {
  readonly port: Port;
  /** Index of the element to add to; null for the own element. */
  readonly index: Node | null;
  /** Additions per element; null if the number is not known before the run. */
  readonly rounds: number | null;
  readonly outputs: readonly KernelOutput[];
}

/** Returns the sites of a form: its outputs with access `add`, grouped by port, index and iteration number. */
export function sitesOf(form: KernelForm): readonly Site[] {
  const sites = siteCache.get(form) ?? groupOutputs(form);
  siteCache.set(form, sites);
  return sites;
}

// Cache: many passes run one kernel.
const siteCache = new WeakMap<KernelForm, readonly Site[]>();

function groupOutputs(form: KernelForm): Site[] {
  const groups = new Map<string, Site & { readonly outputs: KernelOutput[] }>();
  for (const output of form.outputs) {
    const { port, index, round, rounds } = output;
    if (port.access !== 'add') continue;
    // Two additions to one element are two sites.
    let copy = 0;
    const keyOf = () =>
      `${portLabel(port)}|${port.kind}|${port.domain}|${index?.id ?? 'own'}|${round?.id ?? 'once'}|${copy}`;
    while (groups.get(keyOf())?.outputs.some((o) => o.component === output.component)) copy++;
    const group = groups.get(keyOf()) ?? { port, index, rounds, outputs: [] };
    group.outputs.push(output);
    groups.set(keyOf(), group);
  }
  return [...groups.values()];
}

/** A loop of a kernel, around an addition, whose number of iterations is the same for every element. */
export interface ConstantLoop {
  readonly counter: Node;
  readonly start: number;
  readonly rounds: number;
}

/**
 * Returns the loops around a site, outermost first; null if some of its slots may stay empty: because of a branch, or
 * of a loop with data-dependent iterations.
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

/** Ports of a site whose additions are redirected. */
export interface SitePorts {
  readonly values: Port;
  /** Port of the values' targets, for a site whose index is known only at run time; else null, also for tangents. */
  readonly targets: Port | null;
  /**
   * Port of the record of an addition out of range to a private accumulator (substep + 1, element, index; one record
   * per invocation). Null for slots, for indices in range, and for tangents, which are added where the values are.
   */
  readonly lossRecord: Port | null;
}

/**
 * Target of a site's additions: to a slot with a known target, to a slot that also stores its target and is sorted, or
 * to a private accumulator. `elements` is the number of elements of the field that is added to; `isWithin`: whether the index
 * is known to be one of them.
 */
export interface Destination {
  readonly kind: 'slot' | 'sorted' | 'accumulator';
  readonly elements: number;
  readonly isWithin: boolean;
}

/** A form in which each site has ports of its own; `ports` are in the order of the sites. */
interface Separated {
  readonly form: KernelForm;
  readonly ports: readonly SitePorts[];
}

/**
 * Copies a form so that each of its sites (see `sitesOf`) has ports of its own: it writes to a slot of its own element
 * or adds to a private accumulator, instead of adding to the target. Results are cached by form and destinations,
 * because many passes share one kernel.
 */
export function separateSites(form: KernelForm, destinations: readonly Destination[]): Separated {
  if (destinations.length === 0) return { form, ports: [] };
  const choice = destinations.map((one) => Object.values(one)).join();
  return separated(form, choice, () => separate(form, sitesOf(form), destinations));
}

const separated = keptWithForm<Separated>();

function separate(form: KernelForm, sites: readonly Site[], destinations: readonly Destination[]): Separated {
  const ports = sites.map(({ port }, k): SitePorts => {
    const own = { ...port, domain: '' };
    const { kind, isWithin } = destinations[k];
    const words: Port = { ...own, access: 'write', scalar: 'u32', components: kind === 'accumulator' ? 3 : 1 };
    // A tangent goes to the target of its value.
    const isTangent = port.kind === 'tangent';
    return {
      values: kind === 'accumulator' ? { ...port, isAccumulator: true } : own,
      targets: kind === 'sorted' && !isTangent ? words : null,
      lossRecord: kind === 'accumulator' && !isTangent && !isWithin ? { ...words, isAccumulator: true } : null,
    };
  });
  const outputs = form.outputs.flatMap((output): KernelOutput[] => {
    const k = sites.findIndex((site) => site.outputs.includes(output));
    if (k < 0) return [output];
    return destinations[k].kind === 'accumulator'
      ? [accumulatedOutput(sites[k], output, ports[k], destinations[k])]
      : slotted(sites[k], output, ports[k], destinations[k]);
  });
  return { form: { ...form, outputs }, ports };
}

/** Returns whether the index of an addition may be out of range where the added values are 0. */
export const allowsOutOfRange = (outputs: readonly KernelOutput[]): boolean => outputs.some((o) => o.isConditional);

function slotted(
  { outputs: all }: Site,
  output: KernelOutput,
  ports: SitePorts,
  { elements }: Destination,
): KernelOutput[] {
  const value = { ...output, port: ports.values, index: null };
  if (!ports.targets || output !== all[0]) return [value];
  const fallback = allowsOutOfRange(all) ? { values: all.map((o) => o.value), elements } : undefined;
  return [value, { ...value, port: ports.targets, component: 0, value: output.index!, fallback }];
}

function accumulatedOutput(
  site: Site,
  output: KernelOutput,
  { values: port, lossRecord }: SitePorts,
  to: Destination,
): KernelOutput {
  const { block, index, values } = unhoistedAddition(site);
  const k = site.outputs.indexOf(output);
  const accumulator = {
    elements: to.elements,
    isWithin: to.isWithin,
    lost: k === 0 ? lossRecord : null,
    values: allowsOutOfRange(site.outputs) ? values : null,
  };
  return { ...output, port, block, index, round: null, value: values[k], accumulator };
}

interface SunkAddition {
  readonly block: Block;
  readonly index: Node;
  readonly values: readonly Node[];
}

/**
 * Undoes the hoisting of an addition out of branches: returns the innermost branch side that computes its values, with
 * index and values there. On the other side nothing is added.
 */
function unhoistedAddition({ index, outputs }: Site): SunkAddition {
  let at: SunkAddition = { block: outputs[0].block, index: index!, values: outputs.map(({ value }) => value) };
  for (let inner = inSide(at); inner; inner = inSide(at)) at = inner;
  return at;
}

function inSide({ block, index, values }: SunkAddition): SunkAddition | null {
  const [first] = values;
  if (first.op !== 'result' || first.region.op !== 'if' || first.region.block !== block) return null;
  const { region } = first;
  const given = (node: Node, side: SideBlock): Node | null =>
    node.op === 'result' && node.region === region ? side.results[node.position] : null;
  const isConst = (node: Node | null, value: number): boolean => node?.op === 'const' && node.value === value;
  // An index that the branch does not decide may be computed after it.
  const isBefore = block.nodes.indexOf(index) < block.nodes.indexOf(region);
  for (const [side, other] of [
    [region.then, region.otherwise],
    [region.otherwise, region.then],
  ]) {
    // Values that the branch does not decide are computed before it.
    const isLeft = given(index, other)
      ? isConst(given(index, other), NO_ELEMENT)
      : values.every((value) => isConst(given(value, other), 0));
    const inside = values.map((value) => given(value, side));
    const own = given(index, side);
    if (isLeft && (own || isBefore) && inside.every((value) => value !== null))
      return { block: side, index: own ?? index, values: inside };
  }
  return null;
}
