import type { Node, PureNode } from '../../form/nodes.ts';
import type { Code, WasmType } from './encoder.ts';
import type { Lanes } from './lanes.ts';

/** Part of a function writer that operations use. */
export interface Operands {
  readonly code: Code;
  readonly lanes: Lanes;
  /** Numbers of functions of the host, by what overloads are called. */
  readonly hosts: ReadonlyMap<string, number>;
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
