import type { Block, Node, RootBlock } from '../language/form.ts';
import { blocksOf, isRegion, operandsOf } from '../language/form.ts';

/** A value that is used at the end of a block. */
export interface End {
  readonly node: Node;
  readonly block: Block;
}

/** What is no expression, and reads of arrays, which change. */
const NEVER = new Set<Node['op']>(['result', 'counter', 'param', 'fill', 'get', 'set']);

/**
 * Which nodes are written in place of their only use instead of being named: those used once, in the block that
 * they belong to. Code reads like a formula then, and a stack machine needs no local for them.
 */
export function inlined(root: RootBlock, ends: readonly End[]): Set<Node> {
  /** The block of the only use; null where there are several. */
  const uses = new Map<Node, Block | null>();
  const count = (node: Node, block: Block): void => void uses.set(node, uses.has(node) ? null : block);
  const walk = (block: Block): void => {
    for (const node of block.nodes) {
      const operands = operandsOf(node);
      for (let k = 0; k < operands.length; k++) count(operands[k], block);
      if (!isRegion(node)) continue;
      blocksOf(node).forEach(walk);
      if (node.op === 'while') count(node.condition, node.test);
    }
    if ('results' in block) for (const result of block.results) count(result, block);
  };
  walk(root);
  for (const { node, block } of ends) count(node, block);
  const once = new Set<Node>();
  uses.forEach((block, node) => {
    if (node.op === 'const' || (block === node.block && !NEVER.has(node.op))) once.add(node);
  });
  return once;
}
