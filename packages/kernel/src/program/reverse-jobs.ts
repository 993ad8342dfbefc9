import { adjoint } from '../derivatives/adjoint.ts';
import type { KernelForm } from '../form/kernel-form.ts';
import type { Port } from '../form/port.ts';
import { everyStatement } from '../form/walk.ts';
import { additionsOf } from './additions.ts';
import type { Chain, ChainStep, Version } from './chain.ts';
import { passesOf } from './chain.ts';
import { zeroForm } from './forms.ts';
import { geometry } from './forward-jobs.ts';
import type { Job } from './jobs.ts';
import { fieldKey } from './kernel-steps.ts';
import type { SiteOf } from './placed-sites.ts';
import { siteOf } from './placed-sites.ts';
import type { Place } from './places.ts';
import type { ProgramLayout } from './program-layout.ts';
import { sitesOf } from './sites.ts';
import type { SitePlaces } from './sums.ts';
import { Sum } from './sums.ts';
import type { Table } from './surroundings.ts';

/** Additions to the adjoint of a version that wait until it is read, to be summed together. */
interface Waiting {
  readonly of: SiteOf;
  readonly put: (places: SitePlaces) => void;
}

/**
 * The jobs that take a chain back, from the adjoints of `seeds`, which are there, to those of all active versions that
 * they depend on. Kernels go from the last to the first; what lies in other places is left from before, so the first
 * addition to an adjoint replaces it.
 * @returns the versions whose adjoints the jobs make or find.
 */
export function reverseJobs(
  layout: ProgramLayout,
  chain: Chain,
  active: ReadonlySet<Version>,
  seeds: Iterable<Version>,
  tables: Table[],
): { jobs: Job[]; isSet: ReadonlySet<Version> } {
  const jobs: Job[] = [];
  const isSet = new Set(seeds);
  const pending = new Map<Version, Waiting[]>();
  const flush = (version: Version): void => {
    const waiting = pending.get(version);
    if (!waiting) return;
    pending.delete(version);
    const sum = new Sum(
      layout,
      version.field,
      waiting.map((w) => w.of),
    );
    waiting.forEach((w, k) => w.put(sum.sitePlaces(k)));
    jobs.push(...sum.jobs(layout.adjoint(version), isSet.has(version), tables, `${version.field.key}_bar`));
    isSet.add(version);
  };

  for (const step of passesOf(chain).reverse()) {
    for (const form of adjointsOf(step, active, (version) => isSet.has(version) || pending.has(version))) {
      const key = (port: Port): string => fieldKey(port, form.domain, step.rename);
      const from = { name: form.name, domain: form.domain, indices: layout.indicesOf(form, step.rename) };
      const sites = sitesOf(form).map((site) => siteOf(layout, step.reads.get(key(site.port))!.field, site, from));
      const separated = additionsOf(layout, form, sites);
      const places = new Map<Port, Place>();
      for (const port of usedPorts(form)) {
        const at = key(port);
        if (port.shade === 'primal') {
          const version = step.reads.get(at) ?? step.writes.get(at) ?? step.found.get(at) ?? chain.kept.get(at);
          if (!version)
            throw new Error(
              `the adjoint ${form.name} of kernel ${step.kernel.name} reads ${at}, which no kernel before that one writes.`,
            );
          places.set(port, layout.primal(version));
          continue;
        }
        const version = step.writes.get(at)!;
        flush(version);
        if (!isSet.has(version)) jobs.push(zeroJob(layout, version));
        isSet.add(version);
        places.set(port, layout.adjoint(version));
      }
      const accumulates = new Set<Port>();
      // A kernel loads before it stores, so it can add to an element's own place only once.
      const ownElements = new Set<Version>();
      for (const { of, port, put } of separated.additions) {
        const { site } = of;
        const version = step.reads.get(key(site.port))!;
        if (site.index === null && !ownElements.has(version)) {
          ownElements.add(version);
          places.set(port, layout.adjoint(version));
          if (isSet.has(version)) accumulates.add(port);
          isSet.add(version);
          continue;
        }
        const waiting = pending.get(version) ?? [];
        waiting.push({ of, put: (at) => put(places, at) });
        pending.set(version, waiting);
      }
      jobs.push(...separated.jobs(form.name, places, accumulates, geometry(layout, form.domain)));
    }
  }
  for (const version of [...pending.keys()]) flush(version);
  return { jobs, isSet };
}

/** The kernels that carry adjoints back through one; none where no derivative goes through it. */
function adjointsOf(
  step: ChainStep,
  active: ReadonlySet<Version>,
  isPresent: (version: Version) => boolean,
): KernelForm[] {
  const { kernel, reads, writes } = step;
  const key = (port: Port, { domain }: KernelForm): string => fieldKey(port, domain, step.rename);
  const namesOf = (test: (port: Port) => boolean): Set<string> =>
    new Set(kernel.form.ports.filter(test).map((port) => port.name));
  const seeds = namesOf((port) => {
    const version = writes.get(key(port, kernel.form));
    return port.access !== 'read' && active.has(version!) && isPresent(version!);
  });
  const wrt = namesOf((port) => port.access === 'read' && active.has(reads.get(key(port, kernel.form))!));
  if (seeds.size === 0 || wrt.size === 0) return [];
  if (!kernel.adjoint) return [adjoint(kernel.form, { wrt, seeds })];
  return kernel.adjoint().map(({ form }) => {
    checkWritten(step, form);
    // It may give adjoints that nobody asked for.
    const outputs = form.outputs.filter((o) => active.has(reads.get(key(o.port, form))!));
    return { ...form, outputs };
  });
}

/** Refuses an adjoint written by hand whose ports fit nothing that its kernel reads or gives. */
function checkWritten({ kernel, rename, reads, writes }: ChainStep, form: KernelForm): void {
  const refuse = (what: string): never => {
    throw new Error(`the adjoint ${form.name} of kernel ${kernel.name} ${what}`);
  };
  const names = (versions: ReadonlyMap<string, Version>): string => [...versions.keys()].join(', ') || 'none';
  for (const port of form.ports) {
    const at = fieldKey(port, form.domain, rename);
    const isAdjoint = port.shade === 'adjoint';
    if (port.access === 'read' && !isAdjoint) continue;
    if (!isAdjoint) refuse(`gives ${at} itself; adjoints only add to adjoints, declared with adjointOf.`);
    const [versions, verb] = port.access === 'read' ? [writes, 'give'] : [reads, 'read'];
    const version = versions.get(at);
    if (!version)
      refuse(
        `${port.access === 'read' ? 'reads' : 'adds to'} the adjoint of ${at}, which that kernel does not ${verb}; it ${verb}s ${names(versions)}.`,
      );
    else if (version.field.components !== port.components)
      refuse(`takes ${at} as ${port.components} numbers, but it is ${version.field.components}.`);
  }
}

function zeroJob(layout: ProgramLayout, version: Version): Job {
  const { form, target } = zeroForm(`zero_${version.field.name}`, version.field.components);
  const places = new Map([[target, layout.adjoint(version)]]);
  return {
    label: form.name,
    form,
    places,
    accumulates: new Set(),
    ...geometry(layout, version.field.domain),
  };
}

/** The ports that live loads of a form read. */
function usedPorts(form: KernelForm): Set<Port> {
  const ports = new Set<Port>();
  for (const node of everyStatement(form.root)) if (node.op === 'load') ports.add(node.port);
  return ports;
}
