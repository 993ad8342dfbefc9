import type { Port } from './port.ts';
import type { ArrayType, NodeType, ScalarType } from './types.ts';
import type { WasmOperation } from './wasm-operation.ts';

/** Values that an invocation gets from its dispatch. A kernel that is bound to memory knows `invocation` and registers alone. */
export type Builtin = 'element' | 'world' | 'substep' | 'frame' | 'round' | 'dt' | 'epsilon' | 'invocation';

interface ValueNode {
  readonly id: number;
  readonly type: NodeType;
  readonly block: Block;
  /** The outermost block that the value could be found in: `block`, or around it where that is a branch. */
  readonly home: Block;
  /** The node that was the first of the same value, in another branch. */
  readonly first?: Node;
}

interface ScalarNode extends ValueNode {
  readonly type: ScalarType;
}

export interface ConstNode extends ScalarNode {
  readonly op: 'const';
  readonly value: number;
}

export interface BuiltinNode extends ScalarNode {
  readonly op: 'builtin';
  readonly builtin: Builtin;
}

/** A number that changes from dispatch to dispatch, by the name that whoever binds the kernel gives it. */
export interface RegisterNode extends ScalarNode {
  readonly op: 'register';
  readonly register: string;
}

/** A component of a field, of the element named by `index` or of the own one. */
export interface LoadNode extends ScalarNode {
  readonly op: 'load';
  readonly port: Port;
  readonly component: number;
  readonly index: Node | null;
}

/** A word of the arena: what a load becomes when a kernel is bound to a layout. */
export interface WordNode extends ScalarNode {
  readonly op: 'word';
  /** Port of the load that it replaces. */
  readonly port: Port;
  readonly component: number;
  /** In words: the part that is found by running, and the fixed part, which counts from a base of the bound kernel. */
  readonly address: Node;
  readonly base: number;
  readonly offset: number;
}

/** An operation whose result depends on its arguments alone. */
export interface PureNode extends ScalarNode {
  readonly op: 'pure';
  readonly primitive: Primitive;
  /** Overload of the primitive for arguments of these types. */
  readonly overload: Overload;
  readonly args: readonly Node[];
}

/** An array of one value throughout; null where no entry is read before it is set. */
export interface FillNode extends ValueNode {
  readonly op: 'fill';
  readonly type: ArrayType;
  readonly value: Node | null;
}

/** An entry of an array. */
export interface GetNode extends ScalarNode {
  readonly op: 'get';
  readonly array: Node;
  readonly at: Node;
}

/** An array with one entry changed. The array that it is made of stays what it is; memory is a matter of emitters. */
export interface SetNode extends ValueNode {
  readonly op: 'set';
  readonly type: ArrayType;
  readonly array: Node;
  readonly at: Node;
  readonly value: Node;
}

/** A loop's counter. */
export interface CounterNode extends ScalarNode {
  readonly op: 'counter';
  readonly block: RangeBody;
}

/** The value that a loop carries into a block, one of several. */
export interface ParamNode extends ValueNode {
  readonly op: 'param';
  readonly block: LoopBlock;
  position: number;
}

/** One of the values that a region gives. */
export interface ResultNode extends ValueNode {
  readonly op: 'result';
  readonly region: Region;
  position: number;
}

/** A scalar, or an array of them. */
export type Node =
  | ConstNode
  | BuiltinNode
  | RegisterNode
  | LoadNode
  | WordNode
  | PureNode
  | FillNode
  | GetNode
  | SetNode
  | CounterNode
  | ParamNode
  | ResultNode;

interface RegionNode {
  readonly id: number;
  readonly block: Block;
}

export interface IfRegion extends RegionNode {
  readonly op: 'if';
  readonly condition: Node;
  readonly then: SideBlock;
  readonly otherwise: SideBlock;
}

/** Goes around for each whole number from `start` up to but not including `end`. */
export interface RangeRegion extends RegionNode {
  readonly op: 'range';
  readonly start: Node;
  readonly end: Node;
  initial: readonly Node[];
  readonly body: RangeBody;
}

export interface WhileRegion extends RegionNode {
  readonly op: 'while';
  initial: readonly Node[];
  readonly test: TestBlock;
  /** Found in `test`: whether to go around once more. */
  readonly condition: Node;
  readonly body: WhileBody;
}

export type Loop = RangeRegion | WhileRegion;
/** A branch or a loop. What it gives are nodes of their own, behind it. */
export type Region = IfRegion | Loop;
export type Statement = Node | Region;

/** Statements in the order in which they are run. */
abstract class StatementList {
  readonly parent: Block | null;
  readonly depth: number;
  nodes: Statement[] = [];

  constructor(parent: Block | null) {
    this.parent = parent;
    this.depth = parent ? parent.depth + 1 : 0;
  }
}

export class RootBlock extends StatementList {
  readonly kind = 'root';
}

/** One side of a branch. */
export class SideBlock extends StatementList {
  readonly kind = 'side';
  results: readonly Node[] = [];
  /** The branch that it belongs to, once that is written. */
  branch: IfRegion | null = null;
}

/** A block that values are carried into. */
abstract class CarryingBlock<L extends Loop> extends StatementList {
  params: readonly ParamNode[] = [];
  /** The loop that it belongs to, once that is written. */
  loop: L | null = null;
}

export class RangeBody extends CarryingBlock<RangeRegion> {
  readonly kind = 'range';
  readonly counter: CounterNode;
  /** Carried values at its end, in the order of `params`. */
  results: readonly Node[] = [];

  constructor(parent: Block, counterId: number) {
    super(parent);
    this.counter = { id: counterId, op: 'counter', type: 'u32', block: this, home: this };
  }
}

export class TestBlock extends CarryingBlock<WhileRegion> {
  readonly kind = 'test';
}

export class WhileBody extends CarryingBlock<WhileRegion> {
  readonly kind = 'while';
  results: readonly Node[] = [];
}

export type LoopBlock = RangeBody | TestBlock | WhileBody;
export type Block = RootBlock | SideBlock | LoopBlock;

// Primitives: what a pure node does.

/** Part of a builder that derivative rules and lowerings use. */
export interface Writer {
  const(value: number, type?: ScalarType): Node;
  pure(primitive: Primitive, ...args: Node[]): Node;
  add(a: Node, b: Node): Node;
  sub(a: Node, b: Node): Node;
  mul(a: Node, b: Node): Node;
  div(a: Node, b: Node): Node;
  neg(a: Node): Node;
  select(condition: Node, yes: Node, no: Node): Node;
}

/** A linear map of scalars: what a tangent or an adjoint goes through. A scalar map is its own transpose. */
export type Linear = (t: Node) => Node;

/**
 * The derivative of y = f(x, ...) with respect to each argument, as a linear map; null where there is none. One rule
 * serves both modes: forward mode sums the maps of the tangents, reverse mode sends the adjoint of y through each map.
 */
export type Rule = (b: Writer, args: readonly Node[], y: Node) => readonly (Linear | null)[];

/** Expression of an operation by others that every device has instructions for. */
export type Lowering = (b: Writer, args: readonly Node[]) => Node;

/** An expression in a language that looks like C, from those of the arguments. */
export type Text = (args: readonly string[], node: PureNode) => string;

/** Precedence of the text of a float, for sums and products, which need fewer parentheses. */
export type Binding = 'sum' | 'product';

interface Meaning {
  readonly args: readonly ScalarType[];
  readonly result: ScalarType;
  /** Its value in doubles. Whole numbers lie in the range of their type, conditions are 0 and 1. */
  readonly evaluate: (...args: number[]) => number;
  /**
   * Without it, the evaluator in JavaScript calls `evaluate`, which then takes and gives no conditions, and refers to
   * nothing but its arguments and what JavaScript has: its own text goes into generated code.
   */
  readonly javascript?: Text;
  readonly binds?: Binding;
}
/** Overload that every target language has an instruction or expression for. */
export interface Instruction extends Meaning {
  readonly wgsl: Text;
  readonly wasm: WasmOperation;
  readonly lowering?: undefined;
  readonly inSingle?: undefined;
}
/** Overload lowered to other primitives: in WebAssembly, and in WGSL as a function of the shader unless WGSL has a good one. */
export interface Lowered extends Meaning {
  readonly wgsl?: Text;
  readonly wasm?: undefined;
  readonly lowering: Lowering;
  readonly inSingle?: undefined;
}
/**
 * Overload lowered to other primitives to within single precision, and there alone. In double precision WebAssembly calls
 * `evaluate`, which takes floats, and refers to nothing but its arguments and what JavaScript has: its own text goes to
 * other threads.
 */
export interface LoweredInSingle extends Meaning {
  readonly wgsl?: Text;
  readonly wasm?: undefined;
  readonly lowering?: undefined;
  readonly inSingle: Lowering;
}
/** Meaning of a primitive for arguments of certain types, and its code for every back end. */
export type OverloadSpec = Instruction | Lowered | LoweredInSingle;

export type Overload = OverloadSpec & {
  /** A name of its own: that of a function that does it, where there is one in generated code. */
  readonly called: string;
};

export type Range = readonly [low: number, high: number];

export interface PrimitiveSpec<O> {
  readonly overloads: readonly O[];
  /**
   * What it comes to where that can be seen while tracing; null otherwise. Constants alone are folded in any case. It is
   * asked for every node, so arguments are better taken by number, `{ 0: x, 1: y }`: `[x, y]` makes an iterator.
   */
  readonly simplify?: (b: Writer, args: readonly Node[]) => Node | null;
  /** Null where it has none: the result counts as a constant. */
  readonly derivative: Rule | null;
  /** Ranges of float arguments, one each; from -3 to 3 without it. Its tests draw from them. */
  readonly over?: readonly Range[];
  /** The largest error of `inSingle` over these ranges, in units of the last place. */
  readonly ulps?: number;
}

/** An operation on scalars whose result depends on its arguments alone. */
export interface Primitive extends PrimitiveSpec<Overload> {
  readonly name: string;
}
