import type { Node, PureNode } from '../../language/form.ts';
import type { OperandsOf, WasmCodeOf } from './code-of.ts';
import { hostCall } from './instructions.ts';

export type Operands = OperandsOf<Node>;
export type WasmCode = WasmCodeOf<Node, PureNode>;

/** How the operation of a node is said; throws where the kernel was not bound with what the device needs. */
export function codeOf(o: Operands, { primitive, overload }: PureNode): WasmCode {
  if (overload.wasm) return overload.wasm;
  const host = o.hosts.get(overload.called);
  if (host !== undefined) return hostCall(host);
  throw new Error(
    `kernel ${o.kernelName}: WebAssembly has no instruction for ${primitive.name} of ${overload.args[0]}. ` +
      'Bind the kernel with what the device lowers.',
  );
}
