/**
 * The kernel form: what a traced kernel is. Scalar SSA with structured branches and loops.
 *
 * A kernel is a pure function of one element: loads come in, outputs go out at its end, and nothing is written
 * in between. That is why common subexpressions, dead code and both derivatives are simple walks over this form.
 * Vectors, matrices and quaternions exist only while tracing; here they are scalars.
 */

export type ScalarType = 'f32' | 'i32' | 'u32' | 'bool';

/** Operations on scalars whose result depends on their arguments alone. */
export type PureOp =
  | 'add'
  | 'sub'
  | 'mul'
  | 'div'
  | 'rem'
  | 'neg'
  | 'min'
  | 'max'
  | 'abs'
  | 'sign'
  | 'floor'
  | 'ceil'
  | 'sqrt'
  | 'exp'
  | 'log'
  | 'sin'
  | 'cos'
  | 'tan'
  | 'asin'
  | 'acos'
  | 'atan'
  | 'atan2'
  | 'tanh'
  | 'pow'
  | 'eq'
  | 'ne'
  | 'lt'
  | 'le'
  | 'gt'
  | 'ge'
  | 'and'
  | 'or'
  | 'xor'
  | 'not'
  | 'shiftLeft'
  | 'shiftRight'
  | 'countTrailingZeros'
  | 'select'
  /** The argument itself, with no derivative. Gone once a kernel is bound. */
  | 'detach'
  | 'toF32'
  | 'toI32'
  | 'toU32'
  | 'bitsToF32'
  | 'bitsOfF32';

export type Op =
  | PureOp
  | 'const'
  /** A value that the dispatch gives: element, world, substep, frame, dt. */
  | 'builtin'
  /** A component of a field, of the own element (no argument) or of the element named by the argument. */
  | 'load'
  /** A word of the arena at an address: what `load` becomes when a kernel is bound to a layout. */
  | 'word'
  /** A value that enters a block: a loop's counter or carried value. */
  | 'param'
  | 'if'
  | 'range'
  | 'while'
  /** One of the values that a region gives. */
  | 'result';

export type Builtin = 'element' | 'world' | 'substep' | 'frame' | 'dt' | 'invocation' | `register${number}`;

export interface Node {
  readonly id: number;
  readonly op: Op;
  readonly type: ScalarType;
  args: readonly Node[];
  readonly block: Block;
  /** `const`: the value. `result`, `param`: its position. */
  value: number;
  /** `builtin`: its name. */
  readonly builtin?: Builtin;
  /** `load`: which field, which component. `word`: where it came from, for names in generated code. */
  readonly port?: Port;
  readonly component?: number;
  /** `word`: the fixed part of the address, in words. */
  readonly offset?: number;
  /** Regions: their blocks. `if`: then, else. `range`: body. `while`: test, body. */
  readonly blocks?: readonly Block[];
  /** `param`: the region that it belongs to (set when the region is closed). */
  region?: Node;
  /** The outermost block that the value could be found in: `block`, or around it where that is a branch. */
  readonly home: Block;
  /** The node that was the first of the same value, in another branch. */
  readonly first?: Node;
}

/** A list of nodes in execution order. Its params are values that enter, its results values that leave. */
export interface Block {
  readonly kind: 'root' | 'then' | 'else' | 'range' | 'test' | 'body';
  readonly parent: Block | null;
  readonly depth: number;
  nodes: Node[];
  params: Node[];
  results: Node[];
}

/** Where a port's data come from: the field itself, or its adjoint or tangent. */
export type Shade = 'primal' | 'adjoint' | 'tangent';

/** One field as a kernel sees it. */
export interface Port {
  /** The field's name (before a pass renames it). */
  readonly name: string;
  readonly shade: Shade;
  readonly access: 'read' | 'write' | 'add';
  /** The domain that the field lies over; `''` stands for the kernel's own. */
  readonly domain: string;
  readonly scalar: ScalarType;
  readonly components: number;
  /** For an index: the domain that it points into. */
  readonly target?: string;
  /** Topology is shared by all worlds and is stored once, in the u32 buffer. */
  readonly shared: boolean;
}

/** A value that a kernel gives. `index` names the element that an addition goes to; null is the own element. */
export interface Output {
  readonly port: Port;
  readonly component: number;
  readonly index: Node | null;
  value: Node;
}

export interface KernelForm {
  readonly name: string;
  readonly domain: string;
  readonly ports: readonly Port[];
  readonly root: Block;
  readonly outputs: readonly Output[];
}

/** A port's name in generated code and in error messages. */
export function portLabel(port: Port): string {
  if (port.shade === 'adjoint') return `${port.name}_bar`;
  if (port.shade === 'tangent') return `${port.name}_dot`;
  return port.name;
}

export const isRegion = (node: Node): boolean =>
  node.op === 'if' || node.op === 'range' || node.op === 'while';

/** One node for all of a value, wherever they stand. */
export const firstOf = (node: Node): Node => node.first ?? node;

/** Whether `inner` is `outer` or lies within it. */
export function within(inner: Block, outer: Block): boolean {
  let block: Block | null = inner;
  while (block !== null && block.depth > outer.depth) block = block.parent;
  return block === outer;
}
