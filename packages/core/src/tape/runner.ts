import { forgetLosses } from '@gradsim/kernel/compiler';
import type { CompiledModel, ProgramName } from '../model/compile.ts';
import { nextCheckpoint } from '../model/history.ts';
import type { ByArena } from '../model/layout.ts';
import { isLoopStage } from '../model/work.ts';
import { RoundRunner } from './rounds.ts';
import type { Registers, Timeline } from './schedule.ts';
import { registerRows, searchIntervals, stretches, substepsInAll } from './schedule.ts';

/** A stretch of substeps that has been run, one way or the other. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * Runs the programs of a compiled model over its time, forward and back: the order of everything, and which states are
 * kept where. Both ways go stretch by stretch; between two stretches the caller may let go, or stop.
 */
export class Runner {
  readonly #compiled: CompiledModel;
  readonly #timeline: Timeline;
  /** Substeps in all. */
  readonly #end: number;
  /** Whether states are kept for the way back, one a slot; otherwise two slots take turns. */
  readonly #keepsStates: boolean;
  /** Segments whose first state is kept in a checkpoint, ascending, as many as there are checkpoints in use. */
  readonly #held: number[] = [];
  /** The segment whose states lie in the slots. */
  #present = 0;
  /** Parity of the adjoint slot that holds the adjoint of the earliest state reached. */
  #parity = 0;

  readonly #rounds: RoundRunner;

  constructor(compiled: CompiledModel, timeline: Timeline, keepsStates: boolean) {
    this.#compiled = compiled;
    this.#rounds = new RoundRunner(compiled);
    this.#timeline = timeline;
    this.#end = substepsInAll(timeline);
    this.#keepsStates = keepsStates;
  }

  /** Runs what is derived from the inputs, and the initial states. */
  setup(): void {
    this.#runOnce('setup', {});
  }

  *forward(): Generator<Stretch> {
    for (const field of this.#compiled.layout.fieldsOf('alarm')) {
      const { offset, words } = this.#compiled.layout.input(field);
      this.#compiled.executor.clear('f32', offset, words);
    }
    forgetLosses(this.#compiled.executor, this.#compiled.layout.losses, false);
    this.setup();
    this.#frame(0, 0);
    this.#held.length = 0;
    let next = 0;
    for (const { from, to } of stretches(this.#timeline, this.#segment)) {
      const segment = Math.floor(from / this.#segment);
      if (from === segment * this.#segment && this.#hasCheckpoints) {
        if (from > 0) this.#copyState(this.#slotOffset(0), this.#slotOffset(this.#segment));
        if (segment === next) next += this.#hold(segment, this.#segments);
      }
      this.#present = segment;
      this.#physics(from, to);
      if (this.#isFrame(to)) this.#frame(to / this.#timeline.substeps, this.slot(to, from));
      yield { from, to };
    }
  }

  /** Has the last states in their slots again, where a run back has put others there. */
  recallEnd(): void {
    if (this.#hasCheckpoints && this.#present !== this.#segments - 1) this.#recall(this.#segments - 1);
  }

  *backward(): Generator<Stretch> {
    this.#parity = 0;
    if (this.#end === 0) this.#frameBack(0, 0);
    for (const stretch of stretches(this.#timeline, this.#segment).reverse()) {
      const segment = Math.floor(stretch.from / this.#segment);
      // The states of the last segment are those that a run forward leaves.
      if (this.#hasCheckpoints && segment !== this.#present) this.#recall(segment);
      this.#stretchBack(stretch);
      yield stretch;
    }
    this.#runOnce('final', {});
    this.#runOnce('setupReverse', { adjointIn: this.#parity, adjointOut: this.#parity });
  }

  /** The slot of the state after `n` substeps, in the segment of substep `within`, which may end there. */
  slot(n: number, within: number): number {
    return this.#keepsStates ? n - this.#startOf(within) : n % 2;
  }

  /** Registers of a row. */
  get #width(): number {
    return this.#compiled.registers.length;
  }
  get #segment(): number {
    return this.#keepsStates ? this.#compiled.history.segment : Number.POSITIVE_INFINITY;
  }
  get #segments(): number {
    return Math.ceil(this.#end / this.#segment);
  }
  get #hasCheckpoints(): boolean {
    return this.#keepsStates && this.#compiled.history.checkpoints > 0;
  }
  #startOf(substep: number): number {
    return this.#hasCheckpoints ? Math.floor(substep / this.#segment) * this.#segment : 0;
  }
  #isFrame(substep: number): boolean {
    return substep % this.#timeline.substeps === 0;
  }

  /**
   * Keeps the state in slot 0, with which a segment begins, on the way to the segment before `end`.
   * @returns the number of segments to the one to keep next; 0 where none is.
   */
  #hold(segment: number, end: number): number {
    const { checkpoints } = this.#compiled.history;
    this.#copyState(this.#checkpointOffset(this.#held.length), this.#slotOffset(0));
    this.#held.push(segment);
    const free = checkpoints - this.#held.length;
    return free === 0 ? 0 : nextCheckpoint(end - segment, free);
  }

  /** Makes the states of a segment again: from the checkpoint at its start, or from one before it, placing others. */
  #recall(segment: number): void {
    while (this.#held.at(-1)! > segment) this.#held.pop();
    let at = this.#held.at(-1)!;
    this.#copyState(this.#slotOffset(0), this.#checkpointOffset(this.#held.length - 1));
    const free = this.#compiled.history.checkpoints - this.#held.length;
    let next = at + nextCheckpoint(segment + 1 - at, free);
    for (; at < segment; at++) {
      this.#physics(at * this.#segment, (at + 1) * this.#segment);
      this.#copyState(this.#slotOffset(0), this.#slotOffset(this.#segment));
      if (at + 1 === next && next < segment && this.#held.length < this.#compiled.history.checkpoints)
        next += this.#hold(at + 1, segment + 1);
    }
    this.#physics(segment * this.#segment, Math.min((segment + 1) * this.#segment, this.#end));
    this.#present = segment;
  }

  /** Copies all states; `to` and `from` are where they begin. */
  #copyState(to: ByArena, from: ByArena): void {
    const { executor, layout } = this.#compiled;
    for (const arena of ['f32', 'u32'] as const)
      if (layout.stateWords[arena] > 0)
        executor.copy(arena, to[arena], from[arena], layout.stateWords[arena]);
  }
  #slotOffset(slot: number): ByArena {
    return this.#offsetOf(this.#compiled.slotBase, slot);
  }
  #checkpointOffset(checkpoint: number): ByArena {
    return this.#offsetOf(this.#compiled.checkpointBase, checkpoint);
  }
  #offsetOf(base: ByArena, copy: number): ByArena {
    const { f32, u32 } = this.#compiled.layout.stateWords;
    return { f32: base.f32 + copy * f32, u32: base.u32 + copy * u32 };
  }

  /** Runs a program once for each row of registers. */
  #run(program: ProgramName, table: Uint32Array): void {
    const { stages, executor } = this.#compiled;
    const all = stages[program];
    if (all.length === 0) return;
    const [first] = all;
    if (all.length === 1 && !isLoopStage(first)) {
      executor.run(first.program, table);
      return;
    }
    const keeps = program.endsWith('Reverse');
    for (let at = 0; at < table.length; at += this.#width) {
      const row = table.slice(at, at + this.#width);
      for (const { program: part, rows } of this.#rounds.runs(all, row, keeps)) executor.run(part, rows);
    }
  }
  #runOnce(program: ProgramName, registers: Registers): void {
    this.#run(
      program,
      registerRows(this.#width, 1, () => registers),
    );
  }

  #frameOf(substep: number): number {
    return Math.floor(substep / this.#timeline.substeps);
  }

  #frame(frame: number, slot: number): void {
    this.#runOnce('frame', {
      frame,
      substep: frame * this.#timeline.substeps,
      stateIn: slot,
      stateOut: slot,
    });
  }

  #frameBack(frame: number, slot: number): void {
    this.#runOnce('frameReverse', {
      frame,
      substep: frame * this.#timeline.substeps,
      stateIn: slot,
      stateOut: slot,
      adjointIn: this.#parity,
      adjointOut: this.#parity,
    });
  }

  #physics(first: number, end: number): void {
    for (const { from, to, search } of searchIntervals(first, end, this.#compiled.model.searchInterval)) {
      if (from === search) this.#search(search);
      this.#run(
        'physics',
        registerRows(this.#width, to - from, (k) => ({
          substep: from + k,
          frame: this.#frameOf(from + k),
          stateIn: this.slot(from + k, first),
          stateOut: this.slot(from + k + 1, first),
        })),
      );
    }
  }

  /** Finds (again) what the substeps from `n` on work with, from the state before them. */
  #search(n: number): void {
    const slot = this.slot(n, n);
    this.#runOnce('search', { substep: n, frame: this.#frameOf(n), stateIn: slot, stateOut: slot });
  }

  #stretchBack({ from, to }: Stretch): void {
    if (this.#isFrame(to)) this.#frameBack(to / this.#timeline.substeps, this.slot(to, from));
    for (const interval of searchIntervals(from, to, this.#compiled.model.searchInterval).reverse()) {
      this.#search(interval.search);
      this.#physicsBack(interval);
    }
    if (from === 0) this.#frameBack(0, 0);
  }

  #physicsBack({ from, to }: Stretch): void {
    const parity = this.#parity;
    this.#run(
      'physicsReverse',
      registerRows(this.#width, to - from, (k) => {
        const n = to - 1 - k;
        return {
          substep: n,
          frame: this.#frameOf(n),
          stateIn: this.slot(n, from),
          stateOut: this.slot(n + 1, from),
          adjointOut: (parity + k) % 2,
          adjointIn: (parity + k + 1) % 2,
        };
      }),
    );
    if (this.#compiled.has('physicsReverse')) this.#parity = (parity + to - from) % 2;
  }
}
