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
export function inlined(root: RootBlock, ends: readonly End[]): ReadonlySet<Node> {
  const uses = new Map<Node, { count: number; block: Block }>();
  const count = (node: Node, block: Block): void => {
    const known = uses.get(node);
    if (known) known.count++;
    else uses.set(node, { count: 1, block });
  };
  const walk = (block: Block): void => {
    for (const node of block.nodes) {
      for (const operand of operandsOf(node)) count(operand, block);
      if (!isRegion(node)) continue;
      blocksOf(node).forEach(walk);
      if (node.op === 'while') count(node.condition, node.test);
    }
    if ('results' in block) for (const result of block.results) count(result, block);
  };
  walk(root);
  for (const { node, block } of ends) count(node, block);
  const once = new Set<Node>();
  for (const [node, use] of uses) {
    if (NEVER.has(node.op)) continue;
    if (node.op === 'const' || (use.count === 1 && use.block === node.block)) once.add(node);
  }
  return once;
}
