import { foldConstants } from './folding.ts';
import type { Block, Builtin, Node, Op, Output, Port, PureOp, ScalarType } from './form.ts';
import { within } from './form.ts';
import type { Closing } from './leaving.ts';
import { isConstantRange, leavingOf } from './leaving.ts';

/**
 * Writes a kernel form. Equal expressions are made once (hash consing over enclosing blocks), constants are folded,
 * and what does not change in a loop is placed before it.
 */
export class Builder {
  readonly kernelName: string;
  readonly root: Block;
  outputs: Output[] = [];
  /** Outputs that still leave the regions in which they were given. */
  readonly #open = new Set<Output>();
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
      region: null,
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

  /** Puts what `write` adds to a block before all else in it. */
  atStart<T>(block: Block, write: () => T): T {
    const { nodes, known } = block;
    block.nodes = [];
    block.known = new Map();
    try {
      return this.inBlock(block, write);
    } finally {
      block.nodes.push(...nodes);
      block.known = known;
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
      most: extra.most,
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

  /**
   * Ends a region whose blocks are written; gives the region node. Always appended to the current block. What was given
   * within it leaves it; see `leavingOf`.
   * @param bound rounds that a loop makes at most, where its range does not tell.
   */
  region(op: Closing['op'], args: readonly Node[], blocks: readonly Block[], bound?: number): Node {
    const most = isConstantRange(op, args) ? Math.max(0, args[1].value - args[0].value) : bound;
    const inside = [...this.#open].filter((output) => blocks.some((block) => within(output.block, block)));
    const closing: Closing = { op, args: [...args], blocks, most: most ?? null };
    const { leaving, dropped } = leavingOf(this, closing, inside);
    const node = this.#append(this.#current, op, 'bool', closing.args, { blocks, most });
    for (const block of blocks) {
      block.region = node;
      for (const param of block.params) param.region = node;
    }
    for (const { output, value, index } of leaving) {
      output.block = this.#current;
      output.value = this.#result(node, value, output.value.type);
      if (!isConstantRange(op, args)) output.isConditional = true;
      output.index = typeof index === 'number' ? this.#result(node, index, 'u32') : index;
    }
    if (dropped.size > 0) this.outputs = this.outputs.filter((output) => !dropped.has(output));
    for (const output of dropped) this.#open.delete(output);
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
    return this.emit('builtin', name === 'dt' ? 'f32' : 'u32', [], { builtin: name });
  }

  load(port: Port, component: number, index: Node | null): Node {
    return this.emit('load', port.scalar, index ? [index] : [], { port, component });
  }

  /** Gives a value, out of the regions in which the builder stands; see `leavingOf`. */
  output(port: Port, component: number, index: Node | null, value: Node): void {
    this.#open.add(this.outputHere({ port, component, index, value, round: null, rounds: 1 }));
  }

  /** Whether something was given in a block that is still to leave it. */
  givesIn(block: Block): boolean {
    return [...this.#open].some((output) => within(output.block, block));
  }

  /** Gives a value in every round of the loop in whose body the builder stands, or once, at the root. */
  outputHere(output: Omit<Output, 'block'>): Output {
    const here = { ...output, block: this.#current };
    this.outputs.push(here);
    return here;
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

export type NodeExtra = Partial<
  Pick<Node, 'value' | 'builtin' | 'port' | 'component' | 'offset' | 'blocks' | 'most'>
>;

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
