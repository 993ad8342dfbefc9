import type { Block } from '../kernel/form.ts';
import { barriersOf, isPartable } from './barriers.ts';
import type { BoundKernel } from './bind.ts';
import { REGISTERS } from './bind.ts';
import { Code } from './wasm-encoder.ts';
import type { MemoryPlan } from './wasm-memory.ts';
import { LINE } from './wasm-memory.ts';
import { SCALAR } from './wasm-opcodes.ts';
import { LANES } from './wasm-shape.ts';

/** The functions of a kernel: of whole groups of invocations, and of single ones. */
export interface KernelFunctions {
  readonly groups: number | null;
  readonly singles: number | null;
}

/** Parameters of a program; see `wasmModule`. */
const [TABLE, ROWS, ONLY, THREAD, THREADS, MAY_SLEEP] = [0, 1, 2, 3, 4, 5];
export const PROGRAM_PARAMS = 6;
/** For `ONLY`. */
export const EVERY_KERNEL = -1;
const ROW_BYTES = REGISTERS.length * 4;

/** Writes the function that runs a program's kernels, row after row. `barrier` is null in a module for one thread. */
export function programCode(
  kernels: readonly BoundKernel[],
  functions: readonly KernelFunctions[],
  plan: MemoryPlan,
  barrier: number | null,
): Code {
  const code = new Code(PROGRAM_PARAMS);
  const own = code.local('i32');
  code.get(THREAD);
  code.i32(LINE);
  code.byte(SCALAR.i32Mul);
  code.set(own);
  const meet = (): void => {
    if (barrier === null) return;
    code.get(THREADS);
    code.i32(1);
    code.byte(SCALAR.i32GtU);
    code.if();
    code.get(own);
    code.get(THREADS);
    code.get(MAY_SLEEP);
    code.call(barrier);
    code.end();
  };
  const isMet = barriersOf(kernels);
  code.block();
  code.loop();
  code.get(ROWS);
  code.byte(SCALAR.i32Eqz);
  code.branchIf(1);
  kernels.forEach((kernel, k) => {
    if (isMet[k]) meet();
    code.block();
    for (const choice of [k, EVERY_KERNEL]) {
      code.get(ONLY);
      code.i32(choice);
      code.byte(SCALAR.i32Ne);
    }
    code.byte(SCALAR.i32And);
    code.branchIf(0);
    code.get(own);
    code.i32(k);
    code.memory(SCALAR.i32Store, plan.threads + plan.mark);
    writeCalls(code, kernel, functions[k]);
    code.end();
  });
  code.get(TABLE);
  code.i32(ROW_BYTES);
  code.byte(SCALAR.i32Add);
  code.set(TABLE);
  code.get(ROWS);
  code.i32(1);
  code.byte(SCALAR.i32Sub);
  code.set(ROWS);
  code.branch(0);
  code.end();
  code.end();
  meet();
  return code;
}

/** A thread's share of a kernel: whole groups in equal parts, and what is left over to the first thread. */
function writeCalls(code: Code, kernel: BoundKernel, { groups, singles }: KernelFunctions): void {
  const { invocations } = kernel;
  const grouped = isPartable(kernel) ? invocations - (invocations % LANES) : 0;
  const call = (callee: number, begin: () => void, end: () => void): void => {
    begin();
    end();
    code.get(TABLE);
    code.call(callee);
  };
  if (grouped > 0) {
    const border = (ahead: number): void => {
      code.i32(grouped / LANES);
      code.get(THREAD);
      code.i32(ahead);
      code.byte(SCALAR.i32Add, SCALAR.i32Mul);
      code.get(THREADS);
      code.byte(SCALAR.i32DivU);
      code.i32(LANES);
      code.byte(SCALAR.i32Mul);
    };
    call(
      (groups ?? singles)!,
      () => border(0),
      () => border(1),
    );
  }
  if (grouped === invocations) return;
  code.get(THREAD);
  code.byte(SCALAR.i32Eqz);
  code.if();
  const split = grouped > 0 || groups === null ? grouped : invocations - (invocations % LANES);
  const constant = (value: number) => () => code.i32(value);
  if (split > grouped) call(groups!, constant(grouped), constant(split));
  if (split < invocations) call(singles!, constant(split), constant(invocations));
  code.end();
}

/** How often a loop is taken to go around, where that is not known. */
const ROUNDS = 8;

/** Operations of a row, about: nodes of the kernels times their invocations. None where threads cannot share the work. */
export function workOf(kernels: readonly BoundKernel[]): number {
  const operations = (block: Block): number =>
    block.nodes.reduce((sum, node) => {
      const inside = (node.blocks ?? []).reduce((inner, each) => inner + operations(each), 0);
      return sum + 1 + inside * (node.op === 'if' ? 1 : ROUNDS);
    }, 0);
  if (!kernels.every(isPartable)) return 0;
  return kernels.reduce((sum, kernel) => sum + operations(kernel.root) * kernel.invocations, 0);
}
