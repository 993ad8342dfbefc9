import type { KernelForm } from '../../form/kernel-form.ts';
import type { Port } from '../../form/port.ts';
import type { Job } from '../jobs/jobs.ts';
import type { VersionOf } from '../jobs/kernel-steps.ts';
import type { Table } from '../jobs/surroundings.ts';
import type { MemoryPlace } from '../memory/places.ts';
import { additionsOf } from '../sums/additions.ts';
import { zeroForm } from '../sums/forms.ts';
import type { SiteOf } from '../sums/placed-sites.ts';
import { sitesWithTargets } from '../sums/placed-sites.ts';
import { sitesOf } from '../sums/sites.ts';
import type { SitePlaces } from '../sums/sums.ts';
import { Sum } from '../sums/sums.ts';
import type { ForwardSurroundings } from './forward.ts';
import { geometry } from './forward.ts';

/** Adjoint kernel of a step, and the versions that its ports stand for. */
export interface AdjointKernel<V> {
  readonly form: KernelForm;
  readonly rename: Readonly<Record<string, string>>;
  readonly primal: ReadonlyMap<Port, V>;
  readonly adjoint: ReadonlyMap<Port, V>;
}

export interface AdjointWriterOptions<V> {
  /** Returns a key of a version: equal for versions with the same adjoint. */
  readonly key: (version: V) => unknown;
  /**
   * Returns whether the place of an adjoint holds a value before the first addition of the writer; if not, that
   * addition replaces the contents.
   */
  readonly isFound: (version: V) => boolean;
  /**
   * Returns whether additions to an adjoint stay in slots over many runs and are summed once at the end. By default
   * none do.
   */
  readonly sumsAtEnd?: (version: V) => boolean;
  /** Receives jobs in the order in which they run. */
  readonly write: (jobs: readonly Job[]) => void;
}

/** Additions to the adjoint of a version that are deferred until it is read, and then summed together. */
interface Waiting<V> {
  readonly version: V;
  readonly sites: { readonly of: SiteOf; readonly put: (places: SitePlaces) => void }[];
}

/**
 * Writes the jobs of a backward pass. The adjoint kernels are passed to it from that of the last step to that of the
 * first.
 */
export class AdjointWriter<V extends VersionOf> {
  readonly #layout: ForwardSurroundings<V>;
  readonly #tables: Table[];
  readonly #options: AdjointWriterOptions<V>;
  /** Keys of the versions whose adjoints the writer has set so far. */
  readonly #isSet = new Set<unknown>();
  #pending = new Map<unknown, Waiting<V>>();
  /** Jobs that run once at the end: they sum the slots for which `sumsAtEnd` holds. */
  readonly final: Job[] = [];
  /** Slots that `final` sums; they must be zero at the start. */
  readonly persistentSlots: MemoryPlace[] = [];

  constructor(layout: ForwardSurroundings<V>, tables: Table[], options: AdjointWriterOptions<V>) {
    this.#layout = layout;
    this.#tables = tables;
    this.#options = options;
  }

  /** Returns whether the writer has set, or will set, an adjoint. */
  has(version: V): boolean {
    const key = this.#options.key(version);
    return this.#isSet.has(key) || this.#pending.has(key);
  }
  /** Returns whether the next addition to an adjoint accumulates, instead of replacing it. */
  addsUp(version: V): boolean {
    return this.#isSet.has(this.#options.key(version)) || this.#options.isFound(version);
  }
  /** Marks an adjoint as set by a job that another writer wrote. */
  markSet(version: V): void {
    this.#isSet.add(this.#options.key(version));
  }
  /** Makes the next addition to an adjoint call `isFound` again, as if the writer had not set it. */
  forget(version: V): void {
    this.#isSet.delete(this.#options.key(version));
  }

  /** Sums the deferred additions of an adjoint. */
  flush(version: V): void {
    this.#flush(this.#options.key(version));
  }
  #flush(key: unknown): void {
    const waiting = this.#pending.get(key);
    if (!waiting) return;
    this.#pending.delete(key);
    const { version, sites } = waiting;
    const sum = new Sum(
      this.#layout,
      version.field,
      sites.map(({ of }) => of),
    );
    sites.forEach(({ put }, k) => put(sum.sitePlaces(k)));
    this.#options.write(sum.jobs(this.#layout.adjoint(version), this.addsUp(version), this.#tables, labelOf(version)));
    this.#isSet.add(key);
  }
  /** Sums all deferred additions. */
  flushAll(): void {
    for (const key of [...this.#pending.keys()]) this.#flush(key);
  }
  /** Calls `write` with an empty list of deferred additions, and sums those that are still deferred afterwards. */
  apart(write: () => void): void {
    const outer = this.#pending;
    this.#pending = new Map();
    write();
    this.#pending = outer;
  }

  zero(version: V): void {
    const { name, domain, components } = version.field;
    const { form, target } = zeroForm(`zero_${name}`, components);
    const places = new Map([[target, this.#layout.adjoint(version)]]);
    this.#options.write([
      { label: form.name, form, places, accumulates: new Set(), ...geometry(this.#layout, domain) },
    ]);
  }
  /** Sums the deferred additions of an adjoint; writes zeros to its place if there is no value in it. */
  zeroUnlessSet(version: V): void {
    this.flush(version);
    if (this.addsUp(version)) return;
    this.zero(version);
    this.markSet(version);
  }

  /** Appends an adjoint kernel to the program as jobs, kernels whose ports have places in memory, and returns them. */
  kernel({ form, rename, primal, adjoint }: AdjointKernel<V>): readonly Job[] {
    const layout = this.#layout;
    const run = { name: form.name, domain: form.domain, indices: layout.indicesOf(form, rename) };
    const sites = sitesWithTargets(
      layout,
      sitesOf(form).map((site) => ({ field: adjoint.get(site.port)!.field, site, run })),
    );
    const separated = additionsOf(layout, form, sites);
    const places = new Map<Port, MemoryPlace>();
    for (const [port, version] of primal) places.set(port, layout.primal(version));
    for (const [port, version] of adjoint) {
      if (port.access !== 'read') continue;
      this.zeroUnlessSet(version);
      places.set(port, layout.adjoint(version));
    }
    const accumulates = new Set<Port>();
    // A kernel loads before it stores, so it can add to an element's own place only once.
    const ownElements = new Set<unknown>();
    for (const { site: of, port, setPlaces } of separated.additions) {
      const version = adjoint.get(of.site.port)!;
      const key = this.#options.key(version);
      if (of.site.index === null && !ownElements.has(key)) {
        ownElements.add(key);
        places.set(port, layout.adjoint(version));
        if (this.addsUp(version)) accumulates.add(port);
        this.#isSet.add(key);
      } else if (of.targets !== null && this.#options.sumsAtEnd?.(version)) {
        const sum = new Sum(layout, version.field, [of], true);
        setPlaces(places, sum.sitePlaces(0));
        accumulates.add(port);
        this.persistentSlots.push(sum.slots);
        this.final.push(...sum.jobs(layout.adjoint(version), true, this.#tables, labelOf(version)));
      } else {
        const waiting = this.#pending.get(key) ?? { version, sites: [] };
        waiting.sites.push({ of, put: (at) => setPlaces(places, at) });
        this.#pending.set(key, waiting);
      }
    }
    const jobs = separated.jobs(form.name, places, accumulates, geometry(layout, form.domain));
    this.#options.write(jobs);
    return jobs;
  }
}

const labelOf = ({ field }: VersionOf): string => `${field.key}_bar`;
