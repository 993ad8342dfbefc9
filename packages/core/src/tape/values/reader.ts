import { GradsimError } from '@gradsim/base';
import type { Answer, MemoryPlace, NumberArray, QuerySteps } from '@gradsim/kernel/internal';
import { shapeWords, strides } from '@gradsim/kernel/internal';
import type { CompiledModel } from '../../compile/compiled-model.ts';
import type { Field } from '../../model/field.ts';
import { raisedAlarm } from '../checks/alarms.ts';
import type { Searched } from '../checks/check.ts';
import { locateNonFinite } from '../checks/check.ts';
import type { ComparisonRunner, ComparisonSums } from '../comparing.ts';
import type { SeedWriter } from '../gradient/seeds.ts';
import type { CompiledRun } from '../run/compiled-run.ts';
import type { RunState } from '../run/run-state.ts';
import type { Runner } from '../run/runner.ts';
import { substepsInAll } from '../run/schedule.ts';
import type { FieldOnDevice, ReadInto, RecordWords, Source } from './reading.ts';
import { putInto, requestFor, valuesOf } from './reading.ts';

/**
 * Finds where a simulation stores a requested value, and reads it. Refuses values that are not finite, and all values
 * after an alarm.
 */
export class Reader {
  readonly #run: CompiledRun;
  readonly #compiled: CompiledModel;
  readonly #runner: Runner;
  readonly #state: RunState;
  readonly #seeds: SeedWriter | null;
  readonly #locateInDerivative: Searched['locateInDerivative'];
  /** Number of the last run that is known to have raised no alarm. */
  #calm = 0;

  constructor(
    run: CompiledRun,
    runner: Runner,
    state: RunState,
    seeds: SeedWriter | null,
    locateInDerivative: Searched['locateInDerivative'],
  ) {
    this.#locateInDerivative = locateInDerivative;
    this.#run = run;
    this.#compiled = run.compiled;
    this.#runner = runner;
    this.#state = state;
    this.#seeds = seeds;
  }

  /** Marks the run as unchecked: the backward pass may have added at an index that is no element. */
  markUnchecked(): void {
    if (this.#compiled.layout.accessRecords.some(({ isBack }) => isBack)) this.#calm = 0;
  }

  /** Returns the number of moments for which a field has values: 1, or the number of frames or substeps. */
  moments({ variesBy }: Field): number {
    if (variesBy === 'frame') return this.#run.frames;
    return variesBy === 'substep' ? substepsInAll(this.#run) : 1;
  }

  /**
   * Returns where the current value of a field is stored: an input, a value derived in setup, a state, or the last
   * recorded frame.
   */
  now(key: string): Source {
    const { fields, layout, roles, recorded } = this.#compiled;
    const field = fields.field(key);
    const role = roles.get(key);
    const source = (place: MemoryPlace): Source => ({ field, place, copies: 1, label: key });
    if (role === 'input') return { ...source(layout.input(field)), copies: this.moments(field), isGiven: true };
    this.#state.refuseBeforeRun(`Reading ${key}`);
    if (role === 'derived') return source(layout.derived(field));
    if (role === 'state') {
      this.#runner.recallEnd();
      return source(this.stateNow(layout.primal({ field, cycle: 'physics', loop: null, number: 0 })));
    }
    if (role === 'frame') {
      if (!recorded.has(key))
        throw new GradsimError('core/not-recorded', `${key} is not kept: ask for it in \`record\`.`, { field: key });
      const place = layout.recorded(field);
      const frame = this.#runner.moment(this.#runner.done, 0, 0).frameOfRun!;
      return source({
        ...place,
        offset: place.offset + frame * place.registerStride!,
        registerStride: undefined,
      });
    }
    throw new GradsimError('core/not-recorded', `${key} is not kept.`, {
      field: key,
      hint: 'Have a pass of phase observe copy it to a field that is recorded.',
    });
  }

  /** Returns where all frames of a recorded field that the run has taken are stored. */
  frames(key: string): Source {
    this.#refuseLostFrames(key);
    const { fields } = this.#compiled;
    return { field: fields.field(key), place: this.#recorded(key), copies: this.#runner.framesTaken, label: key };
  }
  /** @throws where later frames have overwritten earlier ones. */
  #refuseLostFrames(key: string): void {
    this.#state.refuseBeforeRun(`Reading ${key}`);
    const { frames } = this.#run;
    const taken = this.#runner.framesTaken;
    if (taken > frames)
      throw new GradsimError(
        'core/not-recorded',
        `${key} is kept for ${frames} frame${frames > 1 ? 's' : ''}, and ${taken} have been taken.`,
        { field: key, hint: '`read()` gives the last.' },
      );
  }

  /** Returns where the tangents of all frames of a recorded field are stored; null if it depends on no parameter. */
  tangentFrames(key: string, tangent = 0): Source | null {
    const { place, ...source } = this.frames(key);
    if (!this.#isActive(key)) return null;
    return { ...source, place: this.#compiled.layout.tangent(place, tangent), label: `the tangent of ${key}` };
  }
  /** Returns where the tangent of the current value of a state is stored; null if it depends on no parameter. */
  tangentNow(key: string, tangent: number): Source | null {
    this.#state.refuseBeforeRun(`Reading the tangent of ${key}`);
    const { active, layout, fields } = this.#compiled;
    const field = fields.field(key);
    if (this.#compiled.roles.get(key) !== 'state')
      throw new GradsimError('core/not-a-state', `readTangent() gives the tangents of states, and ${key} is none.`, {
        field: key,
        hint: 'Record it and use readTangentFrames().',
      });
    if (!active.has(key)) return null;
    const place = layout.tangent(layout.primal({ field, cycle: 'physics', loop: null, number: 0 }), tangent);
    return { field, place: this.stateNow(place), copies: 1, label: `the tangent of ${key}` };
  }
  /** Returns where a gradient is stored; null if no output depends on the field. */
  gradient(field: Field): Source | null {
    const { active, layout } = this.#compiled;
    if (!active.has(field.key)) return null;
    const place = layout.inputAdjoint(field);
    return { field, place, copies: this.moments(field), label: `the gradient of ${field.key}` };
  }

  /**
   * Returns zeros, as the derivative of a field that depends on no parameter. @throws the alarm that was raised in the
   * earliest substep of the last run.
   */
  *zeros(key: string, copies: number): QuerySteps<Float64Array> {
    yield* this.beside();
    const { layout, fields } = this.#compiled;
    return new Float64Array(copies * shapeWords(layout.shape(fields.field(key))));
  }

  /** Returns the place of a state in the current slot. */
  stateNow(place: MemoryPlace): MemoryPlace {
    const { done } = this.#runner;
    const slot = this.#runner.slot(done, Math.max(0, done - 1));
    const offset = place.offset + slot * this.#compiled.layout.stateWords[place.buffer];
    return { ...place, offset, registerStride: undefined };
  }

  #recorded(key: string): MemoryPlace {
    const { recorded, layout } = this.#compiled;
    const field = recorded.get(key);
    if (!field)
      throw new GradsimError('core/not-recorded', `${key} is not recorded.`, {
        field: key,
        hint: 'Name it in `record`.',
      });
    return layout.recorded(field);
  }
  /** Returns whether a recorded field depends on a parameter. */
  #isActive(key: string): boolean {
    const { recorded, active } = this.#compiled;
    return active.has(recorded.get(key)?.key ?? key);
  }

  /** Reads the values of a source, [copy][world][element][component]. */
  *values(source: Source): QuerySteps<Float64Array> {
    return valuesOf(source, yield* this.words(source));
  }
  *readInto<A extends NumberArray>(source: Source, to: ReadInto<A>): QuerySteps<A> {
    return putInto(source, yield* this.words(source), to);
  }

  /** Reads all frames of a recorded field, or of its tangents, in the order in which they lie in memory. */
  *record(key: string, isTangent: boolean): QuerySteps<RecordWords> {
    const primal = this.frames(key).place;
    const place = isTangent ? this.tangentFrames(key)?.place : primal;
    const { elements, components, worlds, worldsInner, inRows } = primal.shape;
    if (inRows && components > 1)
      throw new GradsimError('core/not-readable-so', `${key} keeps components together in memory.`, {
        field: key,
        hint: 'Read it with readFrames.',
      });
    const values = elements * components;
    const frameStride = primal.registerStride!;
    const { layout } = this.#compiled;
    const tangentStride = layout.wordsOfTangent(primal);
    const others = isTangent ? tangentStride * (layout.tangents - 1) : 0;
    const words = others + frameStride * (this.#runner.framesTaken - 1) + primal.words;
    const [answer] = place ? yield* this.beside({ arena: 'f32', from: place.offset, words }) : [];
    return {
      words: (answer as RecordWords['words']) ?? new Float64Array(words),
      values,
      frameStride,
      valueStride: worldsInner ? worlds : 1,
      worldStride: worldsInner ? 1 : values,
      tangentStride,
    };
  }

  /**
   * Reads the sums over residuals of all comparisons. @throws the alarm that was raised in the earliest substep of the
   * last run.
   */
  *comparisons(comparing: ComparisonRunner | null): QuerySteps<ComparisonSums[]> {
    this.#state.refuseWhileRunning('readComparisons()');
    this.#refuseLostFrames('What is compared');
    if (!comparing) return [];
    const { requests, conclude } = comparing.sums(this.#runner.framesTaken);
    return conclude(yield* this.beside(...requests));
  }

  /**
   * Reads the words of a source. @throws for an alarm, and for a value that is not finite; values that were set are not
   * checked.
   */
  *words(source: Source): QuerySteps<Answer> {
    const { label } = source;
    this.#state.refuseWhileRunning(`Reading ${label}`);
    if (source.isGiven) return (yield [requestFor(source)])[0];
    const { spoilt, isStepped } = this.#state;
    if (spoilt && isStepped) throw spoilt;
    const [words] = yield* this.beside(requestFor(source));
    if (source.place.buffer === 'u32') return words;
    const value = firstNonFinite(source, words);
    if (value === null) return words;
    throw yield* this.locate(label, value);
  }

  /**
   * Reads words in the order in which they lie in memory. @throws the alarm that was raised in the earliest substep of
   * the last run.
   */
  *beside(...requests: ReturnType<typeof requestFor>[]): QuerySteps<readonly Answer[]> {
    const { hasRun, run } = this.#state;
    if (!hasRun || this.#calm === run) return yield requests;
    const alarm = raisedAlarm(this.#compiled);
    const answers = yield [...requests, ...alarm.requests];
    const error = alarm.conclude(answers.slice(requests.length));
    if (error) throw error;
    this.#calm = run;
    return answers;
  }

  /** Returns the error for a value that is not finite: reruns pass by pass to find its origin. */
  *locate(label: string, value: number): QuerySteps<Error> {
    const { isStepped, hasRun, hasRunBack } = this.#state;
    const searched = {
      simulation: this.#run,
      runner: this.#runner,
      seeds: hasRunBack ? this.#seeds : null,
      locateInDerivative: this.#locateInDerivative,
      isStepped: isStepped && hasRun && !this.#runner.keepsStates,
    };
    const error = searched.seeds?.nonFinite() ?? (yield* locateNonFinite(searched, { label, value }));
    this.#state.fail(error);
    return error;
  }

  /** Returns where a field lies in the device's memory. @throws when the device does not lend its memory. */
  lend(key: string): FieldOnDevice {
    const { executor } = this.#compiled;
    const { place } = this.now(key);
    const buffer = executor.lend?.(place.buffer);
    if (!buffer)
      throw new GradsimError('core/not-readable-so', 'This device lends no memory.', {
        field: key,
        hint: `Read ${key} into an array of yours: readSync(field, { into }).`,
      });
    return { buffer, byteOffset: place.offset * 4, strides: strides(place.shape) };
  }
}

/** Returns the first value of a source that is not finite; null if all are finite. */
function firstNonFinite({ place, copies }: Source, words: Answer): number | null {
  const perCopy = shapeWords(place.shape);
  const stride = place.registerStride ?? place.words;
  for (let copy = 0; copy < copies; copy++)
    for (let k = copy * stride; k < copy * stride + perCopy; k++) if (!Number.isFinite(words[k])) return words[k];
  return null;
}
