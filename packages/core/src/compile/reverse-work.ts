import type { Job, Place, Port, SiteOf, SitePlaces, Table } from '@gradsim/kernel/compiler';
import { additionsOf, geometry, Sum, siteOf, sitesOf, zeroForm } from '@gradsim/kernel/compiler';
import type { Field } from '../model/field.ts';
import type { ForwardWork } from './forward-work.ts';
import { copyJob, flat } from './forward-work.ts';
import type { Layout } from './layout.ts';
import type { Kept, ReverseBlock, ReverseItem, ReverseLoop, ReversePass, ReversePlan } from './reverse-plan.ts';
import { lostVersions, readsRounds, stepsToRerun } from './reverse-plan.ts';
import type { PassStep, Step } from './step.ts';
import type { Loop, Version } from './versions.ts';
import { endOfRound, versionKey } from './versions.ts';
import type { Work } from './work.ts';

export interface ReverseWork {
  readonly work: readonly Work[];
  /** Jobs that sum, once at the end, what was added to parameters in every substep and frame. */
  readonly final: readonly Job[];
  /** Slots that these sum, zeroed at the start. */
  readonly persistentSlots: readonly Place[];
  /** The pass whose adjoint a job is. */
  readonly passes: ReadonlyMap<Job, PassStep>;
}

/** Turns a plan into work, with the steps that make again what was lost. */
export function reverseWork(
  layout: Layout,
  plan: ReversePlan,
  steps: readonly Step[],
  forward: ForwardWork,
  kept: Kept,
  active: ReadonlySet<string>,
  tables: Table[],
): ReverseWork {
  return new ReverseWriter(layout, plan, forward, kept, active, tables).write(steps);
}

/** Additions to an adjoint that are still to be summed. */
interface Waiting {
  readonly version: Version;
  readonly sites: { readonly of: SiteOf; readonly put: (places: SitePlaces) => void }[];
}

class ReverseWriter {
  readonly #layout: Layout;
  readonly #plan: ReversePlan;
  readonly #forward: ForwardWork;
  readonly #kept: Kept;
  readonly #active: ReadonlySet<string>;
  readonly #tables: Table[];
  readonly #final: Job[] = [];
  readonly #persistentSlots: Place[] = [];
  readonly #passes = new Map<Job, PassStep>();
  /** The versions whose adjoints something was added to, in this cycle or round. */
  readonly #isSet = new Set<string>();
  #work: Work[] = [];
  #loop: Loop | null = null;
  #pending = new Map<string, Waiting>();

  constructor(
    layout: Layout,
    plan: ReversePlan,
    forward: ForwardWork,
    kept: Kept,
    active: ReadonlySet<string>,
    tables: Table[],
  ) {
    this.#layout = layout;
    this.#plan = plan;
    this.#forward = forward;
    this.#kept = kept;
    this.#active = active;
    this.#tables = tables;
  }

  write(steps: readonly Step[]): ReverseWork {
    const { cycle, items } = this.#plan;
    this.#rerun(steps, items);
    this.#items(items);
    if (cycle === 'physics') {
      for (const field of this.#layout.fieldsOf('state')) {
        if (this.#active.has(field.key)) this.#zeroUnlessSet({ field, cycle, loop: null, number: 0 });
      }
    }
    return {
      work: this.#work,
      final: this.#final,
      persistentSlots: this.#persistentSlots,
      passes: this.#passes,
    };
  }

  #rerun(steps: readonly Step[], items: readonly ReverseItem[]): void {
    const { cycle } = this.#plan;
    const lost = lostVersions(cycle, items, this.#loop, this.#kept);
    this.#work.push(...flat(stepsToRerun(steps, lost, items, this.#kept), this.#forward));
  }

  #items(items: readonly ReverseItem[]): void {
    for (const item of items) {
      if (item.kind === 'pass') this.#pass(item);
      else if (item.kind === 'loop') this.#rounds(item);
      else this.#block(item);
    }
    for (const key of [...this.#pending.keys()]) this.#flush(key);
  }

  /**
   * Whether the place of an adjoint holds a value when the cycle begins: what other substeps, frames or outputs gave.
   * What lies in all other places is left from before; the first addition replaces it.
   */
  #isKept(v: Version): boolean {
    const { roles } = this.#layout;
    if (v.loop || (v.number > 0 && !this.#layout.isLast(v))) return false;
    switch (roles.get(v.field.key)) {
      case 'input':
      case 'derived':
        return true;
      case 'state':
        // Adjoints of the state that a substep finds are made here; of the one that it leaves, there from what follows.
        return this.#plan.cycle !== 'physics' || v.number > 0;
      case 'frame':
        return this.#layout.adjoint(v).register === 'frameOfRun';
      default:
        return false;
    }
  }

  /** Whether an addition to an adjoint adds to what is there, where the writer stands, instead of replacing it. */
  #addsUp(v: Version): boolean {
    if (this.#isSet.has(versionKey(v))) return true;
    // What lies outside of a loop has a value before its rounds are taken back.
    if (v.loop !== this.#loop) return true;
    return this.#loop ? endOfRound(v) === 'exit' : this.#isKept(v);
  }

  #flush(key: string): void {
    const waiting = this.#pending.get(key);
    if (!waiting) return;
    this.#pending.delete(key);
    const { version, sites } = waiting;
    const sum = new Sum(
      this.#layout,
      version.field,
      sites.map((s) => s.of),
    );
    sites.forEach((s, k) => {
      s.put(sum.sitePlaces(k));
    });
    const label = `${version.field.key}_bar`;
    const target = this.#layout.adjoint(version);
    this.#work.push(...sum.jobs(target, this.#addsUp(version), this.#tables, label));
    this.#isSet.add(key);
  }

  #pass({ step, form, primal, adjoint: adjoints }: ReversePass): void {
    const layout = this.#layout;
    const from = { name: form.name, domain: form.domain, indices: layout.indicesOf(form, step.rename) };
    const sites = sitesOf(form).map((site) => siteOf(layout, adjoints.get(site.port)!.field, site, from));
    const separated = additionsOf(layout, form, sites);
    const places = new Map<Port, Place>();
    for (const [port, version] of primal) places.set(port, layout.primal(version));
    for (const [port, version] of adjoints) {
      if (port.access !== 'read') continue;
      this.#flush(versionKey(version));
      places.set(port, layout.adjoint(version));
    }
    const accumulates = new Set<Port>();
    // A kernel loads before it stores, so it can add to an element's own place only once.
    const ownElements = new Set<string>();
    for (const { of, port, put } of separated.additions) {
      const { site } = of;
      const version = adjoints.get(site.port)!;
      const key = versionKey(version);
      if (site.index === null && !ownElements.has(key)) {
        ownElements.add(key);
        places.set(port, layout.adjoint(version));
        if (this.#addsUp(version)) accumulates.add(port);
        this.#isSet.add(key);
      } else if (of.targets !== null && this.#sumsAtEnd(version)) {
        const sum = new Sum(layout, version.field, [of], true);
        put(places, sum.sitePlaces(0));
        accumulates.add(port);
        this.#persistentSlots.push(sum.slots);
        const label = `${version.field.key}_bar`;
        this.#final.push(...sum.jobs(layout.adjoint(version), true, this.#tables, label));
      } else {
        const waiting = this.#pending.get(key) ?? { version, sites: [] };
        waiting.sites.push({ of, put: (at) => put(places, at) });
        this.#pending.set(key, waiting);
      }
    }
    const { domain } = form;
    const jobs = separated.jobs(form.name, places, accumulates, geometry(layout, domain));
    for (const job of jobs) this.#passes.set(job, step);
    this.#work.push(...jobs);
  }

  /** Whether slots take what is added to an adjoint in every substep or frame, to be summed once at the end. */
  #sumsAtEnd(version: Version): boolean {
    const role = this.#layout.roles.get(version.field.key);
    return (
      this.#isKept(version) &&
      !version.field.over &&
      this.#plan.cycle !== 'setup' &&
      role !== 'state' &&
      role !== 'frame'
    );
  }

  #zero(version: Version): void {
    const { field } = version;
    const { form, target } = zeroForm(`zero_${field.name}`, field.components);
    const places = new Map([[target, this.#layout.adjoint(version)]]);
    const own = { label: form.name, form, places, accumulates: new Set<Port>() };
    this.#work.push({ ...own, ...geometry(this.#layout, field.domain) });
  }
  #zeroUnlessSet(version: Version): void {
    const key = versionKey(version);
    this.#flush(key);
    if (this.#addsUp(version)) return;
    this.#zero(version);
    this.#isSet.add(key);
  }
  #copy(field: Field, from: Version, to: Version, accumulate: boolean, label: string): void {
    const { adjoint } = { adjoint: (v: Version) => this.#layout.adjoint(v) };
    this.#work.push(copyJob(this.#layout, field, adjoint(from), adjoint(to), label, accumulate));
    this.#isSet.add(versionKey(to));
  }

  #rounds(item: ReverseLoop): void {
    const { step, carried, items } = item;
    for (const version of givenBy(items)) if (!isInside(version, step.loop)) this.#zeroUnlessSet(version);
    for (const { field, after, exit } of carried) {
      this.#flush(versionKey(after));
      if (this.#addsUp(after)) this.#copy(field, after, exit, false, `end_${field.name}_bar`);
      else this.#zero(exit);
      // A round begins with the adjoint of what it leaves, and none of anything else.
      this.#isSet.delete(versionKey(exit));
    }
    const outer = { work: this.#work, loop: this.#loop, pending: this.#pending };
    this.#work = [];
    this.#loop = step.loop;
    this.#pending = new Map();
    this.#rerun(step.body, items);
    this.#items(items);
    for (const { entry } of carried) this.#zeroUnlessSet(entry);
    const body = this.#work;
    this.#work = outer.work;
    this.#loop = outer.loop;
    this.#pending = outer.pending;
    this.#work.push({ loop: step.loop, way: readsRounds(item) ? 'back' : 'linear', body });
    for (const { field, before, entry } of carried) {
      if (!before) continue;
      this.#flush(versionKey(before));
      this.#copy(field, entry, before, this.#addsUp(before), `begin_${field.name}_bar`);
    }
  }

  #block({ step, passes }: ReverseBlock): void {
    for (const version of adjointsRead(step.vjp)) this.#zeroUnlessSet(version);
    for (const inner of step.vjp) {
      const pass = passes.get(inner);
      if (pass) this.#pass(pass);
      else this.#work.push(...flat([inner], this.#forward));
    }
  }
}

/** The versions whose adjoints items add to, within loops too. */
function givenBy(items: readonly ReverseItem[]): Version[] {
  const given = items.flatMap((item): Version[] => {
    if (item.kind === 'loop') return [...givenBy(item.items), ...item.carried.flatMap(({ before }) => before ?? [])];
    const passes = item.kind === 'pass' ? [item] : [...item.passes.values()];
    return passes.flatMap(({ adjoint }) =>
      [...adjoint].flatMap(([port, version]) => (port.access === 'add' ? [version] : [])),
    );
  });
  return [...new Map(given.map((v) => [versionKey(v), v])).values()];
}

/** The versions whose adjoints the derivative of a block reads. */
const adjointsRead = (steps: readonly Step[]): Version[] =>
  steps.flatMap((step): Version[] => {
    if (step.kind === 'loop') return adjointsRead(step.body);
    return step.kind === 'pass' ? [...(step.derivatives?.reads.values() ?? [])] : [];
  });

const isInside = ({ loop }: Version, of: Loop): boolean => loop === of || (loop !== null && loop.depth > of.depth);
