import type { WasmCodeOf } from '../emit/wasm/code-of.ts';
import type { Node, PureNode, ScalarType } from './form.ts';

/** What rules write nodes with: a builder. */
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

/** The same in terms of operations that every device has instructions for. */
export type Lowering = (b: Writer, args: readonly Node[]) => Node;

/** An expression in a language that looks like C, from those of the arguments. */
export type Text = (args: readonly string[], node: PureNode) => string;

/** How tightly the text of a float binds: around sums and products, precedence makes parentheses needless. */
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
/** Said by the languages themselves. */
export interface Instruction extends Meaning {
  readonly wgsl: Text;
  readonly wasm: WasmCodeOf<Node, PureNode>;
  readonly lowering?: undefined;
  readonly inSingle?: undefined;
}
/** Said in terms of others: in WebAssembly, and in WGSL as a function of the shader unless WGSL has a good one. */
export interface Lowered extends Meaning {
  readonly wgsl?: Text;
  readonly wasm?: undefined;
  readonly lowering: Lowering;
  readonly inSingle?: undefined;
}
/**
 * Said in terms of others as far as single precision can tell, and there alone. In double precision WebAssembly calls
 * `evaluate`, which takes floats, and refers to nothing but its arguments and what JavaScript has: its own text goes to
 * other threads.
 */
export interface LoweredInSingle extends Meaning {
  readonly wgsl?: Text;
  readonly wasm?: undefined;
  readonly lowering?: undefined;
  readonly inSingle: Lowering;
}
/** What a primitive does with arguments of certain types, for every device. */
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
  /** Where floats lie that it takes, argument by argument; from -3 to 3 without it. Its tests draw from there. */
  readonly over?: readonly Range[];
  /** The largest error of `inSingle` over these ranges, in units of the last place. */
  readonly ulps?: number;
}

/** An operation on scalars whose result depends on its arguments alone. */
export interface Primitive extends PrimitiveSpec<Overload> {
  readonly name: string;
}
