import type { CompiledModel } from '../../compile/compiled-model.ts';
import { nextCheckpoint } from '../../compile/layout/history.ts';
import { REGISTERS } from '../../compile/layout/registers.ts';
import type { Rounds } from '../../compile/layout/round-slots.ts';
import { ROUND_REGISTERS } from '../../compile/layout/round-slots.ts';
import type { Loop } from '../../compile/steps/versions.ts';
import type { LoopStage, Stage } from '../../compile/work.ts';
import { isLoopStage } from '../../compile/work.ts';

/** A program to run next, once for each row of registers. */
export interface Run {
  readonly program: number;
  readonly rows: Uint32Array;
}

/** Rounds that a loop has run, as far as the backward pass needs them. */
interface RoundRecord {
  readonly stage: LoopStage;
  readonly rounds: number;
  /** Numbers of the segments of rounds whose first round is kept in a checkpoint, ascending. */
  readonly keptSegments: number[];
  /** Number of the segment whose rounds lie in the slots. */
  present: number;
}

const registerIndex = (name: (typeof REGISTERS)[number]): number => REGISTERS.indexOf(name);
const REGISTER_POSITIONS = ROUND_REGISTERS.map(({ round, entry, exit, adjointEntry, adjointExit }) => ({
  round: registerIndex(round),
  entry: registerIndex(entry),
  exit: registerIndex(exit),
  adjointEntry: registerIndex(adjointEntry),
  adjointExit: registerIndex(adjointExit),
}));

/**
 * Runs stages with loops: yields the next program with its registers, and expects it to have run when resumed. Carried
 * values alternate between two slots, or are kept for the backward pass: those of all rounds or, if memory does not
 * suffice, those of one segment of rounds, with checkpoints from which the other segments are rerun.
 */
export class RoundRunner {
  readonly #compiled: CompiledModel;
  readonly #ran = new Map<Loop, RoundRecord>();

  constructor(compiled: CompiledModel) {
    this.#compiled = compiled;
  }

  /**
   * Runs the stages of a program.
   * @param row registers of one substep or frame; registers of loops are written here.
   */
  *runs(stages: readonly Stage[], row: Uint32Array, keeps: boolean): Generator<Run> {
    for (const stage of stages) {
      if (!isLoopStage(stage)) yield { program: stage.program, rows: row };
      else if (stage.direction === 'forward') yield* this.#forward(stage, row, keeps);
      else yield* this.#back(stage, row);
    }
  }

  *#forward(stage: LoopStage, row: Uint32Array, keeps: boolean): Generator<Run> {
    const { loop } = stage;
    const kept = keeps ? this.#compiled.roundsKept.get(loop) : undefined;
    const registers = REGISTER_POSITIONS[loop.depth];
    if (!kept || kept.checkpoints === 0) {
      const slot = kept ? (k: number): number => k : (k: number): number => k % 2;
      const rounds = yield* this.#runRounds(stage, row, 0, loop.rounds, slot, keeps);
      this.#ran.set(loop, { stage, rounds, keptSegments: [], present: 0 });
      row[registers.exit] = slot(rounds);
    } else {
      const { segment: length } = kept;
      const ran = { stage, rounds: loop.rounds, keptSegments: [] as number[], present: 0 };
      const segments = Math.ceil(loop.rounds / length);
      const mayEnd = this.#mayEnd(loop);
      let next = 0;
      let stride = 1;
      let end = 0;
      for (let segment = 0; segment < segments; segment++) {
        if (segment > 0) this.#copy(loop, this.#slot(loop, 0), this.#slot(loop, length));
        if (mayEnd) stride = this.#holdEvenly(ran, segment, stride);
        else if (segment === next) next += this.#storeCheckpoint(ran, segment, segments);
        const [from, to] = [segment * length, Math.min((segment + 1) * length, loop.rounds)];
        end = yield* this.#runRounds(stage, row, from, to, (k) => k - from, keeps);
        ran.present = segment;
        // They may also end where the segment does.
        if (end < to || (mayEnd && this.#hasEnded(loop, to - from))) break;
      }
      ran.rounds = end;
      this.#ran.set(loop, ran);
      row[registers.exit] = end - ran.present * length;
    }
    row[registers.entry] = 0;
    // Work behind the loop is in no round.
    row[registers.round] = 0;
  }

  /** Runs rounds `from` to `to`, or fewer if all worlds end; returns the number of the next round. */
  *#runRounds(
    { loop, body }: LoopStage,
    row: Uint32Array,
    from: number,
    to: number,
    slot: (round: number) => number,
    keeps: boolean,
  ): Generator<Run, number> {
    const { round, entry, exit } = REGISTER_POSITIONS[loop.depth];
    const set = (target: Uint32Array, offset: number, k: number): void => {
      target[offset + round] = k;
      target[offset + entry] = slot(k);
      target[offset + exit] = slot(k + 1);
    };
    const [only] = body;
    const canEnd = this.#mayEnd(loop);
    if (body.length === 1 && !isLoopStage(only) && !canEnd) {
      yield {
        program: only.program,
        rows: repeated(row, to - from, (rows, offset, k) => set(rows, offset, from + k)),
      };
      return to;
    }
    if (from === 0 && canEnd && this.#hasEnded(loop, slot(0))) return 0;
    for (let k = from; k < to; k++) {
      set(row, 0, k);
      yield* this.runs(body, row, keeps);
      if (canEnd && this.#hasEnded(loop, slot(k + 1))) return k + 1;
    }
    return to;
  }

  /**
   * Returns whether rounds are skipped once all worlds have ended, which needs a device that can be read without
   * waiting.
   */
  #mayEnd({ endedField }: Loop): boolean {
    return endedField !== undefined && this.#compiled.executor.peekF32 !== undefined;
  }

  /** Returns whether all worlds have ended. */
  #hasEnded(loop: Loop, slot: number): boolean {
    const place = this.#compiled.layout.rounds(loop).primal(loop.endedField!, 'exit');
    const ended = this.#compiled.executor.peekF32!(place.offset + slot * place.registerStride!, place.words);
    return ended.every((value) => value > 0);
  }

  *#back({ loop, body }: LoopStage, row: Uint32Array): Generator<Run> {
    const kept = this.#compiled.roundsKept.get(loop);
    const ran = kept ? this.#ran.get(loop)! : null;
    const { segment: length, checkpoints } = kept ?? { segment: loop.rounds, checkpoints: 0 };
    const { round, entry, exit, adjointEntry, adjointExit } = REGISTER_POSITIONS[loop.depth];
    const rounds = ran?.rounds ?? loop.rounds;
    const [only] = body;
    const isOne = body.length === 1 && !isLoopStage(only);
    for (let end = rounds; end > 0; ) {
      const from = checkpoints === 0 ? 0 : Math.floor((end - 1) / length) * length;
      if (ran && checkpoints > 0 && from !== ran.present * length) yield* this.#recall(ran, from / length, row);
      const set = (target: Uint32Array, offset: number, done: number): void => {
        const k = end - 1 - done;
        target[offset + round] = k;
        target[offset + entry] = k - from;
        target[offset + exit] = k + 1 - from;
        target[offset + adjointExit] = (rounds - 1 - k) % 2;
        target[offset + adjointEntry] = (rounds - k) % 2;
      };
      if (isOne) yield { program: only.program, rows: repeated(row, end - from, set) };
      else
        for (let done = 0; done < end - from; done++) {
          set(row, 0, done);
          yield* this.runs(body, row, true);
        }
      end = from;
    }
    row[adjointEntry] = rounds % 2;
    row[adjointExit] = 0;
    row[entry] = 0;
  }

  /**
   * Recomputes the rounds of a segment from the nearest checkpoint at or before its start, and places further
   * checkpoints on the way.
   */
  *#recall(ran: RoundRecord, segment: number, row: Uint32Array): Generator<Run> {
    const { stage, keptSegments } = ran;
    const { loop } = stage;
    const { segment: length, checkpoints } = this.#compiled.roundsKept.get(loop)!;
    while (keptSegments.at(-1)! > segment) keptSegments.pop();
    let from = keptSegments.at(-1)!;
    this.#copy(loop, this.#slot(loop, 0), this.#checkpoint(loop, keptSegments.length - 1));
    let next = from + nextCheckpoint(segment + 1 - from, checkpoints - keptSegments.length);
    for (; from < segment; from++) {
      const first = from * length;
      yield* this.#runRounds(stage, row, first, first + length, (k) => k - first, true);
      this.#copy(loop, this.#slot(loop, 0), this.#slot(loop, length));
      if (from + 1 === next && next < segment && keptSegments.length < checkpoints)
        next += this.#storeCheckpoint(ran, from + 1, segment + 1);
    }
    const first = segment * length;
    yield* this.#runRounds(stage, row, first, Math.min(first + length, ran.rounds), (k) => k - first, true);
    ran.present = segment;
  }

  /**
   * Copies slot 0, with which a segment begins, to a checkpoint; returns the number of segments to the next one to
   * copy, 0 for none.
   */
  #storeCheckpoint({ stage: { loop }, keptSegments }: RoundRecord, segment: number, end: number): number {
    this.#copy(loop, this.#checkpoint(loop, keptSegments.length), this.#slot(loop, 0));
    keptSegments.push(segment);
    const free = this.#compiled.roundsKept.get(loop)!.checkpoints - keptSegments.length;
    return free === 0 ? 0 : nextCheckpoint(end - segment, free);
  }

  /**
   * Copies slot 0 to a checkpoint if the segment's number is a multiple of `stride`, while the number of rounds is
   * still unknown: if checkpoints run out, every second one is freed. One stays free for the backward pass. Returns the
   * stride for the following segments.
   */
  #holdEvenly({ stage: { loop }, keptSegments }: RoundRecord, segment: number, stride: number): number {
    const most = Math.max(1, this.#compiled.roundsKept.get(loop)!.checkpoints - 1);
    let next = stride;
    if (segment % next === 0 && keptSegments.length === most) {
      next *= 2;
      for (let k = 1; 2 * k < most; k++) {
        this.#copy(loop, this.#checkpoint(loop, k), this.#checkpoint(loop, 2 * k));
        keptSegments[k] = keptSegments[2 * k];
      }
      keptSegments.length = Math.ceil(most / 2);
    }
    if (segment % next === 0) {
      this.#copy(loop, this.#checkpoint(loop, keptSegments.length), this.#slot(loop, 0));
      keptSegments.push(segment);
    }
    return next;
  }

  #rounds(loop: Loop): Rounds {
    return this.#compiled.layout.rounds(loop);
  }
  #slot(loop: Loop, slot: number): number {
    return this.#rounds(loop).slotBase + slot * this.#rounds(loop).words;
  }
  #checkpoint(loop: Loop, checkpoint: number): number {
    return this.#rounds(loop).checkpointBase + checkpoint * this.#rounds(loop).words;
  }
  #copy(loop: Loop, to: number, from: number): void {
    this.#compiled.executor.copy('f32', to, from, this.#rounds(loop).words);
  }
}

/** Returns `count` copies of a row of registers, each changed by `set`. */
function repeated(
  row: Uint32Array,
  count: number,
  set: (rows: Uint32Array, offset: number, k: number) => void,
): Uint32Array {
  const rows = new Uint32Array(count * row.length);
  for (let k = 0; k < count; k++) {
    rows.set(row, k * row.length);
    set(rows, k * row.length, k);
  }
  return rows;
}
