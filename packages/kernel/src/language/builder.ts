import { add, div, mul, neg, sub } from '../primitives/arithmetic.ts';
import { select } from '../primitives/choice.ts';
import type { Primitive, Writer } from '../primitives/primitive.ts';
import { overloadFor } from '../primitives/primitive.ts';
import type {
  Block,
  Builtin,
  ConstNode,
  IfRegion,
  Loop,
  LoopBlock,
  Node,
  Output,
  ParamNode,
  Port,
  RangeRegion,
  Region,
  Register,
  ScalarType,
  WhileRegion,
} from './form.ts';
import {
  carryingBlocks,
  givenBy,
  RangeBody,
  RootBlock,
  SideBlock,
  TestBlock,
  WhileBody,
  within,
} from './form.ts';

export interface BuilderOptions {
  /** The kernel that it is derived from: the one that a person wrote. */
  readonly sourceName?: string;
  /** Whether operations are written in others where a device may have no instruction for them. */
  readonly lowers?: boolean;
}

/**
 * Writes a kernel form. Equal expressions are made once (hash consing over enclosing blocks), constants are folded,
 * and what does not change in a loop is placed before it.
 */
export class Builder implements Writer {
  readonly kernelName: string;
  readonly sourceName: string;
  readonly #lowers: boolean;
  readonly root = new RootBlock(null);
  readonly outputs: Output[] = [];
  #current: Block = this.root;
  #nextId = 0;

  constructor(kernelName: string, { sourceName = kernelName, lowers = false }: BuilderOptions = {}) {
    this.kernelName = kernelName;
    this.sourceName = sourceName;
    this.#lowers = lowers;
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
  #once<N extends Node>(block: Block, key: string, make: (id: number) => N): Node {
    for (let b: Block | null = block; b !== null; b = b.parent) {
      const known = b.known.get(key);
      if (known) return known;
    }
    const node = make(this.#nextId++);
    block.nodes.push(node);
    block.known.set(key, node);
    return node;
  }

  /** The innermost block that one of the nodes stands in. */
  #deepest(nodes: readonly Node[]): Block {
    let deepest: Block = this.root;
    for (const { block } of nodes) if (block.depth > deepest.depth) deepest = block;
    return deepest;
  }

  /**
   * The block that a new node goes to: out of loops that do not change it, never out of a branch (that would do its
   * work always).
   */
  #placement(args: readonly Node[]): Block {
    const deepest = this.#deepest(args);
    let block = this.#current;
    while (block !== deepest && block.parent && block.kind !== 'side') block = block.parent;
    return block;
  }

  /** A value that loop `block` is entered with. */
  param(block: LoopBlock, type: ScalarType): ParamNode {
    const position = block.params.length;
    const node: ParamNode = { id: this.#nextId++, op: 'param', type, block, position };
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
      this.#once(block, `result|${region.id}|${position}`, (id) => ({
        id,
        op: 'result',
        type,
        block,
        region,
        position,
      })),
    );
  }

  const(value: number, type: ScalarType = 'f32'): Node {
    const { root: block } = this;
    const key = `const|${type}|${Object.is(value, -0) ? '-0' : value}`;
    return this.#once(block, key, (id) => ({ id, op: 'const', type, block, value }));
  }

  builtin(builtin: Builtin): Node {
    const { root: block } = this;
    const type = builtin === 'dt' ? 'f32' : 'u32';
    return this.#once(block, builtin, (id) => ({ id, op: 'builtin', type, block, builtin }));
  }

  register(register: Register): Node {
    const { root: block } = this;
    return this.#once(block, `register|${register}`, (id) => ({
      id,
      op: 'register',
      type: 'u32',
      block,
      register,
    }));
  }

  /**
   * A component of a field. It rises to where its index is known, so that the adjoint of every load with an index from
   * outside is an addition at the kernel's top level.
   */
  load(port: Port, component: number, index: Node | null): Node {
    const block = index ? index.block : this.root;
    const key = `load|${port.shade}.${port.name}.${port.access}|${component}|${index?.id ?? ''}`;
    return this.#once(block, key, (id) => ({
      id,
      op: 'load',
      type: port.scalar,
      block,
      port,
      component,
      index,
    }));
  }

  /** What a load becomes in memory. */
  word(port: Port, component: number, address: Node, offset: number): Node {
    const block = this.#placement([address]);
    const key = `word|${port.shade}.${port.name}.${port.access}|${component}|${address.id}|${offset}`;
    return this.#once(block, key, (id) => ({
      id,
      op: 'word',
      type: port.scalar,
      block,
      port,
      component,
      address,
      offset,
    }));
  }

  output(port: Port, component: number, index: Node | null, value: Node): void {
    this.outputs.push({ port, component, index, value });
  }

  /** An operation. The same on the same arguments gives the same node, and on constants a constant. */
  pure(primitive: Primitive, ...args: Node[]): Node {
    const overload = overloadFor(this.kernelName, primitive, args);
    const simpler = primitive.simplify?.(this, args);
    if (simpler) return simpler;
    const type = overload.result;
    if (args.every((a): a is ConstNode => a.op === 'const'))
      return this.const(overload.evaluate(...args.map((a) => a.value)), type);
    if (this.#lowers && overload.lowering) return overload.lowering(this, args);
    const block = this.#placement(args);
    const key = `${overload.called}|${args.map((a) => a.id).join(',')}`;
    return this.#once(block, key, (id) => ({ id, op: 'pure', type, block, primitive, overload, args }));
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
