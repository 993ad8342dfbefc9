import type { LoadNode, Node } from '@gradsim/kernel/compiler';
import { evaluate, isPure, scalarOf } from '@gradsim/kernel/compiler';

/** Gives the word of an index field: component and element. */
export type IndexReader = (node: LoadNode, element: number) => number;

/**
 * The element that an index expression names for `element`, found on the host: index fields and whole-number
 * arithmetic on them. This is what makes a scatter a gather over incidence known beforehand.
 */
export function evaluateIndex(
  node: Node,
  element: number,
  read: IndexReader,
  memo: Map<Node, number> = new Map(),
): number {
  const known = memo.get(node);
  if (known !== undefined) return known;
  let value: number | null = null;
  if (node.op === 'const') value = node.value;
  else if (node.op === 'builtin' && node.builtin === 'element') value = element;
  else if (node.op === 'load' && node.port.shared) {
    value = read(node, node.index ? evaluateIndex(node.index, element, read, memo) : element);
  } else if (node.op === 'select') {
    const chosen = evaluateIndex(node.args[0], element, read, memo) ? 1 : 2;
    value = evaluateIndex(node.args[chosen], element, read, memo);
  } else if (isPure(node)) {
    const args = node.args.map((a) => evaluateIndex(a, element, read, memo));
    value = evaluate(node.op, node.type, scalarOf(node.args[0].type), args);
  }
  if (value === null) {
    throw new Error(
      `an index depends on "${node.op}"${node.op === 'load' ? ` of ${node.port.name}` : ''}, which is not known before the run; additions need indices from index fields`,
    );
  }
  memo.set(node, value);
  return value;
}

/** For every target, the slots that add to it, as one list with starts: slot order within a target is fixed. */
export interface Incidence {
  /** targets + 1 positions in `slots`. */
  readonly starts: Uint32Array;
  readonly slots: Uint32Array;
}

export function incidenceOf(targets: number, targetOfSlot: Uint32Array): Incidence {
  const starts = new Uint32Array(targets + 1);
  for (const t of targetOfSlot) starts[t + 1]++;
  for (let t = 0; t < targets; t++) starts[t + 1] += starts[t];
  const cursor = starts.slice(0, targets);
  const slots = new Uint32Array(targetOfSlot.length);
  targetOfSlot.forEach((t, slot) => {
    slots[cursor[t]++] = slot;
  });
  return { starts, slots };
}
