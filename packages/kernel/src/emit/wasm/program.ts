import type { BoundKernel } from '../bound-kernel.ts';
import { Code } from './format/encoder.ts';
import { SCALAR_OPCODES } from './format/opcodes.ts';
import type { MemoryPlan } from './memory/memory.ts';

/** A function that runs a kernel, and the address of the kernel's row if the function serves several. */
export interface KernelFunction {
  readonly callee: number;
  readonly rowAddress: number | null;
}

/** Functions of a kernel: for whole SIMD groups of invocations, and for single invocations. Null if it has none. */
export interface KernelFunctions {
  readonly groups: KernelFunction | null;
  readonly singles: KernelFunction | null;
}

/**
 * Calls a kernel's function with the invocation range on the stack, and the registers at the address in local `table`.
 */
export function callKernel(code: Code, { callee, rowAddress }: KernelFunction, table: number): void {
  code.get(table);
  if (rowAddress !== null) code.i32(rowAddress);
  code.call(callee);
}

/** Parameter numbers of a program's function; see `wasmModule`. */
const [TABLE, ROWS, ONLY] = [0, 1, 2];
/** Number of parameters of a program's function. */
export const PROGRAM_PARAMS = 3;
/** Value of `ONLY` that runs all kernels. */
export const EVERY_KERNEL = -1;

/** Writes the function that runs a program's kernels on one thread, row after row. */
export function programCode(
  kernels: readonly BoundKernel[],
  functions: readonly KernelFunctions[],
  plan: MemoryPlan,
  lanes: number,
): Code {
  const code = new Code(PROGRAM_PARAMS);
  eachRow(code, plan, TABLE, ROWS, () =>
    kernels.forEach((kernel, k) => {
      code.block();
      for (const choice of [k, EVERY_KERNEL]) {
        code.get(ONLY);
        code.i32(choice);
        code.byte(SCALAR_OPCODES.i32Ne);
      }
      code.byte(SCALAR_OPCODES.i32And);
      code.branchIf(0);
      code.i32(0);
      code.i32(k);
      code.memory(SCALAR_OPCODES.i32Store, plan.mark);
      writeCalls(code, kernel, functions[k], lanes);
      code.end();
    }),
  );
  return code;
}

/**
 * Emits a loop over register rows. Local `rows` counts down to 0; local `table` holds the address of the current row,
 * and is advanced.
 */
export function eachRow(code: Code, { rowBytes }: MemoryPlan, table: number, rows: number, write: () => void): void {
  code.block();
  code.loop();
  code.get(rows);
  code.byte(SCALAR_OPCODES.i32Eqz);
  code.branchIf(1);
  write();
  code.get(table);
  code.i32(rowBytes);
  code.byte(SCALAR_OPCODES.i32Add);
  code.set(table);
  code.get(rows);
  code.i32(1);
  code.byte(SCALAR_OPCODES.i32Sub);
  code.set(rows);
  code.branch(0);
  code.end();
  code.end();
}

function writeCalls(
  code: Code,
  { invocations }: BoundKernel,
  { groups, singles }: KernelFunctions,
  lanes: number,
): void {
  const grouped = groups === null ? 0 : invocations - (invocations % lanes);
  const call = (called: KernelFunction, begin: number, end: number): void => {
    code.i32(begin);
    code.i32(end);
    callKernel(code, called, TABLE);
  };
  if (grouped > 0) call(groups!, 0, grouped);
  if (grouped < invocations) call(singles!, grouped, invocations);
}
