import type { KernelForm, Port } from '../language/form.ts';
import { copiesForm, sizeOfCopy } from './copies.ts';
import type { Job } from './jobs.ts';
import { zeroForm } from './jobs.ts';
import type { Place } from './places.ts';
import { emptyForm } from './scatter.ts';
import { constantLoopsOf, separateSites } from './sites.ts';
import type { SiteOf, SitePlaces, SumSurroundings } from './sums.ts';

/** What a kernel adds to a field at one index, going to slots or to copies. */
export interface Addition {
  readonly of: SiteOf;
  /** The port of the values. */
  readonly port: Port;
  /** Says where they lie; `places` are those of the kernel's ports. */
  readonly put: (places: Map<Port, Place>, at: SitePlaces) => void;
}

/** A kernel with its additions going elsewhere. */
export interface Additions {
  /** In the order of its sites. */
  readonly additions: readonly Addition[];
  /** What its run takes, once all ports have places. */
  readonly jobs: (
    label: string,
    places: Map<Port, Place>,
    accumulates: ReadonlySet<Port>,
    geometry: Pick<Job, 'elements' | 'worlds' | 'worldsInner'>,
  ) => Job[];
}

/** The part of a kernel that adds to so many copies, or to slots. */
interface Part {
  readonly form: KernelForm;
  /** How many invocations a world has; null for the elements of the domain. */
  readonly invocations: number | null;
  readonly additions: readonly Addition[];
  /** What is done before, as places are told. */
  readonly before: readonly Job[];
}

/**
 * A kernel with its additions going to slots, and to copies where nobody knows how many slots there would be.
 * @param placed its sites, see `sitesOf`, with where their slots go.
 */
export function additionsOf(around: SumSurroundings, form: KernelForm, placed: readonly SiteOf[]): Additions {
  const parts = [...new Set([null, ...placed.map(({ copies }) => copies)])].map((copies) => {
    const own = placed.filter((of) => of.copies === copies);
    return copies === null ? slotted(around, form, placed) : copied(around, form, own, copies);
  });
  const of = new Map(parts.flatMap(({ additions }) => additions.map((addition) => [addition.of, addition])));
  return {
    additions: placed.map((site) => of.get(site)!),
    jobs: (label, places, accumulates, geometry) =>
      parts.flatMap((part) => [
        ...part.before,
        ...(part.form.outputs.length > 0
          ? [
              {
                label,
                form: part.form,
                places,
                accumulates,
                ...geometry,
                elements: part.invocations ?? geometry.elements,
              },
            ]
          : []),
      ]),
  };
}

function slotted(around: SumSurroundings, form: KernelForm, placed: readonly SiteOf[]): Part {
  const own = placed.filter(({ copies }) => copies === null);
  const toCopies = new Set(placed.flatMap(({ copies, site }) => (copies === null ? [] : site.outputs)));
  const separated = separateSites(
    { ...form, outputs: form.outputs.filter((output) => !toCopies.has(output)) },
    own.map(({ site }) => site),
    own.map(({ targets, elements }) => (targets ? null : elements)),
  );
  const before: Job[] = [];
  const additions = own.map((of, k): Addition => {
    const { values, targets } = separated.ports[k];
    const empty = mayLeaveEmpty(of) ? emptyForm(`empty_${of.site.port.name}`) : null;
    const emptied = new Map<Port, Place>();
    if (empty) before.push(job(around, empty.form, around.sizeOf(of.run.domain) * of.site.rounds!, emptied));
    const put: Addition['put'] = (places, at) => {
      places.set(values, at.values);
      if (!targets) return;
      places.set(targets, at.targets!);
      if (empty) emptied.set(empty.targets, at.targets!);
    };
    return { of, port: values, put };
  });
  return { form: separated.form, invocations: null, additions, before };
}

/** Whether a kernel may leave some slots alone; where a tangent goes, its value says. */
const mayLeaveEmpty = ({ site, targets }: SiteOf): boolean =>
  targets === null && constantLoopsOf(site) === null && site.port.shade !== 'tangent';

function copied(around: SumSurroundings, form: KernelForm, placed: readonly SiteOf[], copies: number): Part {
  const sites = placed.map(({ site, elements }) => ({ site, targets: elements }));
  const made = copiesForm(form, sites, around.sizeOf(placed[0].run.domain), copies);
  const before: Job[] = [];
  const cleared = new Set<Port>();
  const additions = placed.map((of, k): Addition => {
    const { port } = of.site;
    const { copies: values, lost, lostBefore } = made.ports[k];
    const isFirst = !cleared.has(port);
    cleared.add(port);
    const zero = zeroForm(`zero_${port.name}`, port.components);
    const zeroed = new Map<Port, Place>();
    if (isFirst) before.push(job(around, zero.form, copies * sizeOfCopy(of.elements), zeroed));
    const put: Addition['put'] = (places, at) => {
      zeroed.set(zero.target, at.values);
      places.set(values, at.values);
      for (const record of [lost, lostBefore]) places.set(record, at.lost!);
    };
    return { of, port: values, put };
  });
  return { form: made.form, invocations: copies, additions, before };
}

const job = (
  { worlds }: SumSurroundings,
  form: KernelForm,
  elements: number,
  places: ReadonlyMap<Port, Place>,
): Job => ({ label: form.name, form, elements, worlds, worldsInner: true, places, accumulates: new Set() });
