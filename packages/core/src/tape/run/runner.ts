import type { MemoryPlace } from '@gradsim/kernel/internal';
import { clearAccessRecords, shapeWords } from '@gradsim/kernel/internal';
import type { CompiledModel, ProgramName } from '../../compile/compiled-model.ts';
import { BACKWARD_PROGRAMS } from '../../compile/compiled-model.ts';
import { nextCheckpoint } from '../../compile/layout/history.ts';
import type { ByArena } from '../../compile/layout/layout.ts';
import { isLoopStage } from '../../compile/work.ts';
import { GrowthSampler } from './looks.ts';
import { RoundRunner } from './rounds.ts';
import type { Registers, SearchInterval, Stretch, Timeline } from './schedule.ts';
import { registerRows, searchIntervals, stretches, stretchFrom, substepsInAll } from './schedule.ts';

/** States of another run with which to begin, instead of the initial states. */
export interface Start {
  /** Number of the substep at which the run begins. */
  readonly substep: number;
  /** Number of the substep before which phase search ran last; null if unknown. */
  readonly searched: number | null;
  /** Writes the states into the given slot, and the results of the search to their place. */
  readonly writeStates: (slot: ByArena) => void;
}

/** Next item of a backward pass: a program to run, or the end of a stretch. */
export type BackwardItem = ProgramRun | { readonly kind: 'stretch'; readonly stretch: Stretch };
/** A program to run, once for each row of registers. */
export interface ProgramRun {
  readonly kind: 'program';
  readonly program: ProgramName;
  readonly table: Uint32Array;
}

/** Index of the slot that holds the states before the last frame of {@link Runner.step}. */
const SLOT_BEFORE_FRAME = 2;

/**
 * Runs the programs of a compiled model over its substeps and frames, forward and backward: decides their order, and
 * the slots of states. Both directions proceed in stretches; between two stretches the caller may yield or stop.
 */
export class Runner {
  readonly #compiled: CompiledModel;
  readonly #timeline: Timeline;
  /** Maximum number of substeps of a run. */
  readonly #most: number;
  /** Number of substeps of the current run, by which checkpoints are placed. */
  #planned = 0;
  /** True if states are kept for the backward pass, each in its own slot; otherwise two slots alternate. */
  readonly keepsStates: boolean;
  #start: Start | null = null;
  /** Number of substeps that the run has done. */
  #at = 0;
  /** Number of the segment whose first state is copied to a checkpoint next. */
  #next = 0;
  /** Numbers of the segments whose first state is kept in a checkpoint, ascending. */
  readonly #held: number[] = [];
  /** Number of the segment whose states lie in the slots. */
  #present = 0;
  /**
   * Index, 0 or 1, of the adjoint slot that holds the adjoint of the earliest state that the backward pass has reached.
   */
  #parity = 0;

  readonly #rounds: RoundRunner;
  /** Samples of the adjoints of states in the backward pass; null if there are none. */
  readonly looks: GrowthSampler | null;

  constructor(compiled: CompiledModel, timeline: Timeline, keepsStates: boolean) {
    this.#compiled = compiled;
    this.#rounds = new RoundRunner(compiled);
    this.#timeline = timeline;
    this.#most = substepsInAll(timeline);
    this.keepsStates = keepsStates;
    this.looks = compiled.growth && new GrowthSampler(compiled, timeline, compiled.growth);
  }

  /** Makes the next run begin with the states of another run; with null, with the initial states. */
  startFrom(start: Start | null): void {
    this.#start = start;
  }
  /** Number of substeps that the run has done. */
  get done(): number {
    return this.#at;
  }
  /** Number of the next substep. */
  get substep(): number {
    return this.first + this.#at;
  }
  /** Number of frames that the run has taken, including the first one. */
  get framesTaken(): number {
    return this.#at / this.#timeline.substeps + 1;
  }
  /** Number of the substep before which phase search ran last; null where it has not. */
  get searched(): number | null {
    const { searchInterval } = this.#compiled.model;
    if (!this.#compiled.has('search')) return null;
    if (this.#at === 0) return this.#start?.searched ?? null;
    const last = Math.floor((this.#at - 1 - this.#origin) / searchInterval) * searchInterval;
    return this.first + this.#origin + last;
  }

  /** Number of the substep with which the run begins: above 0 if it continues from another run's states. */
  get first(): number {
    return this.#start?.substep ?? 0;
  }
  /**
   * Substep of the run from which searches are counted. The backward pass needs the states at searches, so a run with a
   * gradient has its first search at its own beginning.
   */
  get #origin(): number {
    const { substep = 0, searched = null } = this.#start ?? {};
    return this.keepsStates || searched === null ? 0 : searched - substep;
  }

  /** Runs setup, which computes values derived from the inputs, and the initial states; these go to slot `slot`. */
  setup(slot = 0): void {
    this.#runOnce('setup', { stateIn: slot, stateOut: slot });
  }
  /** Runs setup again during a run that keeps no states; the current states are not changed. */
  derive(): void {
    this.setup((this.#at + 1) % 2);
  }

  /** Writes the states with which the run begins, if they come from another run. */
  putStart(): void {
    this.#start?.writeStates(this.#slotOffset(0));
  }
  /** Starts a run, and records frame 0. */
  begin(): void {
    for (const field of this.#compiled.layout.fieldsOf('alarm')) {
      const { offset, words } = this.#compiled.layout.input(field);
      this.#compiled.executor.clear('f32', offset, words);
    }
    clearAccessRecords(this.#compiled.executor, this.#compiled.layout.accessRecords, false);
    this.setup();
    this.putStart();
    this.#at = 0;
    this.#planned = this.#most;
    this.#frame(0, 0);
    this.#held.length = 0;
    this.#next = 0;
    this.#present = 0;
  }

  /** Runs to the next frame; past the last one only if no states are kept. */
  *#advance(): Generator<Stretch> {
    do {
      const { from, to } = stretchFrom(this.#at, this.#timeline, this.#segment);
      const segment = Math.floor(from / this.#segment);
      if (from === segment * this.#segment && this.#hasCheckpoints) {
        if (from > 0) this.#copyState(this.#slotOffset(0), this.#slotOffset(this.#segment));
        if (segment === this.#next) this.#next += this.#storeCheckpoint(segment, this.#segmentsOf(this.#planned));
      }
      this.#present = segment;
      this.#physics(from, to);
      this.#at = to;
      if (this.#isFrame(to)) this.#frame(to, this.slot(to, from));
      yield { from, to };
    } while (!this.#isFrame(this.#at));
  }

  /** Runs from the beginning until `frames` frames are recorded. */
  *forward(frames = this.#timeline.frames): Generator<Stretch> {
    this.begin();
    this.#planned = substepsInAll({ ...this.#timeline, frames });
    while (this.#at < this.#planned) yield* this.#advance();
  }

  /** Runs one frame. {@link undo} restores the states before it, unless states are kept. */
  step(): void {
    if (!this.keepsStates) this.#copyState(this.#slotOffset(SLOT_BEFORE_FRAME), this.#slotOffset(this.#at % 2));
    for (const _ of this.#advance());
  }
  /** Restores the states before the last {@link step}, and returns the number of substeps done by then. */
  undo(): number {
    this.#at -= this.#timeline.substeps;
    this.#copyState(this.#slotOffset(this.#at % 2), this.#slotOffset(SLOT_BEFORE_FRAME));
    return this.#at;
  }

  /** Recomputes the last states in their slots after a backward pass has overwritten them. */
  recallEnd(): void {
    const last = this.#segmentsOf(this.#at) - 1;
    if (this.#hasCheckpoints && this.#present !== last) this.#recall(last);
  }

  *backward(): Generator<Stretch> {
    for (const run of this.runsBack()) {
      if (run.kind === 'program') this.runProgram(run);
      else yield run.stretch;
    }
  }

  /**
   * Yields all items of a backward pass from the current moment, in running order. It expects each program to have run
   * when it is resumed.
   */
  *runsBack(): Generator<BackwardItem> {
    this.#parity = 0;
    this.looks?.begin(this.framesTaken);
    if (this.#at === 0) yield this.#frameBack(0, 0);
    for (const stretch of stretches(this.#at, this.#timeline, this.#segment).reverse()) {
      const segment = Math.floor(stretch.from / this.#segment);
      // A forward run leaves the states of the last segment in the slots.
      if (this.#hasCheckpoints && segment !== this.#present) this.#recall(segment);
      yield* this.#stretchBack(stretch);
      yield { kind: 'stretch', stretch };
    }
    yield this.#once('final', {});
    if (this.#start) this.#forgetMadeStates();
    yield this.#once('setupReverse', { adjointIn: this.#parity, adjointOut: this.#parity });
  }
  runProgram({ program, table }: ProgramRun): void {
    this.#run(program, table);
  }
  /** Yields the device programs for an item of a backward pass, one row at a time. */
  *rowsOf({ program, table }: ProgramRun): Generator<{ readonly part: number; readonly row: Uint32Array }> {
    const width = this.#width;
    for (let at = 0; at < table.length; at += width) {
      const registers = table.slice(at, at + width);
      for (const { program: part, rows } of this.#rounds.runs(this.#compiled.stages[program], registers, true))
        for (let k = 0; k < rows.length; k += width) yield { part, row: rows.slice(k, k + width) };
    }
  }

  /**
   * Returns the places in which a backward pass accumulates, with their numbers of words; they are zeroed at its start.
   */
  #sums(): { readonly place: MemoryPlace; readonly words: number }[] {
    const { layout, persistentSlots } = this.#compiled;
    const copies = (place: MemoryPlace, count: number) => ({
      place,
      words: (place.registerStride ?? place.words) * count,
    });
    return [
      ...[...layout.inputAdjoints(), ...persistentSlots].map((place) => copies(place, layout.copiesOf(place))),
      ...layout.recordedAdjoints().map((place) => copies(place, this.framesTaken)),
    ];
  }
  /** Sets all adjoints to zero, as a backward pass expects before those of the outputs are seeded. */
  clearAdjoints(): void {
    const { executor, layout } = this.#compiled;
    for (const { place, words } of this.#sums()) executor.clear(place.buffer, place.offset, words);
    if (layout.stateWords.f32) executor.clear('f32', layout.adjointSlots(), layout.stateWords.f32 * 2);
  }
  /** Returns the ranges of words of all adjoints that outlive a stretch, after the last stretch that ran. */
  adjointsNow(): Pick<MemoryPlace, 'offset' | 'words'>[] {
    const { layout } = this.#compiled;
    const { f32 } = layout.stateWords;
    const sums = this.#sums()
      .filter(({ place }) => place.buffer === 'f32')
      .map(({ place, words }) => ({ offset: place.offset, words }));
    return f32 > 0 ? [...sums, { offset: layout.adjointSlots() + this.#parity * f32, words: f32 }] : sums;
  }

  /**
   * Clears the adjoints of states that setup computes. The run did not begin with those, so no derivative passes
   * through setup.
   */
  #forgetMadeStates(): void {
    const { executor, layout, madeAtStart } = this.#compiled;
    const slot = layout.adjointSlots() + this.#parity * layout.stateWords.f32;
    for (const field of madeAtStart)
      executor.clear('f32', slot + layout.stateOffset(field), shapeWords(layout.shape(field)));
  }

  /** Returns the slot of the state after `n` substeps, within the segment of substep `within`, which may end there. */
  slot(n: number, within: number): number {
    return this.keepsStates ? n - this.#startOf(within) : n % 2;
  }

  /** Number of registers in a row. */
  get #width(): number {
    return this.#compiled.registers.length;
  }
  get #segment(): number {
    return this.keepsStates ? this.#compiled.history.segment : Number.POSITIVE_INFINITY;
  }
  #segmentsOf(substeps: number): number {
    return Math.max(1, Math.ceil(substeps / this.#segment));
  }
  get #hasCheckpoints(): boolean {
    return this.keepsStates && this.#compiled.history.checkpoints > 0;
  }
  #startOf(substep: number): number {
    return this.#hasCheckpoints ? Math.floor(substep / this.#segment) * this.#segment : 0;
  }
  #isFrame(substep: number): boolean {
    return substep % this.#timeline.substeps === 0;
  }

  /**
   * Copies the state in slot 0, with which a segment begins, to a checkpoint, in a run to segment `end`.
   * @returns the number of segments to the next one to copy; 0 if there is none.
   */
  #storeCheckpoint(segment: number, end: number): number {
    const { checkpoints } = this.#compiled.history;
    this.#copyState(this.#checkpointOffset(this.#held.length), this.#slotOffset(0));
    this.#held.push(segment);
    const free = checkpoints - this.#held.length;
    return free === 0 ? 0 : nextCheckpoint(end - segment, free);
  }

  /**
   * Recomputes the states of a segment from the nearest checkpoint at or before its start, and places further
   * checkpoints on the way.
   */
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
        next += this.#storeCheckpoint(at + 1, segment + 1);
    }
    this.#physics(segment * this.#segment, Math.min((segment + 1) * this.#segment, this.#at));
    this.#present = segment;
  }

  /** Copies all states from offset `from` to offset `to`, in words. */
  #copyState(to: ByArena, from: ByArena): void {
    const { executor, layout } = this.#compiled;
    for (const arena of ['f32', 'u32'] as const)
      if (layout.stateWords[arena] > 0) executor.copy(arena, to[arena], from[arena], layout.stateWords[arena]);
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
    const keeps = BACKWARD_PROGRAMS.has(program);
    for (let at = 0; at < table.length; at += this.#width) {
      const row = table.slice(at, at + this.#width);
      for (const { program: part, rows } of this.#rounds.runs(all, row, keeps)) executor.run(part, rows);
    }
  }
  #runOnce(program: ProgramName, registers: Registers): void {
    this.runProgram(this.#once(program, registers));
  }
  #once(program: ProgramName, registers: Registers): ProgramRun {
    return { kind: 'program', program, table: registerRows(this.#width, 1, () => registers) };
  }

  /** Returns the registers for the moment after `n` substeps of the run. */
  moment(n: number, stateIn: number, stateOut: number, adjointIn = 0, adjointOut = 0): Registers {
    const { substeps, frames } = this.#timeline;
    const substep = this.first + n;
    // Written out: this runs for every substep, and for a small model copying an object would take as long as the
    // substep.
    return {
      substep,
      frame: Math.floor(substep / substeps),
      substepOfRun: n,
      frameOfRun: Math.floor(n / substeps) % frames,
      stateIn,
      stateOut,
      adjointIn,
      adjointOut,
    };
  }

  #frame(n: number, slot: number): void {
    this.#runOnce('frame', this.moment(n, slot, slot));
  }

  #frameBack(n: number, slot: number): ProgramRun {
    return this.#once('frameReverse', this.moment(n, slot, slot, this.#parity, this.#parity));
  }

  /** Divides a stretch of substeps at the substeps before which phase search runs. */
  searchIntervals(from: number, to: number): SearchInterval[] {
    return searchIntervals(from, to, this.#compiled.model.searchInterval, this.#origin);
  }

  #physics(first: number, end: number): void {
    for (const { from, to, search } of this.searchIntervals(first, end)) {
      if (from === search) this.runProgram(this.#search(search));
      this.#run(
        'physics',
        registerRows(this.#width, to - from, (k) =>
          this.moment(from + k, this.slot(from + k, first), this.slot(from + k + 1, first)),
        ),
      );
    }
  }

  /** Returns the program run of the search for the substeps from `n` on, from the state before them. */
  #search(n: number): ProgramRun {
    const slot = this.slot(n, n);
    return this.#once('search', this.moment(n, slot, slot));
  }

  *#stretchBack({ from, to }: Stretch): Generator<ProgramRun> {
    if (this.#isFrame(to)) yield* this.#lookedFrameBack(to, this.slot(to, from));
    for (const interval of this.searchIntervals(from, to).reverse()) {
      yield this.#search(interval.search);
      let end = interval.to;
      for (const look of this.looks?.substepsBetween(interval.from, interval.to) ?? []) {
        yield* this.#physicsBack({ from: look, to: end }, from);
        yield this.#look(look, false, this.slot(look, from));
        end = look;
      }
      yield* this.#physicsBack({ from: interval.from, to: end }, from);
    }
    if (from === 0) yield* this.#lookedFrameBack(0, 0);
  }

  *#lookedFrameBack(n: number, slot: number): Generator<ProgramRun> {
    const isSeen = this.looks?.isAtFrame(n);
    if (isSeen) yield this.#look(n, false, slot);
    yield this.#frameBack(n, slot);
    if (isSeen) yield this.#look(n, true, slot);
  }
  #look(substep: number, isAfterFrame: boolean, slot: number): ProgramRun {
    const table = this.looks!.addSample({ substep, isAfterFrame }, { stateIn: slot, adjointIn: this.#parity });
    return { kind: 'program', program: 'growth', table };
  }

  /**
   * Yields the backward pass of a stretch of substeps.
   * @param first first substep of the segment whose states lie in the slots.
   */
  *#physicsBack({ from, to }: Stretch, first: number): Generator<ProgramRun> {
    const parity = this.#parity;
    const table = registerRows(this.#width, to - from, (k) => {
      const n = to - 1 - k;
      const [adjointOut, adjointIn] = [(parity + k) % 2, (parity + k + 1) % 2];
      return this.moment(n, this.slot(n, first), this.slot(n + 1, first), adjointIn, adjointOut);
    });
    yield { kind: 'program', program: 'physicsReverse', table };
    if (this.#compiled.has('physicsReverse')) this.#parity = (parity + to - from) % 2;
  }
}
