import type { Device } from '../devices/device.ts';
import { bindKernel } from '../emit/bind.ts';
import type { BindOptions } from '../emit/bind-options.ts';
import type { BoundKernel, Footprint } from '../emit/bound-kernel.ts';
import { footprintOf } from '../emit/footprint.ts';
import type { KernelForm } from '../form/kernel-form.ts';
import type { Port } from '../form/port.ts';
import type { PlacedGuards } from './guards.ts';
import type { Place } from './places.ts';
import { bindingOf, reachOf } from './places.ts';

/** A kernel with the places of its ports: what binding to memory needs, once all places have offsets. */
export interface Job {
  /** Display name, in messages and profiles. */
  readonly label: string;
  readonly form: KernelForm;
  readonly elements: number;
  /** Number of invocations of a world that elements are partitioned among; without it, each element has one. */
  readonly partitions?: number;
  readonly worlds: number;
  readonly worldsInner: boolean;
  readonly places: ReadonlyMap<Port, Place>;
  readonly accumulates: ReadonlySet<Port>;
  /** Without them, all indices are taken to be in range. */
  readonly guards?: PlacedGuards;
}

/** Properties that all jobs of a device share. */
export interface JobSurroundings {
  readonly device: Device;
  readonly dt: number;
  readonly registers: readonly string[];
  /** The register that holds the number of the round, for a kernel in a loop of kernels. */
  readonly round?: string;
}

export function bindJob(job: Job, { device, dt, registers, round }: JobSurroundings): BoundKernel {
  return bindKernel(job.form, {
    elements: job.elements,
    ...(job.partitions ? { partitions: job.partitions } : {}),
    worlds: job.worlds,
    worldsInner: job.worldsInner,
    dt,
    registers,
    ...(round ? { round } : {}),
    precision: device.precision,
    lowers: device.lowers,
    ...(job.guards ? { guards: job.guards } : {}),
    ...reachesOf(job),
    binding: (port) => {
      const place = port === job.guards?.record ? job.guards.place : job.places.get(port);
      if (!place) throw new Error(`internal: ${job.label} has no place for ${port.kind} ${port.name}`);
      const binding = bindingOf(place);
      if (!port.isSeveral) return binding;
      const { elementStride } = binding;
      return { ...binding, componentStride: elementStride, elementStride: elementStride * port.components };
    },
  });
}

/** Words that a job reads and writes, before it is bound. */
export const footprintOfJob = (job: Job): Footprint => footprintOf(job.form, { ...job, ...reachesOf(job) });

const reachesOf = (job: Job): Required<Pick<BindOptions, 'accumulates' | 'reach'>> => ({
  accumulates: (port) => job.accumulates.has(port),
  reach: (port, ofOwn) =>
    reachOf(
      port === job.guards?.record ? job.guards.place! : job.places.get(port)!,
      ofOwn !== null && port.domain === '' ? job.elements * ofOwn : undefined,
    ),
});
