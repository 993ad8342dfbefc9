import { describeValue, GradsimError, refuseUnknownOptions } from '@gradsim/base';
import type { Precision } from '@gradsim/kernel';
import type { NumberArray, QuerySteps } from '@gradsim/kernel/internal';
import { clearAccessRecords, runQuery, runQuerySync } from '@gradsim/kernel/internal';
import type { CompiledModel } from '../compile/compiled-model.ts';
import { timeOfSubstep } from '../model/clock.ts';
import type { Model } from '../model/model.ts';
import type { FieldKey } from '../model/references.ts';
import type * as backwardTools from './backward-tools.ts';
import type { StableStep } from './checks/step-limit.ts';
import { stableStep } from './checks/step-limit.ts';
import type { ComparisonRunner, ComparisonSums } from './comparing.ts';
import type { GradientReport, GradientReportOptions, GradientWatch } from './gradient/report.ts';
import type { Seeds, SeedWriter } from './gradient/seeds.ts';
import type { Settings } from './options.ts';
import { refuseBehindEnd, refuseMixedGradients, refuseWithoutTangents } from './refusals.ts';
import type { CompiledRun } from './run/compiled-run.ts';
import { pauses } from './run/pauses.ts';
import type { ForwardOptions, RunBackOptions, RunOptions } from './run/run-options.ts';
import { FORWARD_OPTIONS, RUN_BACK_OPTIONS, RUN_OPTIONS } from './run/run-options.ts';
import { RunState } from './run/run-state.ts';
import { Runner } from './run/runner.ts';
import type { Stretch } from './run/schedule.ts';
import type { Parts, State } from './state.ts';
import { checkState, partsOf, putInputs, putStates, stateOf, substepAt } from './state.ts';
import { Inputs } from './values/inputs.ts';
import { summedOverWorlds } from './values/over-worlds.ts';
import { Reader } from './values/reader.ts';
import type { FieldOnDevice, ReadInto, RecordWords } from './values/reading.ts';
import type { Warning } from './warnings.ts';
import { warn } from './warnings.ts';

/** Numbers of elements and components of a field at one moment in one world. */
export interface FieldShape {
  readonly elements: number;
  readonly components: number;
}

/** Memory use on the device, bytes. */
export interface MemoryUse {
  /** Memory of all arrays of the simulation together, bytes. */
  readonly arena: number;
  /** Memory of the states at one moment, bytes. */
  readonly state: number;
  /** Memory of the carried values of one round, bytes, for each loop whose rounds are kept for a gradient. */
  readonly rounds: readonly number[];
  /** Memory of values that live within a substep or a frame, bytes. */
  readonly scratch: number;
  /** Memory that the values of `scratch` would take without aliasing, bytes. */
  readonly scratchApart: number;
}

/** Returns the compiled model of a simulation, for use within this package. */
export let compiledOf: (simulation: Simulation) => CompiledModel;

/** A compiled model that runs forward and backward. Values are laid out [element][component], one world at a time. */
export class Simulation {
  static {
    compiledOf = (simulation) => simulation.#compiled;
  }
  readonly #compiled: CompiledModel;
  readonly options: Settings;
  readonly frames: number;
  readonly substeps: number;
  readonly worlds: number;
  /** Number of tangents of each world, with `derivative: 'tangent'`. */
  readonly tangents: number;
  /** Length of a substep, s; of the longest, if frames have times of their own. */
  readonly dt: number;
  readonly #run: CompiledRun;
  readonly #state = new RunState();
  readonly #runner: Runner;
  readonly #reader: Reader;
  readonly #comparing: ComparisonRunner | null;
  readonly #seeds: SeedWriter | null;
  readonly #inputs: Inputs;
  readonly #watch: GradientWatch | null;

  /**
   * Creates a simulation of a compiled model.
   * @param backward functions of the backward pass; null if there is none.
   * @param comparing class that compares results with targets; null if there are none.
   */
  constructor(
    compiled: CompiledModel,
    options: Settings,
    backward: typeof backwardTools | null,
    comparing: typeof ComparisonRunner | null,
  ) {
    this.#compiled = compiled;
    this.options = options;
    this.frames = options.frames ?? 1;
    this.substeps = options.substeps;
    this.worlds = options.worlds ?? 1;
    this.tangents = options.tangents ?? 1;
    this.dt = options.clock.dt;
    const { frames, substeps, worlds, dt } = this;
    const run = { compiled, frames, substeps, worlds, dt, isUneven: options.frameTimes !== undefined };
    this.#run = run;
    this.#runner = new Runner(compiled, this, this.#keepsStates);
    this.#comparing = comparing && new comparing(run, options.comparisons?.columns ?? 1);
    const isDouble = options.device.precision === 'f64';
    this.#seeds =
      backward && new backward.SeedWriter(compiled, this.#comparing, this.#runner, options.outputs, isDouble);
    this.#reader = new Reader(run, this.#runner, this.#state, this.#seeds, backward?.locateInDerivative);
    this.#inputs = new Inputs(compiled, options, this.#state, this.#reader);
    this.#inputs.writeInitialValues();
    const gradients = () => backward!.gradientsOf(run, this.#reader, options.parameters);
    const parts = { runner: this.#runner, seeds: this.#seeds!, inputs: this.#inputs, gradients };
    this.#watch = backward && new backward.GradientWatch(run, parts, this);
  }

  /** Model that it was compiled from. */
  get model(): Model {
    return this.#compiled.model;
  }

  /** True if its device only records its work, such as webgpu, so that results have to be awaited. */
  get waits(): boolean {
    return this.#compiled.executor.peekF32 === undefined;
  }

  /** Resolves when the device has finished all recorded work. */
  async finished(): Promise<void> {
    await this.#compiled.executor.readF32(0, 1);
  }

  /** Returns whether derivatives pass through a field: it depends on a parameter, and an output depends on it. */
  hasDerivative(of: FieldKey): boolean {
    return this.#compiled.active.has(this.#key(of));
  }

  /** Returns whether a field can be set before a run: inputs and states can. */
  isSettable(of: FieldKey): boolean {
    const role = this.#compiled.roles.get(this.#key(of));
    return role === 'input' || role === 'state';
  }

  shape(of: FieldKey): FieldShape {
    const { elements, components } = this.#compiled.layout.shape(this.#compiled.fields.field(this.#key(of)));
    return { elements, components };
  }

  /**
   * Returns the memory use on the device.
   * @param precision precision of another device, to estimate the use there.
   */
  memoryUse(precision: Precision = this.options.device.precision): MemoryUse {
    const { layout, overlay, roundsKept } = this.#compiled;
    const bytes = (f32: number, u32 = 0): number => layout.bytesOf({ f32, u32 }, precision);
    return {
      arena: bytes(layout.arena.f32Words, layout.arena.u32Words),
      state: layout.bytesOf(layout.stateWords, precision),
      rounds: [...roundsKept.keys()].map((loop) => bytes(layout.rounds(loop).words)),
      scratch: bytes(overlay.words),
      scratchApart: bytes(overlay.wordsApart),
    };
  }

  /** True if the simulation keeps states for a gradient. */
  get #keepsStates(): boolean {
    return this.options.derivative === 'adjoint';
  }

  /**
   * Sets a field's values: parameters, constants, initial states, inputs over time (then frame by frame). Values for
   * one world go to all worlds, or to the one with index `world`. Values for all worlds are
   * [world][element][component], for inputs over time [frame or substep][world][element][component]. An input over time
   * also takes the values of one frame or substep, for all of them. A number fills the field: `set('tets.mu', 5000)`.
   *
   * Between steps ({@link step}), values of a state replace its current values, and values that setup derived from
   * initial states, such as rest shapes, stay. Otherwise they are initial values of the next run.
   */
  set(of: FieldKey, values: ArrayLike<number> | number, world?: number): void {
    this.#inputs.set(this.#key(of), values, world);
  }

  /**
   * Sets the direction of a tangent for an input or initial state, for a simulation made with `derivative: 'tangent'`.
   * @param tangent index of the tangent, if each world has several (`tangents`). Default 0.
   */
  setTangent(of: FieldKey, values: ArrayLike<number>, world?: number, tangent = 0): void {
    refuseWithoutTangents('setTangent', tangent, this.options);
    this.#inputs.setTangent(this.#key(of), values, world, tangent);
  }

  #key(field: FieldKey): string {
    return this.#compiled.fields.keyOf(field);
  }

  /**
   * Computes the largest substep, s, for which the motion stays bounded, for the current values and the rest shapes.
   * The estimate is conservative: the true limit is up to 2.5 times as large. It covers the limits that plugins state
   * ({@link Model.addStepLimit}), not air drag and the contacts of rigid bodies. Bounded is not exact: contact without
   * damping gains energy in many small bounces below some 20 substeps a touch, and derivatives through a touch want 40.
   */
  async stableStep(): Promise<StableStep> {
    this.#state.refuseWhileRunning('stableStep()');
    const hasLimits = this.#compiled.model.stepLimits.size > 0;
    const { hasRun, hasChanged, isStepped } = this.#state;
    if (hasLimits && (!hasRun || hasChanged)) {
      if (hasRun && isStepped && !this.#keepsStates) this.#runner.derive();
      else {
        this.#runner.setup();
        this.#state.markOutdated();
      }
    }
    return runQuery(this.#compiled.executor, stableStep(this.#run));
  }

  /** Number of the current frame; 0 at the initial state. */
  get frame(): number {
    return Math.floor(this.#runner.substep / this.substeps);
  }
  /** Number of frames that the run has taken, including the first one; 0 before any run. */
  get framesTaken(): number {
    return this.#state.hasRun ? this.#runner.framesTaken : 0;
  }
  /** Current time of the run, s. */
  get time(): number {
    return timeOfSubstep(this.options.clock, this.#runner.substep);
  }

  /**
   * Runs from the initial state, or that of {@link continueFrom}, to the last frame, or only the first `frames` frames.
   * Does not wait for the device.
   *
   * Results and {@link backward} of a shorter run equal those of a simulation that was created with that number of
   * `frames`, bit for bit: one simulation serves runs of many lengths.
   *
   * ```ts
   * simulation.forward({ frames: 12 });
   * const early = await simulation.readFrames(Particle.position); // 12 frames
   * ```
   * @throws when the simulation was made without `frames`, or with fewer.
   */
  forward(options: ForwardOptions = {}): void {
    refuseUnknownOptions<ForwardOptions>('forward()', options, FORWARD_OPTIONS);
    const frames = this.#startForward('forward()', options);
    for (const _ of this.#runner.forward(frames));
    this.#state.markDone();
  }

  /** Largest number of frames of a run: frames with times of their own end with these. */
  get #mostFrames(): number {
    return this.options.frameTimes ? this.frames - this.#runner.first / this.substeps : this.frames;
  }

  /** Checks that a run can start, and starts it. @returns the number of frames to run. */
  #startForward(what: string, { frames = this.#mostFrames }: ForwardOptions): number {
    this.#state.refuseWhileRunning(what);
    if (this.options.frames === undefined)
      throw new GradsimError(
        'core/no-frames',
        `${what} runs as many frames as \`frames\` says, and this simulation was made without.`,
        { hint: 'Name them, or go on frame by frame with step().' },
      );
    const most = this.#mostFrames;
    if (!Number.isInteger(frames) || frames < 1 || frames > most)
      throw new GradsimError(
        'core/option-out-of-range',
        `${what}: frames must be a whole number from 1 to ${most}, as many as the simulation ${most < this.frames ? 'has times from here on' : 'was made with'}, got ${describeValue(frames)}.`,
        { field: 'frames' },
      );
    this.#state.start(false);
    return frames;
  }

  /**
   * Returns to the beginning of the run, the initial state or that of {@link continueFrom}, and records frame 0. Inputs
   * stay as set.
   */
  restart(): void {
    this.#state.refuseWhileRunning('restart()');
    this.#state.start(true);
    this.#runner.begin();
    this.#state.markDone();
  }

  /**
   * Runs one more frame: from the initial state at first, or from where {@link forward} ended. Steps give the same
   * result as one run of as many frames, bit for bit. Does not wait for the device.
   *
   * Between steps, inputs may be {@link set}: they hold from the next step on. Of recorded fields, the option `frames`
   * says how many frames are kept, at least the last one. A simulation that keeps a gradient takes as many steps as it
   * has frames, with nothing set between them, and can run {@link backward} from any frame.
   *
   * ```ts
   * const simulation = await createSimulation(model, { device: cpuDevice(), frameRate: 60, substeps: 10 });
   * for (;;) {
   *   simulation.step();
   *   draw(simulation.readSync(Particle.position));
   *   await nextFrame();
   * }
   * ```
   * @throws when an input over time has no value for the frame, or a simulation with a gradient has run all its frames.
   */
  step(): void {
    this.#state.refuseWhileRunning('step()');
    const { hasRun, hasChanged, isStepped } = this.#state;
    if (!hasRun) this.restart();
    if (this.#runner.framesTaken >= this.#mostFrames) refuseBehindEnd(this.#compiled, this.options);
    if (hasRun && hasChanged) {
      if (!isStepped || this.#keepsStates)
        throw new GradsimError(
          'core/input-set-since',
          this.#keepsStates
            ? 'step(): an input was set in the midst of a run that is kept for a gradient. Set it before restart(), or make it an input over time.'
            : 'step(): an input was set since forward(), for the run that begins next. Begin it with restart(), or set it after the first step.',
        );
      this.#runner.derive();
    }
    this.#state.step();
    this.#runner.step();
  }

  /**
   * Reads the state from which a run can resume: its time, the values that were set, the states, the results of the
   * last search. Plain data; see {@link encodeState} for files.
   */
  async state(): Promise<State> {
    return runQuery(this.#compiled.executor, this.#stateNow());
  }
  /** Reads the {@link state} without waiting. @throws on a device that only records, such as webgpu. */
  stateSync(): State {
    return runQuerySync(this.#compiled.executor, this.#stateNow());
  }
  #stateNow(): QuerySteps<State> {
    this.#state.refuseBeforeRun('state()');
    this.#runner.recallEnd();
    const { substep, searched } = this.#runner;
    const { dt, time, substeps } = this;
    const moment = { substep, searched, substeps, dt, ...(this.options.frameTimes ? { time } : {}) };
    return stateOf(this.#compiled, this.#parts, moment, (requests) => this.#reader.beside(...requests));
  }
  get #parts(): Parts {
    return partsOf(
      this.#compiled,
      (field) => this.#reader.moments(field),
      (place) => this.#reader.stateNow(place),
    );
  }

  /**
   * Makes this and every later run begin with the state of another run, of this model or of an equal one, as if that
   * run had continued: bit for bit on the same kind of device. Values that were set in the other simulation are set
   * here too. A state of one world goes to all worlds. A gradient is then with respect to the states at which this run
   * begins, and its first search is there.
   *
   * ```ts
   * const before = await simulation.state();
   * simulation.step();
   * simulation.continueFrom(before); // a frame back
   * ```
   * @throws when the state belongs to another model, naming the difference, or has other rates.
   */
  continueFrom(state: State): void {
    this.#state.refuseWhileRunning('continueFrom()');
    const parts = this.#parts;
    checkState(this.#compiled, parts, state);
    refuseMixedGradients(this.#compiled, this.options);
    const substep = substepAt(state, this.options.clock);
    putInputs(this.#compiled, parts, state);
    const { search } = state;
    const hasLists = search?.interval === this.#compiled.model.searchInterval && state.dt === this.dt;
    this.#runner.startFrom({
      substep,
      searched: search && hasLists ? search.substep : null,
      writeStates: (slot) => putStates(this.#compiled, parts, state, slot),
    });
    this.restart();
  }

  /** Like {@link forward}, but yields between frames: for progress, and to be interrupted. */
  async run(options: RunOptions = {}): Promise<void> {
    refuseUnknownOptions<RunOptions>('run()', options, RUN_OPTIONS);
    const frames = this.#startForward('run()', options);
    await this.#inTurns('run', this.#runner.forward(frames), { ...options, frames }, ({ to }) => to);
    this.#state.markDone();
  }

  /** Runs stretch by stretch, and yields to other tasks where a stretch ends at a frame. */
  async #inTurns(
    what: 'run' | 'runBack',
    run: Generator<Stretch>,
    { signal, onProgress, frames }: RunBackOptions & { readonly frames: number },
    at: (stretch: Stretch) => number,
  ): Promise<void> {
    const letGo = pauses();
    signal?.throwIfAborted();
    await this.#state.during(what, async () => {
      let done = 1;
      for (const stretch of run) {
        if (at(stretch) % this.substeps === 0) {
          done++;
          onProgress?.(done, frames);
          await letGo();
        }
        signal?.throwIfAborted();
      }
    });
  }

  /**
   * Runs the backward pass from the current frame to the start of the run, from the adjoints of the outputs.
   * @param seeds adjoints of outputs by key; for recorded frame fields, of every frame that the run has taken.
   * @param squares for each world, the derivative of the loss with respect to the sum of squared residuals of all
   * `comparisons`, whose adjoints the device adds itself.
   * @throws when {@link forward} has not run, or a seed has the wrong size or belongs to no output.
   */
  backward(seeds: Seeds, squares?: ArrayLike<number>): void {
    this.#startBack(seeds, squares);
    for (const _ of this.#runner.backward());
    this.#state.doneBack();
  }

  /** Like {@link backward}, but yields between frames. */
  async runBack(seeds: Seeds, options: RunBackOptions = {}): Promise<void> {
    refuseUnknownOptions<RunBackOptions>('runBack()', options, RUN_BACK_OPTIONS);
    this.#startBack(seeds);
    const frames = this.framesTaken;
    await this.#inTurns('runBack', this.#runner.backward(), { ...options, frames }, ({ from }) => from);
    this.#state.doneBack();
  }

  #startBack(seeds: Seeds, squares?: ArrayLike<number>): void {
    if (this.options.derivative === 'tangent')
      throw new GradsimError('core/no-gradient', 'This simulation was made for tangents, so it has no gradient.', {
        hint: "Leave `derivative: 'tangent'` out.",
      });
    if (this.options.derivative !== 'adjoint')
      throw new GradsimError(
        'core/no-gradient',
        'This simulation was made without parameters, so it has no gradient.',
        { hint: 'Name them in `parameters`.' },
      );
    if (typeof seeds !== 'object' || seeds === null)
      throw new GradsimError(
        'core/seeds-not-by-name',
        `backward() takes the adjoints of the outputs by their fields, such as { 'bodies.position': [...] }, not ${String(seeds)}.`,
      );
    this.#state.startBack();
    if (squares && squares.length !== this.worlds)
      throw new GradsimError(
        'core/wrong-size',
        `backward(): ${squares.length} derivatives by sums of squares for ${this.worlds} worlds.`,
      );
    this.#reader.markUnchecked();
    const { executor, layout } = this.#compiled;
    clearAccessRecords(executor, layout.accessRecords, true);
    this.#runner.clearAdjoints();
    this.#seeds!.write({ seeds, squares: squares ?? null });
  }

  /**
   * Reads the current value of a field: a state, an input (an input over time at every moment), a value derived in
   * setup, or the last frame of a recorded field: [world][element][component]. Inputs that are no states can be read
   * before anything has run. Later runs do not change the result, even if they start before it arrives.
   *
   * ```ts
   * const vertices = new Float32Array(3 * count);
   * await simulation.read(Particle.position, { into: vertices });
   * ```
   * @throws when the run raised an alarm or has a value that is not finite, naming where it came from, or when `into`
   * is too small.
   */
  async read(of: FieldKey): Promise<Float64Array>;
  async read<A extends NumberArray>(of: FieldKey, to: ReadInto<A>): Promise<A>;
  async read(of: FieldKey, to?: ReadInto<NumberArray>): Promise<NumberArray> {
    return runQuery(this.#compiled.executor, this.#reading(of, to));
  }
  /**
   * Reads like {@link read}, without waiting. @throws as {@link read}, and on a device that only records work, such as
   * webgpu.
   */
  readSync(of: FieldKey): Float64Array;
  readSync<A extends NumberArray>(of: FieldKey, to: ReadInto<A>): A;
  readSync(of: FieldKey, to?: ReadInto<NumberArray>): NumberArray {
    return runQuerySync(this.#compiled.executor, this.#reading(of, to));
  }
  #reading(of: FieldKey, to?: ReadInto<NumberArray>): QuerySteps<NumberArray> {
    const key = this.#key(of);
    this.#state.refuseWhileRunning(`Reading ${key}`);
    const source = this.#reader.now(key);
    return to ? this.#reader.readInto(source, to) : this.#reader.values(source);
  }

  /** Reads all frames of a recorded field that the run has taken: [frame][world][element][component]. */
  async readFrames(of: FieldKey): Promise<Float64Array> {
    return runQuery(this.#compiled.executor, this.#reader.values(this.#reader.frames(this.#key(of))));
  }
  /** Reads like {@link readFrames}, without waiting. @throws on a device that only records work, such as webgpu. */
  readFramesSync(of: FieldKey): Float64Array {
    return runQuerySync(this.#compiled.executor, this.#reader.values(this.#reader.frames(this.#key(of))));
  }

  /**
   * Reads all frames of a recorded field in the order in which they lie in memory, for code that processes all of them:
   * value k = component * elements + element of world w in frame f is `words[f * frameStride + k * valueStride + w *
   * worldStride]`. The words may be the device's own memory, without a copy: they are valid until the next run, and
   * must not be changed. Values are not checked to be finite.
   *
   * @throws for a field whose domain keeps components together.
   */
  async readRecord(of: FieldKey, { tangent = false } = {}): Promise<RecordWords> {
    return this.#fetched(this.#reader.record(this.#key(of), tangent));
  }
  /** Runs queries to the device, without a copy if no waiting is needed. */
  async #fetched<T>(steps: QuerySteps<T>): Promise<T> {
    return (this.waits ? runQuery : runQuerySync)(this.#compiled.executor, steps);
  }

  /**
   * Reads the sums over the residuals of the last run, in the order of `comparisons`. The device computes them, so the
   * frames are not read. Values are not checked to be finite. With tangents, all sums are as accurate as sums in double
   * precision.
   */
  async readComparisons(): Promise<ComparisonSums[]> {
    return this.#fetched(this.#reader.comparisons(this.#comparing));
  }

  /** Returns the error for a value that is not finite: reruns pass by pass to find its origin. */
  locateNonFinite(label: string, value: number): Promise<Error> {
    return runQuery(this.#compiled.executor, this.#reader.locate(label, value));
  }

  /**
   * Reads the tangent of a recorded field in all frames, like {@link readFrames}; zeros if it depends on no parameter.
   */
  async readTangentFrames(of: FieldKey, tangent = 0): Promise<Float64Array> {
    const key = this.#key(of);
    refuseWithoutTangents(`Reading the tangent of ${key}`, tangent, this.options);
    const source = this.#reader.tangentFrames(key, tangent);
    return runQuery(
      this.#compiled.executor,
      source ? this.#reader.values(source) : this.#reader.zeros(key, this.framesTaken),
    );
  }

  /**
   * Reads the tangent of the current value of a state: [world][element][component]; zeros if it depends on no
   * parameter.
   */
  async readTangent(of: FieldKey, tangent = 0): Promise<Float64Array> {
    const key = this.#key(of);
    refuseWithoutTangents(`Reading the tangent of ${key}`, tangent, this.options);
    const source = this.#reader.tangentNow(key, tangent);
    return runQuery(this.#compiled.executor, source ? this.#reader.values(source) : this.#reader.zeros(key, 1));
  }

  /**
   * Reads the gradient with respect to a parameter, in the shape of its values: [world][element][component]. For a
   * state, it is with respect to its value at the start of the run; for a field that all worlds share, the sum over
   * worlds; for an input over time, [frame or substep][world][element][component]. Later runs do not change the result.
   */
  async gradient(of: FieldKey): Promise<Float64Array> {
    const reading = runQuery(this.#compiled.executor, this.#gradient(of));
    if (!this.waits) return reading;
    const { run, hasChanged } = this.#state;
    const [gradient, growth] = await Promise.all([reading, this.#watch?.growthNow(hasChanged)]);
    this.#warn(growth ? await this.#watch!.warningLater(growth, () => this.#state.isStill(run)) : null);
    return gradient;
  }
  /** Reads like {@link gradient}, without waiting. @throws on a device that only records work, such as webgpu. */
  gradientSync(of: FieldKey): Float64Array {
    return runQuerySync(this.#compiled.executor, this.#gradient(of));
  }
  *#gradient(of: FieldKey): QuerySteps<Float64Array> {
    const key = this.#key(of);
    this.#state.refuseBeforeRunBack('gradient()');
    const field = this.#compiled.fields.field(key);
    if (!this.options.parameters.includes(key)) {
      throw new GradsimError(
        'core/unknown-parameter',
        `${key} is no parameter of this simulation; its parameters are ${this.options.parameters.join(', ')}.`,
        { field: key },
      );
    }
    if (!this.waits) this.#warn(yield* this.#watch!.warning(this.#state.hasChanged));
    const source = this.#reader.gradient(field);
    if (!source) return yield* this.#reader.zeros(key, this.#reader.moments(field));
    const gradient = yield* this.#reader.values(source);
    return field.shared ? summedOverWorlds(gradient, source.copies, this.worlds) : gradient;
  }

  #warn(warning: Warning | null): void {
    if (warning) warn(this.options, warning.text, warning.subject);
  }

  /**
   * Measures the growth of the adjoints of the states in the last {@link backward}, the horizon over which it exceeds
   * the precision of the device, and the pass that causes it. Reruns the backward pass up to four times; with `noise`,
   * also runs forward and backward three times with inputs moved by one rounding error of single precision. Gradients
   * do not change.
   *
   * ```ts
   * const { growth, carried, horizon, pass } = await simulation.gradientReport();
   * if (growth > carried) console.log(`${pass?.kernel}; at most ${horizon?.seconds} s`);
   * ```
   * @throws when {@link backward} has not run.
   */
  async gradientReport(options: GradientReportOptions = {}): Promise<GradientReport> {
    this.#state.refuseBeforeRunBack('gradientReport()');
    return this.#watch!.report(options);
  }

  /**
   * Returns the location of a field's current value in the device's memory, for code that uses the same device, to draw
   * from it without a copy. It is valid until the next step. Neither alarms nor non-finite values are checked.
   *
   * @throws on a device that does not lend its memory; only webgpu does.
   */
  lend(field: FieldKey): FieldOnDevice {
    const key = this.#key(field);
    this.#state.refuseWhileRunning(`lend of ${key}`);
    return this.#reader.lend(key);
  }

  /** Frees the device's memory. Further calls do nothing. */
  dispose(): void {
    this.#state.dispose();
    this.#compiled.executor.dispose();
  }
}
