import type { Device } from '@gradsim/kernel';
import type { Place } from '@gradsim/kernel/compiler';
import { answered, answeredNow, forgetLosses, fromWords, shapeWords } from '@gradsim/kernel/compiler';
import type { CompiledModel } from '../model/compile.ts';
import { compileModel } from '../model/compile.ts';
import type { Field } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import type { FieldKey } from '../model/references.ts';
import { raisedAlarm } from './alarms.ts';
import { locateNonFinite } from './check.ts';
import { writeValues } from './field-values.ts';
import { pauses } from './pauses.ts';
import { RunState } from './run-state.ts';
import type { Stretch } from './runner.ts';
import { Runner } from './runner.ts';
import { substepsInAll } from './schedule.ts';
import type { Seeds } from './seeds.ts';
import { SeedWriter } from './seeds.ts';
import type { StableStep } from './step-limit.ts';
import { stableStep, stepWarning } from './step-limit.ts';

export interface SimulationOptions {
  readonly device: Device;
  /** Number of frames; frame 0 is the initial state. */
  readonly frames: number;
  /** Frames a second. */
  readonly frameRate: number;
  /** Physics substeps from one frame to the next. */
  readonly substeps: number;
  /** Copies of the model with values of their own and shared topology. Default 1. */
  readonly worlds?: number;
  /** Fields that gradients (or tangents) are wanted for. */
  readonly parameters?: readonly FieldKey[];
  /** Frame fields and states whose every frame is kept for {@link Simulation.readFrames}. */
  readonly record?: readonly FieldKey[];
  /** Where adjoints enter: states and recorded frame fields. Default: what is recorded. */
  readonly outputs?: readonly FieldKey[];
  /** `adjoint` (default when there are parameters) for gradients, `tangent` for forward-mode derivatives. */
  readonly derivative?: 'none' | 'adjoint' | 'tangent';
  /** Bytes for what a gradient keeps of the run. Default 256 MB. */
  readonly memory?: number;
  /**
   * Takes what is worth saying before a run, such as a substep above the stable one. Default
   * `console.warn`, for each text once.
   */
  readonly onWarning?: (message: string) => void;
}

/** See {@link Simulation.readRecord}. */
export interface RecordWords {
  readonly words: Float32Array | Float64Array;
  /** Values of one world in one frame. */
  readonly values: number;
  readonly frameStride: number;
  readonly valueStride: number;
  readonly worldStride: number;
}

export interface RunOptions {
  readonly signal?: AbortSignal;
  /** Called after every frame with the number of frames done and in all. */
  readonly onProgress?: (done: number, of: number) => void;
}

/** The options with fields by their keys. */
interface Settings extends SimulationOptions {
  readonly parameters: readonly string[];
  readonly record: readonly string[];
  readonly outputs: readonly string[];
}

export const DEFAULT_MEMORY = 256e6;

/**
 * Compiles a model for a device.
 * @throws before anything runs, when the model is inconsistent, a parameter is read by nothing, a rate is no positive
 * number, or the run's history does not fit into the memory budget.
 */
export function createSimulation(model: Model, options: SimulationOptions): Promise<Simulation> {
  return openSimulation(model, options);
}

/** @param isApart whether everything has words of its own: to compare with. */
export async function openSimulation(
  model: Model,
  options: SimulationOptions,
  isApart = false,
): Promise<Simulation> {
  checkRates(options);
  const keys = (fields: readonly FieldKey[] = []): string[] => fields.map((field) => model.keyOf(field));
  const parameters = keys(options.parameters);
  const record = keys(options.record);
  const outputs = options.outputs ? keys(options.outputs) : record;
  const derivative = options.derivative ?? (parameters.length > 0 ? 'adjoint' : 'none');
  const compiled = await compileModel(
    model,
    {
      worlds: options.worlds ?? 1,
      frames: options.frames,
      substepsInAll: substepsInAll(options),
      dt: 1 / (options.frameRate * options.substeps),
      wrt: parameters,
      record,
      outputs,
      derivative,
      memory: options.memory ?? DEFAULT_MEMORY,
      isApart,
    },
    options.device,
  );
  const simulation = new Simulation(compiled, { ...options, parameters, record, outputs, derivative });
  const warning = stepWarning(await simulation.stableStep(), simulation);
  if (warning) (options.onWarning ?? warnOnce)(warning);
  return simulation;
}

const said = new Set<string>();

/** An estimation makes many simulations of one scene. */
function warnOnce(warning: string): void {
  if (said.has(warning)) return;
  said.add(warning);
  console.warn(warning);
}

function checkRates({
  frames,
  frameRate,
  substeps,
  worlds = 1,
  memory = DEFAULT_MEMORY,
}: SimulationOptions): void {
  const whole = (name: string, value: number): void => {
    if (!Number.isInteger(value) || value < 1)
      throw new Error(`${name} must be a whole number of at least 1, got ${value}.`);
  };
  whole('frames', frames);
  whole('substeps', substeps);
  whole('worlds', worlds);
  if (!(memory > 0)) throw new Error(`memory must be a positive number of bytes, got ${memory}.`);
  if (!(frameRate > 0 && Number.isFinite(frameRate)))
    throw new Error(`frameRate must be a positive number of frames a second, got ${frameRate}.`);
}

/** A compiled model that runs forward and back. Values are laid out [element][component] for one world at a time. */
export class Simulation {
  readonly compiled: CompiledModel;
  readonly options: Settings;
  readonly frames: number;
  readonly substeps: number;
  readonly worlds: number;
  readonly dt: number;
  readonly #state = new RunState();
  /** The last run that is known to have raised no alarm. */
  #calm = 0;
  readonly #runner: Runner;
  readonly #seeds: SeedWriter;

  constructor(compiled: CompiledModel, options: Settings) {
    this.compiled = compiled;
    this.options = options;
    this.frames = options.frames;
    this.substeps = options.substeps;
    this.worlds = options.worlds ?? 1;
    this.dt = 1 / (options.frameRate * options.substeps);
    this.#runner = new Runner(compiled, this, options.derivative === 'adjoint');
    this.#seeds = new SeedWriter(compiled, options.outputs, this.frames, options.device.precision === 'f64');
    this.#writeInitialValues();
  }

  #writeInitialValues(): void {
    const { fields, layout, roles } = this.compiled;
    for (const field of fields.values()) {
      const role = roles.get(field.key);
      if (!field.values || (role !== 'input' && role !== 'state' && role !== 'derived')) continue;
      this.#write(field, layout.input(field), field.values);
    }
  }

  /**
   * Sets a field's values: parameters, constants, initial states, inputs over time (then frame by frame).
   * Values of one world go to all worlds, or to the one that `world` names; `worlds` times as many are
   * [world][element][component], for inputs over time [frame or substep][world][element][component]. An input over time
   * also takes the values of one frame or substep, for all of them.
   */
  set(of: FieldKey, values: ArrayLike<number>, world?: number): void {
    const input = this.#inputField(this.#key(of));
    this.#write(input, this.compiled.layout.input(input), values, world);
    this.#state.change();
  }

  /** Sets the tangent of an input, for a simulation made with `derivative: 'tangent'`. */
  setTangent(of: FieldKey, values: ArrayLike<number>, world?: number): void {
    const input = this.#inputField(this.#key(of));
    this.#refuseWithoutTangents('setTangent');
    if (!this.compiled.active.has(input.key))
      throw new Error(
        `${input.key} is no parameter of this simulation, or reaches no output, so it has no tangent.`,
      );
    this.#write(input, this.compiled.layout.tangent(this.compiled.layout.input(input)), values, world);
  }

  #key(field: FieldKey): string {
    return this.compiled.fields.keyOf(field);
  }

  #inputField(key: string): Field {
    this.#state.refuseWhileRunning(`set of ${key}`);
    const field = this.compiled.fields.field(key);
    const role = this.compiled.roles.get(key);
    if (field.target !== undefined)
      throw new Error(
        `${key} is topology, fixed when the simulation was made: which elements of ${field.target} belong together. Build a model with other indices.`,
      );
    if (field.isSum) throw new Error(`${key} is what passes add up; it cannot be set.`);
    if (role !== 'input' && role !== 'state' && !(role === 'derived' && field.values))
      throw new Error(`${key} is computed by the simulation and cannot be set.`);
    return field;
  }

  #write(field: Field, place: Place, values: ArrayLike<number>, world?: number): void {
    writeValues(this.compiled, field, place, {
      values,
      world,
      worlds: this.worlds,
      moments: this.#moments(field),
    });
  }

  #refuseWithoutTangents(what: string): void {
    if (this.options.derivative !== 'tangent')
      throw new Error(`${what} needs a simulation made with \`derivative: 'tangent'\`; this one has none.`);
  }

  /** How many values over time a field has. */
  #moments({ over }: Field): number {
    if (over === 'frame') return this.frames;
    return over === 'substep' ? substepsInAll(this) : 1;
  }

  /**
   * The largest substep with which the motion stays bounded, for the values as they are set now and the shapes at rest,
   * estimated on the safe side: the true one is up to 2.5 times as large. It holds for the limits that plugins state
   * ({@link Model.addStepLimit}); air drag and the contacts of rigid bodies are not in it.
   */
  stableStep(): Promise<StableStep> {
    const hasLimits = this.compiled.model.stepLimits.length > 0;
    if (hasLimits && (!this.#state.hasRun || this.#state.hasChanged)) {
      this.#runner.setup();
      this.#state.forget();
    }
    return stableStep(this);
  }

  /** Runs from the initial state to the last frame. Only records work; nothing is awaited. */
  forward(): void {
    this.#state.refuseWhileRunning('forward()');
    this.#state.start();
    for (const _ of this.#runner.forward());
    this.#state.done();
  }

  /** Like {@link forward}, letting go between frames: for progress, and to be interrupted. */
  async run(options: RunOptions = {}): Promise<void> {
    this.#state.refuseWhileRunning('run()');
    this.#state.start();
    await this.#inTurns('run', this.#runner.forward(), options, ({ to }) => to);
    this.#state.done();
  }

  /** Runs stretch by stretch, letting go where one ends at a frame: at `at`, on its way. */
  async #inTurns(
    what: 'run' | 'runBack',
    run: Generator<Stretch>,
    { signal, onProgress }: RunOptions,
    at: (stretch: Stretch) => number,
  ): Promise<void> {
    const letGo = pauses();
    signal?.throwIfAborted();
    await this.#state.during(what, async () => {
      let frames = 1;
      for (const stretch of run) {
        if (at(stretch) % this.substeps === 0) {
          frames++;
          onProgress?.(frames, this.frames);
          await letGo();
        }
        signal?.throwIfAborted();
      }
    });
  }

  /**
   * Runs back from the last frame to the start, from the adjoints of the outputs.
   * @throws when {@link forward} has not run, or a seed has the wrong size or belongs to no output.
   */
  backward(seeds: Seeds): void {
    this.#startBack(seeds);
    for (const _ of this.#runner.backward());
    this.#state.doneBack();
  }

  /** Like {@link backward}, letting go between frames. */
  async runBack(seeds: Seeds, options: RunOptions = {}): Promise<void> {
    this.#startBack(seeds);
    await this.#inTurns('runBack', this.#runner.backward(), options, ({ from }) => from);
    this.#state.doneBack();
  }

  #startBack(seeds: Seeds): void {
    if (this.options.derivative === 'tangent')
      throw new Error(
        "This simulation was made for tangents, so it has no gradient. Leave `derivative: 'tangent'` out.",
      );
    if (this.options.derivative !== 'adjoint')
      throw new Error(
        'This simulation was made without parameters, so it has no gradient. Name them in `parameters`.',
      );
    this.#state.startBack();
    this.#calm = 0;
    const { executor, layout, persistentSlots } = this.compiled;
    forgetLosses(executor, layout.losses, true);
    if (layout.losses.some(({ isBack }) => isBack)) this.#calm = -1;
    for (const place of [...layout.persistentAdjoints(), ...persistentSlots]) {
      const copies = place.register === 'substep' ? substepsInAll(this) : place.register ? this.frames : 1;
      executor.clear(place.buffer, place.offset, (place.registerStride ?? place.words) * copies);
    }
    if (layout.stateWords.f32) executor.clear('f32', layout.adjointSlots(), layout.stateWords.f32 * 2);
    this.#seeds.write(seeds);
  }

  /** Reads what is there now, whatever runs before the answer comes. */
  async #read(place: Place, copies: number, label: string): Promise<Float64Array> {
    this.#state.refuseWhileRunning(`Reading ${label}`);
    const { shape } = place;
    const perCopy = shape.elements * shape.components * shape.worlds;
    if (copies === 0 || perCopy === 0) return new Float64Array(0);
    const stride = place.registerStride ?? place.words;
    const { executor } = this.compiled;
    const count = stride * (copies - 1) + perCopy;
    const [words] = await Promise.all([
      place.buffer === 'f32' ? executor.readF32(place.offset, count) : executor.readU32(place.offset, count),
      this.#refuseAlarms(),
    ]);
    const isSigned = this.compiled.fields.field(place.field).scalar === 'i32';
    const signed = isSigned ? Int32Array.from(words, (word) => word | 0) : words;
    const values = new Float64Array(perCopy * copies);
    for (let copy = 0; copy < copies; copy++) {
      fromWords(shape, signed, copy * stride, values, copy * perCopy);
    }
    for (let k = 0; k < values.length; k++) {
      if (Number.isFinite(values[k])) continue;
      this.#state.spoil();
      const seed = this.#state.hasRunBack ? this.#seeds.nonFinite() : null;
      throw seed ?? (await locateNonFinite(this, label, values[k]));
    }
    return values;
  }

  /** @throws the alarm that was raised first in the last run. */
  async #refuseAlarms(): Promise<void> {
    const { hasRun, run } = this.#state;
    if (!hasRun || this.#calm === run) return;
    const alarm = await answered(this.compiled.executor, raisedAlarm(this.compiled));
    if (alarm) throw alarm;
    this.#calm = run;
  }

  /** Reads what is there now. @throws on a device that only records. */
  #readSync(place: Place, copies: number, label: string): Float64Array {
    this.#state.refuseWhileRunning(`Reading ${label}`);
    const { shape } = place;
    const perCopy = shapeWords(shape);
    if (copies === 0 || perCopy === 0) return new Float64Array(0);
    const { executor } = this.compiled;
    const stride = place.registerStride ?? place.words;
    const alarm = raisedAlarm(this.compiled);
    const values = new Float64Array(perCopy * copies);
    const error = answeredNow(executor, {
      asks: [
        { arena: place.buffer, from: place.offset, words: stride * (copies - 1) + perCopy },
        ...alarm.asks,
      ],
      conclude: ([words, ...raised]) => {
        for (let copy = 0; copy < copies; copy++)
          fromWords(shape, words, copy * stride, values, copy * perCopy);
        return alarm.conclude(raised);
      },
    });
    if (error) throw error;
    const bad = values.findIndex((value) => !Number.isFinite(value));
    if (bad >= 0) throw new Error(`${label} is ${values[bad]}.`);
    return values;
  }

  /**
   * The final value of a state, or a derived value, or an input: [world][element][component], of an input over time for
   * every moment. Inputs that are no states can be read before anything has run.
   */
  async read(of: FieldKey): Promise<Float64Array> {
    const key = this.#key(of);
    const { fields, layout, roles } = this.compiled;
    const field = fields.field(key);
    const role = roles.get(key);
    if (role === 'input') return this.#read(layout.input(field), this.#moments(field), key);
    this.#state.refuseBeforeRun(`Reading ${key}`);
    if (role === 'derived') return this.#read(layout.derived(field), 1, key);
    if (role === 'frame')
      throw new Error(
        this.options.record.includes(key)
          ? `${key} has a value for every frame; read it with readFrames.`
          : `${key} is not kept: ask for it in \`record\`, and read it with readFrames.`,
      );
    if (role !== 'state')
      throw new Error(
        `${key} is not kept; have a pass of phase observe copy it to a field that is recorded.`,
      );
    this.#runner.recallEnd();
    return this.#read(
      this.#finalState(layout.primal({ field, cycle: 'physics', loop: null, number: 0 })),
      1,
      key,
    );
  }

  #finalState(place: Place): Place {
    const end = substepsInAll(this);
    const slot = this.#runner.slot(end, Math.max(0, end - 1));
    return {
      ...place,
      offset: place.offset + slot * this.compiled.layout.stateWords[place.buffer],
      registerStride: undefined,
    };
  }

  /** All frames of a recorded field: [frame][world][element][component]. */
  async readFrames(of: FieldKey): Promise<Float64Array> {
    const key = this.#key(of);
    this.#state.refuseBeforeRun(`Reading ${key}`);
    return this.#read(this.#recorded(key), this.frames, key);
  }

  /** The same without waiting. @throws on a device that only records, such as webgpu. */
  readFramesSync(of: FieldKey): Float64Array {
    const key = this.#key(of);
    this.#state.refuseBeforeRun(`Reading ${key}`);
    return this.#readSync(this.#recorded(key), this.frames, key);
  }

  /**
   * All frames of a recorded field as they lie in memory, for code that goes over all of them: value k = component *
   * elements + element of world w in frame f is `words[f * frameStride + k * valueStride + w * worldStride]`. Values
   * that are not finite are not refused here.
   *
   * @throws for a field whose domain keeps components together.
   */
  async readRecord(of: FieldKey, { tangent = false } = {}): Promise<RecordWords> {
    const key = this.#key(of);
    this.#state.refuseBeforeRun(`Reading ${key}`);
    const primal = this.#recorded(key);
    const { layout } = this.compiled;
    const isZero = tangent && !this.#isActive(key);
    const place = tangent && !isZero ? layout.tangent(primal) : primal;
    const { elements, components, worlds, worldsInner, inRows } = place.shape;
    if (inRows) throw new Error(`${key} keeps components together in memory; read it with readFrames.`);
    const values = elements * components;
    const frameStride = place.registerStride!;
    const count = frameStride * (this.frames - 1) + place.words;
    const [words] = await Promise.all([
      isZero ? new Float64Array(count) : this.compiled.executor.readF32(place.offset, count),
      this.#refuseAlarms(),
    ]);
    return {
      words,
      values,
      frameStride,
      valueStride: worldsInner ? worlds : 1,
      worldStride: worldsInner ? 1 : values,
    };
  }

  /** The error for a value that is not finite: runs once more, pass by pass, to name where it came from. */
  locateNonFinite(label: string, value: number): Promise<Error> {
    return locateNonFinite(this, label, value);
  }

  #recorded(key: string): Place {
    const { recorded, layout } = this.compiled;
    const field = recorded.get(key);
    if (!field) throw new Error(`${key} is not recorded; name it in \`record\`.`);
    return layout.recorded(field);
  }
  /** Whether a parameter reaches what is recorded of a field. */
  #isActive(key: string): boolean {
    const { recorded, active } = this.compiled;
    return active.has(recorded.get(key)?.key ?? key);
  }

  /** All frames of a recorded field's tangent, like {@link readFrames}; zeros where it depends on no parameter. */
  async readTangentFrames(of: FieldKey): Promise<Float64Array> {
    const key = this.#key(of);
    this.#refuseWithoutTangents(`Reading the tangent of ${key}`);
    this.#state.refuseBeforeRun(`Reading the tangent of ${key}`);
    const place = this.#recorded(key);
    if (!this.#isActive(key)) return this.#zeros(key, this.frames);
    return this.#read(this.compiled.layout.tangent(place), this.frames, `the tangent of ${key}`);
  }

  /** The tangent of a state's final value: [world][element][component]; zeros where it depends on no parameter. */
  async readTangent(of: FieldKey): Promise<Float64Array> {
    const key = this.#key(of);
    this.#refuseWithoutTangents(`Reading the tangent of ${key}`);
    this.#state.refuseBeforeRun(`Reading the tangent of ${key}`);
    const { active, layout, fields } = this.compiled;
    const field = fields.field(key);
    if (!active.has(key)) return this.#zeros(key, 1);
    const place = layout.tangent(layout.primal({ field, cycle: 'physics', loop: null, number: 0 }));
    return this.#read(this.#finalState(place), 1, `the tangent of ${key}`);
  }

  #zeros(key: string, copies: number): Float64Array {
    return new Float64Array(copies * shapeWords(this.compiled.layout.shape(this.compiled.fields.field(key))));
  }

  /**
   * The gradient with respect to a parameter, in the shape in which it is set, all worlds: [world][element][component].
   * For a state: with respect to its initial value. For what all worlds share: the sum over worlds. For an input over time: [frame or substep][world][element][component].
   */
  async gradient(of: FieldKey): Promise<Float64Array> {
    const field = this.#parameter(of);
    const copies = this.#moments(field);
    if (!this.compiled.active.has(field.key)) return this.#zeros(field.key, copies);
    const place = this.compiled.layout.inputAdjoint(field);
    const gradient = await this.#read(place, copies, `the gradient of ${field.key}`);
    return field.shared ? this.#summedOverWorlds(gradient, copies) : gradient;
  }
  /** The same without waiting. @throws on a device that only records, such as webgpu. */
  gradientSync(of: FieldKey): Float64Array {
    const field = this.#parameter(of);
    const copies = this.#moments(field);
    if (!this.compiled.active.has(field.key)) return this.#zeros(field.key, copies);
    const place = this.compiled.layout.inputAdjoint(field);
    const gradient = this.#readSync(place, copies, `the gradient of ${field.key}`);
    return field.shared ? this.#summedOverWorlds(gradient, copies) : gradient;
  }

  #parameter(of: FieldKey): Field {
    const key = this.#key(of);
    if (!this.#state.hasRunBack) throw new Error('gradient() needs a backward() before it.');
    if (!this.options.parameters.includes(key)) {
      throw new Error(
        `${key} is no parameter of this simulation; its parameters are ${this.options.parameters.join(', ')}.`,
      );
    }
    return this.compiled.fields.field(key);
  }

  /** What all worlds share has the sum of what each of them gives. */
  #summedOverWorlds(gradient: Float64Array, copies: number): Float64Array {
    const each = gradient.length / copies / this.worlds;
    const sum = new Float64Array(copies * each);
    for (let copy = 0; copy < copies; copy++)
      for (let world = 0; world < this.worlds; world++)
        for (let k = 0; k < each; k++)
          sum[copy * each + k] += gradient[(copy * this.worlds + world) * each + k];
    return sum;
  }

  /** Frees the device's memory. More calls do nothing. */
  dispose(): void {
    this.#state.dispose();
    this.compiled.executor.dispose();
  }
}
