import type { Device } from '../device/device.ts';
import type { CompiledModel, ProgramName } from '../model/compile.ts';
import { compileModel, PROGRAMS } from '../model/compile.ts';
import type { Field, Model } from '../model/model.ts';
import { refuseNonFinite } from '../model/model.ts';
import type { Place } from '../model/places.ts';
import { wordOf } from '../model/places.ts';
import { fromWords, toWords } from '../model/value-order.ts';
import { raisedAlarm } from './alarms.ts';
import { locateNonFinite } from './check.ts';
import { pauses } from './pauses.ts';
import { registerRows, searchIntervals, stretches, substepsInAll } from './schedule.ts';
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
  readonly parameters?: readonly string[];
  /** Frame fields whose every frame is kept for {@link Simulation.readFrames}. */
  readonly record?: readonly string[];
  /** Where adjoints enter: states and recorded frame fields. Default: what is recorded. */
  readonly outputs?: readonly string[];
  /** `adjoint` (default when there are parameters) for gradients, `tangent` for forward-mode derivatives. */
  readonly derivative?: 'none' | 'adjoint' | 'tangent';
  /** Bytes for what a gradient keeps of the run. Default 256 MB. */
  readonly memory?: number;
  /** Takes what is worth saying before a run, such as a substep above the stable one. Default `console.warn`. */
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

/** Adjoints of outputs: for a state, of its final value; for a recorded frame field, of every frame. */
export type Seeds = Readonly<Record<string, ArrayLike<number>>>;

export const DEFAULT_MEMORY = 256e6;

/**
 * Compiles a model for a device.
 * @throws before anything runs, when the model is inconsistent, a parameter is read by nothing, a rate is no positive
 * number, or the run's history does not fit into the memory budget.
 */
export async function createSimulation(model: Model, options: SimulationOptions): Promise<Simulation> {
  checkRates(options);
  const parameters = options.parameters ?? [];
  const derivative = options.derivative ?? (parameters.length > 0 ? 'adjoint' : 'none');
  const record = options.record ?? [];
  const compiled = await compileModel(
    model,
    {
      worlds: options.worlds ?? 1,
      frames: options.frames,
      substepsInAll: substepsInAll(options),
      dt: 1 / (options.frameRate * options.substeps),
      wrt: parameters,
      record,
      outputs: options.outputs ?? record,
      derivative,
      memory: options.memory ?? DEFAULT_MEMORY,
    },
    options.device,
  );
  const simulation = new Simulation(compiled, { ...options, derivative });
  const warning = stepWarning(await simulation.stableStep(), simulation);
  if (warning) (options.onWarning ?? console.warn)(warning);
  return simulation;
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
  readonly options: SimulationOptions;
  readonly frames: number;
  readonly substeps: number;
  readonly worlds: number;
  readonly dt: number;
  /** Parity of the adjoint slot that holds the adjoint of the earliest state reached. */
  #parity = 0;
  #ran = false;
  #ranBack = false;
  /** Whether the last run is known to have raised no alarm. */
  #isCalm = false;
  /** Whether an input was set since the last run forward. */
  #changed = false;
  #seedBlock: Float32Array | Float64Array = new Float32Array(0);

  constructor(compiled: CompiledModel, options: SimulationOptions) {
    this.compiled = compiled;
    this.options = options;
    this.frames = options.frames;
    this.substeps = options.substeps;
    this.worlds = options.worlds ?? 1;
    this.dt = 1 / (options.frameRate * options.substeps);
    this.#writeInitialValues();
  }

  get #segment(): number {
    return this.compiled.slots - 1;
  }
  get #keepsAll(): boolean {
    return this.options.derivative !== 'adjoint' || this.#segment >= substepsInAll(this.options);
  }

  #writeInitialValues(): void {
    const { model, layout, roles } = this.compiled;
    for (const field of model.fields.values()) {
      const role = roles.get(field.key);
      if (!field.values || (role !== 'input' && role !== 'state' && role !== 'derived')) continue;
      this.#write(field, layout.input(field), field.values, undefined);
    }
  }

  /**
   * Sets a field's values: parameters, constants, initial states, inputs over time (then frame by frame).
   * Values of one world go to all worlds, or to the one that `world` names; `worlds` times as many are
   * [world][element][component] (not for inputs over time). An input over time also takes the values of one frame or
   * substep, for all of them.
   */
  set(key: string, values: ArrayLike<number>, world?: number): void {
    const field = this.#inputField(key);
    this.#changed = true;
    this.#write(field, this.compiled.layout.input(field), values, world);
  }

  /** Sets the tangent of an input, for a simulation made with `derivative: 'tangent'`. */
  setTangent(key: string, values: ArrayLike<number>, world?: number): void {
    const field = this.#inputField(key);
    if (!this.compiled.active.has(key))
      throw new Error(`${key} is no parameter of this simulation, so it has no tangent.`);
    this.#write(field, this.compiled.layout.tangent(this.compiled.layout.input(field)), values, world);
  }

  #inputField(key: string): Field {
    const field = this.compiled.model.field(key);
    const role = this.compiled.roles.get(key);
    if (role === 'scratch' || role === 'frame' || role === 'found' || role === 'alarm')
      throw new Error(`${key} is computed by the simulation and cannot be set.`);
    return field;
  }

  #write(field: Field, place: Place, values: ArrayLike<number>, world: number | undefined): void {
    const { shape, words } = place;
    refuseNonFinite(field, values, shape.elements);
    const perWorld = shape.elements * shape.components;
    const copies =
      field.over === 'frame' ? this.frames : field.over === 'substep' ? substepsInAll(this.options) : 1;
    if (
      copies === 1 &&
      world === undefined &&
      shape.worlds > 1 &&
      values.length === perWorld * shape.worlds
    ) {
      const block = place.buffer === 'f32' ? new Float64Array(words) : new Uint32Array(words);
      toWords(shape, values, 0, block);
      if (block instanceof Uint32Array) this.compiled.executor.writeU32(place.offset, block);
      else this.compiled.executor.writeF32(place.offset, block);
      return;
    }
    const isConstant = copies !== 1 && values.length === perWorld;
    if (values.length !== perWorld * copies && !isConstant) {
      throw new Error(
        `${field.key} takes ${copies > 1 ? `${copies} x ` : ''}${shape.elements} x ${shape.components} values, got ${values.length}.`,
      );
    }
    if (world !== undefined && shape.worlds === 1 && this.worlds > 1)
      throw new Error(`${field.key} is shared by all worlds; set it without naming one.`);
    if (world !== undefined && (world < 0 || world >= this.worlds))
      throw new Error(`There is no world ${world}; the simulation has ${this.worlds}.`);
    const { executor } = this.compiled;
    for (let copy = 0; copy < copies; copy++) {
      const at = place.offset + copy * (place.registerStride ?? 0);
      const block = place.buffer === 'f32' ? new Float64Array(words) : new Uint32Array(words);
      const worlds = world === undefined ? [...Array(shape.worlds).keys()] : [world];
      for (let e = 0; e < shape.elements; e++) {
        for (let c = 0; c < shape.components; c++) {
          const value = values[(isConstant ? 0 : copy * perWorld) + e * shape.components + c];
          for (const w of worlds) {
            const word = wordOf(shape, c, e, w);
            if (world === undefined || shape.worlds === 1) block[word] = value;
            else this.#poke(place, at + word, value);
          }
        }
      }
      if (world !== undefined && shape.worlds > 1) continue;
      if (block instanceof Uint32Array) executor.writeU32(at, block);
      else executor.writeF32(at, block);
    }
  }

  #poke(place: Place, at: number, value: number): void {
    if (place.buffer === 'f32') this.compiled.executor.writeF32(at, [value]);
    else this.compiled.executor.writeU32(at, Uint32Array.of(value));
  }

  /**
   * The largest substep with which the motion stays bounded, for the values as they are set now and the shapes at rest,
   * estimated on the safe side: the true one is up to 2.5 times as large. It holds for the limits that plugins state ({@link Model.addStepLimit}); air drag and the
   * contacts of rigid bodies are not in it.
   */
  stableStep(): Promise<StableStep> {
    if (!this.#ran || this.#changed) {
      this.#runSetup();
      this.#ran = false;
    }
    return stableStep(this);
  }

  #run(program: ProgramName, table: Uint32Array): void {
    if (this.compiled.has(program)) this.compiled.executor.run(PROGRAMS.indexOf(program), table);
  }

  /** Runs from the initial state to the last frame. Only records work; nothing is awaited. */
  forward(): void {
    this.#start();
    for (const stretch of this.#stretches()) this.#forwardStretch(stretch);
    this.#ran = true;
  }

  /** Like {@link forward}, letting go between frames: for progress, and to be interrupted. */
  async run({ signal, onProgress }: RunOptions = {}): Promise<void> {
    const letGo = pauses();
    this.#start();
    for (const stretch of this.#stretches()) {
      signal?.throwIfAborted();
      this.#forwardStretch(stretch);
      if (stretch.to % this.substeps === 0) {
        onProgress?.(stretch.to / this.substeps + 1, this.frames);
        await letGo();
      }
    }
    this.#ran = true;
  }

  #stretches(): { from: number; to: number }[] {
    return stretches(this.options, this.#keepsAll ? Number.POSITIVE_INFINITY : this.#segment);
  }

  /** The slot of the state after `n` substeps, as the stretch that makes it (or, at 0, setup) leaves it. */
  #slot(n: number, segmentStart: number): number {
    if (this.options.derivative !== 'adjoint') return n % 2;
    return n - segmentStart;
  }

  #start(): void {
    this.#ran = false;
    this.#ranBack = false;
    this.#isCalm = false;
    this.#changed = false;
    for (const field of this.compiled.layout.fieldsOf('alarm')) {
      const { offset, words } = this.compiled.layout.input(field);
      this.compiled.executor.clear(offset, words);
    }
    this.#runSetup();
    this.#frame(0, 0);
  }

  #runSetup(): void {
    this.#run(
      'setup',
      registerRows(1, () => ({})),
    );
  }

  #frame(frame: number, slot: number): void {
    this.#run(
      'frame',
      registerRows(1, () => ({ frame, substep: frame * this.substeps, stateIn: slot, stateOut: slot })),
    );
  }

  #segmentOf(n: number): number {
    return this.#keepsAll ? 0 : Math.floor(n / this.#segment) * this.#segment;
  }

  #copyState(to: number, from: number): void {
    this.compiled.executor.copy(to, from, this.compiled.layout.stateWords);
  }
  #slotOffset(slot: number): number {
    return this.compiled.slotBase + slot * this.compiled.layout.stateWords;
  }
  #checkpointOffset(segmentStart: number): number {
    return this.compiled.checkpointBase + (segmentStart / this.#segment) * this.compiled.layout.stateWords;
  }

  #physics(first: number, end: number): void {
    const start = this.#segmentOf(first);
    for (const { from, to, search } of searchIntervals(first, end, this.#searchInterval)) {
      if (from === search) this.#search(search, start);
      this.#run(
        'physics',
        registerRows(to - from, (k) => ({
          substep: from + k,
          frame: Math.floor((from + k) / this.substeps),
          stateIn: this.#slot(from + k, start),
          stateOut: this.#slot(from + k + 1, start),
        })),
      );
    }
  }

  get #searchInterval(): number {
    return this.compiled.model.searchInterval;
  }

  /** Finds (again) what the substeps from `n` on work with, from the state before them. */
  #search(n: number, segmentStart: number): void {
    const slot = this.#slot(n, segmentStart);
    this.#run(
      'search',
      registerRows(1, () => ({
        substep: n,
        frame: Math.floor(n / this.substeps),
        stateIn: slot,
        stateOut: slot,
      })),
    );
  }

  #forwardStretch({ from, to }: { from: number; to: number }): void {
    const start = this.#segmentOf(from);
    if (!this.#keepsAll && from === start) {
      // The state is in the last slot of the segment before (at the start, in slot 0).
      if (from > 0) this.#copyState(this.#slotOffset(0), this.#slotOffset(this.#segment));
      this.#copyState(this.#checkpointOffset(start), this.#slotOffset(0));
    }
    this.#physics(from, to);
    if (to % this.substeps === 0) this.#frame(to / this.substeps, this.#slot(to, start));
  }

  /**
   * Runs back from the last frame to the start, from the adjoints of the outputs.
   * @throws when {@link forward} has not run, or a seed has the wrong size or belongs to no output.
   */
  backward(seeds: Seeds): void {
    this.#startBack(seeds);
    for (const stretch of this.#stretches().reverse()) this.#backwardStretch(stretch);
    this.#finishBack();
  }

  /** Like {@link backward}, letting go between frames. */
  async runBack(seeds: Seeds, { signal, onProgress }: RunOptions = {}): Promise<void> {
    const letGo = pauses();
    this.#startBack(seeds);
    for (const stretch of this.#stretches().reverse()) {
      signal?.throwIfAborted();
      this.#backwardStretch(stretch);
      if (stretch.from % this.substeps === 0) {
        onProgress?.(this.frames - stretch.from / this.substeps, this.frames);
        await letGo();
      }
    }
    this.#finishBack();
  }

  #startBack(seeds: Seeds): void {
    if (this.options.derivative !== 'adjoint')
      throw new Error(
        'This simulation was made without parameters, so it has no gradient. Name them in `parameters`.',
      );
    if (!this.#ran) throw new Error('backward() needs a forward() before it.');
    if (this.#changed)
      throw new Error(
        'An input was set since the last forward(), so there is no gradient of that run any more. Run forward() again before backward().',
      );
    const { executor, layout, persistentSlots } = this.compiled;
    for (const place of [...layout.persistentAdjoints(), ...persistentSlots]) {
      const copies =
        place.register === 'substep' ? substepsInAll(this.options) : place.register ? this.frames : 1;
      executor.clear(place.offset, (place.registerStride ?? place.words) * copies);
    }
    const base = layout.stateWords ? layout.adjointSlots() : 0;
    if (layout.stateWords) executor.clear(base, layout.stateWords * 2);
    this.#parity = 0;
    this.#writeSeeds(seeds, base);
    const end = substepsInAll(this.options);
    if (end === 0) this.#frameBack(0, 0);
  }

  #writeSeeds(seeds: Seeds, base: number): void {
    const { executor, layout, model, roles } = this.compiled;
    const outputs = this.options.outputs ?? this.options.record ?? [];
    for (const key of Object.keys(seeds)) {
      if (!outputs.includes(key))
        throw new Error(
          `${key} is no output of this simulation; its outputs are ${outputs.join(', ') || 'none'}.`,
        );
    }
    for (const key of outputs) {
      const field = model.field(key);
      if (!this.compiled.active.has(key)) continue;
      const given = seeds[key];
      const shape = layout.shape(field);
      const perCopy = shape.elements * shape.components * shape.worlds;
      const isState = roles.get(key) === 'state';
      const copies = isState ? 1 : this.frames;
      if (given && given.length !== perCopy * copies) {
        throw new Error(
          `The adjoint of ${key} needs ${isState ? '' : `${copies} frames x `}${shape.worlds} worlds x ${shape.elements} x ${shape.components} values, got ${given.length}.`,
        );
      }
      const place = isState ? null : layout.recordedAdjoint(field);
      for (let copy = 0; copy < copies; copy++) {
        const at = place ? place.offset + copy * place.registerStride! : base + layout.stateOffset(field);
        if (!given) {
          executor.clear(at, perCopy);
          continue;
        }
        const block = this.#scratch(perCopy);
        toWords(shape, given, copy * perCopy, block);
        executor.writeF32(at, block);
      }
    }
  }

  /** Room for the seeds of one frame, kept: to get and clear a picture's worth for every frame takes longer than to fill it. */
  #scratch(words: number): Float32Array | Float64Array {
    if (this.#seedBlock.length < words) {
      const isDouble = this.options.device.precision === 'f64';
      this.#seedBlock = isDouble ? new Float64Array(words) : new Float32Array(words);
    }
    return this.#seedBlock.subarray(0, words);
  }

  #backwardStretch({ from, to }: { from: number; to: number }): void {
    const start = this.#segmentOf(from);
    const end = substepsInAll(this.options);
    if (!this.#keepsAll && (to === start + this.#segment || to === end) && start + this.#segment < end) {
      // Coming into a segment whose states are gone: make them again from its checkpoint.
      this.#copyState(this.#slotOffset(0), this.#checkpointOffset(start));
      this.#physics(start, Math.min(start + this.#segment, end));
    }
    if (to % this.substeps === 0) this.#frameBack(to / this.substeps, this.#slot(to, start));
    for (const interval of searchIntervals(from, to, this.#searchInterval).reverse()) {
      this.#search(interval.search, start);
      this.#physicsBack(interval.from, interval.to, start);
    }
    if (from === 0) this.#frameBack(0, 0);
  }

  #physicsBack(from: number, to: number, segmentStart: number): void {
    const parity = this.#parity;
    this.#run(
      'physicsReverse',
      registerRows(to - from, (k) => {
        const n = to - 1 - k;
        return {
          substep: n,
          frame: Math.floor(n / this.substeps),
          stateIn: this.#slot(n, segmentStart),
          stateOut: this.#slot(n + 1, segmentStart),
          adjointOut: (parity + k) % 2,
          adjointIn: (parity + k + 1) % 2,
        };
      }),
    );
    if (this.compiled.has('physicsReverse')) this.#parity = (parity + to - from) % 2;
  }

  #frameBack(frame: number, slot: number): void {
    this.#run(
      'frameReverse',
      registerRows(1, () => ({
        frame,
        substep: frame * this.substeps,
        stateIn: slot,
        stateOut: slot,
        adjointIn: this.#parity,
        adjointOut: this.#parity,
      })),
    );
  }

  #finishBack(): void {
    this.#run(
      'final',
      registerRows(1, () => ({})),
    );
    this.#run(
      'setupReverse',
      registerRows(1, () => ({ adjointIn: this.#parity, adjointOut: this.#parity })),
    );
    this.#ranBack = true;
  }

  async #read(place: Place, copies: number, label: string): Promise<Float64Array> {
    await this.#refuseAlarms();
    const { shape } = place;
    const perCopy = shape.elements * shape.components * shape.worlds;
    const stride = place.registerStride ?? place.words;
    const words =
      place.buffer === 'f32'
        ? await this.compiled.executor.readF32(place.offset, stride * (copies - 1) + perCopy)
        : await this.compiled.executor.readU32(place.offset, stride * (copies - 1) + perCopy);
    const values = new Float64Array(perCopy * copies);
    for (let copy = 0; copy < copies; copy++) {
      fromWords(shape, words, copy * stride, values, copy * perCopy);
    }
    for (let k = 0; k < values.length; k++) {
      if (!Number.isFinite(values[k])) throw await locateNonFinite(this, label, values[k]);
    }
    return values;
  }

  /** @throws the alarm that was raised first in the last run. */
  async #refuseAlarms(): Promise<void> {
    if (!this.#ran || this.#isCalm) return;
    const alarm = await raisedAlarm(this.compiled);
    if (alarm) throw alarm;
    this.#isCalm = true;
  }

  #afterForward(what: string): void {
    if (!this.#ran) throw new Error(`${what} needs a forward() before it.`);
  }

  /** The final value of a state, or a derived value, or an input: [world][element][component]. */
  async read(key: string): Promise<Float64Array> {
    const { model, layout, roles } = this.compiled;
    const field = model.field(key);
    const role = roles.get(key);
    if (role === 'input') return this.#read(layout.input(field), 1, key);
    this.#afterForward(`Reading ${key}`);
    if (role === 'derived') return this.#read(layout.derived(field), 1, key);
    if (role !== 'state') throw new Error(`${key} is not kept: ask for it in \`record\`.`);
    return this.#read(this.#finalState(layout.primal({ field, cycle: 'physics', number: 0 })), 1, key);
  }

  #finalState(place: Place): Place {
    const end = substepsInAll(this.options);
    const slot = this.#slot(end, end === 0 ? 0 : this.#segmentOf(end - 1));
    return {
      ...place,
      offset: place.offset + slot * this.compiled.layout.stateWords,
      registerStride: undefined,
    };
  }

  /** All frames of a recorded field: [frame][world][element][component]. */
  async readFrames(key: string): Promise<Float64Array> {
    this.#afterForward(`Reading ${key}`);
    return this.#read(this.#recorded(key), this.frames, key);
  }

  /**
   * All frames of a recorded field as they lie in memory, for code that goes over all of them: value k = component *
   * elements + element of world w in frame f is `words[f * frameStride + k * valueStride + w * worldStride]`. Values
   * that are not finite are not refused here.
   */
  async readRecord(key: string, { tangent = false } = {}): Promise<RecordWords> {
    this.#afterForward(`Reading ${key}`);
    await this.#refuseAlarms();
    const primal = this.#recorded(key);
    const place = tangent ? this.compiled.layout.tangent(primal) : primal;
    const { elements, components, worlds, worldsInner } = place.shape;
    const values = elements * components;
    const frameStride = place.registerStride!;
    const words = await this.compiled.executor.readF32(
      place.offset,
      frameStride * (this.frames - 1) + place.words,
    );
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
    const { model, layout } = this.compiled;
    if (!(this.options.record ?? []).includes(key))
      throw new Error(`${key} is not recorded; name it in \`record\`.`);
    return layout.recorded(model.field(key));
  }

  /** All frames of a recorded field's tangent, like {@link readFrames}. */
  async readTangentFrames(key: string): Promise<Float64Array> {
    this.#afterForward(`Reading the tangent of ${key}`);
    return this.#read(
      this.compiled.layout.tangent(this.#recorded(key)),
      this.frames,
      `the tangent of ${key}`,
    );
  }

  /** The tangent of a state's final value: [world][element][component]. */
  async readTangent(key: string): Promise<Float64Array> {
    this.#afterForward(`Reading the tangent of ${key}`);
    const { layout, model } = this.compiled;
    return this.#read(
      this.#finalState(
        layout.tangent(layout.primal({ field: model.field(key), cycle: 'physics', number: 0 })),
      ),
      1,
      `the tangent of ${key}`,
    );
  }

  /**
   * The gradient with respect to a parameter, in the shape in which it is set, all worlds: [world][element][component].
   * For a state: with respect to its initial value. For an input over time: [frame or substep][world][element][component].
   */
  async gradient(key: string): Promise<Float64Array> {
    if (!this.#ranBack) throw new Error('gradient() needs a backward() before it.');
    const field = this.compiled.model.field(key);
    if (!(this.options.parameters ?? []).includes(key)) {
      throw new Error(
        `${key} is no parameter of this simulation; its parameters are ${(this.options.parameters ?? []).join(', ')}.`,
      );
    }
    const copies =
      field.over === 'frame' ? this.frames : field.over === 'substep' ? substepsInAll(this.options) : 1;
    if (!this.compiled.active.has(key)) {
      const { elements, components, worlds } = this.compiled.layout.shape(field);
      return new Float64Array(copies * elements * components * worlds);
    }
    return this.#read(this.compiled.layout.inputAdjoint(field), copies, `the gradient of ${key}`);
  }

  /** Frees the device's memory. More calls do nothing. */
  dispose(): void {
    this.compiled.executor.dispose();
  }
}
