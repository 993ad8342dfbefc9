import { foldConstants } from './folding.ts';
import type { Block, Builtin, Node, Op, Output, Port, PureOp, ScalarType } from './form.ts';
import { firstOf, within } from './form.ts';

/**
 * Writes a kernel form. Equal expressions are made once (hash consing over enclosing blocks), constants are folded,
 * and what does not change in a loop is placed before it.
 */
export class Builder {
  readonly kernelName: string;
  readonly root: Block;
  readonly outputs: Output[] = [];
  #current: Block;
  #nextId = 0;
  /** All nodes of a value: several where it is found in branches of which none lies in another. */
  readonly #known = new Map<string, Node[]>();

  constructor(kernelName: string) {
    this.kernelName = kernelName;
    this.root = this.#newBlock('root', null);
    this.#current = this.root;
  }

  get current(): Block {
    return this.#current;
  }

  #newBlock(kind: Block['kind'], parent: Block | null): Block {
    return {
      kind,
      parent,
      depth: parent ? parent.depth + 1 : 0,
      nodes: [],
      params: [],
      results: [],
    };
  }

  openBlock(kind: Block['kind']): Block {
    this.#current = this.#newBlock(kind, this.#current);
    return this.#current;
  }

  closeBlock(block: Block): void {
    if (this.#current !== block || block.parent === null) {
      throw new Error(`kernel ${this.kernelName}: blocks closed out of order`);
    }
    this.#current = block.parent;
  }

  /** A pure node. The same operation on the same arguments gives the same node. */
  emit(op: Op, type: ScalarType, args: readonly Node[], extra: NodeExtra = {}): Node {
    const folded = foldConstants(this, op, type, args);
    if (folded) return folded;
    const key = `${op}|${type}|${args.map((a) => firstOf(a).id).join(',')}|${extraKey(extra)}`;
    const block = this.#placement(op, args);
    const same = this.#known.get(key) ?? [];
    const known = same.find((node) => within(block, node.block));
    if (known) return known;
    const node = this.#append(block, op, type, args, extra, same[0]);
    this.#known.set(key, [...same, node]);
    return node;
  }

  #append(
    block: Block,
    op: Op,
    type: ScalarType,
    args: readonly Node[],
    extra: NodeExtra,
    first?: Node,
  ): Node {
    const home = extra.blocks || op === 'result' ? block : this.#innermost(args.map((a) => a.home));
    const node = this.#newNode(block, op, type, args, extra, home, first);
    block.nodes.push(node);
    return node;
  }

  /** All nodes have the same fields in the same order: that makes them quick to read. */
  #newNode(
    block: Block,
    op: Op,
    type: ScalarType,
    args: readonly Node[],
    extra: NodeExtra,
    home: Block,
    first?: Node,
  ): Node {
    return {
      id: this.#nextId++,
      op,
      type,
      args,
      block,
      value: extra.value ?? 0,
      builtin: extra.builtin,
      port: extra.port,
      component: extra.component,
      offset: extra.offset,
      blocks: extra.blocks,
      region: undefined,
      home,
      first,
    };
  }

  /** The innermost of blocks of which each lies within the next. */
  #innermost(blocks: readonly Block[]): Block {
    return blocks.reduce((inner, block) => (block.depth > inner.depth ? block : inner), this.root);
  }

  /**
   * The block that a new node goes to: out of loops that do not change it, never out of a branch, which would do its
   * work always and read at an index that says "none". What costs nothing stands at the top.
   */
  #placement(op: Op, args: readonly Node[]): Block {
    const known = this.#innermost(args.map((a) => a.block));
    if (op === 'const' || op === 'builtin') return known;
    let block = this.#current;
    while (block !== known && block.parent && block.kind !== 'then' && block.kind !== 'else')
      block = block.parent;
    return block;
  }

  param(block: Block, type: ScalarType): Node {
    const node = this.#newNode(block, 'param', type, [], { value: block.params.length }, block);
    block.params.push(node);
    return node;
  }

  /** Ends a region whose blocks are written; gives the region node. Always appended to the current block. */
  region(op: 'if' | 'range' | 'while', args: readonly Node[], blocks: readonly Block[]): Node {
    const node = this.#append(this.#current, op, 'bool', args, { blocks });
    for (const block of blocks) for (const param of block.params) param.region = node;
    return node;
  }

  results(region: Node, types: readonly ScalarType[]): Node[] {
    return types.map((type, k) => this.#result(region, k, type));
  }

  #result(region: Node, value: number, type: ScalarType): Node {
    const key = `result|${region.id}|${value}`;
    const [known] = this.#known.get(key) ?? [];
    if (known) return known;
    const node = this.#append(region.block, 'result', type, [region], { value });
    this.#known.set(key, [node]);
    return node;
  }

  const(value: number, type: ScalarType = 'f32'): Node {
    return this.emit('const', type, [], { value });
  }

  builtin(name: Builtin): Node {
    return this.emit('builtin', name === 'dt' ? 'f32' : 'u32', [], { builtin: name });
  }

  load(port: Port, component: number, index: Node | null): Node {
    return this.emit('load', port.scalar, index ? [index] : [], { port, component });
  }

  output(port: Port, component: number, index: Node | null, value: Node): void {
    this.outputs.push({ port, component, index, value });
  }

  pure(op: PureOp, ...args: Node[]): Node {
    return this.emit(op, resultType(op, args), args);
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

export type NodeExtra = Partial<Pick<Node, 'value' | 'builtin' | 'port' | 'component' | 'offset' | 'blocks'>>;

function extraKey(extra: NodeExtra): string {
  const port = extra.port ? `${extra.port.shade}.${extra.port.name}.${extra.port.access}` : '';
  const value = Object.is(extra.value, -0) ? '-0' : (extra.value ?? '');
  return `${value}|${extra.builtin ?? ''}|${port}|${extra.component ?? ''}|${extra.offset ?? ''}`;
}

const COMPARISONS = new Set<Op>(['eq', 'ne', 'lt', 'le', 'gt', 'ge']);

function resultType(op: PureOp, args: readonly Node[]): ScalarType {
  if (COMPARISONS.has(op)) return 'bool';
  switch (op) {
    case 'select':
      return args[1].type;
    case 'toF32':
    case 'bitsToF32':
      return 'f32';
    case 'toI32':
      return 'i32';
    case 'toU32':
    case 'bitsOfF32':
      return 'u32';
    default:
      return args[0].type;
  }
}
