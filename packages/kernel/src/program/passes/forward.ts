import type { tangent } from '../../derivatives/tangent.ts';
import type { KernelForm } from '../../form/kernel-form.ts';
import type { Port } from '../../form/port.ts';
import type { IndexReader } from '../indices/incidence.ts';
import type { Job } from '../jobs/jobs.ts';
import type { KernelStep, KernelSum, Step, VersionOf } from '../jobs/kernel-steps.ts';
import { fieldKey } from '../jobs/kernel-steps.ts';
import type { SumSurroundings, Table } from '../jobs/surroundings.ts';
import type { MemoryPlace } from '../memory/places.ts';
import { additionsOf } from '../sums/additions.ts';
import type { KernelRun, SiteOf } from '../sums/placed-sites.ts';
import { sitesWithTargets } from '../sums/placed-sites.ts';
import type { Site } from '../sums/sites.ts';
import { sitesOf } from '../sums/sites.ts';
import type { SitePlaces } from '../sums/sums.ts';
import { Sum } from '../sums/sums.ts';

/** Places of all versions that the steps of a run read and write, and the properties of the run. */
export interface ForwardSurroundings<V extends VersionOf> extends SumSurroundings {
  readonly primal: (version: V) => MemoryPlace;
  readonly adjoint: (version: V) => MemoryPlace;
  /** Returns a function that reads the values of a kernel's index fields. */
  readonly indicesOf: (form: KernelForm, rename: Readonly<Record<string, string>>) => IndexReader;
}

/** Versions whose tangents are computed too, and the transform that makes a kernel its tangent kernel. */
export interface Tangents<V extends VersionOf> {
  readonly isActive: (version: V) => boolean;
  readonly tangent: typeof tangent;
}

/** Jobs of a forward run, by step. */
export type ForwardJobs<V extends VersionOf = VersionOf> = ReadonlyMap<Step<V>, readonly Job[]>;

const keyOf = (step: KernelStep, port: Port): string => fieldKey(port, step.kernel.form.domain, step.rename);

/**
 * Creates the jobs of steps, in order. With `tangents`, those of active versions are computed, too: each kernel is
 * replaced by its tangent kernel, and each sum is repeated for each tangent.
 * @param column number of the tangent on which kernels work that are part of a hand-written derivative.
 */
export function forwardJobs<V extends VersionOf>(
  layout: ForwardSurroundings<V>,
  steps: readonly Step<V>[],
  tables: Table[],
  tangents?: Tangents<V>,
  column = 0,
): ForwardJobs<V> {
  const columns = [...Array(layout.tangents).keys()];
  const sums = new Map<KernelSum<V>, Sum | 'direct'>();
  const sitePlaces: PlacesOfSites = new Map();
  for (const step of steps) if (step.kind === 'sum') sums.set(step, placeSites(layout, step, sitePlaces));
  const jobs = new Map<Step<V>, Job[]>();
  for (const step of steps) {
    if (step.kind === 'pass') jobs.set(step, passJobs(layout, step, sitePlaces.get(step), tangents, column));
    else {
      const sum = sums.get(step)!;
      const target = layout.primal(step.version);
      const label = step.version.field.key;
      const own = sum === 'direct' ? [] : sum.jobs(target, false, tables, label);
      const dots =
        sum === 'direct' || !tangents
          ? []
          : columns.flatMap((c) => sum.jobs(layout.tangent(target, c), false, tables, `${label}'`, c));
      jobs.set(step, [...own, ...dots]);
    }
  }
  return jobs;
}

/** Places of the sites of each kernel, by {@link siteKey}. */
type PlacesOfSites = Map<
  KernelStep,
  Map<string, { readonly of: SiteOf; readonly places: (tangent: number | null) => SitePlaces }>
>;
/** Key of the n-th site of a field in a kernel; the same in the kernel's tangent. */
const siteKey = (field: string, n: number): string => `${field}#${n}`;

function placeSites<V extends VersionOf>(
  layout: ForwardSurroundings<V>,
  step: KernelSum<V>,
  sitePlaces: PlacesOfSites,
): Sum | 'direct' {
  const { field } = step.version;
  const found = step.from.flatMap((pass) =>
    sitesOf(pass.kernel.form)
      .filter((site) => keyOf(pass, site.port) === field.key)
      .map((site, n) => ({ pass, site, n })),
  );
  const runs = new Map(step.from.map((pass) => [pass, runOf(layout, pass)]));
  const sites = sitesWithTargets(
    layout,
    found.map(({ pass, site }) => ({ field, site, run: runs.get(pass)! })),
  );
  const remember = (k: number, places: (tangent: number | null) => SitePlaces): void => {
    const { pass, n } = found[k];
    const known = sitePlaces.get(pass) ?? new Map();
    sitePlaces.set(pass, known.set(siteKey(field.key, n), { of: sites[k], places }));
  };
  // A single addition to the own element already is the sum.
  if (found.length === 1 && found[0].site.index === null && found[0].site.outputs.length === field.components) {
    const target = layout.primal(step.version);
    remember(0, (c) => ({ values: c === null ? target : layout.tangent(target, c), targets: null, lossRecord: null }));
    return 'direct';
  }
  const sum = new Sum(layout, field, sites);
  found.forEach((_, k) => remember(k, (c) => sum.sitePlaces(k, c)));
  return sum;
}

function runOf<V extends VersionOf>(layout: ForwardSurroundings<V>, { kernel, rename }: KernelStep): KernelRun {
  const { name, form } = kernel;
  return { name, domain: form.domain, indices: layout.indicesOf(form, rename) };
}

function passJobs<V extends VersionOf>(
  layout: ForwardSurroundings<V>,
  step: KernelStep<V>,
  sitePlaces: ReturnType<PlacesOfSites['get']>,
  tangents: Tangents<V> | undefined,
  column: number,
): Job[] {
  const { kernel } = step;
  const wrt = new Set(
    kernel.form.ports
      .filter((p) => p.access === 'read' && tangents?.isActive(step.reads.get(keyOf(step, p))!))
      .map((p) => p.name),
  );
  const whole: KernelForm = tangents ? tangents.tangent(kernel.form, { wrt, count: layout.tangents }) : kernel.form;
  const columnOf = (port: Port): number => (tangents ? (port.column ?? 0) : column);
  const counts = new Map<string, number>();
  /** Returns the next site of a field, in the order in which the sites of the field were placed. */
  const next = ({ port }: Site) => {
    const key = keyOf(step, port);
    const counter = `${port.kind}${port.column ?? ''}.${key}`;
    const n = counts.get(counter) ?? 0;
    counts.set(counter, n + 1);
    return sitePlaces!.get(siteKey(key, n))!;
  };
  const known = new Map(sitesOf(whole).map((site) => [site, next(site)]));
  const placed = [...known].map(([site, { of }]) => ({ ...of, site }));
  const { additions, jobs } = additionsOf(layout, whole, placed);
  const places = new Map<Port, MemoryPlace>();
  for (const port of whole.ports) {
    if (port.access === 'add') continue;
    const key = keyOf(step, port);
    const isRead = port.access === 'read';
    const of = port.kind === 'primal' ? undefined : step.derivatives?.[isRead ? 'reads' : 'gives'].get(key);
    const version = of ?? (isRead ? step.reads : step.writes).get(key)!;
    if (port.kind === 'adjoint') places.set(port, layout.adjoint(version));
    else {
      const place = layout.primal(version);
      places.set(port, port.kind === 'tangent' ? layout.tangent(place, columnOf(port)) : place);
    }
  }
  for (const { site: of, setPlaces } of additions) {
    const { port } = of.site;
    setPlaces(places, known.get(of.site)!.places(port.kind === 'tangent' ? columnOf(port) : null));
  }
  return jobs(kernel.name, places, new Set(), geometry(layout, kernel.form.domain));
}

/** Returns the number of elements and worlds of a kernel over a domain, and the order of its invocations. */
export function geometry(
  layout: Pick<ForwardSurroundings<never>, 'sizeOf' | 'worlds' | 'worldsInner'>,
  domain: string,
): Pick<Job, 'elements' | 'worlds' | 'worldsInner'> {
  return { elements: layout.sizeOf(domain), worlds: layout.worlds, worldsInner: layout.worldsInner(domain) };
}
