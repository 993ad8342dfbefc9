import type { CompiledModel } from '../compile/compiled-model.ts';
import type { GrowthWatch } from '../compile/growth-watch.ts';
import type { Timeline } from './schedule.ts';
import { registerRows } from './schedule.ts';

/** A look at the adjoints of the states after `substep` substeps of the run. */
export interface Look {
  readonly substep: number;
  /** Whether the frame there has already added what it puts in. */
  readonly isAfterFrame: boolean;
}

/** Takes the looks of a run back, which the device only records. */
export class Looks {
  readonly #compiled: CompiledModel;
  readonly #timeline: Pick<Timeline, 'substeps'>;
  readonly #watch: GrowthWatch;
  #taken: Look[] = [];
  /** Frames of the run that is gone back through. */
  #frames = 1;

  constructor(compiled: CompiledModel, timeline: Pick<Timeline, 'substeps'>, watch: GrowthWatch) {
    this.#compiled = compiled;
    this.#timeline = timeline;
    this.#watch = watch;
  }

  /** The looks of the last run back, from the end of the run on. */
  get taken(): readonly Look[] {
    return this.#taken;
  }

  /** Forgets those of the run back before, and begins with one of a run of so many frames. */
  begin(frames: number): void {
    this.#taken = [];
    this.#frames = frames;
    for (const { value } of this.#watch.states) this.#compiled.executor.clear('f32', value.offset, value.words);
  }

  /** Whether the frame after so many substeps is looked at. */
  isAtFrame(substep: number): boolean {
    const left = this.#frames - 1 - substep / this.#timeline.substeps;
    return substep === 0 || left % this.#watch.looks.frames === 0;
  }

  /** Where to look between two moments of one frame, the last first. */
  within(from: number, to: number): number[] {
    const { spacing } = this.#watch.looks;
    const start = Math.floor(from / this.#timeline.substeps) * this.#timeline.substeps;
    const found: number[] = [];
    for (let n = start + Math.ceil((to - start) / spacing - 1) * spacing; n > from; n -= spacing) found.push(n);
    return found;
  }

  /**
   * Counts a look, and gives the registers with which the program of looks takes it.
   * @param slot that of the states then, and of their adjoints.
   */
  take(look: Look, slot: { readonly stateIn: number; readonly adjointIn: number }): Uint32Array {
    this.#taken.push(look);
    const substepOfRun = this.#taken.length - 1;
    return registerRows(this.#compiled.registers.length, 1, () => ({ ...slot, substepOfRun }));
  }
}
