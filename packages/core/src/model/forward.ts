import type { Job, KernelForm, Place, Port, Site, SitePlaces, Table } from '@gradsim/kernel/compiler';
import { emptyJob, Sum, separateSites, siteOf, sitesOf, tangent } from '@gradsim/kernel/compiler';
import type { Layout } from './layout.ts';
import { fieldKey } from './model.ts';
import type { PassStep, Step, SumStep } from './steps.ts';
import { isPass } from './steps.ts';

/** What running a cycle forward takes: jobs for each step. */
export type ForwardJobs = ReadonlyMap<Step, readonly Job[]>;

const keyOf = (step: PassStep, port: Port): string => fieldKey(port, step.kernel.form.domain, step.rename);

/**
 * The jobs of a cycle. With `active`, tangents of these fields go along: every pass becomes its tangent kernel, every
 * sum is done twice.
 */
export function forwardJobs(
  layout: Layout,
  steps: readonly Step[],
  tables: Table[],
  active?: ReadonlySet<string>,
): ForwardJobs {
  const sums = new Map<SumStep, Sum | 'direct'>();
  const sitePlaces: PlacesOfSites = new Map();
  const before = new Map<PassStep, Job[]>();
  for (const step of steps) if (!isPass(step)) sums.set(step, placeSites(layout, step, sitePlaces, before));
  const jobs = new Map<Step, Job[]>();
  for (const step of steps) {
    if (isPass(step))
      jobs.set(step, [...(before.get(step) ?? []), passJob(layout, step, sitePlaces.get(step), active)]);
    else {
      const sum = sums.get(step)!;
      const target = layout.primal(step.version);
      const label = step.version.field.key;
      const own = sum === 'direct' ? [] : sum.jobs(target, false, tables, label);
      const dots =
        sum === 'direct' || !active ? [] : sum.jobs(layout.tangent(target), false, tables, `${label}'`, true);
      jobs.set(step, [...own, ...dots]);
    }
  }
  return jobs;
}

/** Where the sites of a pass lie, by `siteKey`, and the elements that those add to which say themselves where they go. */
type PlacesOfSites = Map<PassStep, Map<string, { of: (tangent: boolean) => SitePlaces; elements: number }>>;

/** The n-th site of a field in a kernel; the same in the kernel's tangent. */
const siteKey = (field: string, n: number): string => `${field}#${n}`;

function placeSites(
  layout: Layout,
  step: SumStep,
  sitePlaces: PlacesOfSites,
  before: Map<PassStep, Job[]>,
): Sum | 'direct' {
  const { field } = step.version;
  const found = step.from.flatMap((pass) =>
    sitesOf(pass.kernel.form)
      .filter((site) => keyOf(pass, site.port) === field.key)
      .map((site, n) => ({ pass, site, n })),
  );
  const elements = layout.sizeOf(field.domain);
  const remember = (pass: PassStep, n: number, of: (tangent: boolean) => SitePlaces): void => {
    const places = sitePlaces.get(pass) ?? new Map();
    places.set(siteKey(field.key, n), { of, elements });
    sitePlaces.set(pass, places);
  };
  // One addition to the own element is the sum already.
  if (
    found.length === 1 &&
    found[0].site.index === null &&
    found[0].site.outputs.length === field.components
  ) {
    const target = layout.primal(step.version);
    remember(found[0].pass, 0, (dots) => ({ values: dots ? layout.tangent(target) : target, targets: null }));
    return 'direct';
  }
  const sites = found.map(({ pass, site }) => {
    const { name, form } = pass.kernel;
    const indices = layout.indicesOf(form, pass.rename);
    return siteOf(layout, field, site, { name, domain: form.domain, indices });
  });
  const sum = new Sum(layout, field, sites);
  found.forEach(({ pass, n }, k) => {
    remember(pass, n, (dots) => sum.sitePlaces(k, dots));
    const empty = emptyJob(layout, sites[k]);
    if (!empty) return;
    empty.put(sum.sitePlaces(k).targets!);
    before.set(pass, [...(before.get(pass) ?? []), empty.job]);
  });
  return sum;
}

function passJob(
  layout: Layout,
  step: PassStep,
  sitePlaces: ReturnType<PlacesOfSites['get']>,
  active?: ReadonlySet<string>,
): Job {
  const { kernel } = step;
  const wrt = new Set(
    kernel.form.ports.filter((p) => p.access === 'read' && active?.has(keyOf(step, p))).map((p) => p.name),
  );
  const whole: KernelForm = active ? tangent(kernel.form, { wrt }) : kernel.form;
  const sites = sitesOf(whole);
  const counts = new Map<string, number>();
  const placed = sites.map((site: Site) => {
    const key = keyOf(step, site.port);
    const counter = `${site.port.shade}.${key}`;
    const n = counts.get(counter) ?? 0;
    counts.set(counter, n + 1);
    const { of, elements } = sitePlaces!.get(siteKey(key, n))!;
    return { ...of(site.port.shade === 'tangent'), elements };
  });
  const { form, ports: sitePorts } = separateSites(
    whole,
    sites,
    placed.map(({ targets, elements }) => targets && elements),
  );
  const places = new Map<Port, Place>();
  for (const port of whole.ports) {
    if (port.access === 'add') continue;
    const key = keyOf(step, port);
    const place = layout.primal((port.access === 'read' ? step.reads : step.writes).get(key)!);
    places.set(port, port.shade === 'tangent' ? layout.tangent(place) : place);
  }
  sitePorts.forEach(({ values, targets }, k) => {
    places.set(values, placed[k].values);
    if (targets) places.set(targets, placed[k].targets!);
  });
  return {
    label: kernel.name,
    form,
    places,
    accumulates: new Set(),
    ...geometry(layout, kernel.form.domain),
  };
}

export function geometry(layout: Layout, domainName: string) {
  const domain = layout.model.domain(domainName);
  return { elements: domain.size, worlds: layout.options.worlds, worldsInner: !domain.elementsTogether };
}
