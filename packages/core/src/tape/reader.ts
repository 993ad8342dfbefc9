import { GradsimError } from '@gradsim/kernel';
import type { Answer, NumberArray, Place, QuerySteps } from '@gradsim/kernel/internal';
import { shapeWords, strides } from '@gradsim/kernel/internal';
import type { CompiledModel } from '../compile/compiled-model.ts';
import type { Field } from '../model/field.ts';
import { raisedAlarm } from './alarms.ts';
import type { Searched } from './check.ts';
import { locateNonFinite } from './check.ts';
import type { Comparing, ComparisonSums } from './comparing.ts';
import type { CompiledRun } from './compiled-run.ts';
import type { Lent, ReadInto, RecordWords, Source } from './reading.ts';
import { putInto, requestFor, valuesOf } from './reading.ts';
import type { RunState } from './run-state.ts';
import type { Runner } from './runner.ts';
import { substepsInAll } from './schedule.ts';
import type { SeedWriter } from './seeds.ts';

/**
 * Finds where a simulation stores a requested value, and reads it: never a value that is not finite, nor after an
 * alarm.
 */
export class Reader {
  readonly #run: CompiledRun;
  readonly #compiled: CompiledModel;
  readonly #runner: Runner;
  readonly #state: RunState;
  readonly #seeds: SeedWriter;
  readonly #locateInDerivative: Searched['locateInDerivative'];
  /** Last run known to have raised no alarm. */
  #calm = 0;

  constructor(
    run: CompiledRun,
    runner: Runner,
    state: RunState,
    seeds: SeedWriter,
    locateInDerivative: Searched['locateInDerivative'],
  ) {
    this.#locateInDerivative = locateInDerivative;
    this.#run = run;
    this.#compiled = run.compiled;
    this.#runner = runner;
    this.#state = state;
    this.#seeds = seeds;
  }

  /** Marks the run as unchecked: an addition in the backward pass may have gone to no element. */
  doubt(): void {
    if (this.#compiled.layout.accessRecords.some(({ isBack }) => isBack)) this.#calm = 0;
  }

  /** Number of values over time that a field has. */
  moments({ over }: Field): number {
    if (over === 'frame') return this.#run.frames;
    return over === 'substep' ? substepsInAll(this.#run) : 1;
  }

  /** Current source of a field: an input, a value derived in setup, a state, the last recorded frame. */
  now(key: string): Source {
    const { fields, layout, roles, recorded } = this.#compiled;
    const field = fields.field(key);
    const role = roles.get(key);
    const source = (place: Place): Source => ({ field, place, copies: 1, label: key });
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

  /** Source of all frames that the run has taken of a recorded field. */
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

  /** Source of tangents of all frames; null where the field depends on no parameter. */
  tangentFrames(key: string, tangent = 0): Source | null {
    const { place, ...source } = this.frames(key);
    if (!this.#isActive(key)) return null;
    return { ...source, place: this.#compiled.layout.tangent(place, tangent), label: `the tangent of ${key}` };
  }
  /** The tangent of a state as it is now; null where it depends on no parameter. */
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
  /** Source of a gradient; null where no output depends on the field. */
  gradient(field: Field): Source | null {
    const { active, layout } = this.#compiled;
    if (!active.has(field.key)) return null;
    const place = layout.inputAdjoint(field);
    return { field, place, copies: this.moments(field), label: `the gradient of ${field.key}` };
  }

  /**
   * Zero derivative of a field that depends on no parameter. @throws the alarm that was raised first in the last run.
   */
  *zeros(key: string, copies: number): QuerySteps<Float64Array> {
    yield* this.beside();
    const { layout, fields } = this.#compiled;
    return new Float64Array(copies * shapeWords(layout.shape(fields.field(key))));
  }

  /** Place of a state in the current slot. */
  stateNow(place: Place): Place {
    const { done } = this.#runner;
    const slot = this.#runner.slot(done, Math.max(0, done - 1));
    const offset = place.offset + slot * this.#compiled.layout.stateWords[place.buffer];
    return { ...place, offset, registerStride: undefined };
  }

  #recorded(key: string): Place {
    const { recorded, layout } = this.#compiled;
    const field = recorded.get(key);
    if (!field)
      throw new GradsimError('core/not-recorded', `${key} is not recorded.`, {
        field: key,
        hint: 'Name it in `record`.',
      });
    return layout.recorded(field);
  }
  /** True if the recorded field depends on a parameter. */
  #isActive(key: string): boolean {
    const { recorded, active } = this.#compiled;
    return active.has(recorded.get(key)?.key ?? key);
  }

  /** Values as [copy][world][element][component]. */
  *values(source: Source): QuerySteps<Float64Array> {
    return valuesOf(source, yield* this.words(source));
  }
  *into<A extends NumberArray>(source: Source, to: ReadInto<A>): QuerySteps<A> {
    return putInto(source, yield* this.words(source), to);
  }

  /** All frames of a recorded field, or of its tangents, as they lie in memory. */
  *record(key: string, isTangent: boolean): QuerySteps<RecordWords> {
    const primal = this.frames(key).place;
    const place = isTangent ? this.tangentFrames(key)?.place : primal;
    const { elements, components, worlds, worldsInner, inRows } = primal.shape;
    if (inRows)
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

  /** Sums over residuals. @throws the alarm that was raised first in the last run. */
  *comparisons(comparing: Comparing): QuerySteps<ComparisonSums[]> {
    this.#state.refuseWhileRunning('readComparisons()');
    this.#refuseLostFrames('What is compared');
    const { requests, conclude } = comparing.sums(this.#runner.framesTaken);
    return conclude(yield* this.beside(...requests));
  }

  /** @throws for an invalid result: an alarm, a value that is not finite. Values that were set are not checked. */
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

  /** Words as they lie in memory. @throws the alarm that was raised first in the last run. */
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

  /** Error for a value that is not finite: reruns pass by pass to name its origin. */
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
    this.#state.spoil(error);
    return error;
  }

  /** @throws when the device does not lend its memory. */
  lend(key: string): Lent {
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

/** First value of a source that is not finite; null where all are. */
function firstNonFinite({ place, copies }: Source, words: Answer): number | null {
  const perCopy = shapeWords(place.shape);
  const stride = place.registerStride ?? place.words;
  for (let copy = 0; copy < copies; copy++)
    for (let k = copy * stride; k < copy * stride + perCopy; k++) if (!Number.isFinite(words[k])) return words[k];
  return null;
}
