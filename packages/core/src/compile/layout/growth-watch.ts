import type { Job, MemoryPlace } from '@gradsim/kernel/internal';
import { largestForm } from '@gradsim/kernel/internal';
import type { Field } from '../../model/field.ts';
import type { Version } from '../steps/versions.ts';
import type { Layout } from './layout.ts';

/**
 * Substeps at which a backward pass samples the adjoints of the states: at frames, before and after the frame's
 * contribution, and within long frames. A sample costs a fraction of a substep, so samples are at least {@link MIN_SPACING}
 * substeps apart.
 */
export interface SamplingSchedule {
  /** Every how many frames one is sampled. */
  readonly frames: number;
  /** Number of substeps between samples within a frame. */
  readonly spacing: number;
  /** Maximum number of samples in a run. */
  readonly maxSamples: number;
}

/** Places of the largest absolute values of a state and of its adjoint, which are computed in parts. */
export interface WatchedState {
  readonly field: Field;
  /** Largest absolute adjoint, with one copy for each sample. */
  readonly adjoint: MemoryPlace;
  /** Largest absolute adjoint, and largest absolute value of the state itself, over all samples. */
  readonly largestValues: MemoryPlace;
  readonly value: MemoryPlace;
}

export interface GrowthWatch {
  readonly looks: SamplingSchedule;
  readonly states: readonly WatchedState[];
}

/** Minimum number of substeps between two samples. */
const MIN_SPACING = 128;
/** Target number of intervals between samples. */
const TARGET_INTERVALS = 32;
/** Number of invocations of one sample of one field, over all worlds. */
const SAMPLE_INVOCATIONS = 256;

/** Returns the sampling plan of a run. */
export function samplingScheduleOf(frames: number, substeps: number): SamplingSchedule {
  const all = (frames - 1) * substeps;
  const wanted = Math.max(MIN_SPACING, Math.ceil(all / TARGET_INTERVALS));
  const perFrame = Math.max(1, Math.floor(substeps / wanted));
  const between = Math.ceil(wanted / substeps);
  const looked = Math.ceil((frames - 1) / between) + 1;
  return {
    frames: between,
    spacing: Math.ceil(substeps / perFrame),
    maxSamples: 2 * looked + (frames - 1) * (perFrame - 1),
  };
}

/** Allocates places for the sampled values, and creates the jobs of one sample. */
export function watchGrowth(
  layout: Layout,
  active: ReadonlySet<string>,
  { frames, substepsInAll }: { readonly frames: number; readonly substepsInAll: number },
): { readonly watch: GrowthWatch; readonly jobs: Job[] } {
  const looks = samplingScheduleOf(frames, substepsInAll / Math.max(1, frames - 1));
  const { worlds } = layout;
  const states: WatchedState[] = [];
  const jobs: Job[] = [];
  for (const field of layout.fieldsOf('state')) {
    const { elements } = layout.shape(field);
    if (field.scalar !== 'f32' || !active.has(field.key) || elements === 0) continue;
    const parts = Math.min(elements, Math.max(1, Math.floor(SAMPLE_INVOCATIONS / worlds)));
    const shape = { elements: parts, components: 1, worlds, worldsInner: true };
    const { arena } = layout;
    const adjoint = arena.repeated(field.key, 'f32', shape, 'substepOfRun', looks.maxSamples);
    // Values at the last sample are not needed.
    const [most, value, last] = Array.from({ length: 3 }, () => arena.place(field.key, 'f32', shape));
    const start: Version = { field, cycle: 'physics', loop: null, number: 0 };
    const job = (label: string, from: MemoryPlace, own: MemoryPlace, over: MemoryPlace): Job => {
      const largest = largestForm(label, field.components, elements, parts);
      const places = new Map([
        [largest.slots, from],
        [largest.before, over],
        [largest.own, own],
        [largest.most, over],
      ]);
      const { form } = largest;
      return { label, form, places, accumulates: new Set(), elements: parts, worlds, worldsInner: true };
    };
    jobs.push(
      job(`largest_${field.name}_bar`, layout.adjoint(start), adjoint, most),
      job(`largest_${field.name}`, layout.primal(start), last, value),
    );
    states.push({ field, adjoint, largestValues: most, value });
  }
  return { watch: { looks, states }, jobs };
}
