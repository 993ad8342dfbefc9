import { sizeOfAccumulator } from '../../emit/bind/accumulators.ts';
import type { KernelForm } from '../../form/kernel-form.ts';
import type { Port } from '../../form/port.ts';
import { isIndexOf, rangesOf } from '../indices/ranges.ts';
import { guardsOf, withoutRecord } from '../jobs/guards.ts';
import type { Job } from '../jobs/jobs.ts';
import type { SumSurroundings } from '../jobs/surroundings.ts';
import type { MemoryPlace } from '../memory/places.ts';
import { zeroForm } from './forms.ts';
import type { SiteOf } from './placed-sites.ts';
import { emptyForm } from './scatter.ts';
import type { Destination } from './sites.ts';
import { constantLoopsOf, separateSites } from './sites.ts';
import type { SitePlaces } from './sums.ts';

/** Values that a kernel adds to a field at one index, redirected to slots or private accumulators. */
export interface Addition {
  readonly site: SiteOf;
  /** Port to which the values are written instead. */
  readonly port: Port;
  /** Sets the places of the ports of this addition in `places`, the places of all ports of the kernel. */
  readonly setPlaces: (places: Map<Port, MemoryPlace>, at: SitePlaces) => void;
}

/** A kernel whose additions are redirected to slots or accumulators, and the jobs that run it. */
export interface Additions {
  /** Additions in the order of the sites. */
  readonly additions: readonly Addition[];
  /** Returns the jobs that run the kernel, given the places of all ports. */
  readonly jobs: (
    label: string,
    places: Map<Port, MemoryPlace>,
    accumulates: ReadonlySet<Port>,
    geometry: Pick<Job, 'elements' | 'worlds' | 'worldsInner'>,
  ) => Job[];
}

/**
 * Redirects a kernel's additions to slots or, where the number of slots is unknown, to private accumulators.
 * @param sites sites of the kernel, see `sitesOf`, with the targets of their slots.
 */
export function additionsOf(around: SumSurroundings, form: KernelForm, sites: readonly SiteOf[]): Additions {
  const separated = separateSites(
    form,
    sites.map((of) => destinationOf(around, form, of)),
  );
  const before: Job[] = [];
  // Sites of one port share their accumulators.
  const withAccumulators = sites.filter(({ accumulators }) => accumulators !== null);
  const isFirst = (of: SiteOf): boolean => withAccumulators.find(({ site }) => site.port === of.site.port) === of;
  const additions = sites.map((site, k): Addition => {
    const { values, targets, lossRecord } = separated.ports[k];
    const first = site.accumulators === null || isFirst(site) ? clearing(around, site) : null;
    if (first) before.push(first.job);
    const setPlaces: Addition['setPlaces'] = (places, at) => {
      places.set(values, at.values);
      if (targets) places.set(targets, at.targets!);
      if (lossRecord) places.set(lossRecord, at.lossRecord!);
      first?.places.set(first.port, site.accumulators === null ? at.targets! : at.values);
    };
    return { site, port: values, setPlaces };
  });
  const accumulatorsOf = new Map(sites.map(({ accumulators }, k) => [separated.ports[k].values, accumulators]));
  const parts = partsOf(separated.form, accumulatorsOf, around.scatters === 'sorted');
  return {
    additions,
    jobs(label, places, accumulates, geometry) {
      const guards = guardsOf(around, label, form, places, geometry.elements);
      const guarded = (part: number) => (guards && part === 0 ? { guards } : withoutRecord(guards));
      return [
        ...before,
        ...parts.map((part, k) => ({ label, places, accumulates, ...geometry, ...part, ...guarded(k) })),
      ];
    },
  };
}

function destinationOf(
  around: SumSurroundings,
  form: KernelForm,
  { site, run, targets, accumulators, elements }: SiteOf,
): Destination {
  if (accumulators === null) return { kind: targets ? 'slot' : 'sorted', elements, isWithin: false };
  const rangeOf = rangesOf(form.root, {
    elements: around.sizeOf(run.domain),
    sizeOfTarget: () => null,
    mayBeNone: () => true,
  });
  return { kind: 'accumulator', elements, isWithin: isIndexOf(rangeOf(site.index!), elements) };
}

/**
 * Creates the jobs that clear slots or accumulators before a kernel runs: it may leave slots unset, and it adds to
 * accumulators.
 */
function clearing(around: SumSurroundings, { site, run, elements, targets, accumulators }: SiteOf) {
  const places = new Map<Port, MemoryPlace>();
  const job = (form: KernelForm, count: number): Job => ({
    label: form.name,
    form,
    elements: count,
    worlds: around.worlds,
    worldsInner: true,
    places,
    accumulates: new Set(),
  });
  const { name, components, kind } = site.port;
  if (accumulators !== null) {
    const { form, target } = zeroForm(`zero_${name}`, components);
    return { job: job(form, accumulators * sizeOfAccumulator(elements)), places, port: target };
  }
  // A tangent goes to the target of its value.
  if (targets !== null || constantLoopsOf(site) !== null || kind === 'tangent') return null;
  const { form, targets: port } = emptyForm(`empty_${name}`);
  return { job: job(form, around.sizeOf(run.domain) * site.rounds!), places, port };
}

/**
 * Splits a kernel into forms to run: without accumulators one form, else one per number of accumulators, each
 * partitioned among as many invocations. Outputs that need no accumulator are in the first, or in a form of their own
 * if `isWide`.
 * @param isWide whether outputs that need no accumulator are faster with one invocation per element.
 */
function partsOf(
  form: KernelForm,
  accumulatorsOf: ReadonlyMap<Port, number | null>,
  isWide: boolean,
): { readonly form: KernelForm; readonly partitions?: number }[] {
  const numbers = [...new Set([...accumulatorsOf.values()].filter((accumulators) => accumulators !== null))];
  if (numbers.length === 0) return [{ form }];
  const others = form.outputs.filter(({ accumulator }) => !accumulator);
  const isApart = isWide && others.length > 0;
  const parts = numbers.map((partitions, k) => {
    const own = form.outputs.filter(({ port }) => accumulatorsOf.get(port) === partitions);
    const outputs = k > 0 || isApart ? own : [...others, ...own];
    return { form: { ...form, outputs }, partitions };
  });
  return isApart ? [{ form: { ...form, outputs: others } }, ...parts] : parts;
}
