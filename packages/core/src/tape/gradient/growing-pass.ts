import type { Answer, Job, MemoryPlace, Port, QuerySteps } from '@gradsim/kernel/internal';
import { shapeWords, wordOf } from '@gradsim/kernel/internal';
import { programsIn } from '../../compile/work.ts';
import type { Phase } from '../../model/phases.ts';
import type { CompiledRun } from '../run/compiled-run.ts';
import type { ProgramRun, Runner } from '../run/runner.ts';
import type { Growth } from './growth.ts';

/** The pass whose derivative makes adjoints grow, where they grow fastest. */
export interface GrowingPass {
  /** Name of the pass's kernel. */
  readonly kernel: string;
  readonly phase: Phase;
  /** Key of the state, `domain.name`, to whose adjoint the pass adds. */
  readonly field: string;
  /**
   * Number of the substep of the run, and the factor by which the adjoints of the states grow over it, going backward.
   */
  readonly substep: number;
  readonly factor: number;
}

/** Number of pieces into which a stretch is divided to find where in it adjoints grow fastest. */
const STRETCH_PIECES = 64;

/** A stretch of substeps, run backward from `to` to `from`. */
interface SubstepRange {
  readonly from: number;
  readonly to: number;
  /** Size of the adjoints at `from` divided by that at `to`. */
  readonly factor: number;
}

/**
 * Finds the pass that adds most to the adjoint of a state, relative to its previous size, in the substep over which
 * adjoints grow fastest: reruns the backward pass to find that substep, then reruns that substep pass by pass.
 *
 * @param seed clears all adjoints and seeds those of the outputs.
 * @returns null if adjoints grow nowhere.
 */
export function* growingPass(
  run: CompiledRun,
  runner: Runner,
  growth: Growth,
  seed: () => void,
): QuerySteps<GrowingPass | null> {
  const steepest = steepestStretch(growth);
  if (!steepest) return null;
  const finder = new Finder(run, runner, growth, seed);
  return yield* finder.passIn(yield* finder.substepIn(steepest));
}

/** Returns the stretch between two samples over which adjoints grow fastest per substep. */
function steepestStretch({ sizes }: Growth): SubstepRange | null {
  let best: SubstepRange | null = null;
  for (let k = 1; k < sizes.length; k++) {
    const [later, earlier] = [sizes[k - 1], sizes[k]];
    const [from, to] = [earlier.substep, later.substep];
    if (from === to || !(later.size > 0) || !Number.isFinite(later.size)) continue;
    const piece = { from, to, factor: earlier.size / later.size };
    if (rateOf(piece) > (best ? rateOf(best) : 0)) best = piece;
  }
  return best;
}

/**
 * Returns the natural logarithm of the growth per substep; slightly above 0 where adjoints overflow, since the growth
 * began before.
 */
const rateOf = ({ from, to, factor }: SubstepRange): number =>
  Number.isFinite(factor) ? Math.log(factor) / (to - from) : Number.MIN_VALUE;

class Finder {
  readonly #run: CompiledRun;
  readonly #runner: Runner;
  readonly #growth: Growth;
  readonly #seed: () => void;

  constructor(run: CompiledRun, runner: Runner, growth: Growth, seed: () => void) {
    this.#run = run;
    this.#runner = runner;
    this.#growth = growth;
    this.#seed = seed;
  }

  /** Returns the substep of a stretch over which adjoints grow fastest. */
  *substepIn(stretch: SubstepRange): QuerySteps<SubstepRange> {
    let found = stretch;
    while (found.to - found.from > 1) found = yield* this.#steepestPiece(found);
    return found;
  }

  *#steepestPiece({ from, to }: SubstepRange): QuerySteps<SubstepRange> {
    const length = Math.ceil((to - from) / STRETCH_PIECES);
    let best: SubstepRange | null = null;
    for (const rows of this.#substeps(from, to, length)) {
      const [first, last] = [rows.row(0), rows.row(rows.count - 1)];
      const before = yield* this.#size(first('adjointOut'));
      this.#runner.runProgram(rows.run);
      const factor = (yield* this.#size(last('adjointIn'))) / before;
      const piece = { from: last('substepOfRun'), to: first('substepOfRun') + 1, factor };
      if (!best || rateOf(piece) > rateOf(best)) best = piece;
    }
    return best ?? { from, to: from + 1, factor: 1 };
  }

  /**
   * Runs backward, and yields the substeps from `from` to `to` as programs that the caller has to run, in pieces of at
   * most `length` substeps.
   */
  *#substeps(from: number, to: number, length: number): Generator<Rows> {
    this.#seed();
    const { registers } = this.#run.compiled;
    for (const run of this.#runner.runsBack()) {
      if (run.kind === 'stretch') continue;
      if (run.program !== 'physicsReverse') {
        this.#runner.runProgram(run);
        continue;
      }
      const rows = new Rows(run, registers, 0, run.table.length / registers.length);
      for (let at = 0; at < rows.count; ) {
        const substep = rows.row(at)('substepOfRun');
        const isWithin = substep >= from && substep < to;
        // Rows go from later substeps to earlier ones.
        const left = isWithin ? Math.min(length, substep - from + 1) : substep < from ? rows.count : substep - to + 1;
        const end = Math.min(at + left, rows.count);
        const part = new Rows(run, registers, at, end);
        if (isWithin) yield part;
        else this.#runner.runProgram(part.run);
        at = end;
      }
    }
  }

  /** Reads the adjoints of the states in one of their two slots, by field key. */
  *#adjoints(slot: number): QuerySteps<Map<string, Answer>> {
    const { layout, growth } = this.#run.compiled;
    const states = growth!.states.map(({ field }) => field);
    const start = layout.adjointSlots() + slot * layout.stateWords.f32;
    const answers = yield states.map((field) => ({
      arena: 'f32' as const,
      from: start + layout.stateOffset(field),
      words: shapeWords(layout.shape(field)),
    }));
    return new Map(states.map(({ key }, k) => [key, answers[k].slice()]));
  }
  *#size(slot: number): QuerySteps<number> {
    let most = 0;
    for (const [key, words] of yield* this.#adjoints(slot)) most = Math.max(most, this.#scaled(key, sizeOf(words)));
    return most;
  }
  #scaled(key: string, size: number): number {
    return size * this.#growth.scales[key];
  }

  /** Runs one substep backward pass by pass, and measures what each pass adds to adjoints of states. */
  *passIn({ from, factor }: SubstepRange): QuerySteps<GrowingPass | null> {
    const { compiled } = this.#run;
    const { executor, stages } = compiled;
    const jobs = new Map(programsIn(stages.physicsReverse).map((stage) => [stage.program, stage.jobs]));
    let most: { readonly size: number; readonly pass: GrowingPass } | null = null;
    for (const rows of this.#substeps(from, from + 1, 1)) {
      const before = yield* this.#adjoints(rows.row(0)('adjointOut'));
      for (const { part, row } of this.#runner.rowsOf(rows.run)) {
        for (const [k, job] of jobs.get(part)!.entries()) {
          const pass = compiled.reversePasses.get(job);
          const ports = pass ? adjointsOfStates(job, before) : [];
          const old = yield* this.#read(job, ports, row);
          executor.run(part, row, k);
          const now = yield* this.#read(job, ports, row);
          for (const [n, { key, place, isAdded }] of ports.entries()) {
            const added = isAdded ? difference(now[n], old[n]) : now[n];
            const size = this.#scaled(key, newIn(added, place.contents === 'values' ? before.get(key)! : null));
            if (most && !(size > most.size)) continue;
            const { kernel, phase } = pass!;
            most = { size, pass: { kernel: kernel.name, phase, field: key, substep: from, factor } };
          }
        }
      }
    }
    return most?.pass ?? null;
  }

  *#read(job: Job, ports: readonly AdjointPort[], row: Uint32Array): QuerySteps<Answer[]> {
    if (ports.length === 0) return [];
    const { registers } = this.#run.compiled;
    const answers = yield ports.map(({ place }) => {
      const chosen = place.register ? row[registers.indexOf(place.register)] : 0;
      // Slots of several passes lie in one place, from the own ones on.
      const { shape } = place;
      const elements = place.contents === 'values' ? shape.elements : job.elements;
      const words = wordOf(shape, shape.components - 1, elements - 1, shape.worlds - 1) + 1;
      return { arena: 'f32' as const, from: place.offset + chosen * (place.registerStride ?? 0), words };
    });
    return answers.map((answer) => answer.slice());
  }
}

/** Rows of registers for a program. */
class Rows {
  readonly run: ProgramRun;
  readonly count: number;
  readonly #registers: readonly string[];

  constructor(whole: ProgramRun, registers: readonly string[], from: number, to: number) {
    const width = registers.length;
    this.run = { ...whole, table: whole.table.slice(from * width, to * width) };
    this.count = to - from;
    this.#registers = registers;
  }

  /** Returns registers of a row by name. */
  row(k: number): (register: string) => number {
    return (register) => this.run.table[k * this.#registers.length + this.#registers.indexOf(register)];
  }
}

interface AdjointPort {
  readonly key: string;
  readonly place: MemoryPlace;
  /** True if the port adds to the existing value; false if it overwrites it. */
  readonly isAdded: boolean;
}

/** Returns the ports of a job that write adjoints of states. */
function adjointsOfStates(job: Job, states: ReadonlyMap<string, Answer>): AdjointPort[] {
  const written = new Set<Port>(job.form.outputs.map(({ port }) => port));
  return [...written].flatMap((port) => {
    const place = job.places.get(port)!;
    if (place.buffer !== 'f32' || !states.has(place.field) || port.kind !== 'adjoint') return [];
    return [{ key: place.field, place, isAdded: job.accumulates.has(port) }];
  });
}

/** Returns the largest absolute value; infinity if a value is not finite. */
function sizeOf(words: ArrayLike<number>): number {
  let most = 0;
  for (let k = 0; k < words.length; k++) {
    const size = Math.abs(words[k]);
    if (Number.isNaN(size)) return Number.POSITIVE_INFINITY;
    if (size > most) most = size;
  }
  return most;
}

const difference = (a: ArrayLike<number>, b: ArrayLike<number>): Float64Array =>
  Float64Array.from(a, (value, k) => value - b[k]);

/** Returns the size of the contribution that a pass has added, without the previous value that it passes on. */
function newIn(added: ArrayLike<number>, before: ArrayLike<number> | null): number {
  const size = sizeOf(added);
  return before && before.length === added.length ? Math.min(size, sizeOf(difference(added, before))) : size;
}
