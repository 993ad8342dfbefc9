import type { ExecutorSpec } from '../../devices/device.ts';
import { placeArrays } from '../arrays.ts';
import type { BoundKernel } from '../bind.ts';
import { sharedWork } from '../work.ts';
import { wordsOfArrays } from './arrays.ts';
import type { ByteArray } from './byte-array.ts';
import type { Code, FunctionSpec, WasmType } from './encoder.ts';
import { encodeModule } from './encoder.ts';
import { writeKernel } from './kernel.ts';
import type { MemoryPlan } from './memory.ts';
import { arraysFrom, ConstantPool, pagesFor, planMemory } from './memory.ts';
import { LANES } from './opcodes.ts';
import type { KernelFunctions } from './program.ts';
import { PROGRAM_PARAMS, programCode } from './program.ts';
import { laneShapes, mayRunSideBySide } from './shape.ts';
import { TEAM_PARAMS, teamCode } from './team.ts';

export interface WasmModule {
  readonly bytes: ByteArray;
  readonly plan: MemoryPlan;
  /** The address behind all that it uses of the memory to hand in as `env.memory`. */
  readonly end: number;
  /** Words that stand in memory from `plan.pool` on. */
  readonly constants: Int32Array;
  /** Where the local arrays of the first thread are, to hand in as `env.arrays`, and how far on those of the next. */
  readonly arrays: number;
  readonly arrayBytes: number;
}

export interface WasmOptions {
  /** Whether to work on several invocations at once where a kernel allows it; true by default. */
  readonly simd?: boolean;
}

/**
 * A WebAssembly module for an executor. Program number p becomes the function `program<p>(table, rows, only)`: for
 * each of `rows` rows of the register table (at byte address `table`) it runs the program's kernels in order, or
 * kernel number `only` alone where that is not -1. Before each kernel its number goes to `plan.mark`.
 *
 * With `threads` above 1, programs that can be shared out also become `team<p>(table, rows, phase, isCaller,
 * maySleep)`, which threads call together; see `teamCode`. Results are the same bit for bit: each element is computed
 * as a whole, in the same way.
 *
 * It uses no address of the memory below `base`, which is a multiple of 64.
 *
 * A kernel becomes a function of a range of invocations: one for whole groups of four, one for the rest.
 */
export function wasmModule(
  spec: ExecutorSpec,
  { simd = true }: WasmOptions = {},
  threads = 1,
  base = 0,
): WasmModule {
  const plan = planMemory(spec, base);
  const pool = new ConstantPool();
  const functions: FunctionSpec[] = [];
  let arrayWords = 0;
  const add = (code: Code, params: number, exported?: string): number =>
    functions.push({ params: new Array<WasmType>(params).fill('i32'), code, exported }) - 1;
  const functionsOf = (kernel: BoundKernel): KernelFunctions => {
    const shapes = laneShapes(kernel);
    const { invocations } = kernel;
    const arrays = placeArrays(kernel.root);
    arrayWords = Math.max(arrayWords, wordsOfArrays(arrays));
    const isSideBySide = simd && invocations >= LANES && mayRunSideBySide(kernel, shapes);
    const write = (lanes: 1 | typeof LANES): number =>
      add(writeKernel(kernel, shapes, arrays, plan, pool, lanes), 3);
    return {
      groups: isSideBySide ? write(LANES) : null,
      singles: isSideBySide && invocations % LANES === 0 ? null : write(1),
    };
  };
  const known = new Map<BoundKernel, KernelFunctions>();
  const written = spec.programs.map(({ kernels }) =>
    kernels.map((kernel) => {
      if (!known.has(kernel)) known.set(kernel, functionsOf(kernel));
      return known.get(kernel)!;
    }),
  );
  spec.programs.forEach(({ kernels }, p) => {
    add(programCode(kernels, written[p], plan), PROGRAM_PARAMS, `program${p}`);
    if (threads > 1 && sharedWork(kernels) > 0)
      add(teamCode(kernels, written[p], plan, threads), TEAM_PARAMS, `team${p}`);
  });
  const arrays = arraysFrom(plan, pool);
  // Lines of a thread's own.
  const arrayBytes = Math.ceil(arrayWords / LANES) * LANES * 4 * LANES;
  const end = arrays + threads * arrayBytes;
  const pages = pagesFor(end);
  const constants = Int32Array.from(pool.words);
  return { bytes: encodeModule(functions, pages, threads > 1), plan, end, constants, arrays, arrayBytes };
}
