import type { Output } from '../form/kernel-form.ts';
import type {
  Block,
  Builtin,
  ConstNode,
  IfRegion,
  Loop,
  LoopBlock,
  Node,
  ParamNode,
  Primitive,
  RangeRegion,
  Region,
  WhileRegion,
  WordNode,
  Writer,
} from '../form/nodes.ts';
import { RangeBody, RootBlock, SideBlock, TestBlock, WhileBody } from '../form/nodes.ts';
import type { Port } from '../form/port.ts';
import type { ArrayType, NodeType, Precision, ScalarType } from '../form/types.ts';
import { isArray, scalarOf } from '../form/types.ts';
import { carryingBlocks, firstOf, givenBy, isConstantRange, within } from '../form/walk.ts';
import { add, div, mul, neg, sub } from '../primitives/arithmetic.ts';
import { select } from '../primitives/choice.ts';
import { overloadFor } from '../primitives/primitive.ts';
import type { Draft, Leaving } from './leaving.ts';
import { leavingBranch, leavingLoop } from './leaving.ts';

export interface BuilderOptions {
  /** The kernel that it is derived from: the one that a person wrote. */
  readonly sourceName?: string;
  /** For a device of which precision operations are written in others that it may have no instruction for; null for none. */
  readonly lowersFor?: Precision | null;
}

/**
 * Writes a kernel form. Equal expressions are made once (hash consing over enclosing blocks), constants are folded,
 * and what does not change in a loop is placed before it.
 */
export class Builder implements Writer {
  readonly kernelName: string;
  readonly sourceName: string;
  readonly #lowersFor: Precision | null;
  readonly root = new RootBlock(null);
  outputs: Output[] = [];
  /** Outputs that still leave the regions in which they were given. */
  readonly #leaving = new Set<Draft>();
  #current: Block = this.root;
  #nextId = 0;
  /** Nodes by what they are made of: several where that is found in branches of which none lies in another. */
  readonly #known = new Map<string, Node[]>();

  constructor(kernelName: string, { sourceName = kernelName, lowersFor = null }: BuilderOptions = {}) {
    this.kernelName = kernelName;
    this.sourceName = sourceName;
    this.#lowersFor = lowersFor;
  }

  get current(): Block {
    return this.#current;
  }

  #open<B extends Block>(block: B): B {
    this.#current = block;
    return block;
  }
  openSide(): SideBlock {
    return this.#open(new SideBlock(this.#current));
  }
  openRange(): RangeBody {
    return this.#open(new RangeBody(this.#current, this.#nextId++));
  }
  openTest(): TestBlock {
    return this.#open(new TestBlock(this.#current));
  }
  openWhile(): WhileBody {
    return this.#open(new WhileBody(this.#current));
  }

  closeBlock(block: Block): void {
    if (this.#current !== block || block.parent === null) {
      throw new Error(`kernel ${this.kernelName}: blocks closed out of order`);
    }
    this.#current = block.parent;
  }

  /** Runs `write` with another block as the current one, to add to a block that was closed before. */
  inBlock<T>(block: Block, write: () => T): T {
    const before = this.#current;
    this.#current = block;
    try {
      return write();
    } finally {
      this.#current = before;
    }
  }

  /** Puts what `write` adds to a block before all else in it. */
  atStart<T>(block: Block, write: () => T): T {
    const { nodes } = block;
    block.nodes = [];
    this.#late = { block, before: this.#nextId };
    try {
      return this.inBlock(block, write);
    } finally {
      this.#late = null;
      block.nodes.push(...nodes);
    }
  }
  /** Nodes of a block that come too late for what is written now. */
  #late: { readonly block: Block; readonly before: number } | null = null;
  #isLate({ block, id }: Node): boolean {
    return this.#late !== null && block === this.#late.block && id < this.#late.before;
  }

  /**
   * The node with what `key` stands for that is found in `block` or around it, or else `node`, which goes there. Its place
   * is written into it: a function that made it there would cost more than one that is not needed.
   */
  #once(node: Node, block: Block, home: Block, key: string): Node {
    const known = this.#known.get(key);
    if (known) for (const other of known) if (within(block, other.block) && !this.#isLate(other)) return other;
    const place: Place = node;
    place.id = this.#nextId++;
    place.block = block;
    place.home = home;
    place.first = known?.[0];
    block.nodes.push(node);
    if (known) known.push(node);
    else this.#known.set(key, [node]);
    return node;
  }

  /**
   * The same for what is made of other nodes, where it belongs: out of loops that do not change it, never out of a branch,
   * which would do its work always, and read at an index that says "none".
   */
  #of(node: Node, args: readonly Node[], kind: string): Node {
    let home: Block = this.root;
    let deepest: Block = this.root;
    let key = kind;
    // By number: this is the innermost loop of all that is done with kernels, and mostly run before it is optimised.
    for (let k = 0; k < args.length; k++) {
      const arg = args[k];
      if (arg.home.depth > home.depth) home = arg.home;
      if (arg.block.depth > deepest.depth) deepest = arg.block;
      key += `|${firstOf(arg).id}`;
    }
    let block = this.#current;
    while (block !== deepest && block.parent && block.kind !== 'side') block = block.parent;
    return this.#once(node, block, home, key);
  }

  /** A value that loop `block` is entered with. */
  param(block: LoopBlock, type: NodeType): ParamNode {
    const position = block.params.length;
    const node: ParamNode = { id: this.#nextId++, op: 'param', type, block, home: block, position };
    block.params = [...block.params, node];
    return node;
  }

  /** A branch whose sides are written. What was given within them leaves it; see `leavingBranch`. */
  if(condition: Node, then: SideBlock, otherwise: SideBlock): IfRegion {
    const { leaving, dropped } = leavingBranch(this, [then, otherwise], this.#givenIn([then, otherwise]));
    const branch: IfRegion = this.#append({ ...this.#region(), op: 'if', condition, then, otherwise });
    for (const side of [then, otherwise]) side.branch = branch;
    this.outputs = this.outputs.filter((output) => !dropped.has(output));
    for (const output of dropped) this.#leaving.delete(output);
    this.#leave(branch, leaving);
    return branch;
  }
  /** A loop whose body is written. What was given within it leaves it; see `leavingLoop`. */
  range(start: Node, end: Node, initial: readonly Node[], body: RangeBody): RangeRegion {
    const loop: RangeRegion = { ...this.#region(), op: 'range', start, end, initial, body };
    return this.#loop(loop, [body]);
  }
  /** A loop whose test, which finds `condition`, and body are written. */
  while(initial: readonly Node[], test: TestBlock, condition: Node, body: WhileBody): WhileRegion {
    const loop: WhileRegion = { ...this.#region(), op: 'while', initial, test, condition, body };
    return this.#loop(loop, [test, body]);
  }
  #region() {
    return { id: this.#nextId++, block: this.#current };
  }
  #append<R extends Region>(region: R): R {
    this.#current.nodes.push(region);
    return region;
  }
  #loop<L extends Loop>(loop: L, blocks: readonly LoopBlock[]): L {
    const leaving = leavingLoop(this, loop, this.#givenIn(blocks));
    for (const block of carryingBlocks(loop)) block.loop = loop;
    this.#append(loop);
    this.#leave(loop, leaving);
    return loop;
  }
  #givenIn(blocks: readonly Block[]): Draft[] {
    return [...this.#leaving].filter((output) => blocks.some((block) => within(output.block, block)));
  }
  #leave(region: Region, leaving: readonly Leaving[]): void {
    if (leaving.length === 0) return;
    const results = this.results(region);
    for (const { output, value, index } of leaving) {
      output.block = region.block;
      output.value = results[value];
      output.index = typeof index === 'number' ? results[index] : index;
      if (!isConstantRange(region)) output.isConditional = true;
    }
  }

  /** Result nodes of a region. */
  results(region: Region): Node[] {
    const { block } = region;
    return givenBy(region).map(({ type }, position) =>
      this.#once(
        { id: 0, block, home: block, first: undefined, op: 'result', type, region, position },
        block,
        block,
        `result|${region.id}|${position}`,
      ),
    );
  }

  const(value: number, type: ScalarType = 'f32'): Node {
    const key = `const|${type}|${Object.is(value, -0) ? '-0' : value}`;
    return this.#atTop({ id: 0, block: this.root, home: this.root, first: undefined, op: 'const', type, value }, key);
  }

  builtin(builtin: Builtin): Node {
    const type = builtin === 'dt' || builtin === 'epsilon' ? 'f32' : 'u32';
    return this.#atTop(
      { id: 0, block: this.root, home: this.root, first: undefined, op: 'builtin', type, builtin },
      builtin,
    );
  }

  register(register: string): Node {
    return this.#atTop(
      { id: 0, block: this.root, home: this.root, first: undefined, op: 'register', type: 'u32', register },
      `register|${register}`,
    );
  }

  #atTop(node: Node, key: string): Node {
    return this.#once(node, this.root, this.root, key);
  }

  /** A component of a field. */
  load(port: Port, component: number, index: Node | null): Node {
    const key = `load|${port.kind}${port.column ?? ''}.${port.name}.${port.access}|${component}`;
    return this.#of(
      {
        id: 0,
        block: this.root,
        home: this.root,
        first: undefined,
        op: 'load',
        type: port.scalar,
        port,
        component,
        index,
      },
      index ? [index] : [],
      key,
    );
  }

  /** A word of memory, which a load becomes when a kernel is bound. */
  word(port: Port, component: number, { address, base, offset }: Pick<WordNode, 'address' | 'base' | 'offset'>): Node {
    const key = `word|${port.kind}${port.column ?? ''}.${port.name}.${port.access}|${component}|${base}|${offset}`;
    return this.#of(
      {
        id: 0,
        block: this.root,
        home: this.root,
        first: undefined,
        op: 'word',
        type: port.scalar,
        port,
        component,
        address,
        base,
        offset,
      },
      [address],
      key,
    );
  }

  /** An array of one value throughout: each time another one, where the builder stands. */
  fill(type: ArrayType, value: Node): Node {
    return this.#newArray(type, value);
  }
  /** An array of which no entry is read before it is set. */
  unset(type: ArrayType): Node {
    return this.#newArray(type, null);
  }
  #newArray(type: ArrayType, value: Node | null): Node {
    const { current: block } = this;
    const node: Node = { id: this.#nextId++, block, home: block, op: 'fill', type, value };
    block.nodes.push(node);
    return node;
  }

  /** Entry `at` of an array, which must have it. */
  get(array: Node, at: Node): Node {
    const type = scalarOf(array.type);
    return this.#of(
      { id: 0, block: this.root, home: this.root, first: undefined, op: 'get', type, array, at },
      [array, at],
      'get',
    );
  }

  /** An array with another value for entry `at`, which it must have. */
  set(array: Node, at: Node, value: Node): Node {
    const type = array.type as ArrayType;
    return this.#of(
      { id: 0, block: this.root, home: this.root, first: undefined, op: 'set', type, array, at, value },
      [array, at, value],
      'set',
    );
  }

  /** Zero of a type, for an array in all entries. */
  zero(type: NodeType): Node {
    const zero = this.const(0, scalarOf(type));
    return isArray(type) ? this.fill(type, zero) : zero;
  }

  /** Gives a value, out of the regions in which the builder stands. */
  output(port: Port, component: number, index: Node | null, value: Node, isConditional = false): void {
    this.#leaving.add(this.outputHere({ port, component, index, value, round: null, rounds: 1, isConditional }));
  }

  /** Whether something was given in a block that is still to leave it. */
  givesIn(block: Block): boolean {
    return this.#givenIn([block]).length > 0;
  }

  /** Gives a value in every round of the loop in whose body the builder stands, or once, at the root. */
  outputHere(output: Omit<Output, 'block'>): Draft {
    const here = { ...output, block: this.#current };
    this.outputs.push(here);
    return here;
  }

  /** An operation. The same on the same arguments gives the same node, and on constants a constant. */
  pure(primitive: Primitive, ...args: Node[]): Node {
    return this.apply(primitive, args);
  }
  /** The same with a list of arguments, which the node keeps. */
  apply(primitive: Primitive, args: readonly Node[]): Node {
    const overload = overloadFor(this.kernelName, primitive, args);
    const simpler = primitive.simplify?.(this, args);
    if (simpler) return simpler;
    const type = overload.result;
    if (args.every(isConstant)) return this.const(overload.evaluate(...args.map((a) => a.value)), type);
    if (this.#lowersFor) {
      const lowering = overload.lowering ?? (this.#lowersFor === 'f32' ? overload.inSingle : undefined);
      if (lowering) return lowering(this, args);
    }
    return this.#of(
      {
        id: 0,
        block: this.root,
        home: this.root,
        first: undefined,
        op: 'pure',
        type,
        primitive,
        overload,
        args,
      },
      args,
      overload.called,
    );
  }

  readonly add = (a: Node, b: Node): Node => this.pure(add, a, b);
  readonly sub = (a: Node, b: Node): Node => this.pure(sub, a, b);
  readonly mul = (a: Node, b: Node): Node => this.pure(mul, a, b);
  readonly div = (a: Node, b: Node): Node => this.pure(div, a, b);
  readonly neg = (a: Node): Node => this.pure(neg, a);
  readonly select = (condition: Node, yes: Node, no: Node): Node => this.pure(select, condition, yes, no);

  /** Whether the node is usable where the builder stands. */
  inScope(node: Node): boolean {
    return within(this.#current, node.block);
  }
}

const isConstant = (node: Node): node is ConstNode => node.op === 'const';

/** Properties that all nodes have, to be set once. */
type Place = { -readonly [K in keyof Pick<Node, 'id' | 'block' | 'home' | 'first'>]: Node[K] };
