/**
 * The kernel form: what a traced kernel is. Scalar SSA with structured branches and loops.
 *
 * A kernel is a pure function of one element: loads come in, outputs go out at its end, and nothing is written
 * in between. That is why common subexpressions, dead code and both derivatives are simple walks over this form.
 * Vectors, matrices and quaternions exist only while tracing; here they are scalars.
 */

import type { Overload, Primitive } from './primitive.ts';

export type ScalarType = 'f32' | 'i32' | 'u32' | 'bool';
/** So many scalars in the memory of one invocation. */
export type ArrayType = `${'f32' | 'i32' | 'u32'}[${number}]`;
export type NodeType = ScalarType | ArrayType;

/** By length: no scalar's name is longer than `bool`, and no array's is as short. */
export const isArray = (type: NodeType): type is ArrayType => type.length > 4;
/** What an array is of, or the scalar itself. */
export const scalarOf = (type: NodeType): ScalarType =>
  isArray(type) ? (type.slice(0, type.indexOf('[')) as ScalarType) : type;
export const lengthOf = (type: ArrayType): number => Number.parseInt(type.slice(type.indexOf('[') + 1), 10);
/** Whether derivatives go through values of the type. */
export const isFloat = (type: NodeType): boolean => scalarOf(type) === 'f32';

/** What the dispatch tells an invocation. A kernel that is bound to memory knows `invocation` and registers alone. */
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
  /** What it was a component of. */
  readonly port: Port;
  readonly component: number;
  /** In words: the part that is found by running, and the part that is fixed. */
  readonly address: Node;
  readonly offset: number;
}

/** An operation whose result depends on its arguments alone. */
export interface PureNode extends ScalarNode {
  readonly op: 'pure';
  readonly primitive: Primitive;
  /** What that is for arguments of these types. */
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
  /** What is carried on, in the order of `params`. */
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

/** Of floats. */
export type Precision = 'f32' | 'f64';
export const bytesOfFloat = (precision: Precision): number => (precision === 'f64' ? 8 : 4);

/** Where a port's data come from: the field itself, or its adjoint or tangent. */
export type Shade = 'primal' | 'adjoint' | 'tangent';

/** What a field is known by. */
export interface FieldName {
  /** `domain.name`. */
  readonly key: string;
  readonly domain: string;
  readonly name: string;
  readonly unit?: string;
}

/** One field as a kernel sees it. */
export interface Port {
  /** What the kernel calls the field: its name, unless `field` has it or a pass gives another one. */
  readonly name: string;
  /** The field, where the kernel refers to it. */
  readonly field?: FieldName;
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
  /** Whether its components are elements of the other domain, next to each other; see `several`. */
  readonly isSeveral?: boolean;
  /** Whether each invocation has a part of it for itself, as many elements as the other domain has, and one to spare. */
  readonly isTally?: boolean;
}

/** What a function takes that is no kernel: loads of it, component after component, stand for its arguments. */
export const ARGUMENTS: Port = {
  name: 'argument',
  shade: 'primal',
  access: 'read',
  domain: '',
  scalar: 'f32',
  components: 0,
  shared: false,
};

/** A value that a kernel gives. `index` names the element that an addition goes to; null is the own element. */
export interface Output {
  readonly port: Port;
  readonly component: number;
  readonly index: Node | null;
  readonly value: Node;
  /** Where it stands: the root, or the body of a loop, which gives it in every round. */
  readonly block: Block;
  /** Which of `rounds` additions of an element it is; null for the only one, or where nobody knows how many there are. */
  readonly round: Node | null;
  readonly rounds: number | null;
  /**
   * Whether it came out of a branch, or is the derivative of a read that may stand in one: where it is 0, its index means
   * nothing.
   */
  readonly isConditional?: boolean;
  /**
   * For an index that says where others are added: it becomes `NO_ELEMENT` where it is not below `elements` and these values
   * are all 0.
   */
  readonly fallback?: { readonly values: readonly Node[]; readonly elements: number };
  /**
   * For what is added to a tally of so many elements: where an index beyond them is recorded; with values, only if these are
   * not all 0. With several components, the first says so.
   */
  readonly tally?: {
    readonly elements: number;
    readonly lost: Port | null;
    readonly values: readonly Node[] | null;
  };
}

export interface KernelForm {
  readonly name: string;
  readonly domain: string;
  readonly ports: readonly Port[];
  readonly root: RootBlock;
  readonly outputs: readonly Output[];
  /** Whether it is an adjoint that was derived: it reads where its kernel does, and where that does not. */
  readonly isDerived?: boolean;
}

/** A port's name in generated code and in error messages. */
export function portLabel(port: Port): string {
  if (port.shade === 'adjoint') return `${port.name}_bar`;
  if (port.shade === 'tangent') return `${port.name}_dot`;
  return port.name;
}

export const isRegion = (of: Statement): of is Region => of.op === 'if' || of.op === 'range' || of.op === 'while';

/** What a node is called in messages. */
export const nodeName = (node: Node): string => (node.op === 'pure' ? node.primitive.name : node.op);

export function blocksOf(region: Region): readonly Block[] {
  switch (region.op) {
    case 'if':
      return [region.then, region.otherwise];
    case 'range':
      return [region.body];
    case 'while':
      return [region.test, region.body];
  }
}

/** The region that a block belongs to; null for the root. */
export function regionOf(block: Block): Region | null {
  if (block.kind === 'root') return null;
  return block.kind === 'side' ? block.branch : block.loop;
}

/** Whether a loop makes the same rounds for every element. */
export const isConstantRange = (region: Region): region is ConstantRange =>
  region.op === 'range' && region.start.op === 'const' && region.end.op === 'const';
export type ConstantRange = RangeRegion & { readonly start: ConstNode; readonly end: ConstNode };
export const roundsOf = ({ start, end }: ConstantRange): number => Math.max(0, end.value - start.value);

/** What stands in a block, with what stands in the blocks of its regions. */
export function everyStatement(block: Block): readonly Statement[] {
  const all: Statement[] = [];
  const visit = (statement: Statement): void => {
    all.push(statement);
    if (isRegion(statement)) for (const inner of blocksOf(statement)) inner.nodes.forEach(visit);
  };
  block.nodes.forEach(visit);
  return all;
}

/** The blocks of a loop, each of which the carried values enter. */
export const carryingBlocks = (loop: Loop): readonly LoopBlock[] =>
  loop.op === 'range' ? [loop.body] : [loop.test, loop.body];

/** The values of the block that a region ends with: what it gives, for one side of a branch or the last round of a loop. */
export const givenBy = (region: Region): readonly Node[] =>
  region.op === 'if' ? region.then.results : region.body.results;

const NONE: readonly Node[] = [];

/** What is found right before a statement runs: arguments of a node, what a region decides by and starts from. */
export function operandsOf(of: Statement): readonly Node[] {
  switch (of.op) {
    // First: nearly all are.
    case 'pure':
      return of.args;
    case 'const':
    case 'builtin':
    case 'register':
    case 'counter':
    case 'param':
    case 'result':
      return NONE;
    case 'load':
      return of.index ? [of.index] : NONE;
    case 'word':
      return [of.address];
    case 'fill':
      return of.value ? [of.value] : NONE;
    case 'get':
      return [of.array, of.at];
    case 'set':
      return [of.array, of.at, of.value];
    case 'if':
      return [of.condition];
    case 'range':
      return [of.start, of.end, ...of.initial];
    case 'while':
      return of.initial;
  }
}

/** One node for all that have its value, wherever they stand. */
export const firstOf = (node: Node): Node => node.first ?? node;

/** Whether `inner` is `outer` or lies within it. */
export function within(inner: Block, outer: Block): boolean {
  let block: Block | null = inner;
  while (block !== null && block.depth > outer.depth) block = block.parent;
  return block === outer;
}
