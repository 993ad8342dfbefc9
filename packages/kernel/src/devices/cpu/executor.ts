import { GradsimError } from '@gradsim/base';
import type { ExecutorSpec, Program } from '../../emit/executor-spec.ts';
import { sharedWork } from '../../emit/operation-count.ts';
import type { ByteArray } from '../../emit/wasm/format/byte-array.ts';
import { HOST_FUNCTIONS } from '../../emit/wasm/host-functions.ts';
import { lanesOf } from '../../emit/wasm/lanes.ts';
import { GUARD_WORDS, leastBytes } from '../../emit/wasm/memory/memory.ts';
import type { WasmModule } from '../../emit/wasm/module.ts';
import { wasmModule } from '../../emit/wasm/module.ts';
import { EVERY_KERNEL } from '../../emit/wasm/program.ts';
import { PHASE_OFFSET } from '../../emit/wasm/team.ts';
import type { Precision } from '../../form/types.ts';
import type { Executor } from '../device.ts';
import { isNode } from '../is-node.ts';
import { refuseWithoutWebAssembly } from './may-compile.ts';
import type { Block } from './memories.ts';
import { Memories, ownMemories } from './memories.ts';
import type { ModuleFiles } from './module-files.ts';
import type { Team } from './team.ts';
import { ThreadChoice } from './thread-choice.ts';
import type { Helpers } from './workers.ts';
import { maySleep, Workers } from './workers.ts';

/** Function that runs a program for `rows` rows of the register table on one thread; see `wasmModule`. */
type ProgramFunction = (table: number, rows: number, only: number) => void;
/** Function in which threads together run a program for `rows` rows of the register table; see `wasmModule`. */
type TeamFunction = (table: number, rows: number, phase: number, thread: number, maySleep: number) => void;

/** Number of operations per register row above which a program runs faster on several threads than on one. */
const ROW_WORK = 200_000;
/**
 * Number of operations per call, over all its rows, above which a program runs faster on several threads than on one.
 */
const CALL_WORK = 3_000_000;
/**
 * Run time in ms of parallelisable work after which threads are started, unless the caller configured their number.
 * About the time that starting them takes.
 */
const THREAD_START_MS = 50;
/** Thread number of the caller. */
const CALLER_THREAD = 0;
/** Size of a register, bytes. */
const WORD_BYTES = 4;
/** State of an executor that runs programs on several threads. */
interface Shared {
  readonly team: Team;
  readonly module: Emitted['module'];
  readonly compiled: WebAssembly.Module;
  readonly block: Block;
  readonly functions: readonly TeamFunction[];
  /** View of the word with the number of the next phase. */
  readonly phase: Int32Array;
  readonly workPerRow: Prepared['workPerRow'];
  readonly maySleep: boolean;
  /**
   * Choice between one thread and all of them, by program; where the caller configured a number of threads, all of them
   * always run.
   */
  readonly choices: readonly ThreadChoice[];
  /** Worker threads, once they have the module. */
  helpers?: Helpers;
  /** Run time without workers so far, ms. */
  singleThreadMs: number;
}

/** Settings of an executor, and the device that owns it. */
export interface Surroundings {
  /** Kind of the device, for messages. */
  readonly kind: string;
  readonly precision: Precision;
  readonly simd: boolean;
  readonly team: Team;
  readonly onDispose: () => void;
}

const workersOf = (team: Team): Workers | null => team.workersBy((threads, inPage) => new Workers(threads, inPage));
const sharedMemories = (team: Team): Memories =>
  team.memoriesBy(() => new Memories({ isShared: true, kept: Number.POSITIVE_INFINITY }));

export async function createExecutor(spec: ExecutorSpec, surroundings: Surroundings): Promise<Executor> {
  const { team } = surroundings;
  const prepared = preparedOf.get(spec) ?? (await prepare(spec));
  preparedOf.set(spec, prepared);
  const isLarge = prepared.workPerRow.some((workPerRow) => workPerRow >= ROW_WORK);
  await team.ready;
  // Workers start while the module is compiled.
  if (isLarge && team.startsAtOnce) void workersOf(team);
  const isShared = isLarge && team.threads > 1;
  // Their memory can serve again.
  if (isShared) await team.haveReleased();
  const memories = isShared ? sharedMemories(team) : ownMemories;
  const threads = isShared ? team.threads : 1;
  const emitted = emittedFor(spec, prepared, surroundings, threads, memories);
  const block = memories.allocate(emitted.module.plan.mark, emitted.module.end);
  try {
    return await open(spec, prepared.workPerRow, emitted, block, surroundings, isShared);
  } catch (error) {
    block.free();
    throw error;
  }
}

/** Module of a specification, for memory from the address `base` on. */
interface Emitted {
  readonly base: number;
  readonly key: string;
  readonly module: Omit<WasmModule, 'bytes'>;
  /** Bytes of the module until the engine has compiled them. */
  code: ByteArray | WebAssembly.Module;
}

/** Properties of a specification that all its executors share. */
interface Prepared {
  /** Operations per register row that threads can share, by program. */
  readonly workPerRow: readonly number[];
  /** Modules that earlier processes wrote; null in a page, and where they are not kept. */
  readonly files: ModuleFiles | null;
  /** Module of the last executor, which the engine has compiled. */
  emitted: Emitted | null;
}

const preparedOf = new WeakMap<ExecutorSpec, Prepared>();

async function prepare(spec: ExecutorSpec): Promise<Prepared> {
  const files = isNode() ? (await import('./module-files.ts')).modulesOf(spec) : null;
  const workPerRow = files?.work() ?? spec.programs.map(({ kernels }) => sharedWork(kernels));
  return { workPerRow, files, emitted: null };
}

/**
 * Returns the module of the last executor of this specification if memory is free at its address, else that of an
 * earlier process, else a new one.
 */
function emittedFor(
  spec: ExecutorSpec,
  prepared: Prepared,
  { precision, simd }: Surroundings,
  threads: number,
  memories: Memories,
): Emitted {
  const { workPerRow, files, emitted: known } = prepared;
  const base = memories.room(leastBytes(spec, lanesOf(precision), threads), known?.base);
  const key = [base, threads, simd, precision].join();
  if (known?.key === key) return known;
  let written = files?.module(key, threads);
  if (!written) {
    written = wasmModule(spec, { precision, simd }, threads, base);
    files?.keep(key, threads, written, workPerRow);
  }
  const { bytes: code, ...module } = written;
  prepared.emitted = { base, key, module, code };
  return prepared.emitted;
}

/** Compiles a module and allocates its memory. */
async function open(
  spec: ExecutorSpec,
  workPerRow: Prepared['workPerRow'],
  emitted: Emitted,
  block: Block,
  surroundings: Surroundings,
  isShared: boolean,
): Promise<Executor> {
  const { memory } = block;
  const { team } = surroundings;
  const { module } = emitted;
  const imports = { env: { memory, arrays: module.arrays }, host: HOST_FUNCTIONS };
  refuseWithoutWebAssembly();
  const { compiled, instance } = await load(emitted.code, imports);
  emitted.code = compiled;
  const { exports } = instance;
  const programs = spec.programs.map((_, p) => exports[`program${p}`] as ProgramFunction);
  const shared: Shared | null = isShared
    ? {
        team,
        module,
        compiled,
        block,
        workPerRow,
        maySleep: maySleep(),
        singleThreadMs: 0,
        choices: spec.programs.map(() => new ThreadChoice()),
        functions: spec.programs.map((_, p) => exports[`team${p}`] as TeamFunction),
        phase: new Int32Array(memory.buffer, module.plan.team + PHASE_OFFSET, 1),
      }
    : null;
  if (shared && team.startsAtOnce) await sendModuleToWorkers(shared);
  return new WasmExecutor(spec, module, block, programs, shared, surroundings);
}

/**
 * Compiles a module, unless that is done, and instantiates it: in Node synchronously, because asynchronous compilation
 * queues behind the engine's optimisation of running code, for up to 30 ms; in a page asynchronously, so that a large
 * module does not block it.
 */
async function load(
  code: Emitted['code'],
  imports: WebAssembly.Imports,
): Promise<{ compiled: WebAssembly.Module; instance: WebAssembly.Instance }> {
  if (isNode()) {
    const compiled = code instanceof WebAssembly.Module ? code : new WebAssembly.Module(code);
    return { compiled, instance: new WebAssembly.Instance(compiled, imports) };
  }
  if (code instanceof WebAssembly.Module)
    return { compiled: code, instance: await WebAssembly.instantiate(code, imports) };
  const { module, instance } = await WebAssembly.instantiate(code, imports);
  return { compiled: module, instance };
}

/**
 * Sends the module to the workers and waits until they have it. Where no worker starts (a page's policy may forbid it),
 * the caller's thread does all the work.
 */
async function sendModuleToWorkers(shared: Shared): Promise<void> {
  const { compiled, block, module } = shared;
  const workers = workersOf(shared.team);
  if (!workers) return;
  shared.helpers = workers.add(compiled, block.memory, module);
  await shared.helpers.ready.catch(() => {});
}

/** Resources of an executor until it is disposed of. */
interface Live {
  readonly functions: readonly ProgramFunction[];
  readonly table: Uint32Array;
  /** View of the word that holds the position of the current kernel. */
  readonly mark: Uint32Array;
  readonly f32: Float32Array | Float64Array;
  readonly u32: Uint32Array;
}

class WasmExecutor implements Executor {
  readonly #programs: readonly Program[];
  readonly #tableAddress: number;
  readonly #rowWords: number;
  readonly #shared: Shared | null;
  readonly #block: Block;
  readonly #surroundings: Surroundings;
  #held: Live | null;

  constructor(
    spec: ExecutorSpec,
    { plan, constants }: Emitted['module'],
    block: Block,
    functions: readonly ProgramFunction[],
    shared: Shared | null,
    surroundings: Surroundings,
  ) {
    const { buffer } = block.memory;
    this.#block = block;
    this.#shared = shared;
    this.#programs = spec.programs;
    this.#tableAddress = plan.table;
    this.#rowWords = spec.registers.length;
    this.#surroundings = surroundings;
    const Floats = surroundings.precision === 'f64' ? Float64Array : Float32Array;
    const f32 = new Floats(buffer, plan.f32, plan.f32Words + GUARD_WORDS);
    f32.fill(Number.NaN, plan.f32Words);
    this.#held = {
      functions,
      table: new Uint32Array(buffer, plan.table, plan.tableRows * this.#rowWords),
      mark: new Uint32Array(buffer, plan.mark, 1),
      f32: f32.subarray(0, plan.f32Words),
      u32: new Uint32Array(buffer, plan.u32, plan.u32Words),
    };
    new Int32Array(buffer, plan.pool, constants.length).set(constants);
  }

  get #live(): Live {
    if (!this.#held)
      throw new GradsimError(
        'kernel/disposed',
        `This model was used on the device ${this.#surroundings.kind} after dispose() had freed it.`,
      );
    return this.#held;
  }

  run(program: number, registers: Uint32Array, only = EVERY_KERNEL): void {
    const { table } = this.#live;
    for (let from = 0; from < registers.length; from += table.length) {
      const part = registers.length <= table.length ? registers : registers.subarray(from, from + table.length);
      table.set(part);
      this.#runTable(program, part.length / this.#rowWords, only);
    }
  }

  #runTable(program: number, rows: number, only: number): void {
    const shared = this.#shared;
    const workPerRow = shared?.workPerRow[program] ?? 0;
    try {
      const teamwork =
        shared && only === EVERY_KERNEL && workPerRow >= ROW_WORK && workPerRow * rows >= CALL_WORK ? shared : null;
      if (!teamwork) this.#runRows(program, 0, rows, only);
      else for (let done = 0; done < rows; ) done += this.#runSome(teamwork, program, done, rows - done);
    } catch (error) {
      throw this.#errorNamingKernel(program, error);
    }
  }

  #address(row: number): number {
    return this.#tableAddress + row * this.#rowWords * WORD_BYTES;
  }

  /** Runs rows of the table from row `from` on, on the caller's thread. */
  #runRows(program: number, from: number, rows: number, only: number): void {
    this.#live.functions[program](this.#address(from), rows, only);
  }

  /** Runs rows of the table from row `from` on, on all threads. */
  #runTogether(
    { team, helpers, functions, phase, maySleep }: Shared,
    program: number,
    from: number,
    rows: number,
  ): void {
    const [table, first] = [this.#address(from), phase[0]];
    workersOf(team)!.start(helpers!.executor, program, table, rows, first);
    functions[program](table, rows, first, CALLER_THREAD, maySleep ? 1 : 0);
  }

  /**
   * Runs some of the `left` rows from row `from` on, on all threads or one, whichever is faster; returns how many.
   * Starts the threads once that pays off.
   */
  #runSome(shared: Shared, program: number, from: number, left: number): number {
    const { team, helpers } = shared;
    if (team.startsAtOnce && helpers) {
      this.#runTogether(shared, program, from, left);
      return left;
    }
    const choice = shared.choices[program];
    const { mode, rows } = choice.nextRun(left, helpers?.areReady() ?? false);
    const began = performance.now();
    if (mode === 'together') this.#runTogether(shared, program, from, rows);
    else this.#runRows(program, from, rows, EVERY_KERNEL);
    const ms = performance.now() - began;
    choice.recordRun(mode, rows, ms);
    if (helpers) return rows;
    shared.singleThreadMs += ms;
    if (shared.singleThreadMs >= THREAD_START_MS) void sendModuleToWorkers(shared);
    return rows;
  }

  #errorNamingKernel(program: number, cause: unknown): unknown {
    if (!(cause instanceof WebAssembly.RuntimeError)) return cause;
    const { name, kernels } = this.#programs[program];
    const kernel = kernels[this.#live.mark[0]];
    return new GradsimError(
      'kernel/memory-overrun',
      `kernel ${kernel.name} (in ${name}) was stopped: ${cause.message}. It reached a word that lies outside of the memory.`,
      { kernel: kernel.name, hint: 'Check the indices that it writes at.', cause },
    );
  }

  copy(arena: 'f32' | 'u32', to: number, from: number, words: number): void {
    this.#live[arena].copyWithin(to, from, from + words);
  }
  clear(arena: 'f32' | 'u32', from: number, words: number): void {
    this.#live[arena].fill(0, from, from + words);
  }
  writeF32(at: number, values: ArrayLike<number>): void {
    this.#live.f32.set(values, at);
  }
  writeU32(at: number, values: Uint32Array): void {
    this.#live.u32.set(values, at);
  }
  async readF32(from: number, words: number): Promise<Float32Array | Float64Array> {
    return this.#live.f32.slice(from, from + words);
  }
  peekF32(from: number, words: number): Float32Array | Float64Array {
    return this.#live.f32.subarray(from, from + words);
  }
  peekU32(from: number, words: number): Uint32Array {
    return this.#live.u32.subarray(from, from + words);
  }
  async readU32(from: number, words: number): Promise<Uint32Array> {
    return this.#live.u32.slice(from, from + words);
  }

  dispose(): void {
    if (!this.#held) return;
    this.#held = null;
    void this.#giveBack();
    this.#surroundings.onDispose();
  }

  /**
   * Frees the memory once no worker can still be running in it: a worker may join a program after its end. If workers
   * have failed, that is unknown, and the memory is never freed.
   */
  async #giveBack(): Promise<void> {
    const { team, helpers } = this.#shared ?? {};
    if (!helpers) this.#block.free();
    else
      await workersOf(team!)
        ?.remove(helpers.executor)
        .then(
          () => this.#block.free(),
          () => {},
        );
  }
}
