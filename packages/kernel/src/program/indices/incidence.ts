import type { PlainIndices } from '../../emit/bind/options.ts';
import type { LoadNode, Node } from '../../form/nodes.ts';
import { NO_ELEMENT } from '../../language/fields/no-element.ts';
import { select } from '../../primitives/choice.ts';

/** Returns whether `value` is allowed in an index field that points into a domain of `elements` elements. */
export const isIndex = (value: number, elements: number): boolean =>
  (Number.isInteger(value) && value >= 0 && value < elements) || value === NO_ELEMENT;

/** Returns whether the values of an index field include `NO_ELEMENT`. Cached. */
export function includesNone(values: ArrayLike<number> | undefined): boolean {
  if (!values) return false;
  const known = holdsNone.get(values);
  if (known !== undefined) return known;
  let found = false;
  for (let k = 0; k < values.length && !found; k++) found = values[k] === NO_ELEMENT;
  holdsNone.set(values, found);
  return found;
}

/** Cache of the result, by array: index fields do not change. */
const holdsNone = new WeakMap<ArrayLike<number>, boolean>();

/** Finds whether kernels can do without loading an index field, of so many components an element. Cached. */
export function plainIndicesOf(values: ArrayLike<number>, components: number): PlainIndices | undefined {
  const known = plainIndexCache.get(values);
  if (known) return known.indices;
  const every = (is: (value: number, element: number) => boolean): boolean => {
    for (let k = 0; k < values.length; k++) if (!is(values[k], k)) return false;
    return true;
  };
  const isOwn = (): boolean => components === 1 && every((value, element) => value === element);
  const indices = every((value) => value === 0) ? 'first' : isOwn() ? 'own' : undefined;
  plainIndexCache.set(values, { indices });
  return indices;
}
const plainIndexCache = new WeakMap<ArrayLike<number>, { readonly indices: PlainIndices | undefined }>();

/** Returns the value of an index field that `node` loads, at an element. */
export type IndexReader = (node: LoadNode, element: number) => number;

/**
 * Evaluates an index expression for `element` on the host: index fields and integer arithmetic on them. This turns a
 * scatter into a gather over an incidence list known before the run.
 *
 * @param memo values that are known already, such as loop counters; others are added to it.
 * @returns null for an index known only at run time.
 */
export function evaluateIndex(
  node: Node,
  element: number,
  read: IndexReader,
  memo: Map<Node, number> = new Map(),
): number | null {
  const known = memo.get(node);
  if (known !== undefined) return known;
  const of = (arg: Node): number | null => evaluateIndex(arg, element, read, memo);
  const find = (): number | null => {
    if (node.op === 'const') return node.value;
    if (node.op === 'builtin') return node.builtin === 'element' ? element : null;
    if (node.op === 'load') {
      const at = node.index ? of(node.index) : element;
      return node.port.shared && at !== null ? read(node, at) : null;
    }
    if (node.op !== 'pure') return null;
    if (node.primitive === select) {
      const condition = of(node.args[0]);
      return condition === null ? null : of(node.args[condition ? 1 : 2]);
    }
    const args = node.args.map(of);
    return args.every((arg) => arg !== null) ? node.overload.evaluate(...args) : null;
  };
  const value = find();
  if (value !== null) memo.set(node, value);
  return value;
}

/**
 * Slots that add to each target: one list of slots, and the position in it at which each target's slots start. The
 * order of slots within a target is fixed.
 */
export interface Incidence {
  /**
   * For each target, the position in `slots` of its first slot; the last entry is the number of slots. targets + 1
   * entries.
   */
  readonly starts: Uint32Array;
  readonly slots: Uint32Array;
}

/** Builds the incidence list. @param targetOfSlot may hold `NO_ELEMENT`, for slots that are added nowhere. */
export function incidenceOf(targets: number, targetOfSlot: Uint32Array): Incidence {
  const starts = new Uint32Array(targets + 1);
  for (const t of targetOfSlot) if (t !== NO_ELEMENT) starts[t + 1]++;
  for (let t = 0; t < targets; t++) starts[t + 1] += starts[t];
  const cursor = starts.slice(0, targets);
  const slots = new Uint32Array(starts[targets]);
  targetOfSlot.forEach((t, slot) => {
    if (t !== NO_ELEMENT) slots[cursor[t]++] = slot;
  });
  return { starts, slots };
}

/**
 * Returns the slots of targets that all have equally many: the first slot of every target, then the second of every
 * target, and so on. Null if numbers differ.
 */
export function evenSlots({
  starts,
  slots,
}: Incidence): { readonly count: number; readonly slots: Uint32Array } | null {
  const targets = starts.length - 1;
  const count = slots.length / targets;
  if (!starts.every((start, target) => start === target * count)) return null;
  return { count, slots: slots.map((_, k) => slots[(k % targets) * count + Math.floor(k / targets)]) };
}
