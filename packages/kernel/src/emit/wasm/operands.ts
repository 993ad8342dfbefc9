import type { Node, PureNode } from '../../language/form.ts';
import type { Code, WasmType } from './encoder.ts';

/** What an operation needs of the function that it is written into. */
export interface Operands {
  readonly code: Code;
  readonly kernelName: string;
  /** Puts the value on the stack: one for all lanes (for those with a stride, that of the first lane). */
  scalar(node: Node): void;
  /** Puts the values of all lanes on the stack. Bools are all ones or all zeros. */
  vector(node: Node): void;
  /** Runs `write` with a local variable that takes the value on top of the stack. */
  withLocal(type: WasmType, write: (local: number) => void): void;
}

/** For a kernel that was not bound with what the device needs. */
export const missing = (o: Operands, node: PureNode): Error =>
  new Error(
    `kernel ${o.kernelName}: the cpu device has no instruction for ${node.op} of ${node.args[0].type}. ` +
      'Bind the kernel with the lowering of the device.',
  );

const isNumber = (node: Node): boolean => node.op === 'const' && !Number.isNaN(node.value);

/** For min and max of floats: the argument that may be NaN and the one that is a constant, if one is. */
export function constantBound(node: PureNode): { open: Node; bound: Node } | null {
  if (node.type !== 'f32' || (node.op !== 'min' && node.op !== 'max')) return null;
  const [x, y] = node.args;
  if (isNumber(y)) return { open: x, bound: y };
  return isNumber(x) ? { open: y, bound: x } : null;
}
