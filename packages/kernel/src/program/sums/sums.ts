import { sizeOfAccumulator } from '../../emit/bind/accumulators.ts';
import { outOfRangeAddition } from '../indices/access-records.ts';
import { evenSlots, incidenceOf } from '../indices/incidence.ts';
import type { Job } from '../jobs/jobs.ts';
import type { SumSurroundings, SumTarget, Table } from '../jobs/surroundings.ts';
import type { MemoryPlace, Shape } from '../memory/places.ts';
import { gatherEvenForm, gatherForm, reduceForm, sumAccumulatorsForm, zeroForm } from './forms.ts';
import type { KernelRun, SiteOf } from './placed-sites.ts';
import { hasSlots } from './placed-sites.ts';
import { addInOrderForm, reportLostForm } from './scatter.ts';
import type { SlottedSite } from './sites.ts';
import { mergeForm, sortLevels, startsForm } from './sorting.ts';

/** Number of slots that one invocation of a reduction sums. */
const REDUCTION_WIDTH = 32;

/** Maximum number of slots per target that are summed without a loop. */
const MAX_UNROLLED = 8;

/** Places of the values that a site writes: slots, or private accumulators. */
export interface SitePlaces {
  readonly values: MemoryPlace;
  /** Place of the slots' targets, if these are known only at run time; else null. */
  readonly targets: MemoryPlace | null;
  /** Place of the records of additions out of range to accumulators; null for slots. */
  readonly lossRecord: MemoryPlace | null;
}

/** Private accumulators of the summed field, to which one kernel adds. */
interface Accumulators {
  readonly accumulators: number;
  readonly place: MemoryPlace;
  readonly lossRecord: MemoryPlace;
}

/** Memory of slots and accumulators for a list of sites, and the jobs that sum them into a target. */
export class Sum {
  readonly #around: SumSurroundings;
  readonly #field: SumTarget;
  readonly #sites: readonly SiteOf[];
  readonly slots: MemoryPlace;
  readonly #starts: readonly number[];
  /** Number of slots (`#count`); the first `#known` of them have targets known before the run. */
  readonly #count: number;
  readonly #known: number;
  /**
   * Places of the targets of the other slots, and of records of their additions out of range; null if there are none.
   */
  readonly #targets: MemoryPlace | null = null;
  #lost: MemoryPlace | null = null;
  readonly #accumulators = new Map<KernelRun, Accumulators>();
  #sorted: { readonly starts: MemoryPlace; readonly sources: MemoryPlace } | null = null;

  /**
   * `isKept`: whether values stay in the slots over several passes before they are summed, so that slots accumulate.
   */
  constructor(around: SumSurroundings, field: SumTarget, sites: readonly SiteOf[], isKept = false) {
    this.#around = around;
    this.#field = field;
    this.#sites = sites;
    const starts = new Map<SiteOf, number>();
    const place = (some: readonly SiteOf<SlottedSite>[], from: number): number =>
      some.reduce((at, of) => {
        starts.set(of, at);
        return at + around.sizeOf(of.run.domain) * of.site.rounds;
      }, from);
    const isKnown = ({ targets }: SiteOf): boolean => targets !== null;
    const slotted = sites.filter(hasSlots);
    this.#known = place(slotted.filter(isKnown), 0);
    this.#count = place(
      slotted.filter((of) => !isKnown(of)),
      this.#known,
    );
    for (const of of sites) if (of.accumulators !== null) this.#placeAccumulators(of.run, of.accumulators);
    this.#starts = sites.map((of) => starts.get(of) ?? 0);
    const { worlds } = around;
    // With one world a sum reads whole slots, as rows; slots that are kept are read and written alternately.
    const inRows = worlds === 1 && !isKept;
    const shape: Shape = {
      elements: this.#count,
      components: field.components,
      worlds,
      worldsInner: true,
      inRows,
    };
    const { arena } = around;
    this.slots = isKept
      ? arena.place(field.key, 'f32', shape, 'slots')
      : arena.temporary(field.key, 'f32', shape, 'slots');
    if (this.#known < this.#count) this.#targets = this.#words(this.#count - this.#known);
  }

  /** Allocates a list of one u32 per element, in every world. */
  #words(elements: number): MemoryPlace {
    const { arena, worlds } = this.#around;
    const shape = { elements, components: 1, worlds, worldsInner: true };
    return arena.temporary(this.#field.key, 'u32', shape, 'list');
  }

  /**
   * Returns the places of what site `k` writes: of the values or, if `tangent` is a number, of that tangent of them.
   */
  sitePlaces(k: number, tangent: number | null = null): SitePlaces {
    const { targets, run, accumulators } = this.#sites[k];
    if (accumulators !== null) {
      const { place, lossRecord } = this.#accumulators.get(run)!;
      return { values: this.#placeFor(place, tangent), targets: null, lossRecord };
    }
    return {
      lossRecord: null,
      values: this.#slotsFrom(this.#starts[k], tangent),
      targets: targets || !this.#targets ? null : this.#around.arena.from(this.#targets, this.#starts[k] - this.#known),
    };
  }
  #slotsFrom(start: number, tangent: number | null): MemoryPlace {
    return this.#around.arena.from(this.#placeFor(this.slots, tangent), start);
  }
  #placeFor(place: MemoryPlace, tangent: number | null): MemoryPlace {
    return tangent === null ? place : this.#around.tangent(place, tangent);
  }

  /**
   * Creates the jobs that sum the slots and accumulators into `target`.
   * @param tangent number of the tangent to sum; null for the values.
   */
  jobs(target: MemoryPlace, accumulate: boolean, tables: Table[], label: string, tangent: number | null = null): Job[] {
    const jobs: Job[] = [];
    const addsUp = (): boolean => accumulate || jobs.length > 0;
    if (this.#known > 0 || (this.#targets === null && this.#accumulators.size === 0))
      jobs.push(...this.#knownJobs(target, addsUp(), tables, label, tangent));
    if (this.#targets !== null) jobs.push(...this.#otherJobs(this.#targets, target, addsUp(), label, tangent));
    for (const accumulators of this.#accumulators.values())
      jobs.push(this.#sumAccumulators(accumulators, target, addsUp(), label, tangent));
    return jobs;
  }

  #job(label: string, form: Job['form'], elements: number, places: Job['places'], more: Partial<Job> = {}): Job {
    return {
      label,
      form,
      elements,
      worlds: this.#around.worlds,
      places,
      worldsInner: true,
      accumulates: new Set(),
      ...more,
    };
  }

  /** Creates the job that writes to the target itself, after those that compute partial sums. */
  #lastJob(
    label: string,
    form: Job['form'],
    elements: number,
    places: Job['places'],
    target: MemoryPlace,
    accumulate: boolean,
  ): Job {
    return this.#job(label, form, elements, places, {
      worldsInner: target.shape.worldsInner,
      accumulates: new Set(accumulate ? form.ports.filter((p) => places.get(p) === target) : []),
    });
  }

  #sumAccumulators(
    { accumulators, place }: Accumulators,
    target: MemoryPlace,
    accumulate: boolean,
    label: string,
    tangent: number | null,
  ) {
    const { name, components, domain } = this.#field;
    const elements = this.#around.sizeOf(domain);
    const sum = sumAccumulatorsForm(`sum_${name}`, components, sizeOfAccumulator(elements), accumulators);
    const places = new Map([
      [sum.accumulators, this.#placeFor(place, tangent)],
      [sum.target, target],
    ]);
    return this.#lastJob(label, sum.form, elements, places, target, accumulate);
  }

  #knownJobs(target: MemoryPlace, accumulate: boolean, tables: Table[], label: string, tangent: number | null): Job[] {
    const slots = this.#slotsFrom(0, tangent);
    const { components } = this.#field;
    const elements = this.#around.sizeOf(this.#field.domain);
    if (elements !== 1) {
      const incidence = incidenceOf(elements, this.#targetsOfSlots());
      const even = evenSlots(incidence);
      if (even && even.count > 0 && even.count <= MAX_UNROLLED) {
        const entries = this.#table(tables, even.slots, even.count);
        return [this.#gatherEven(label, even.count, entries, slots, target, accumulate)];
      }
      const places = [this.#table(tables, incidence.starts), this.#table(tables, incidence.slots)] as const;
      return [this.#gather(label, ...places, slots, target, accumulate)];
    }
    const { worlds } = this.#around;
    const jobs: Job[] = [];
    let input = slots;
    for (let count = this.#known; ; ) {
      const width = Math.max(1, count <= REDUCTION_WIDTH * 2 ? count : REDUCTION_WIDTH);
      const parts = Math.max(1, Math.ceil(count / Math.max(1, width)));
      const reduce = reduceForm(`reduce_${this.#field.name}`, components, count, width);
      const shape: Shape = { elements: parts, components, worlds, worldsInner: true };
      const output = parts === 1 ? target : this.#around.arena.temporary(this.#field.key, 'f32', shape, 'parts');
      const places = new Map([
        [reduce.slots, input],
        [reduce.target, output],
      ]);
      if (parts === 1) return [...jobs, this.#lastJob(label, reduce.form, 1, places, target, accumulate)];
      jobs.push(this.#job(label, reduce.form, parts, places));
      input = output;
      count = parts;
    }
  }

  #gather(
    label: string,
    starts: MemoryPlace,
    entries: MemoryPlace,
    slots: MemoryPlace,
    target: MemoryPlace,
    accumulate: boolean,
  ): Job {
    const gather = gatherForm(`sum_${this.#field.name}`, this.#field.components);
    const places = new Map([
      [gather.starts, starts],
      [gather.entries, entries],
      [gather.slots, slots],
      [gather.target, target],
    ]);
    return this.#lastJob(label, gather.form, this.#around.sizeOf(this.#field.domain), places, target, accumulate);
  }

  /** Creates the job that sums the slots of targets with equally many slots each, as on a grid, without a loop. */
  #gatherEven(
    label: string,
    count: number,
    entries: MemoryPlace,
    slots: MemoryPlace,
    target: MemoryPlace,
    accumulate: boolean,
  ): Job {
    const { name, components, domain } = this.#field;
    const gather = gatherEvenForm(`sum_${name}`, components, count);
    const places = new Map([
      [gather.entries, entries],
      [gather.slots, slots],
      [gather.target, target],
    ]);
    return this.#lastJob(label, gather.form, this.#around.sizeOf(domain), places, target, accumulate);
  }

  #table(tables: Table[], values: Uint32Array, components = 1): MemoryPlace {
    const elements = values.length / components;
    const shape: Shape = { elements, components, worlds: 1, worldsInner: true };
    const place = this.#around.arena.place(this.#field.key, 'u32', shape, 'list');
    tables.push({ place, values });
    return place;
  }

  #targetsOfSlots(): Uint32Array {
    const targetOfSlot = new Uint32Array(this.#known);
    this.#sites.forEach(({ targets }, s) => {
      if (targets) targetOfSlot.set(targets, this.#starts[s]);
    });
    return targetOfSlot;
  }

  /**
   * Creates the jobs for slots whose target is known only at run time: adding one slot after another if that is the
   * device's fastest way, else sorting slots by target and summing them element by element. The order of additions is
   * fixed either way.
   */
  #otherJobs(
    targets: MemoryPlace,
    target: MemoryPlace,
    accumulate: boolean,
    label: string,
    tangent: number | null,
  ): Job[] {
    const { name, components, domain } = this.#field;
    const elements = this.#around.sizeOf(domain);
    const count = this.#count - this.#known;
    const slots = this.#slotsFrom(this.#known, tangent);
    this.#lost ??= this.#placeLost();
    if (this.#around.scatters === 'sorted') {
      const jobs: Job[] = [];
      this.#sorted ??= this.#sort(targets, count, label, jobs);
      const { starts, sources } = this.#sorted;
      return [...jobs, this.#gather(label, starts, sources, slots, target, accumulate)];
    }
    const scatter = addInOrderForm(`add_${name}`, components, count, elements);
    const add = this.#lastJob(
      label,
      scatter.form,
      1,
      new Map([
        [scatter.targets, targets],
        [scatter.slots, slots],
        [scatter.target, target],
        [scatter.lost, this.#lost],
        [scatter.lostBefore, this.#lost],
      ]),
      target,
      true,
    );
    if (accumulate) return [add];
    const zero = zeroForm(`zero_${name}`, components);
    return [this.#lastJob(label, zero.form, elements, new Map([[zero.target, target]]), target, false), add];
  }

  /**
   * Creates jobs that sort slots by target; returns the places of each target's first sorted position and of the slot
   * numbers in sorted order.
   */
  #sort(targets: MemoryPlace, count: number, label: string, jobs: Job[]) {
    const { name, domain } = this.#field;
    const elements = this.#around.sizeOf(domain);
    const pair = () => ({ keys: this.#words(count), sources: this.#words(count) });
    const turns = [pair(), pair()];
    let from = { keys: targets, sources: turns[1].sources };
    const levels = sortLevels(count);
    for (let level = 0; level < levels; level++) {
      const merge = mergeForm(`sort_${name}_${level}`, count, level);
      const to = turns[level % 2];
      jobs.push(
        this.#job(
          label,
          merge.form,
          count,
          new Map([
            [merge.keys, from.keys],
            ...(merge.sources ? [[merge.sources, from.sources] as const] : []),
            [merge.mergedKeys, to.keys],
            [merge.mergedSources, to.sources],
          ]),
        ),
      );
      from = to;
    }
    const starts = this.#words(elements + 1);
    const find = startsForm(`starts_${name}`, count);
    jobs.push(
      this.#job(
        label,
        find.form,
        elements + 1,
        new Map([
          [find.keys, from.keys],
          [find.starts, starts],
        ]),
      ),
    );
    const report = reportLostForm(`lost_${name}`, count, elements);
    jobs.push(
      this.#job(
        label,
        report.form,
        1,
        new Map([
          [report.starts, starts],
          [report.keys, from.keys],
          [report.sources, from.sources],
          [report.lost, this.#lost!],
          [report.lostBefore, this.#lost!],
        ]),
      ),
    );
    return { starts, sources: from.sources };
  }

  #placeLost(): MemoryPlace {
    return this.#lossPlace(1, (slot) => {
      const at = slot + this.#known;
      const k = this.#sites.findLastIndex((of, s) => hasSlots(of) && of.targets === null && this.#starts[s] <= at);
      const { run } = this.#sites[k];
      return { run, element: (at - this.#starts[k]) % this.#around.sizeOf(run.domain) };
    });
  }

  #placeAccumulators(run: KernelRun, accumulators: number): void {
    if (this.#accumulators.has(run)) return;
    const { key, domain } = this.#field;
    const { arena, worlds } = this.#around;
    const shape: Shape = {
      elements: accumulators * sizeOfAccumulator(this.#around.sizeOf(domain)),
      components: this.#field.components,
      worlds,
      worldsInner: true,
      inRows: worlds === 1,
    };
    const place = arena.temporary(key, 'f32', shape, 'parts');
    const lossRecord = this.#lossPlace(accumulators, (element) => ({ run, element }));
    this.#accumulators.set(run, { accumulators, place, lossRecord });
  }

  /** Allocates a place of records of additions out of range; `whose` returns the kernel and the element of a slot. */
  #lossPlace(
    elements: number,
    whose: (slot: number) => { readonly run: KernelRun; readonly element: number },
  ): MemoryPlace {
    const { arena, worlds } = this.#around;
    const { key, domain: target } = this.#field;
    const isBack = this.#sites.some(({ site }) => site.port.kind === 'adjoint');
    const place = arena.record(key, { elements, components: 3, worlds, worldsInner: true }, isBack);
    const size = this.#around.sizeOf(target);
    this.#around.addAccessRecord(
      outOfRangeAddition(place, isBack, (slot) => {
        const { run, element } = whose(slot);
        return { kernel: run.name, domain: run.domain, element, field: key, elements: size };
      }),
    );
    return place;
  }
}
