import type { Asking, Job } from '@gradsim/kernel/compiler';
import { wordOf } from '@gradsim/kernel/compiler';
import type { CompiledModel, ProgramName } from '../model/compile.ts';
import { describeElement } from '../model/model.ts';
import { REGISTERS } from '../model/registers.ts';
import { programsIn } from '../model/work.ts';
import type { CompiledRun } from './compiled-run.ts';
import { RoundRunner } from './rounds.ts';
import type { Runner } from './runner.ts';
import type { Registers } from './schedule.ts';
import { registerRows } from './schedule.ts';
import { stableStep, stepWarning } from './step-limit.ts';

/** What a run had that is not finite. */
export interface NonFinite {
  /** What was read, in messages. */
  readonly label: string;
  readonly value: number;
}

/**
 * Finds where a NaN or infinity came from: runs the simulation forward once more, or, where it was stepped, the last
 * step, looks for the frame before which the state broke, runs that one again pass by pass, and looks at what each pass
 * wrote. Gives the error to throw; it names the pass, field, element, world and substep.
 */
export function* locateNonFinite(
  simulation: CompiledRun,
  runner: Runner,
  { label, value }: NonFinite,
  isStepped: boolean,
): Asking<Error> {
  const search = new Search(simulation, runner, `${label} is ${value}`);
  const found = isStepped ? yield* search.inLastStep() : yield* search.fromStart();
  if (found) return found;
  const cause = isStepped
    ? 'it was so before the last step. Read after every step, or run the same frames with forward(), to hear where it came from.'
    : 'though every value of the forward run is finite: a derivative overflowed. Check for square roots, divisions or logarithms at the edge of their range.';
  return new Error(`${label} is ${value}${isStepped ? ': ' : ', '}${cause}`);
}

class Search {
  readonly #simulation: CompiledRun;
  readonly #runner: Runner;
  readonly #rounds: RoundRunner;
  readonly #problem: string;

  constructor(simulation: CompiledRun, runner: Runner, problem: string) {
    this.#simulation = simulation;
    this.#runner = runner;
    this.#rounds = new RoundRunner(simulation.compiled);
    this.#problem = problem;
  }

  *fromStart(): Asking<Error | null> {
    const { frames } = this.#simulation;
    let found = yield* this.#scan('setup', {}, 'in setup');
    if (found) return found;
    this.#runner.putStart();
    found = yield* this.#scanFrame(0);
    for (let frame = 1; frame < frames && !found; frame++) found = yield* this.#within(frame);
    return found;
  }

  *inLastStep(): Asking<Error | null> {
    const { substeps, compiled } = this.#simulation;
    const from = this.#runner.undo();
    const [words] = yield [this.#statesAt(from)];
    if (!words.every(Number.isFinite) || compiled.stages.physics.length === 0) return null;
    return yield* this.#within(from / substeps + 1);
  }

  /** Runs the substeps before a frame, and looks at each pass of them if they break the state; then the frame. */
  *#within(frame: number): Asking<Error | null> {
    const { compiled, substeps } = this.#simulation;
    const { executor, layout } = compiled;
    const [from, to] = [(frame - 1) * substeps, frame * substeps];
    const [before, wholes] = yield [
      this.#statesAt(from),
      { arena: 'u32', from: this.#slot('u32', from), words: layout.stateWords.u32 },
    ];
    const [floatsBefore, wholesBefore] = [Float64Array.from(before), Uint32Array.from(wholes)];
    const intervals = this.#runner.searchIntervals(from, to);
    for (const interval of intervals) {
      // Searching from a later state than the run did finds the same contacts.
      this.#run('search', this.#moment(interval.from, false));
      for (let n = interval.from; n < interval.to; n++) this.#run('physics', this.#moment(n, true));
    }
    const [after] = yield [this.#statesAt(to)];
    if (after.every(Number.isFinite)) return yield* this.#scanFrame(frame);
    executor.writeF32(this.#slot('f32', from), floatsBefore);
    executor.writeU32(this.#slot('u32', from), wholesBefore);
    let found: Error | null = null;
    for (const interval of intervals) {
      found ??= yield* this.#scan(
        'search',
        this.#moment(interval.from, false),
        `in the search before substep ${this.#moment(interval.from, false).substep}`,
      );
      for (let n = interval.from; n < interval.to && !found; n++) {
        const moment = this.#moment(n, true);
        found = yield* this.#scan('physics', moment, `in substep ${moment.substep}`);
      }
    }
    return found ?? (yield* this.#scanFrame(frame));
  }

  #scanFrame(frame: number): Asking<Error | null> {
    const moment = this.#moment(frame * this.#simulation.substeps, false);
    return this.#scan('frame', moment, `in frame ${moment.frame}`);
  }

  /** Runs a program pass by pass, and looks at what each wrote. */
  *#scan(program: ProgramName, registers: Registers, when: string): Asking<Error | null> {
    const { compiled } = this.#simulation;
    const width = compiled.registers.length;
    const stages = compiled.stages[program];
    const jobs = new Map(programsIn(stages).map((stage) => [stage.program, stage.jobs]));
    for (const { program: part, rows } of this.#runs(program, registers)) {
      for (let at = 0; at < rows.length; at += width) {
        const row = rows.slice(at, at + width);
        for (const [k, job] of jobs.get(part)!.entries()) {
          compiled.executor.run(part, row, k);
          const found = yield* nonFiniteOf(compiled, job, row);
          if (found) return yield* this.#errorFor(found, job, when);
        }
      }
    }
    return null;
  }

  *#errorFor(found: Found, job: Job, when: string): Asking<Error> {
    const { worlds } = this.#simulation;
    const step = stableStep(this.#simulation);
    const tooLarge = stepWarning(step.conclude(yield step.asks), this.#simulation);
    return new Error(
      `${this.#problem}: the first value that is not finite is ${found.what}, component ${found.component}` +
        `${worlds > 1 ? `, world ${found.world}` : ''}, written by ${job.label} ${when}. ` +
        (tooLarge ??
          'Most often the time step is too large for the stiffness (raise `substeps`), or an input is out of its range.'),
    );
  }

  #runs(program: ProgramName, registers: Registers) {
    const { stages, registers: names } = this.#simulation.compiled;
    const row = registerRows(names.length, 1, () => registers);
    return this.#rounds.runs(stages[program], row, false);
  }
  #run(program: ProgramName, registers: Registers): void {
    for (const { program: part, rows } of this.#runs(program, registers))
      this.#simulation.compiled.executor.run(part, rows);
  }

  /** Registers with two slots that take turns, whatever a gradient keeps. */
  #moment(n: number, isStep: boolean): Registers {
    return this.#runner.moment(n, n % 2, (isStep ? n + 1 : n) % 2);
  }
  #slot(arena: 'f32' | 'u32', n: number): number {
    const { slotBase, layout } = this.#simulation.compiled;
    return slotBase[arena] + (n % 2) * layout.stateWords[arena];
  }
  #statesAt(n: number) {
    const { f32 } = this.#simulation.compiled.layout.stateWords;
    return { arena: 'f32', from: this.#slot('f32', n), words: f32 } as const;
  }
}

interface Found {
  readonly what: string;
  readonly component: number;
  readonly world: number;
}

/** The first value that is not finite, of what a job has written for the registers of a row. */
function* nonFiniteOf({ model, fields }: CompiledModel, job: Job, row: Uint32Array): Asking<Found | null> {
  for (const port of new Set(job.form.outputs.map((o) => o.port))) {
    const place = job.places.get(port)!;
    if (place.buffer !== 'f32' || job.elements === 0) continue;
    const chosen = place.register ? row[(REGISTERS as readonly string[]).indexOf(place.register)] : 0;
    const offset = place.offset + chosen * (place.registerStride ?? 0);
    // Of slots that several passes write, the job's own.
    const { components, worlds } = place.shape;
    const last = wordOf(place.shape, components - 1, job.elements - 1, worlds - 1);
    const [words] = yield [{ arena: 'f32', from: offset, words: last + 1 }];
    for (let world = 0; world < worlds; world++) {
      for (let e = 0; e < job.elements; e++) {
        for (let component = 0; component < components; component++) {
          if (Number.isFinite(words[wordOf(place.shape, component, e, world)])) continue;
          const isAdded = place.holds === 'slots';
          const { domain } = isAdded ? job.form : fields.field(place.field);
          const named = describeElement(model, domain, e);
          const what = isAdded ? `what is added to ${place.field} by ${named}` : `${place.field} of ${named}`;
          return { what, component, world };
        }
      }
    }
  }
  return null;
}
