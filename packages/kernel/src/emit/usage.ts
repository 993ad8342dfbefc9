import type { Block, Node, RootBlock } from '../form/nodes.ts';
import { blocksOf, isRegion, operandsOf } from '../form/walk.ts';

/** A value that is used at the end of a block, by a store or as a result. */
export interface BlockEndUse {
  readonly node: Node;
  readonly block: Block;
}

/**
 * Operations that are never inlined: those without an expression of their own, and those on arrays, which are mutable.
 */
const NEVER_INLINED = new Set<Node['op']>(['result', 'counter', 'param', 'fill', 'get', 'set']);

/** Flags of the nodes of one kernel, by node number. */
export type NodeMarks = boolean[];

/**
 * Marks the nodes that are inlined at their only use instead of being named: those used once, in their own block. Code
 * then reads like a formula, and a stack machine needs no local for them.
 */
export function inlinedNodes(root: RootBlock, blockEnds: readonly BlockEndUse[]): NodeMarks {
  const inline: NodeMarks = [];
  const isUsed: NodeMarks = [];
  const count = (node: Node, block: Block): void => {
    const { id, op } = node;
    inline[id] = op === 'const' || (!isUsed[id] && block === node.block && !NEVER_INLINED.has(op));
    isUsed[id] = true;
  };
  const walk = (block: Block): void => {
    const { nodes } = block;
    for (let n = 0; n < nodes.length; n++) {
      const node = nodes[n];
      const operands = operandsOf(node);
      for (let k = 0; k < operands.length; k++) count(operands[k], block);
      if (!isRegion(node)) continue;
      blocksOf(node).forEach(walk);
      if (node.op === 'while') count(node.condition, node.test);
    }
    if ('results' in block) for (const result of block.results) count(result, block);
  };
  walk(root);
  for (const { node, block } of blockEnds) count(node, block);
  return inline;
}
