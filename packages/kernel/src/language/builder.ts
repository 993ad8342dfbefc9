import { foldConstants } from './folding.ts';
import type { Block, Builtin, Node, Op, Output, Port, PureOp, ScalarType } from './form.ts';
import { within } from './form.ts';

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
      known: new Map(),
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

  /** A pure node. The same operation on the same arguments gives the same node. */
  emit(op: Op, type: ScalarType, args: readonly Node[], extra: NodeExtra = {}): Node {
    const folded = foldConstants(this, op, type, args);
    if (folded) return folded;
    const key = `${op}|${type}|${args.map((a) => a.id).join(',')}|${extraKey(extra)}`;
    const block = this.#placement(op, args);
    for (let b: Block | null = block; b !== null; b = b.parent) {
      const known = b.known.get(key);
      if (known) return known;
    }
    const node = this.#append(block, op, type, args, extra);
    block.known.set(key, node);
    return node;
  }

  #append(block: Block, op: Op, type: ScalarType, args: readonly Node[], extra: NodeExtra): Node {
    const node = this.#newNode(block, op, type, args, extra);
    block.nodes.push(node);
    return node;
  }

  /** All nodes have the same fields in the same order: that makes them quick to read. */
  #newNode(block: Block, op: Op, type: ScalarType, args: readonly Node[], extra: NodeExtra): Node {
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
    };
  }

  /**
   * The block that a new node goes to. Loads rise to where their index is known, so that the adjoint of every load
   * with an index from outside is an addition at the kernel's top level. Other nodes rise out of loops that do not
   * change them, never out of a branch (that would do its work always).
   */
  #placement(op: Op, args: readonly Node[]): Block {
    let deepest = this.root;
    for (const a of args) if (a.block.depth > deepest.depth) deepest = a.block;
    if (op === 'load' || op === 'const' || op === 'builtin') return deepest;
    if (op === 'result') return deepest;
    let block = this.#current;
    while (block !== deepest && block.parent && block.kind !== 'then' && block.kind !== 'else')
      block = block.parent;
    return block;
  }

  param(block: Block, type: ScalarType): Node {
    const node = this.#newNode(block, 'param', type, [], { value: block.params.length });
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
    const known = region.block.known.get(key);
    if (known) return known;
    const node = this.#append(region.block, 'result', type, [region], { value });
    region.block.known.set(key, node);
    return node;
  }

  const(value: number, type: ScalarType = 'f32'): Node {
    return this.emit('const', type, [], { value });
  }

  builtin(name: Builtin): Node {
    return this.emit('builtin', name === 'dt' || name === 'epsilon' ? 'f32' : 'u32', [], { builtin: name });
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
