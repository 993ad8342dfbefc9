import { REGISTERS } from '../emit/bind.ts';
import { lowering } from '../emit/transcendental.ts';
import { GUARD_WORDS } from '../emit/wasm-memory.ts';
import type { WasmModule, WasmOptions } from '../emit/wasm-module.ts';
import { wasmModule } from '../emit/wasm-module.ts';
import type { Device, Executor, ExecutorSpec, Program } from './device.ts';

/** Runs rows of a register table; see `wasmModule`. */
type ProgramFunction = (table: number, rows: number, only: number) => void;

const EVERY_KERNEL = -1;

/**
 * The processor, through generated WebAssembly: four invocations at once in SIMD lanes, one thread. Results are the
 * same bit for bit from run to run and with or without SIMD. Works in Node and in browsers, with nothing to install.
 *
 * Functions that WebAssembly has no instruction for are polynomials, see `lowering` for their errors. A read
 * at an index that lies beyond all data gives NaN (0 for integers). A write there is an error that names the kernel.
 *
 * @param options `simd: false` runs one invocation after another, to compare with.
 */
export function cpuDevice(options: WasmOptions = {}): Device {
  const executors = new Set<Executor>();
  return {
    kind: 'cpu',
    description: `WebAssembly${options.simd === false ? '' : ' SIMD'}, 1 thread`,
    precision: 'f32',
    lowering,
    async createExecutor(spec) {
      const executor = await createExecutor(spec, options, () => executors.delete(executor));
      executors.add(executor);
      return executor;
    },
    dispose() {
      for (const executor of executors) executor.dispose();
    },
  };
}

async function createExecutor(
  spec: ExecutorSpec,
  options: WasmOptions,
  onDispose: () => void,
): Promise<Executor> {
  const module = wasmModule(spec, options);
  const memory = allocate(module.pages);
  const compiled = await WebAssembly.compile(module.bytes);
  const { exports } = await WebAssembly.instantiate(compiled, { env: { memory } });
  const programs = spec.programs.map((_, p) => exports[`program${p}`] as ProgramFunction);
  return new WasmExecutor(spec, module, memory, programs, onDispose);
}

function allocate(pages: number): WebAssembly.Memory {
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages });
  } catch (cause) {
    const megabytes = Math.ceil(pages / 16);
    throw new Error(
      `The cpu device could not get ${megabytes} MiB of memory. Use fewer worlds or elements, or a smaller memory budget.`,
      { cause },
    );
  }
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
  readonly #onDispose: () => void;
  #held: Live | null;

  constructor(
    spec: ExecutorSpec,
    { plan, constants }: WasmModule,
    { buffer }: WebAssembly.Memory,
    functions: readonly ProgramFunction[],
    onDispose: () => void,
  ) {
    this.#programs = spec.programs;
    this.#tableAddress = plan.table;
    this.#onDispose = onDispose;
    this.#held = {
      functions,
      table: new Uint32Array(buffer, plan.table, plan.tableRows * REGISTERS.length),
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
    const { functions, table } = this.#live;
    for (let from = 0; from < registers.length; from += table.length) {
      const part =
        registers.length <= table.length ? registers : registers.subarray(from, from + table.length);
      table.set(part);
      try {
        functions[program](this.#tableAddress, part.length / REGISTERS.length, only);
      } catch (error) {
        throw this.#named(program, error);
      }
    }
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

  copy(to: number, from: number, words: number): void {
    this.#live.f32.copyWithin(to, from, from + words);
  }
  clear(from: number, words: number): void {
    this.#live.f32.fill(0, from, from + words);
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
  async readU32(from: number, words: number): Promise<Uint32Array> {
    return this.#live.u32.slice(from, from + words);
  }

  dispose(): void {
    if (!this.#held) return;
    this.#held = null;
    this.#onDispose();
  }
}
