import type { ExecutorSpec } from '../device/device.ts';
import { barrierCode } from './wasm-barrier.ts';
import type { Code, FunctionSpec, WasmType } from './wasm-encoder.ts';
import { encodeModule } from './wasm-encoder.ts';
import { writeKernel } from './wasm-kernel.ts';
import type { MemoryPlan } from './wasm-memory.ts';
import { ConstantPool, pagesFor, planMemory } from './wasm-memory.ts';
import type { KernelFunctions } from './wasm-program.ts';
import { PROGRAM_PARAMS, programCode } from './wasm-program.ts';
import { LANES, laneShapes, mayRunSideBySide } from './wasm-shape.ts';

export interface WasmModule {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly plan: MemoryPlan;
  /** Size of the memory to hand in as `env.memory`, in pages of 64 KiB. */
  readonly pages: number;
  /** Words that stand in memory from `plan.pool` on. */
  readonly constants: Int32Array;
}

export interface WasmOptions {
  /** Whether to work on several invocations at once where a kernel allows it; true by default. */
  readonly simd?: boolean;
}

/**
 * A WebAssembly module for an executor. Program number p becomes the function
 * `program<p>(table, rows, only, thread, threads, maySleep)`: for each of `rows` rows of the register table (at byte
 * address `table`) it runs the program's kernels in order, or kernel number `only` alone where that is not -1. Before
 * each kernel its number goes to `plan.mark` of the thread's line. `threads` threads call it at once, each with its number from 0 on; they
 * meet where one needs what another wrote, and at the end. Results do not depend on their number, bit for bit: each
 * element is computed as a whole by one thread.
 *
 * A kernel becomes a function of a range of invocations: one for whole groups of four, one for the rest.
 */
export function wasmModule(
  spec: ExecutorSpec,
  { simd = true }: WasmOptions = {},
  isShared = false,
): WasmModule {
  const plan = planMemory(spec.f32Words, spec.u32Words);
  const pool = new ConstantPool();
  const functions: FunctionSpec[] = [];
  const add = (code: Code, params: number): number =>
    functions.push({ params: new Array<WasmType>(params).fill('i32'), code }) - 1;
  const barrier = isShared ? add(barrierCode(plan), 3) : null;
  const programs = spec.programs.map((program, p): FunctionSpec => {
    const written = program.kernels.map((kernel): KernelFunctions => {
      const shapes = laneShapes(kernel);
      const { invocations } = kernel;
      const isSideBySide = simd && invocations >= LANES && mayRunSideBySide(kernel, shapes);
      const write = (lanes: 1 | typeof LANES): number =>
        add(writeKernel(kernel, shapes, plan, pool, lanes), 3);
      return {
        groups: isSideBySide ? write(LANES) : null,
        singles: isSideBySide && invocations % LANES === 0 ? null : write(1),
      };
    });
    return {
      params: new Array<WasmType>(PROGRAM_PARAMS).fill('i32'),
      code: programCode(program.kernels, written, plan, barrier),
      exported: `program${p}`,
    };
  });
  functions.push(...programs);
  const pages = pagesFor(plan, pool);
  const constants = Int32Array.from(pool.words);
  return { bytes: encodeModule(functions, pages, isShared), plan, pages, constants };
}
