import { defect } from '@gradsim/base';
import type {
  Block,
  IfRegion,
  Loop,
  LoopBlock,
  Node,
  RangeBody,
  Region,
  SideBlock,
  WhileBody,
  WhileRegion,
} from '../form/nodes.ts';
import { isRegion, nodeName } from '../form/walk.ts';
import type { Builder } from './builder.ts';

/** Map from the nodes of one form to their counterparts in another. */
export type ClonedNodes = Map<Node, Node>;

/** Writes the statements of a block into its copy; returns additional results of the copy. */
type WriteInto<B extends Block> = (block: B, copy: B, map: ClonedNodes) => readonly Node[];

export function mapped(map: ClonedNodes, node: Node): Node {
  const to = map.get(node);
  if (!to) throw defect(`node ${nodeName(node)} #${node.id} has no counterpart in the derived kernel`);
  return to;
}

/** Writes a node of another form with its operands mapped. */
export function cloneNode(b: Builder, node: Node, map: ClonedNodes): Node {
  switch (node.op) {
    case 'const':
      return b.const(node.value, node.type);
    case 'builtin':
      return b.builtin(node.builtin);
    case 'register':
      return b.register(node.register);
    case 'load':
      return b.load(node.port, node.component, node.index && mapped(map, node.index));
    case 'word':
      return b.word(node.port, node.component, { ...node, address: mapped(map, node.address) });
    case 'fill':
      return node.value ? b.fill(node.type, mapped(map, node.value)) : b.unsetArray(node.type);
    case 'get':
      return b.get(mapped(map, node.array), mapped(map, node.index));
    case 'set':
      return b.set(mapped(map, node.array), mapped(map, node.index), mapped(map, node.value));
    case 'counter':
    case 'param':
    case 'result':
      return mapped(map, node);
    case 'pure':
      return b.apply(
        node.primitive,
        node.args.map((a) => mapped(map, a)),
      );
  }
}

/** Writes all nodes of a block, regions included, into the current block; calls `atEnd` at the end of each block. */
export function cloneBlock(
  b: Builder,
  block: Block,
  map: ClonedNodes,
  write = cloneNode,
  atEnd: (block: Block, map: ClonedNodes) => void = () => {},
): void {
  for (const node of block.nodes) {
    if (isRegion(node)) {
      copyRegion(b, node, map, (writeNodes, _, inner) => {
        cloneBlock(b, writeNodes, inner, write, atEnd);
        return [];
      });
    } else if (!map.has(node)) map.set(node, write(b, node, map));
  }
  atEnd(block, map);
}

/**
 * Writes a copy of a region, with `writeNodes` writing the nodes of each block, and maps the results. `initial` are the
 * initial values of carried values that the copy has in addition. Returns all results of the copy.
 */
export function copyRegion(
  b: Builder,
  region: Region,
  map: ClonedNodes,
  writeNodes: WriteInto<SideBlock | LoopBlock>,
  initial: readonly Node[] = [],
): readonly Node[] {
  const results = b.results(
    region.op === 'if' ? copyBranch(b, region, map, writeNodes) : copyLoop(b, region, map, writeNodes, initial),
  );
  for (const node of region.block.nodes) {
    if (node.op === 'result' && node.region === region) map.set(node, results[node.position]);
  }
  return results;
}

function copyBranch(
  b: Builder,
  { condition, then, otherwise }: IfRegion,
  map: ClonedNodes,
  writeNodes: WriteInto<SideBlock>,
): IfRegion {
  const [yes, no] = [then, otherwise].map((side) => {
    const copy = b.openSide();
    const inner: ClonedNodes = new Map(map);
    const more = writeNodes(side, copy, inner);
    copy.results = [...side.results.map((r) => mapped(inner, r)), ...more];
    b.closeBlock(copy);
    return copy;
  });
  return b.if(mapped(map, condition), yes, no);
}

function copyLoop(
  b: Builder,
  loop: Loop,
  map: ClonedNodes,
  writeNodes: WriteInto<LoopBlock>,
  beside: readonly Node[],
): Loop {
  const enter = (block: LoopBlock, copy: LoopBlock): ClonedNodes => {
    const inner: ClonedNodes = new Map(map);
    for (const param of block.params) inner.set(param, b.param(copy, param.type));
    return inner;
  };
  const close = (body: RangeBody | WhileBody, copy: RangeBody | WhileBody, inner: ClonedNodes): void => {
    const more = writeNodes(body, copy, inner);
    copy.results = [...body.results.map((r) => mapped(inner, r)), ...more];
    b.closeBlock(copy);
  };
  const initial = [...loop.initial.map((n) => mapped(map, n)), ...beside];
  if (loop.op === 'range') {
    const copy = b.openRange();
    const inner = enter(loop.body, copy).set(loop.body.counter, copy.counter);
    close(loop.body, copy, inner);
    return b.range(mapped(map, loop.start), mapped(map, loop.end), initial, copy);
  }
  const test = b.openTest();
  const tested = enter(loop.test, test);
  writeNodes(loop.test, test, tested);
  b.closeBlock(test);
  const copy = b.openWhile();
  close(loop.body, copy, enter(loop.body, copy));
  return b.while(initial, test, mapped(tested, loop.condition), copy);
}

/** Writes a copy of a `while` loop with a counter; returns the number of iterations as a node. */
export function countRounds(b: Builder, loop: WhileRegion, map: ClonedNodes): Node {
  const count = (block: LoopBlock, copy: LoopBlock, inner: ClonedNodes): Node[] => {
    const rounds = b.param(copy, 'u32');
    cloneBlock(b, block, inner);
    return block === loop.body ? [b.add(rounds, b.const(1, 'u32'))] : [];
  };
  return b.results(copyLoop(b, loop, map, count, [b.const(0, 'u32')]))[loop.initial.length];
}
