import type { KernelForm, Port } from '../language/form.ts';
import type { Job } from './jobs.ts';
import type { Place } from './places.ts';
import { emptyForm } from './scatter.ts';
import { constantLoopsOf, separateSites } from './sites.ts';
import type { SiteOf, SitePlaces, SumSurroundings } from './sums.ts';

/** What a kernel adds to a field at one index, going to slots. */
export interface Addition {
  readonly of: SiteOf;
  /** The port of the values. */
  readonly port: Port;
  /** Empties the slots before the kernel runs, which may leave some of them alone; null where it cannot. */
  readonly empty: Job | null;
  /** Says where the slots lie; `places` are those of the kernel's ports. */
  readonly put: (places: Map<Port, Place>, at: SitePlaces) => void;
}

/**
 * The form with its additions going to slots, and these additions, in order.
 * @param placed its sites, see `sitesOf`, with where their slots go.
 */
export function additionsOf(
  around: SumSurroundings,
  form: KernelForm,
  placed: readonly SiteOf[],
): { readonly form: KernelForm; readonly additions: readonly Addition[] } {
  const separated = separateSites(
    form,
    placed.map(({ site }) => site),
    placed.map(({ targets, elements }) => (targets ? null : elements)),
  );
  const additions = placed.map((of, k): Addition => {
    const { values, targets } = separated.ports[k];
    const empty = emptyJob(around, of);
    const put: Addition['put'] = (places, at) => {
      places.set(values, at.values);
      if (!targets) return;
      places.set(targets, at.targets!);
      empty?.places.set(empty.port, at.targets!);
    };
    return { of, port: values, put, empty: empty?.job ?? null };
  });
  return { form: separated.form, additions };
}

function emptyJob(around: SumSurroundings, { site, domain, targets }: SiteOf) {
  if (targets !== null || constantLoopsOf(site) !== null || site.port.shade === 'tangent') return null;
  const { form, targets: port } = emptyForm(`empty_${site.port.name}`);
  const places = new Map<Port, Place>();
  const job: Job = {
    label: form.name,
    form,
    elements: around.sizeOf(domain) * site.rounds,
    worlds: around.worlds,
    worldsInner: true,
    places,
    accumulates: new Set(),
  };
  return { job, port, places };
}
