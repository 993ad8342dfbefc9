import { GUARD_WORDS, leastBytes } from '../../emit/wasm/memory.ts';
import type { WasmModule, WasmOptions } from '../../emit/wasm/module.ts';
import { wasmModule } from '../../emit/wasm/module.ts';
import { EVERY_KERNEL } from '../../emit/wasm/program.ts';
import { PHASE } from '../../emit/wasm/team.ts';
import { sharedWork } from '../../emit/work.ts';
import type { Device, Executor, ExecutorSpec, Program } from '../device.ts';
import { isNode } from '../is-node.ts';
import { refuseWithoutWebAssembly } from './may-compile.ts';
import type { Block } from './memories.ts';
import { ownMemories } from './memories.ts';
import { Team } from './team.ts';
import { maySleep } from './workers.ts';

/** Runs rows of a register table; see `wasmModule`. */
type ProgramFunction = (table: number, rows: number, only: number) => void;
/** The same on several threads; see `wasmModule`. */
type TeamFunction = (table: number, rows: number, phase: number, isCaller: number, maySleep: number) => void;

/** Operations of one row, and of one call, from which on several threads are faster than one. */
const ROW_WORK = 200_000;
const CALL_WORK = 3_000_000;
/**
 * Milliseconds that a model has run programs which threads would share, from which on they are started where nobody asked
 * for a number of threads. To start them takes that long on both sides.
 */
const START_TIME = 50;
/** Bytes of a register. */
const WORD = 4;
export interface CpuOptions extends WasmOptions {
  /**
   * Threads that share the work of large models. Default: as many as the machine has processors, at most 8, which start
   * once a model has run for a while.
   */
  readonly threads?: number;
  /**
   * In a page: the address of a copy of the file `@gradsim/kernel/worker`, which workers run, for a page whose policy
   * forbids those from a blob and whose bundler knows no files of workers.
   */
  readonly workerUrl?: string;
}

/**
 * The processor, through generated WebAssembly: four invocations at once in SIMD lanes, and several threads where
 * memory can be shared (Node, pages that are cross-origin isolated) and the work is worth it. Results are the same
 * bit for bit from run to run, for any number of threads, and with or without SIMD. Works in Node and in browsers,
 * with nothing to install. Its `description` tells how many threads there are, and what keeps others away.
 *
 * Functions that WebAssembly has no instruction for are polynomials, with errors as the primitives say in `ulps`. A read
 * at an index that lies beyond all data gives NaN (0 for integers). A write there is an error that names the kernel.
 *
 * ```ts
 * const device = cpuDevice({ threads: 2 });
 * ```
 * @param options `simd: false` runs one invocation after another, to compare with.
 * @throws when `threads` is no whole number from 1 to 32.
 */
export function cpuDevice(options: CpuOptions = {}): Device {
  const team = new Team(options);
  const executors = new Set<Executor>();
  let isDisposed = false;
  return {
    kind: 'cpu',
    get description() {
      return `WebAssembly${options.simd === false ? '' : ' SIMD'}, ${team.description}`;
    },
    ready: team.ready,
    precision: 'f32',
    lowers: true,
    async createExecutor(spec) {
      if (isDisposed) throw new Error('This device "cpu" was disposed; make another one.');
      const executor = await createExecutor(spec, options, team, () => executors.delete(executor));
      executors.add(executor);
      return executor;
    },
    dispose() {
      isDisposed = true;
      for (const executor of executors) executor.dispose();
      team.dispose();
    },
  };
}

/** How an executor runs programs on several threads. */
interface Shared {
  readonly team: Team;
  readonly module: WasmModule;
  readonly compiled: WebAssembly.Module;
  readonly block: Block;
  readonly functions: readonly TeamFunction[];
  /** Where the number of the phase is that comes next. */
  readonly phase: Int32Array;
  /** Operations of a row, by program. */
  readonly work: readonly number[];
  readonly maySleep: boolean;
  /** The number by which workers know the executor, once they have it. */
  executor?: number;
  /** Milliseconds that ran without them. */
  alone: number;
}

async function createExecutor(
  spec: ExecutorSpec,
  options: WasmOptions,
  team: Team,
  onDispose: () => void,
): Promise<Executor> {
  const isLarge = spec.programs.some(({ kernels }) => sharedWork(kernels) >= ROW_WORK);
  await team.ready;
  // They start while the module is made.
  if (isLarge && team.startsAtOnce) void team.workers;
  const isShared = isLarge && team.threads > 1;
  const memories = isShared ? team.memories : ownMemories;
  const module = wasmModule(spec, options, isShared ? team.threads : 1, memories.room(leastBytes(spec)));
  const block = memories.take(module.plan.mark, module.end);
  try {
    return await open(spec, module, block, isShared ? team : null, onDispose);
  } catch (error) {
    block.free();
    throw error;
  }
}

/** Compiles a module for a block of memory. */
async function open(
  spec: ExecutorSpec,
  module: WasmModule,
  block: Block,
  team: Team | null,
  onDispose: () => void,
): Promise<Executor> {
  const { memory } = block;
  // Where that is done beside this thread, it waits for those that optimise the code of this program: up to 30 ms for a
  // module that takes one. The thread of a page must not be held up by a large one.
  refuseWithoutWebAssembly();
  const compiled = isNode() ? new WebAssembly.Module(module.bytes) : await WebAssembly.compile(module.bytes);
  const { exports } = await WebAssembly.instantiate(compiled, { env: { memory, arrays: module.arrays } });
  const programs = spec.programs.map((_, p) => exports[`program${p}`] as ProgramFunction);
  const work = spec.programs.map(({ kernels }) => sharedWork(kernels));
  const shared: Shared | null = team
    ? {
        ...{ team, module, compiled, block, work, maySleep: maySleep(), alone: 0 },
        functions: spec.programs.map((_, p) => exports[`team${p}`] as TeamFunction),
        phase: new Int32Array(memory.buffer, module.plan.team + PHASE, 1),
      }
    : null;
  if (shared?.team.startsAtOnce) await handOver(shared);
  return new WasmExecutor(spec, module, block, programs, shared, onDispose);
}

/**
 * Gives an executor to its workers; waits until they have it. Where no worker starts (a page's policy may forbid it), the
 * caller's thread does all the work.
 */
async function handOver(shared: Shared): Promise<void> {
  const { compiled, block, module } = shared;
  const { workers } = shared.team;
  if (!workers) return;
  const { executor, ready } = workers.add(compiled, block.memory, module);
  shared.executor = executor;
  await ready.catch(() => {});
}

/** What an executor holds until it is disposed of. */
interface Live {
  readonly functions: readonly ProgramFunction[];
  readonly table: Uint32Array;
  /** The position of the kernel that runs. */
  readonly mark: Uint32Array;
  readonly f32: Float32Array;
  readonly u32: Uint32Array;
}

class WasmExecutor implements Executor {
  readonly #programs: readonly Program[];
  readonly #tableAddress: number;
  readonly #rowWords: number;
  readonly #shared: Shared | null;
  readonly #block: Block;
  readonly #onDispose: () => void;
  #held: Live | null;

  constructor(
    spec: ExecutorSpec,
    { plan, constants }: WasmModule,
    block: Block,
    functions: readonly ProgramFunction[],
    shared: Shared | null,
    onDispose: () => void,
  ) {
    const { buffer } = block.memory;
    this.#shared = shared;
    this.#block = block;
    this.#programs = spec.programs;
    this.#tableAddress = plan.table;
    this.#rowWords = spec.registers.length;
    this.#onDispose = onDispose;
    this.#held = {
      functions,
      table: new Uint32Array(buffer, plan.table, plan.tableRows * this.#rowWords),
      mark: new Uint32Array(buffer, plan.mark, 1),
      f32: new Float32Array(buffer, plan.f32, plan.f32Words),
      u32: new Uint32Array(buffer, plan.u32, plan.u32Words),
    };
    new Int32Array(buffer, plan.pool, constants.length).set(constants);
    new Float32Array(buffer, plan.f32 + plan.f32Words * 4, GUARD_WORDS).fill(Number.NaN);
  }

  get #live(): Live {
    if (!this.#held) throw new Error('This model was used on a cpu device after dispose() had freed it.');
    return this.#held;
  }

  run(program: number, registers: Uint32Array, only = EVERY_KERNEL): void {
    const { table } = this.#live;
    for (let from = 0; from < registers.length; from += table.length) {
      const part =
        registers.length <= table.length ? registers : registers.subarray(from, from + table.length);
      table.set(part);
      this.#runTable(program, part.length / this.#rowWords, only);
    }
  }

  #runTable(program: number, rows: number, only: number): void {
    const shared = this.#shared;
    const work = shared?.work[program] ?? 0;
    try {
      const teamwork =
        shared && only === EVERY_KERNEL && work >= ROW_WORK && work * rows >= CALL_WORK ? shared : null;
      const done = teamwork ? this.#runAlone(teamwork, program, rows) : this.#runRows(program, 0, rows, only);
      if (!teamwork || done === rows) return;
      const table = this.#tableAddress + done * this.#rowWords * WORD;
      const phase = teamwork.phase[0];
      teamwork.team.workers!.start(teamwork.executor!, program, table, rows - done, phase);
      teamwork.functions[program](table, rows - done, phase, 1, teamwork.maySleep ? 1 : 0);
    } catch (error) {
      throw this.#named(program, error);
    }
  }

  /** Runs rows of the table from number `from` on; gives the number of the one behind them. */
  #runRows(program: number, from: number, rows: number, only: number): number {
    this.#live.functions[program](this.#tableAddress + from * this.#rowWords * WORD, rows, only);
    return from + rows;
  }

  /** Runs rows until it has been worth the while to start threads; gives how many it ran. */
  #runAlone(shared: Shared, program: number, rows: number): number {
    let done = 0;
    while (done < rows && shared.executor === undefined) {
      const begin = performance.now();
      done = this.#runRows(program, done, 1, EVERY_KERNEL);
      shared.alone += performance.now() - begin;
      if (shared.alone >= START_TIME) void handOver(shared);
    }
    return done;
  }

  #named(program: number, cause: unknown): unknown {
    if (!(cause instanceof WebAssembly.RuntimeError)) return cause;
    const { name, kernels } = this.#programs[program];
    const kernel = kernels[this.#live.mark[0]];
    return new Error(
      `kernel ${kernel.name} (in ${name}) was stopped: ${cause.message}. It reached a word that lies outside of the ` +
        'memory; check the indices that it writes at.',
      { cause },
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
  async readF32(from: number, words: number): Promise<Float32Array> {
    return this.#live.f32.slice(from, from + words);
  }
  peekF32(from: number, words: number): Float32Array {
    return this.#live.f32.subarray(from, from + words);
  }
  async readU32(from: number, words: number): Promise<Uint32Array> {
    return this.#live.u32.slice(from, from + words);
  }

  dispose(): void {
    if (!this.#held) return;
    this.#held = null;
    void this.#giveBack();
    this.#onDispose();
  }

  /**
   * Its memory is free once no worker can be at work in it any more: one may come late to what is over. Where workers have
   * failed nobody can tell.
   */
  async #giveBack(): Promise<void> {
    const { team, executor } = this.#shared ?? {};
    if (executor === undefined) this.#block.free();
    else
      await team!.workers?.remove(executor).then(
        () => this.#block.free(),
        () => {},
      );
  }
}
