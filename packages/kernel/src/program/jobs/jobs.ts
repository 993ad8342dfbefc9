import { defect } from '@gradsim/base';
import type { Device } from '../../devices/device.ts';
import { bindKernel, rebound } from '../../emit/bind/bind.ts';
import { footprintOf } from '../../emit/bind/footprint.ts';
import type { Binding, BindOptions, TabledSteps } from '../../emit/bind/options.ts';
import type { stepTable } from '../../emit/bind/step-table.ts';
import type { BoundKernel, Footprint } from '../../emit/bound-kernel.ts';
import type { KernelForm } from '../../form/kernel-form.ts';
import { firstLoadsOf } from '../../form/loads.ts';
import type { Port } from '../../form/port.ts';
import type { MemoryPlace } from '../memory/places.ts';
import { accessRangeOf, bindingOf, wordsFrom } from '../memory/places.ts';
import type { PlacedGuards } from './guards.ts';

/** A kernel with the places of its ports; it is bound to memory once all places have offsets. */
export interface Job {
  /** Display name, in messages and profiles. */
  readonly label: string;
  readonly form: KernelForm;
  readonly elements: number;
  /** Number of invocations per world among which elements are partitioned; without it, each element has one. */
  readonly partitions?: number;
  readonly worlds: number;
  readonly worldsInner: boolean;
  readonly places: ReadonlyMap<Port, MemoryPlace>;
  readonly accumulates: ReadonlySet<Port>;
  /** Bounds checks of loads at indices; without them, all indices are taken to be in range. */
  readonly guards?: PlacedGuards;
}

/** Device, substeps and registers, which all jobs share. */
export interface JobSurroundings {
  readonly device: Device;
  /** Table of the substeps; or the duration of every substep, s, if they are not counted by frames. */
  readonly steps: number | PlacedSteps;
  readonly registers: readonly string[];
}

/** Substeps with the place of their table in the f32 arena: see {@link stepTable}. */
export interface PlacedSteps extends Omit<TabledSteps, 'base'> {
  readonly place: MemoryPlace;
}

/**
 * Binds jobs to memory. Jobs with the same form, number of elements and layout of places are bound once, and share the
 * code with different bases.
 */
export class Binder {
  readonly #around: JobSurroundings;
  readonly #bound = new Map<KernelForm, Map<string, BoundKernel>>();

  constructor(around: JobSurroundings) {
    this.#around = around;
  }

  /** Binds a job. @param round register of the iteration number, for a kernel in a loop of kernels. */
  bind(job: Job, round?: string): BoundKernel {
    const { device, steps: around, registers } = this.#around;
    const { form, elements, partitions, worlds, worldsInner, guards } = job;
    const placed = new PlacedPorts(job);
    const isTabled = typeof around !== 'number';
    const bases = isTabled ? [...placed.bases, around.place.offset] : placed.bases;
    const steps = isTabled ? { isEven: around.isEven, base: placed.bases.length } : around;
    const known = this.#bound.get(form) ?? new Map<string, BoundKernel>();
    this.#bound.set(form, known);
    const key = `${elements} ${partitions} ${worlds} ${worldsInner} ${round} ${placed.key} ${keyOfGuards(job)}`;
    const options = { elements, partitions, worlds, worldsInner, registers, guards, bases, ...reachesOf(job) };
    const alike = known.get(key);
    if (alike) return rebound(alike.source, options);
    const bindings = placed.bindings();
    const { precision, lowers } = device;
    const binding = (port: Port): Binding => bindings.get(port)!;
    const kernel = bindKernel(
      form,
      { ...options, steps, round, precision, lowers, binding },
      `${key} ${JSON.stringify(steps)} ${registers} ${precision} ${lowers}`,
    );
    known.set(key, kernel);
    return kernel;
  }
}

/** Ports of a job with their places, and the bases that these count from: overlapping places have the same base. */
class PlacedPorts {
  readonly #ports: readonly Port[];
  readonly #places: MemoryPlace[] = [];
  /** Index, in `bases`, of the base of each port. */
  readonly #baseOf: number[] = [];
  readonly bases: number[] = [];
  /** Key, equal for jobs of one form whose ports have the same layout. */
  readonly key: string;

  constructor({ label, form, places, accumulates, guards }: Job) {
    const ports = portsOf(form);
    this.#ports = guards?.record ? [...ports, guards.record] : ports;
    for (const port of ports) {
      const place = places.get(port);
      if (!place) throw defect(`${label} has no place for ${port.kind} ${port.name}`);
      this.#places.push(place);
    }
    if (guards?.record) this.#places.push(guards.place!);
    const starts = startsOf(this.#places);
    let key = '';
    this.#places.forEach(({ buffer, offset, register, registerStride, shape, indices }, k) => {
      // Numbered in the order of ports, so that equal layouts get equal numbers.
      let base = this.#baseOf.findIndex(
        (_, other) => starts[other] === starts[k] && this.#places[other].buffer === buffer,
      );
      base = base < 0 ? this.bases.push(starts[k]) - 1 : this.#baseOf[base];
      this.#baseOf.push(base);
      const { elements, components, worlds, worldsInner, inRows } = shape;
      key += `${base} ${offset - starts[k]} ${register} ${registerStride} ${elements} ${components} ${worlds} ${worldsInner} `;
      key += `${inRows} ${indices} ${accumulates.has(this.#ports[k])},`;
    });
    this.key = key;
  }

  bindings(): Map<Port, Binding> {
    const bindings = new Map<Port, Binding>();
    this.#ports.forEach(({ isSeveral, components }, k) => {
      const base = this.#baseOf[k];
      // Property by property: there are thousands of bindings, and a spread takes ten times as long.
      const { buffer, offset, register, registerStride, componentStride, elementStride, worldStride, indices } =
        bindingOf(this.#places[k]);
      bindings.set(this.#ports[k], {
        buffer,
        base,
        offset: offset - this.bases[base],
        register,
        registerStride,
        componentStride: isSeveral ? elementStride : componentStride,
        elementStride: isSeveral ? elementStride * components : elementStride,
        worldStride,
        indices: isSeveral ? undefined : indices,
      });
    });
    return bindings;
  }
}

/** Returns, for each place, the word at which the run of overlapping places that contains it begins. */
function startsOf(places: readonly MemoryPlace[]): number[] {
  const starts: number[] = [];
  const inOrder = places.map((_, k) => k).sort((a, b) => places[a].offset - places[b].offset);
  const from = { f32: 0, u32: 0 };
  const end = { f32: -1, u32: -1 };
  for (const k of inOrder) {
    const { buffer, offset } = places[k];
    if (offset >= end[buffer]) from[buffer] = offset;
    starts[k] = from[buffer];
    end[buffer] = Math.max(end[buffer], offset + wordsFrom(places[k]));
  }
  return starts;
}

/** Returns a key that is equal for jobs with the same guards of the same loads. */
const keyOfGuards = ({ guards }: Job): string =>
  guards
    ? [...guards.byLoad]
        .map(([{ id }, { elements, mayBeNone, site }]) => `${id} ${elements} ${mayBeNone} ${site}`)
        .join()
    : '';

const ports = new WeakMap<KernelForm, readonly Port[]>();
/** Returns all ports of a form: of its loads, its outputs, and their records. */
function portsOf(form: KernelForm): readonly Port[] {
  const known = ports.get(form);
  if (known) return known;
  const written = form.outputs.flatMap(({ port, accumulator }) =>
    accumulator?.lost ? [port, accumulator.lost] : [port],
  );
  const found = [...new Set([...firstLoadsOf(form.root).map(({ port }) => port), ...written])];
  ports.set(form, found);
  return found;
}

/** Returns the words that a job reads and writes, before it is bound. */
export const footprintOfJob = (job: Job): Footprint => footprintOf(job.form, { ...job, ...reachesOf(job) });

const reachesOf = (job: Job): Required<Pick<BindOptions, 'accumulates' | 'accessedRange'>> => ({
  accumulates: (port) => job.accumulates.has(port),
  accessedRange: (port, ofOwn) =>
    accessRangeOf(
      port === job.guards?.record ? job.guards.place! : job.places.get(port)!,
      ofOwn !== null && port.domain === '' ? job.elements * ofOwn : undefined,
    ),
});
