import type { Block, Node } from '../form/nodes.ts';
import type { ArrayType } from '../form/types.ts';
import { isArray, isFloat, lengthOf } from '../form/types.ts';
import { everyStatement, isWithinBlock, operandsOf } from '../form/walk.ts';
import type { Builder } from '../language/builder.ts';

/** Returns an array with `value` added to entry `index`. */
export const addAt = (b: Builder, array: Node, index: Node, value: Node): Node =>
  b.set(array, index, b.add(b.get(array, index), value));

/**
 * Emits a loop over the indices of an array, with `initial` updated by `update` in each iteration; returns its final value.
 */
export function overEntries(
  b: Builder,
  type: ArrayType,
  initial: Node,
  update: (at: Node, initial: Node) => Node,
): Node {
  const [zero, end] = [0, lengthOf(type)].map((k) => b.const(k, 'u32'));
  const body = b.openRange();
  body.results = [update(body.counter, b.param(body, initial.type))];
  b.closeBlock(body);
  return b.results(b.range(zero, end, [initial], body))[0];
}

/** Returns the sum of two scalars, or of two arrays entry by entry. */
export const sum = (b: Builder, x: Node, y: Node): Node =>
  isArray(x.type) ? overEntries(b, x.type, x, (at, carry) => addAt(b, carry, at, b.get(y, at))) : b.add(x, y);

/** Returns the sum of the entries of an array. */
export const entrySum = (b: Builder, array: Node): Node =>
  overEntries(b, array.type as ArrayType, b.const(0), (at, carry) => b.add(carry, b.get(array, at)));

/** Returns the float arrays that a block uses and that are created outside of it. */
export function arraysFromOutside(block: Block): Node[] {
  const used = new Set<Node>();
  const use = (node: Node): void => {
    if (isArray(node.type) && isFloat(node.type) && !isWithinBlock(node.block, block)) used.add(node);
  };
  if ('results' in block) block.results.forEach(use);
  for (const statement of everyStatement(block)) {
    operandsOf(statement).forEach(use);
    if (statement.op === 'if') [...statement.then.results, ...statement.otherwise.results].forEach(use);
    else if (statement.op === 'range' || statement.op === 'while') statement.body.results.forEach(use);
  }
  return [...used];
}
