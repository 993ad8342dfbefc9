import type { Node, PureNode } from '../../form/nodes.ts';
import type { Code, WasmType } from './format/encoder.ts';
import type { Lanes } from './lanes.ts';

/** Part of a function writer that the code of operations uses. */
export interface Operands {
  readonly code: Code;
  readonly lanes: Lanes;
  /** Function numbers of the imported host functions, by the unique name `called` of the overload. */
  readonly hosts: ReadonlyMap<string, number>;
  readonly kernelName: string;
  /** Returns whether a value needs a vector: it differs between lanes by no fixed stride. */
  isVector(node: Node): boolean;
  /** Pushes the scalar value (for one with a stride, that of the first lane). */
  scalar(node: Node): void;
  /** Pushes the values of all lanes. Bools are all ones or all zeros. */
  vector(node: Node): void;
  /** Calls `write` with a temporary local that holds the value popped from the stack. */
  withLocal(type: WasmType, write: (local: number) => void): void;
}

/** Emits an operation: for one invocation, or for all lanes at once. */
export interface WasmCode {
  scalar(o: Operands, node: PureNode): void;
  vector(o: Operands, node: PureNode): void;
}
