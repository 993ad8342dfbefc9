import type { Node, PureNode } from '../../language/form.ts';
import type { Code, WasmType } from './encoder.ts';

/** What an operation needs of the function that it is written into. */
export interface Operands {
  readonly code: Code;
  readonly kernelName: string;
  /** Whether a value differs between lanes in a way that no scalar tells. */
  isVector(node: Node): boolean;
  /** Puts the value on the stack: one for all lanes (for those with a stride, that of the first lane). */
  scalar(node: Node): void;
  /** Puts the values of all lanes on the stack. Bools are all ones or all zeros. */
  vector(node: Node): void;
  /** Runs `write` with a local variable that takes the value on top of the stack. */
  withLocal(type: WasmType, write: (local: number) => void): void;
}

/** Puts the result of an operation on the stack: for one invocation, or for all lanes at once. */
export interface WasmCode {
  scalar(o: Operands, node: PureNode): void;
  vector(o: Operands, node: PureNode): void;
}

/** How the operation of a node is said; throws where the kernel was not bound with what the device needs. */
export function codeOf(o: Operands, { primitive, overload }: PureNode): WasmCode {
  if (overload.wasm) return overload.wasm;
  throw new Error(
    `kernel ${o.kernelName}: the cpu device has no instruction for ${primitive.name} of ${overload.args[0]}. ` +
      'Bind the kernel with what the device lowers.',
  );
}
