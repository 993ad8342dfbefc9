import type { LoadNode } from '@gradsim/kernel/compiler';
import { evaluateIndex, incidenceOf } from './incidence.ts';
import type { Job } from './jobs.ts';
import { gatherForm, reduceForm } from './jobs.ts';
import type { Layout } from './layout.ts';
import type { Field } from './model.ts';
import { fieldKey } from './model.ts';
import type { Place, Shape } from './places.ts';
import { wordOf } from './places.ts';
import type { Site } from './steps.ts';

/** A site together with the kernel that it stands in. */
export interface SiteOf {
  readonly site: Site;
  readonly kernelName: string;
  readonly kernelDomain: string;
  readonly rename: Readonly<Record<string, string>>;
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
  readonly #layout: Layout;
  readonly #field: Field;
  readonly #sites: readonly SiteOf[];
  readonly slots: Place;
  readonly #starts: number[] = [];
  readonly #count: number;

  /** `isKept`: whether slots add up over passes before they are summed. */
  constructor(layout: Layout, field: Field, sites: readonly SiteOf[], label: string, isKept = false) {
    this.#layout = layout;
    this.#field = field;
    this.#sites = sites;
    let count = 0;
    for (const { kernelDomain } of sites) {
      this.#starts.push(count);
      count += layout.model.domain(kernelDomain).size;
    }
    this.#count = count;
    const shape: Shape = {
      elements: count,
      components: field.components,
      worlds: layout.options.worlds,
      worldsInner: true,
      // A sum takes a slot whole, where the worlds do not lie side by side; what is kept is read and written in turns.
      inRows: layout.options.worlds === 1 && !isKept,
    };
    this.slots = layout.arena.place(`${label}.slots`, 'f32', shape);
  }

  /** Where the outputs of a site go. */
  sitePlace(k: number, tangent = false): Place {
    const slots = tangent ? this.#layout.tangent(this.slots) : this.slots;
    const { shape } = slots;
    return { ...slots, offset: slots.offset + wordOf(shape, 0, this.#starts[k], 0) };
  }

  jobs(target: Place, accumulate: boolean, tables: Table[], label: string, tangent = false): Job[] {
    const slots = tangent ? this.#layout.tangent(this.slots) : this.slots;
    const { worlds } = this.#layout.options;
    const { components } = this.#field;
    const targets = this.#layout.model.domain(this.#field.domain).size;
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
            : this.#layout.arena.place(`${label}.parts`, 'f32', {
                elements: parts,
                components,
                worlds,
                worldsInner: true,
              });
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
    const startsPlace = this.#table(tables, `${label}.starts`, starts);
    const entriesPlace = this.#table(tables, `${label}.entries`, list);
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

  #table(tables: Table[], label: string, values: Uint32Array): Place {
    const place = this.#layout.arena.place(label, 'u32', {
      elements: values.length,
      components: 1,
      worlds: 1,
      worldsInner: true,
    });
    tables.push({ place, values });
    return place;
  }

  #targetsOfSlots(targets: number): Uint32Array {
    const targetOfSlot = new Uint32Array(this.#count);
    this.#sites.forEach(({ site, kernelName, kernelDomain, rename }, s) => {
      const { size } = this.#layout.model.domain(kernelDomain);
      const read = (node: LoadNode, element: number): number => {
        const key = fieldKey(node.port, kernelDomain, rename);
        const { values, components } = this.#layout.model.field(key);
        return values![element * components + node.component];
      };
      for (let e = 0; e < size; e++) {
        let at = e;
        try {
          if (site.index) at = evaluateIndex(site.index, e, read);
        } catch (error) {
          throw new Error(
            `kernel ${kernelName}: ${site.port.name} is read or added to at an index that cannot be known: ${(error as Error).message}.`,
          );
        }
        if (at >= targets)
          throw new Error(
            `kernel ${kernelName}: index ${at} of element ${e} is out of range, ${this.#field.domain} has ${targets} element${targets === 1 ? '' : 's'}.`,
          );
        targetOfSlot[this.#starts[s] + e] = at;
      }
    });
    return targetOfSlot;
  }
}
