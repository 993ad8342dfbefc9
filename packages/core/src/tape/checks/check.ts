import { GradsimError } from '@gradsim/base';
import type { Job, QuerySteps } from '@gradsim/kernel/internal';
import type { ProgramName } from '../../compile/compiled-model.ts';
import { programsIn } from '../../compile/work.ts';
import type { SeedWriter } from '../gradient/seeds.ts';
import type { CompiledRun } from '../run/compiled-run.ts';
import { RoundRunner } from '../run/rounds.ts';
import type { Runner } from '../run/runner.ts';
import type { Registers } from '../run/schedule.ts';
import { registerRows } from '../run/schedule.ts';
import type { locateInDerivative } from './check-back.ts';
import type { NonFiniteLocation } from './first-non-finite.ts';
import { nonFiniteOf } from './first-non-finite.ts';
import { stepWarning } from './step-limit.ts';

/** A result of a run that is not finite. */
export interface NonFinite {
  /** Name of the result for messages. */
  readonly label: string;
  readonly value: number;
}

/** A run in which the origin of a value is searched, in the state in which the value was read. */
export interface Searched {
  readonly simulation: CompiledRun;
  readonly runner: Runner;
  /** True if its last action was a single step, in a simulation that keeps no states for a gradient. */
  readonly isStepped: boolean;
  /** Adjoints with which its backward pass started; null before one has run. */
  readonly seeds: SeedWriter | null;
  /** Searches in the backward pass; undefined if the simulation has none. */
  readonly locateInDerivative?: typeof locateInDerivative;
}

/**
 * Locates the origin of a NaN or infinity: reruns the simulation forward, or the last step if it was stepped, finds the
 * frame before which the states became non-finite, reruns the substeps before that frame pass by pass, and checks what
 * each pass wrote. If all values are finite, does the same with the backward pass. Returns the error to throw; it names
 * the pass, field, element, world and substep.
 */
export function* locateNonFinite(searched: Searched, { label, value }: NonFinite): QuerySteps<Error> {
  const { simulation, runner, isStepped, seeds, locateInDerivative } = searched;
  const problem = `${label} is ${value}`;
  const search = new Search(simulation, runner, problem);
  const found = isStepped ? yield* search.inLastStep() : yield* search.fromStart();
  if (found) return found;
  if (isStepped)
    return new GradsimError('core/not-finite', `${problem}: it was so before the last step.`, {
      hint: 'Read after every step, or run forward(), to hear where.',
    });
  if (seeds && locateInDerivative) return yield* locateInDerivative(simulation, runner, seeds, problem);
  return new GradsimError(
    'core/derivative-not-finite',
    `${problem}, though every value of the forward run is finite: a derivative overflowed.`,
    { hint: 'Check for square roots, divisions or logarithms at the edge of their range.' },
  );
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

  *fromStart(): QuerySteps<Error | null> {
    const { framesTaken } = this.#runner;
    let found = yield* this.#scan('setup', {}, 'in setup');
    if (found) return found;
    this.#runner.putStart();
    found = yield* this.#scanFrame(0);
    for (let frame = 1; frame < framesTaken && !found; frame++) found = yield* this.#searchFrame(frame);
    return found;
  }

  *inLastStep(): QuerySteps<Error | null> {
    const { substeps, compiled } = this.#simulation;
    const from = this.#runner.undo();
    const [words] = yield [this.#statesAt(from)];
    if (!words.every(Number.isFinite) || compiled.stages.physics.length === 0) return null;
    return yield* this.#searchFrame(from / substeps + 1);
  }

  /**
   * Runs the substeps before a frame, checks each of their passes if the states become non-finite, then runs and checks
   * the frame.
   */
  *#searchFrame(frame: number): QuerySteps<Error | null> {
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

  #scanFrame(frame: number): QuerySteps<Error | null> {
    const moment = this.#moment(frame * this.#simulation.substeps, false);
    return this.#scan('frame', moment, `in frame ${moment.frame}`);
  }

  /** Runs a program pass by pass, and checks what each pass wrote. */
  *#scan(program: ProgramName, registers: Registers, when: string): QuerySteps<Error | null> {
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

  *#errorFor(found: NonFiniteLocation, job: Job, when: string): QuerySteps<Error> {
    const { worlds } = this.#simulation;
    const tooLarge = yield* stepWarning(this.#simulation);
    return new GradsimError(
      'core/not-finite',
      `${this.#problem}: the first value that is not finite is ${found.name}, component ${found.component}` +
        `${worlds > 1 ? `, world ${found.world}` : ''}, written by ${job.label} ${when}. ` +
        (tooLarge ??
          'Most often the time step is too large for the stiffness (raise `substeps`; `addStepLimit` of plugins warns of it), an input is out of its range, or something is divided by 0.'),
      { pass: job.label, field: found.field, element: found.element },
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

  /** Returns the registers of a moment with two alternating state slots, whatever a gradient keeps. */
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
