import type { IndexReader } from './incidence.ts';
import { evaluateIndex, incidenceOf } from './incidence.ts';
import type { Job } from './jobs.ts';
import { gatherForm, reduceForm } from './jobs.ts';
import type { Arena, Place, Shape } from './places.ts';
import { wordOf } from './places.ts';
import type { Site } from './sites.ts';

/** A site together with the kernel that it stands in. */
export interface SiteOf {
  readonly site: Site;
  readonly kernel: string;
  /** The domain that the kernel runs over. */
  readonly domain: string;
  /** The words of its index fields. */
  readonly indices: IndexReader;
}

/** The field that a sum is of. */
export interface SumTarget {
  /** Unlike those of all others: `domain.name`. */
  readonly key: string;
  readonly domain: string;
  readonly name: string;
  readonly components: number;
}

/** What a sum is told of what lies around it. */
export interface SumSurroundings {
  readonly arena: Arena;
  readonly worlds: number;
  /** Elements of a domain. */
  readonly sizeOf: (domain: string) => number;
  /** The place that holds the tangent of what another one holds. */
  readonly tangent: (place: Place) => Place;
}

/** Words of u32 that the host writes once, before a run. */
export interface Table {
  readonly place: Place;
  readonly values: Uint32Array;
}

/** How many slots one invocation of a reduction adds up. */
const REDUCTION_WIDTH = 32;

/** Slots for a list of sites and the jobs that sum them into `target`. */
export class Sum {
  readonly #around: SumSurroundings;
  readonly #field: SumTarget;
  readonly #sites: readonly SiteOf[];
  readonly slots: Place;
  readonly #starts: number[] = [];
  readonly #count: number;

  /** `isKept`: whether slots add up over passes before they are summed. */
  constructor(around: SumSurroundings, field: SumTarget, sites: readonly SiteOf[], isKept = false) {
    this.#around = around;
    this.#field = field;
    this.#sites = sites;
    let count = 0;
    for (const { domain } of sites) {
      this.#starts.push(count);
      count += around.sizeOf(domain);
    }
    this.#count = count;
    const shape: Shape = {
      elements: count,
      components: field.components,
      worlds: around.worlds,
      worldsInner: true,
      // A sum takes a slot whole, where the worlds do not lie side by side; what is kept is read and written in turns.
      inRows: around.worlds === 1 && !isKept,
    };
    this.slots = around.arena.place(field.key, 'f32', shape, 'slots');
  }

  /** Where the outputs of a site go. */
  sitePlace(k: number, tangent = false): Place {
    const slots = tangent ? this.#around.tangent(this.slots) : this.slots;
    const { shape } = slots;
    return { ...slots, offset: slots.offset + wordOf(shape, 0, this.#starts[k], 0) };
  }

  jobs(target: Place, accumulate: boolean, tables: Table[], label: string, tangent = false): Job[] {
    const slots = tangent ? this.#around.tangent(this.slots) : this.slots;
    const { worlds } = this.#around;
    const { components } = this.#field;
    const targets = this.#around.sizeOf(this.#field.domain);
    const job = (form: Job['form'], elements: number, places: Job['places'], end: boolean): Job => ({
      label,
      form,
      elements,
      worlds,
      places,
      worldsInner: end ? target.shape.worldsInner : true,
      accumulates: new Set(end && accumulate ? form.ports.filter((p) => p.access === 'write') : []),
    });
    if (targets === 1) {
      // Indices that are not constant are still to be checked.
      if (this.#sites.some(({ site }) => site.index !== null && site.index.op !== 'const'))
        this.#targetsOfSlots(targets);
      const jobs: Job[] = [];
      let from = slots;
      for (let count = this.#count; ; ) {
        const width = count <= REDUCTION_WIDTH * 2 ? count : REDUCTION_WIDTH;
        const parts = Math.max(1, Math.ceil(count / Math.max(1, width)));
        const {
          form,
          slots: input,
          target: output,
        } = reduceForm(`reduce_${this.#field.name}`, components, count, Math.max(1, width));
        const to =
          parts === 1
            ? target
            : this.#around.arena.place(
                this.#field.key,
                'f32',
                { elements: parts, components, worlds, worldsInner: true },
                'parts',
              );
        jobs.push(
          job(
            form,
            parts,
            new Map([
              [input, from],
              [output, to],
            ]),
            parts === 1,
          ),
        );
        if (parts === 1) return jobs;
        from = to;
        count = parts;
      }
    }
    const { starts, slots: list } = incidenceOf(targets, this.#targetsOfSlots(targets));
    const startsPlace = this.#table(tables, starts);
    const entriesPlace = this.#table(tables, list);
    const gather = gatherForm(`sum_${this.#field.name}`, components);
    return [
      job(
        gather.form,
        targets,
        new Map([
          [gather.starts, startsPlace],
          [gather.entries, entriesPlace],
          [gather.slots, slots],
          [gather.target, target],
        ]),
        true,
      ),
    ];
  }

  #table(tables: Table[], values: Uint32Array): Place {
    const shape: Shape = { elements: values.length, components: 1, worlds: 1, worldsInner: true };
    const place = this.#around.arena.place(this.#field.key, 'u32', shape, 'list');
    tables.push({ place, values });
    return place;
  }

  #targetsOfSlots(targets: number): Uint32Array {
    const targetOfSlot = new Uint32Array(this.#count);
    this.#sites.forEach(({ site, kernel, domain, indices }, s) => {
      const size = this.#around.sizeOf(domain);
      for (let e = 0; e < size; e++) {
        let at = e;
        try {
          if (site.index) at = evaluateIndex(site.index, e, indices);
        } catch (error) {
          throw new Error(
            `kernel ${kernel}: ${site.port.name} is read or added to at an index that cannot be known: ${(error as Error).message}.`,
          );
        }
        if (at >= targets)
          throw new Error(
            `kernel ${kernel}: index ${at} of element ${e} is out of range, ${this.#field.domain} has ${targets} element${targets === 1 ? '' : 's'}.`,
          );
        targetOfSlot[this.#starts[s] + e] = at;
      }
    });
    return targetOfSlot;
  }
}
