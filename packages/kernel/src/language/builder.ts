import { foldConstants } from './folding.ts';
import type {
  ArrayType,
  Block,
  Builtin,
  IfRegion,
  Loop,
  LoopBlock,
  Node,
  NodeType,
  Output,
  ParamNode,
  Port,
  PureOp,
  RangeRegion,
  Region,
  Register,
  ScalarType,
  WhileRegion,
} from './form.ts';
import {
  carryingBlocks,
  firstOf,
  givenBy,
  isArray,
  RangeBody,
  RootBlock,
  SideBlock,
  scalarOf,
  TestBlock,
  WhileBody,
  within,
} from './form.ts';

/**
 * Writes a kernel form. Equal expressions are made once (hash consing over enclosing blocks), constants are folded,
 * and what does not change in a loop is placed before it.
 */
export class Builder {
  readonly kernelName: string;
  /** The kernel that it is derived from: the one that a person wrote. */
  readonly sourceName: string;
  readonly root = new RootBlock(null);
  readonly outputs: Output[] = [];
  #current: Block = this.root;
  #nextId = 0;
  /** Nodes by what they are made of: several where that is found in branches of which none lies in another. */
  readonly #known = new Map<string, readonly Node[]>();

  constructor(kernelName: string, sourceName = kernelName) {
    this.kernelName = kernelName;
    this.sourceName = sourceName;
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

  /** The node that `key` stands for, found in `block` or around it, or made there. */
  #once(block: Block, home: Block, key: string, make: (place: Place) => Node): Node {
    const known = this.#known.get(key) ?? [];
    const found = known.find((node) => within(block, node.block));
    if (found) return found;
    const node = make({ id: this.#nextId++, block, home, first: known[0] });
    block.nodes.push(node);
    this.#known.set(key, [...known, node]);
    return node;
  }

  /** The same for what is made of other nodes, where it belongs. */
  #of(args: readonly Node[], key: string, make: (place: Place) => Node): Node {
    let home: Block = this.root;
    for (const arg of args) if (arg.home.depth > home.depth) home = arg.home;
    const ids = args.map((arg) => firstOf(arg).id);
    return this.#once(this.#placement(args), home, `${key}|${ids}`, make);
  }

  /**
   * The block that a new node goes to: out of loops that do not change it, never out of a branch, which would do its
   * work always, and read at an index that says "none".
   */
  #placement(args: readonly Node[]): Block {
    let deepest: Block = this.root;
    for (const { block } of args) if (block.depth > deepest.depth) deepest = block;
    let block = this.#current;
    while (block !== deepest && block.parent && block.kind !== 'side') block = block.parent;
    return block;
  }

  /** A value that loop `block` is entered with. */
  param(block: LoopBlock, type: NodeType): ParamNode {
    const position = block.params.length;
    const node: ParamNode = { id: this.#nextId++, op: 'param', type, block, home: block, position };
    block.params = [...block.params, node];
    return node;
  }

  /** A branch whose sides are written. */
  if(condition: Node, then: SideBlock, otherwise: SideBlock): IfRegion {
    return this.#append({ ...this.#region(), op: 'if', condition, then, otherwise });
  }
  /** A loop whose body is written. */
  range(start: Node, end: Node, initial: readonly Node[], body: RangeBody): RangeRegion {
    return this.#loop({ ...this.#region(), op: 'range', start, end, initial, body });
  }
  /** A loop whose test, which finds `condition`, and body are written. */
  while(initial: readonly Node[], test: TestBlock, condition: Node, body: WhileBody): WhileRegion {
    return this.#loop({ ...this.#region(), op: 'while', initial, test, condition, body });
  }
  #region() {
    return { id: this.#nextId++, block: this.#current };
  }
  #append<R extends Region>(region: R): R {
    this.#current.nodes.push(region);
    return region;
  }
  #loop<L extends Loop>(loop: L): L {
    for (const block of carryingBlocks(loop)) block.loop = loop;
    return this.#append(loop);
  }

  /** What a region gives. */
  results(region: Region): Node[] {
    const { block } = region;
    return givenBy(region).map(({ type }, position) =>
      this.#once(block, block, `result|${region.id}|${position}`, (place) => ({
        ...place,
        op: 'result',
        type,
        region,
        position,
      })),
    );
  }

  const(value: number, type: ScalarType = 'f32'): Node {
    const key = `const|${type}|${Object.is(value, -0) ? '-0' : value}`;
    return this.#atTop(key, (place) => ({ ...place, op: 'const', type, value }));
  }

  builtin(builtin: Builtin): Node {
    const type = builtin === 'dt' ? 'f32' : 'u32';
    return this.#atTop(builtin, (place) => ({ ...place, op: 'builtin', type, builtin }));
  }

  register(register: Register): Node {
    return this.#atTop(`register|${register}`, (place) => ({
      ...place,
      op: 'register',
      type: 'u32',
      register,
    }));
  }

  #atTop(key: string, make: (place: Place) => Node): Node {
    return this.#once(this.root, this.root, key, make);
  }

  /** A component of a field. */
  load(port: Port, component: number, index: Node | null): Node {
    const key = `load|${port.shade}.${port.name}.${port.access}|${component}`;
    return this.#of(index ? [index] : [], key, (place) => ({
      ...place,
      op: 'load',
      type: port.scalar,
      port,
      component,
      index,
    }));
  }

  /** What a load becomes in memory. */
  word(port: Port, component: number, address: Node, offset: number): Node {
    const key = `word|${port.shade}.${port.name}.${port.access}|${component}|${offset}`;
    return this.#of([address], key, (place) => ({
      ...place,
      op: 'word',
      type: port.scalar,
      port,
      component,
      address,
      offset,
    }));
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
    return this.#of([array, at], 'get', (place) => ({ ...place, op: 'get', type, array, at }));
  }

  /** An array with another value for entry `at`, which it must have. */
  set(array: Node, at: Node, value: Node): Node {
    const type = array.type as ArrayType;
    return this.#of([array, at, value], 'set', (place) => ({ ...place, op: 'set', type, array, at, value }));
  }

  /** What adding does not change: 0, for an array in all entries. */
  zero(type: NodeType): Node {
    const zero = this.const(0, scalarOf(type));
    return isArray(type) ? this.fill(type, zero) : zero;
  }

  output(port: Port, component: number, index: Node | null, value: Node): void {
    this.outputs.push({ port, component, index, value });
  }

  /** An operation. The same on the same arguments gives the same node. */
  pure(op: PureOp, ...args: Node[]): Node {
    const type = resultType(op, args);
    const folded = foldConstants(this, op, type, args);
    if (folded) return folded;
    return this.#of(args, `${op}|${type}`, (place) => ({ ...place, op, type, args }));
  }

  add(a: Node, b: Node): Node {
    return this.pure('add', a, b);
  }
  sub(a: Node, b: Node): Node {
    return this.pure('sub', a, b);
  }
  mul(a: Node, b: Node): Node {
    return this.pure('mul', a, b);
  }
  div(a: Node, b: Node): Node {
    return this.pure('div', a, b);
  }
  neg(a: Node): Node {
    return this.pure('neg', a);
  }
  select(condition: Node, yes: Node, no: Node): Node {
    return this.pure('select', condition, yes, no);
  }

  /** Whether the node is usable where the builder stands. */
  inScope(node: Node): boolean {
    return within(this.#current, node.block);
  }
}

/** What a node is, whatever it does. */
type Place = Pick<Node, 'id' | 'block' | 'home' | 'first'>;

const COMPARISONS = new Set<PureOp>(['eq', 'ne', 'lt', 'le', 'gt', 'ge']);

function resultType(op: PureOp, args: readonly Node[]): ScalarType {
  if (COMPARISONS.has(op)) return 'bool';
  switch (op) {
    case 'select':
      return scalarOf(args[1].type);
    case 'toF32':
    case 'bitsToF32':
      return 'f32';
    case 'toI32':
      return 'i32';
    case 'toU32':
    case 'bitsOfF32':
      return 'u32';
    default:
      return scalarOf(args[0].type);
  }
}
