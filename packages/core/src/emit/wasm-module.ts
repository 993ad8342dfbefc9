import type { ExecutorSpec, Program } from '../device/device.ts';
import { REGISTERS } from './bind.ts';
import type { FunctionSpec } from './wasm-encoder.ts';
import { Code, encodeModule } from './wasm-encoder.ts';
import { writeKernel } from './wasm-kernel.ts';
import type { MemoryPlan } from './wasm-memory.ts';
import { ConstantPool, pagesFor, planMemory } from './wasm-memory.ts';
import { SCALAR, SIMD } from './wasm-opcodes.ts';
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

const ROW_BYTES = REGISTERS.length * 4;
const VECTOR_BYTES = 16;
const EVERY_KERNEL = -1;

/** A part of a kernel's invocations and the function that does it. */
interface Piece {
  readonly callee: number;
  readonly begin: number;
  readonly end: number;
}

/**
 * A WebAssembly module for an executor. Program number p becomes the function `program<p>(table, rows, only)`: for
 * each of `rows` rows of the register table (at byte address `table`) it runs the program's kernels in order, or
 * kernel number `only` alone where that is not -1. Before each kernel its number goes to `plan.mark`.
 *
 * A kernel becomes a function of a range of invocations: one for whole groups of four, one for the rest. Splitting
 * the groups among threads needs no other code.
 */
export function wasmModule(spec: ExecutorSpec, { simd = true }: WasmOptions = {}): WasmModule {
  const plan = planMemory(spec.f32Words, spec.u32Words);
  const pool = new ConstantPool();
  const functions: FunctionSpec[] = [];
  const add = (code: Code): number => functions.push({ params: ['i32', 'i32'], code }) - 1;
  const programs = spec.programs.map((program, p): FunctionSpec => {
    const kernels = program.kernels.map((kernel): Piece[] => {
      const shapes = laneShapes(kernel);
      const { invocations } = kernel;
      const isSideBySide = simd && invocations >= LANES && mayRunSideBySide(kernel, shapes);
      const grouped = isSideBySide ? invocations - (invocations % LANES) : 0;
      const pieces: Piece[] = [];
      if (grouped > 0)
        pieces.push({ callee: add(writeKernel(kernel, shapes, plan, pool, LANES)), begin: 0, end: grouped });
      if (grouped < invocations) {
        pieces.push({
          callee: add(writeKernel(kernel, shapes, plan, pool, 1)),
          begin: grouped,
          end: invocations,
        });
      }
      return pieces;
    });
    return {
      params: ['i32', 'i32', 'i32'],
      code: programCode(program, kernels, plan),
      exported: `program${p}`,
    };
  });
  functions.push(...programs);
  const pages = pagesFor(plan, pool);
  return { bytes: encodeModule(functions, pages), plan, pages, constants: Int32Array.from(pool.words) };
}

function programCode(program: Program, kernels: readonly (readonly Piece[])[], plan: MemoryPlan): Code {
  const [table, rows, only] = [0, 1, 2];
  const code = new Code(3);
  code.block();
  code.loop();
  code.get(rows);
  code.byte(SCALAR.i32Eqz);
  code.branchIf(1);
  for (let at = 0; at < ROW_BYTES; at += VECTOR_BYTES) {
    code.i32(0);
    code.get(table);
    code.simdMemory(SIMD.load, at);
    code.simdMemory(SIMD.store, plan.registers + at);
  }
  program.kernels.forEach((_, k) => {
    code.block();
    for (const choice of [k, EVERY_KERNEL]) {
      code.get(only);
      code.i32(choice);
      code.byte(SCALAR.i32Ne);
    }
    code.byte(SCALAR.i32And);
    code.branchIf(0);
    code.i32(0);
    code.i32(k);
    code.memory(SCALAR.i32Store, plan.mark);
    for (const { callee, begin, end } of kernels[k]) {
      code.i32(begin);
      code.i32(end);
      code.call(callee);
    }
    code.end();
  });
  code.get(table);
  code.i32(ROW_BYTES);
  code.byte(SCALAR.i32Add);
  code.set(table);
  code.get(rows);
  code.i32(1);
  code.byte(SCALAR.i32Sub);
  code.set(rows);
  code.branch(0);
  code.end();
  code.end();
  return code;
}
