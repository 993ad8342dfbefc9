import type { Port } from './port.ts';
import type { ArrayType, NodeType, ScalarType } from './types.ts';
import type { WasmOperation } from './wasm-operation.ts';

/**
 * Name of a value that an invocation gets from its dispatch. A kernel bound to memory uses only `invocation` and
 * registers.
 */
export type Builtin =
  | 'element'
  | 'world'
  | 'substep'
  | 'substepOfFrame'
  | 'frame'
  | 'round'
  | TimeBuiltin
  | 'epsilon'
  | 'invocation';

/** Builtins that are durations and times of substeps, s. */
export const TIME_BUILTINS = ['dt', 'previousDt', 'longestDt', 'time', 'nextTime'] as const;
export type TimeBuiltin = (typeof TIME_BUILTINS)[number];
export const isTimeBuiltin = (builtin: Builtin): builtin is TimeBuiltin =>
  (TIME_BUILTINS as readonly string[]).includes(builtin);

interface ValueNode {
  readonly id: number;
  readonly type: NodeType;
  readonly block: Block;
  /**
   * Block in which the value would be computed if branch sides did not count: `block`, or a block around it if `block`
   * is a branch side.
   */
  readonly home: Block;
  /** First created node with the same value, if it is in another branch. */
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

/** A register: a number that the host sets for each dispatch, by the name that the binder of the kernel chooses. */
export interface RegisterNode extends ScalarNode {
  readonly op: 'register';
  readonly register: string;
}

/** A component of a field, of element `index`, or of the own element if that is null. */
export interface LoadNode extends ScalarNode {
  readonly op: 'load';
  readonly port: Port;
  readonly component: number;
  readonly index: Node | null;
}

/** A word of the arena: the bound form of a load. */
export interface WordNode extends ScalarNode {
  readonly op: 'word';
  /** Port of the load that the word replaces. */
  readonly port: Port;
  readonly component: number;
  /**
   * Address in words: `address` is the part computed at run time; `offset`, the constant part, counts from number
   * `base` of the bound kernel's bases.
   */
  readonly address: Node;
  readonly base: number;
  readonly offset: number;
}

/** An operation whose result depends only on its arguments. */
export interface PureNode extends ScalarNode {
  readonly op: 'pure';
  readonly primitive: Primitive;
  /** Overload of the primitive for the types of the node's arguments. */
  readonly overload: Overload;
  readonly args: readonly Node[];
}

/** An array with all entries equal to `value`; null if every entry is set before it is read. */
export interface FillNode extends ValueNode {
  readonly op: 'fill';
  readonly type: ArrayType;
  readonly value: Node | null;
}

/** An entry of a local array. */
export interface GetNode extends ScalarNode {
  readonly op: 'get';
  readonly array: Node;
  readonly index: Node;
}

/** An array with one entry changed. The source array keeps its value; memory is assigned by emitters. */
export interface SetNode extends ValueNode {
  readonly op: 'set';
  readonly type: ArrayType;
  readonly array: Node;
  readonly index: Node;
  readonly value: Node;
}

/** A loop's counter. */
export interface CounterNode extends ScalarNode {
  readonly op: 'counter';
  readonly block: RangeBody;
}

/** A carried value at the start of a block of a loop. */
export interface ParamNode extends ValueNode {
  readonly op: 'param';
  readonly block: LoopBlock;
  position: number;
}

/** A result of a region. */
export interface ResultNode extends ValueNode {
  readonly op: 'result';
  readonly region: Region;
  position: number;
}

/** A scalar or an array of scalars. */
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

/** A loop over the integers from `start` up to but not including `end`. */
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
  /** Loop condition, computed in `test`. */
  readonly condition: Node;
  readonly body: WhileBody;
}

export type Loop = RangeRegion | WhileRegion;
/** A branch or a loop. Its results are separate nodes that follow it. */
export type Region = IfRegion | Loop;
export type Statement = Node | Region;

/** Statements in execution order. */
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
  /** Branch that it belongs to, set once that is built. */
  branch: IfRegion | null = null;
}

/** A block with carried values. */
abstract class CarryingBlock<L extends Loop> extends StatementList {
  params: readonly ParamNode[] = [];
  /** Loop that it belongs to, set once that is built. */
  loop: L | null = null;
}

export class RangeBody extends CarryingBlock<RangeRegion> {
  readonly kind = 'range';
  readonly counter: CounterNode;
  /** Carried values at the end of an iteration, in the order of `params`. */
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

// Primitives: the operations of pure nodes.

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

/** A linear map from a scalar to a scalar, applied to tangents and adjoints alike: it is its own transpose. */
export type Linear = (t: Node) => Node;

/**
 * Derivative rule of y = f(x, ...): for each argument a linear map, or null if y has no derivative with respect to it.
 * One rule serves both modes: forward mode sums the maps of the tangents, reverse mode sends the adjoint of y through
 * each map.
 */
export type Rule = (b: Writer, args: readonly Node[], y: Node) => readonly (Linear | null)[];

/** An operation expressed by others that every device has instructions for. */
export type Lowering = (b: Writer, args: readonly Node[]) => Node;

/** Writes an expression in a C-like language, given the expressions of the arguments. */
export type Text = (args: readonly string[], node: PureNode) => string;

/** Precedence of the text of a float operation: operands of sums and products need fewer parentheses. */
export type Binding = 'sum' | 'product';

interface Meaning {
  readonly args: readonly ScalarType[];
  readonly result: ScalarType;
  /** Computes the value in double precision. Integers are in the range of their type, conditions are 0 or 1. */
  readonly evaluate: (...args: number[]) => number;
  /**
   * JavaScript expression. Without it, the evaluator calls `evaluate`, which then neither takes nor returns conditions,
   * and refers only to its arguments and JavaScript's globals: its source text is copied into generated code.
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
/**
 * Overload lowered to other primitives: in WebAssembly, and in WGSL as a function of the shader unless WGSL's own is
 * good enough.
 */
export interface Lowered extends Meaning {
  readonly wgsl?: Text;
  readonly wasm?: undefined;
  readonly lowering: Lowering;
  readonly inSingle?: undefined;
}
/**
 * Overload whose lowering is accurate to single precision and used only there. In double precision WebAssembly calls
 * `evaluate`, which takes floats and refers only to its arguments and JavaScript's globals: its source text is sent to
 * other threads.
 */
export interface LoweredInSingle extends Meaning {
  readonly wgsl?: Text;
  readonly wasm?: undefined;
  readonly lowering?: undefined;
  readonly inSingle: Lowering;
}
/** Meaning of a primitive for certain argument types, and its code for every back end. */
export type OverloadSpec = Instruction | Lowered | LoweredInSingle;

export type Overload = OverloadSpec & {
  /** Unique name, used for its function in generated code, if there is one. */
  readonly called: string;
};

export type ArgumentRange = readonly [low: number, high: number];

export interface PrimitiveSpec<O> {
  readonly overloads: readonly O[];
  /**
   * Returns a simpler node with the same value, or null. Constants are folded in any case. Called for every node, so
   * access arguments by number, `{ 0: x, 1: y }`: `[x, y]` creates an iterator.
   */
  readonly simplify?: (b: Writer, args: readonly Node[]) => Node | null;
  /** Derivative rule; null if there is none and the result counts as a constant. */
  readonly derivative: Rule | null;
  /** Range of each float argument, from which tests draw; by default -3 to 3. */
  readonly argumentRanges?: readonly ArgumentRange[];
  /** Maximum error of `inSingle` for arguments within `argumentRanges`, in units of the last place. */
  readonly ulps?: number;
}

/** An operation on scalars whose result depends only on its arguments. */
export interface Primitive extends PrimitiveSpec<Overload> {
  readonly name: string;
}
