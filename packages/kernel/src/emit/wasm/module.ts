import type { Overload, RootBlock } from '../../form/nodes.ts';
import type { Precision } from '../../form/types.ts';
import { placeArrays } from '../arrays.ts';
import type { BoundKernel } from '../bound-kernel.ts';
import type { ExecutorSpec } from '../executor-spec.ts';
import { sharedWork } from '../operation-count.ts';
import { entriesOf } from './arrays.ts';
import type { ByteArray } from './format/byte-array.ts';
import type { Code, FunctionSpec, ImportSpec, WasmType } from './format/encoder.ts';
import { encodeModule } from './format/encoder.ts';
import type { ModuleParts } from './kernel.ts';
import { paramsOf, writeKernels } from './kernel.ts';
import { lanesOf } from './lanes.ts';
import type { MemoryPlan } from './memory/memory.ts';
import { arraysFrom, ConstantPool, pagesFor, planMemory } from './memory/memory.ts';
import { namingOf } from './naming.ts';
import type { KernelFunction, KernelFunctions } from './program.ts';
import { PROGRAM_PARAMS, programCode } from './program.ts';
import type { Shapes } from './shape.ts';
import { laneShapes, mayRunSideBySide } from './shape.ts';
import { TEAM_PARAMS, teamCode } from './team.ts';

/**
 * Minimum number of kernels of one code that share a function. Sharing costs an addition per load and store; separate
 * functions take time to write, to compile and to load into the instruction cache.
 */
export const MIN_SHARED_KERNELS = 8;
/** Size of a number in a kernel's row of base addresses and limits, bytes. */
const WORD_BYTES = 4;
/** Bytes of a local array's entry over all lanes, and of a cache line. */
const [VECTOR, LINE] = [16, 64];

export interface WasmModule {
  readonly bytes: ByteArray;
  readonly plan: MemoryPlan;
  /** End address of the part of `env.memory` that the module uses. */
  readonly end: number;
  /** Contents of the constant pool, to be stored at address `plan.pool` before the module runs. */
  readonly constants: Int32Array;
  /** Address of the first thread's local arrays, passed as `env.arrays`, and the stride to the next thread's. */
  readonly arrays: number;
  readonly arrayBytes: number;
}

export interface WasmOptions {
  /** Use SIMD, several invocations at once, for kernels that allow it; true by default. */
  readonly simd?: boolean;
  /** Precision that the kernels are bound for; single by default. */
  readonly precision?: Precision;
}

/**
 * Generates the WebAssembly module of an executor. Program number p becomes the function `program<p>(table, rows,
 * only)`: for each of `rows` rows of the register table (at byte address `table`) it runs the program's kernels in
 * order, or kernel number `only` alone if that is not -1. Before each kernel its number is stored at `plan.mark`.
 *
 * With `threads` above 1, programs that can be parallelised also become `team<p>(table, rows, phase, thread,
 * maySleep)`, which threads call together; see `teamCode`. Results are the same bit for bit: each element is computed
 * as a whole, in the same way.
 *
 * It uses no address of the memory below `base`, a multiple of 64.
 *
 * A kernel becomes two functions of a range of invocations: one for whole SIMD groups (four invocations in single, two
 * in double precision), one for the rest. In doubles, operations without an instruction are imported: the functions of
 * `HOST_FUNCTIONS`, as `host`.
 */
export function wasmModule(
  spec: ExecutorSpec,
  { simd = true, precision = 'f32' }: WasmOptions = {},
  threads = 1,
  base = 0,
): WasmModule {
  const lanes = lanesOf(precision);
  const plan = planMemory(spec, lanes, threads, base);
  const codes = codesOf(spec);
  const shapes = new Map([...codes].map(([root, [kernel]]) => [root, laneShapes(kernel, lanes.count)]));
  const imports = lanes.callsHost ? importsOf(shapes.values(), precision) : [];
  const hosts = new Map(imports.map(({ name }, k) => [name, k]));
  const parts: ModuleParts = { lanes, plan, pool: new ConstantPool(), hosts };
  const functions: FunctionSpec[] = [];
  let arrayEntries = 0;
  const add = (code: Code, params: number, exported?: string): number =>
    imports.length +
    functions.push({ params: new Array<WasmType>(params).fill('i32'), body: code.body(), exported }) -
    1;
  const kernelFunctions = new Map<BoundKernel, KernelFunctions>();
  for (const [root, alike] of codes) {
    const [first] = alike;
    const own = shapes.get(root)!;
    const studied = { shapes: own, naming: namingOf(first, own), arrays: placeArrays(root) };
    arrayEntries = Math.max(arrayEntries, entriesOf(studied.arrays));
    const isSideBySide = simd && first.invocations >= lanes.minInvocations && mayRunSideBySide(first, own);
    const isWhole = isSideBySide && first.invocations % lanes.count === 0;
    for (const kernels of alike.length < MIN_SHARED_KERNELS ? alike.map((kernel) => [kernel]) : [alike]) {
      const write = (width: number): ((kernel: BoundKernel) => KernelFunction) => {
        const { code, rowOf } = writeKernels({ ...studied, kernels }, parts, width);
        const callee = add(code, paramsOf(kernels));
        if (kernels.length === 1) return () => ({ callee, rowAddress: null });
        return (kernel) => ({ callee, rowAddress: plan.pool + WORD_BYTES * parts.pool.append(rowOf(kernel)) });
      };
      const groups = isSideBySide ? write(lanes.count) : null;
      const singles = isWhole ? null : write(1);
      for (const kernel of kernels)
        kernelFunctions.set(kernel, { groups: groups?.(kernel) ?? null, singles: singles?.(kernel) ?? null });
    }
  }
  spec.programs.forEach(({ kernels }, p) => {
    const written = kernels.map((kernel) => kernelFunctions.get(kernel)!);
    add(programCode(kernels, written, plan, lanes.count), PROGRAM_PARAMS, `program${p}`);
    if (threads > 1 && sharedWork(kernels) > 0)
      add(teamCode(kernels, written, plan, lanes.count, threads), TEAM_PARAMS, `team${p}`);
  });
  const arrays = arraysFrom(plan, parts.pool);
  // Each thread has cache lines of its own.
  const arrayBytes = Math.ceil((arrayEntries * VECTOR) / LINE) * LINE;
  const end = arrays + threads * arrayBytes;
  const pages = pagesFor(end);
  const constants = Int32Array.from(parts.pool.words);
  const bytes = encodeModule(imports, functions, pages, threads > 1);
  return { bytes, plan, end, constants, arrays, arrayBytes };
}

/** Groups kernels by their code. */
function codesOf({ programs }: ExecutorSpec): ReadonlyMap<RootBlock, readonly BoundKernel[]> {
  const codes = new Map<RootBlock, Set<BoundKernel>>();
  for (const { kernels } of programs)
    for (const kernel of kernels) {
      const known = codes.get(kernel.root);
      if (known) known.add(kernel);
      else codes.set(kernel.root, new Set([kernel]));
    }
  return new Map([...codes].map(([root, kernels]) => [root, [...kernels]]));
}

/** Collects the host functions that kernels call, each once. */
function importsOf(kernels: Iterable<Shapes>, float: Precision): ImportSpec[] {
  const called = new Map<string, Overload>();
  for (const shapes of kernels)
    for (const node of shapes.nodes)
      if (node.op === 'pure' && node.overload.inSingle) called.set(node.overload.called, node.overload);
  return [...called].map(([name, { args }]) => ({
    name,
    params: args.map(() => float),
    result: float,
  }));
}
