import type { CompiledModel } from '../../compile/compiled-model.ts';
import type { GrowthWatch } from '../../compile/layout/growth-watch.ts';
import type { Timeline } from './schedule.ts';
import { registerRows } from './schedule.ts';

/** Moment at which the adjoints of the states are sampled: after `substep` substeps of the run. */
export interface GrowthSample {
  readonly substep: number;
  /** True if the sample is taken after the frame at that moment has added its contribution. */
  readonly isAfterFrame: boolean;
}

/** Schedules the samples of a backward pass, and lists those that were taken. */
export class GrowthSampler {
  readonly #compiled: CompiledModel;
  readonly #timeline: Pick<Timeline, 'substeps'>;
  readonly #watch: GrowthWatch;
  #taken: GrowthSample[] = [];
  /** Number of frames of the run being sampled. */
  #frames = 1;

  constructor(compiled: CompiledModel, timeline: Pick<Timeline, 'substeps'>, watch: GrowthWatch) {
    this.#compiled = compiled;
    this.#timeline = timeline;
    this.#watch = watch;
  }

  /** Samples taken in the last backward pass, from the end of the run to its start. */
  get taken(): readonly GrowthSample[] {
    return this.#taken;
  }

  /** Clears the list of samples, for a run of `frames` frames. */
  begin(frames: number): void {
    this.#taken = [];
    this.#frames = frames;
    for (const { value } of this.#watch.states) this.#compiled.executor.clear('f32', value.offset, value.words);
  }

  /** Returns whether the frame after `substep` substeps is sampled. */
  isAtFrame(substep: number): boolean {
    const left = this.#frames - 1 - substep / this.#timeline.substeps;
    return substep === 0 || left % this.#watch.looks.frames === 0;
  }

  /** Returns the substeps to sample between two moments within one frame, the last first. */
  substepsBetween(from: number, to: number): number[] {
    const { spacing } = this.#watch.looks;
    const start = Math.floor(from / this.#timeline.substeps) * this.#timeline.substeps;
    const found: number[] = [];
    for (let n = start + Math.ceil((to - start) / spacing - 1) * spacing; n > from; n -= spacing) found.push(n);
    return found;
  }

  /**
   * Adds a sample to the list, and returns the registers for the sampling program.
   * @param slot slots of the states and of their adjoints at that moment.
   */
  addSample(look: GrowthSample, slot: { readonly stateIn: number; readonly adjointIn: number }): Uint32Array {
    this.#taken.push(look);
    const substepOfRun = this.#taken.length - 1;
    return registerRows(this.#compiled.registers.length, 1, () => ({ ...slot, substepOfRun }));
  }
}
