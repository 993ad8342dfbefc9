import { defect } from '@gradsim/base';
import type { KernelOutput } from '../form/kernel-form.ts';
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
import { isTimeBuiltin, RangeBody, RootBlock, SideBlock, TestBlock, WhileBody } from '../form/nodes.ts';
import type { Port } from '../form/port.ts';
import type { ArrayType, NodeType, Precision, ScalarType } from '../form/types.ts';
import { isArray, scalarOf } from '../form/types.ts';
import { carryingBlocks, firstOf, givenBy, isConstantRange, isWithinBlock } from '../form/walk.ts';
import { add, div, mul, neg, sub } from '../primitives/arithmetic.ts';
import { select } from '../primitives/choice.ts';
import { overloadFor } from '../primitives/primitive.ts';
import type { Draft, Hoisted } from './hoisting.ts';
import { hoistFromBranch, hoistFromLoop } from './hoisting.ts';

export interface BuilderOptions {
  /** Name of the kernel in source code that this one is derived from. */
  readonly sourceName?: string;
  /** Precision of a device that may lack instructions, for which operations are lowered; null for no lowering. */
  readonly lowersFor?: Precision | null;
}

/**
 * Builder of kernel forms. Equal expressions are created once (hash consing over enclosing blocks), constants are
 * folded, and loop-invariant code is placed before the loop.
 */
export class Builder implements Writer {
  readonly kernelName: string;
  readonly sourceName: string;
  readonly #lowersFor: Precision | null;
  readonly root = new RootBlock(null);
  outputs: KernelOutput[] = [];
  /** Outputs written in regions and not yet hoisted out of them. */
  readonly #leaving = new Set<Draft>();
  #current: Block = this.root;
  #nextId = 0;
  /**
   * Nodes by the key of their operation and operands. A key has several nodes if none of them is in scope of another.
   */
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
      throw defect(`kernel ${this.kernelName}: blocks closed out of order`);
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

  /** Inserts the nodes that `write` adds at the start of a block. */
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
  /**
   * While inserting at the start of `block`: its nodes with an id below `before` come later, so they cannot be
   * operands.
   */
  #late: { readonly block: Block; readonly before: number } | null = null;
  #isLate({ block, id }: Node): boolean {
    return this.#late !== null && block === this.#late.block && id < this.#late.before;
  }

  /**
   * Returns the node with this key that is in scope of `block`, or else appends `node` to `block` and sets its id and
   * block. (A callback that creates the node would cost more than a node that is thrown away.)
   */
  #once(node: Node, block: Block, home: Block, key: string): Node {
    const known = this.#known.get(key);
    if (known) for (const other of known) if (isWithinBlock(block, other.block) && !this.#isLate(other)) return other;
    const place: BlockPosition = node;
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
   * Places a node with operands in the outermost block where they are known: out of loops that do not change them, but
   * never out of a branch side. Outside, it would be computed in any case, and might read at an index that is
   * `NO_ELEMENT`.
   */
  #placeOperation(node: Node, args: readonly Node[], kind: string): Node {
    let home: Block = this.root;
    let deepest: Block = this.root;
    let key = kind;
    // Indexed for speed: this is the innermost loop of all work on kernels, and mostly runs before it is JIT-compiled.
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

  /** Adds a carried value to a loop block. */
  param(block: LoopBlock, type: NodeType): ParamNode {
    const position = block.params.length;
    const node: ParamNode = { id: this.#nextId++, op: 'param', type, block, home: block, position };
    block.params = [...block.params, node];
    return node;
  }

  /** Closes a branch whose sides are written. Outputs within them are hoisted; see `hoistFromBranch`. */
  if(condition: Node, then: SideBlock, otherwise: SideBlock): IfRegion {
    const { leaving, dropped } = hoistFromBranch(this, [then, otherwise], this.#givenIn([then, otherwise]));
    const branch: IfRegion = this.#append({ ...this.#region(), op: 'if', condition, then, otherwise });
    for (const side of [then, otherwise]) side.branch = branch;
    this.outputs = this.outputs.filter((output) => !dropped.has(output));
    for (const output of dropped) this.#leaving.delete(output);
    this.#leave(branch, leaving);
    return branch;
  }
  /** Closes a loop whose body is written. Outputs within it are hoisted; see `hoistFromLoop`. */
  range(start: Node, end: Node, initial: readonly Node[], body: RangeBody): RangeRegion {
    const loop: RangeRegion = { ...this.#region(), op: 'range', start, end, initial, body };
    return this.#loop(loop, [body]);
  }
  /** Closes a loop whose test, which computes `condition`, and body are written. */
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
    const leaving = hoistFromLoop(this, loop, this.#givenIn(blocks));
    for (const block of carryingBlocks(loop)) block.loop = loop;
    this.#append(loop);
    this.#leave(loop, leaving);
    return loop;
  }
  #givenIn(blocks: readonly Block[]): Draft[] {
    return [...this.#leaving].filter((output) => blocks.some((block) => isWithinBlock(output.block, block)));
  }
  #leave(region: Region, leaving: readonly Hoisted[]): void {
    if (leaving.length === 0) return;
    const results = this.results(region);
    for (const { output, value, index } of leaving) {
      output.block = region.block;
      output.value = results[value];
      output.index = typeof index === 'number' ? results[index] : index;
      if (!isConstantRange(region)) output.isConditional = true;
    }
  }

  /** Returns the result nodes of a region. */
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
    const type = builtin === 'epsilon' || isTimeBuiltin(builtin) ? 'f32' : 'u32';
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

  /** Loads a component of a field. */
  load(port: Port, component: number, index: Node | null): Node {
    const key = `load|${port.kind}${port.column ?? ''}.${port.name}.${port.access}|${component}`;
    return this.#placeOperation(
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

  /** Reads a word of memory: the bound form of a load. */
  word(port: Port, component: number, { address, base, offset }: Pick<WordNode, 'address' | 'base' | 'offset'>): Node {
    const key = `word|${port.kind}${port.column ?? ''}.${port.name}.${port.access}|${component}|${base}|${offset}`;
    return this.#placeOperation(
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

  /** Creates an array with all entries equal: a new one with each call, in the current block. */
  fill(type: ArrayType, value: Node): Node {
    return this.#newArray(type, value);
  }
  /** Creates an array of which no entry is read before it is set. */
  unsetArray(type: ArrayType): Node {
    return this.#newArray(type, null);
  }
  #newArray(type: ArrayType, value: Node | null): Node {
    const { current: block } = this;
    const node: Node = { id: this.#nextId++, block, home: block, op: 'fill', type, value };
    block.nodes.push(node);
    return node;
  }

  /** Reads entry `at` of an array, which must be in range. */
  get(array: Node, index: Node): Node {
    const type = scalarOf(array.type);
    return this.#placeOperation(
      { id: 0, block: this.root, home: this.root, first: undefined, op: 'get', type, array, index },
      [array, index],
      'get',
    );
  }

  /** Returns an array with a new value for entry `at`, which must be in range. */
  set(array: Node, index: Node, value: Node): Node {
    const type = array.type as ArrayType;
    return this.#placeOperation(
      { id: 0, block: this.root, home: this.root, first: undefined, op: 'set', type, array, index, value },
      [array, index, value],
      'set',
    );
  }

  /** Returns the zero of a type; for an array, in all entries. */
  zero(type: NodeType): Node {
    const zero = this.const(0, scalarOf(type));
    return isArray(type) ? this.fill(type, zero) : zero;
  }

  /** Writes an output, which is hoisted out of the current regions. */
  output(port: Port, component: number, index: Node | null, value: Node, isConditional = false): void {
    this.#leaving.add(this.outputHere({ port, component, index, value, round: null, rounds: 1, isConditional }));
  }

  /** Returns whether a block, or a block inside it, contains an output that is still to be hoisted. */
  givesIn(block: Block): boolean {
    return this.#givenIn([block]).length > 0;
  }

  /** Writes an output in the current block, where it stays: in every iteration of a loop, or once at the root. */
  outputHere(output: Omit<KernelOutput, 'block'>): Draft {
    const here = { ...output, block: this.#current };
    this.outputs.push(here);
    return here;
  }

  /** Applies an operation. The same arguments give the same node, and constants a constant. */
  pure(primitive: Primitive, ...args: Node[]): Node {
    return this.apply(primitive, args);
  }
  /** Applies an operation to a list of arguments; the node takes over the list without a copy. */
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
    return this.#placeOperation(
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

  /** Returns whether the node may be used in the current block. */
  inScope(node: Node): boolean {
    return isWithinBlock(this.#current, node.block);
  }

  /** Returns whether the current block is this one, or lies in it. */
  isWithin(block: Block): boolean {
    return isWithinBlock(this.#current, block);
  }
}

const isConstant = (node: Node): node is ConstNode => node.op === 'const';

/** Properties of a node that the builder sets when it places it. */
type BlockPosition = { -readonly [K in keyof Pick<Node, 'id' | 'block' | 'home' | 'first'>]: Node[K] };
