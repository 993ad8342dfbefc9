import type { LoadNode, Node } from '../../form/nodes.ts';
import type { Port } from '../../form/port.ts';
import type { Builder } from '../../language/builder.ts';
import { NO_ELEMENT } from '../../language/fields/no-element.ts';
import { min } from '../../primitives/arithmetic.ts';
import { and, or } from '../../primitives/bits.ts';
import { eq, ge, lt, ne } from '../../primitives/comparison.ts';
import { anyOf, emitIf } from './branches.ts';

/** Bounds check of a load at an index: an index out of range becomes that of the last element. */
export interface Guard {
  /** Number of elements of the field that is read. */
  readonly elements: number;
  /** True if the index may be `NO_ELEMENT`, at which a load returns 0, or `NO_ELEMENT` again if it loads an index. */
  readonly mayBeNone: boolean;
  /** Number of the read, for the record of the first read out of range; null if reads are not recorded. */
  readonly site: number | null;
}

/** Bounds checks of a kernel's loads at indices, and the port that records the first read out of range. */
export interface Guards {
  readonly byLoad: ReadonlyMap<LoadNode, Guard>;
  /** Port of the record; null if nothing is recorded. */
  readonly record: Port | null;
}

/** Words of a record: substep + 1, invocation, element, world, site, index, and their sum. */
export const RECORD_WORDS = 7;

/** Returns the value of a load at an index, with its bounds check; `load` is called with an index that is in range. */
export function guardedLoad(
  b: Builder,
  { port }: LoadNode,
  guard: Guard | undefined,
  index: Node,
  load: (index: Node) => Node,
): Node {
  if (!guard) return load(index);
  const { elements, mayBeNone } = guard;
  const none = port.target === undefined ? b.const(0, port.scalar) : b.const(NO_ELEMENT, 'u32');
  // A field without elements has no words to load.
  if (elements === 0) return none;
  const value = load(b.pure(min, index, b.const(elements - 1, 'u32')));
  return mayBeNone ? b.select(b.pure(eq, index, b.const(NO_ELEMENT, 'u32')), none, value) : value;
}

/** A read at an index that may be out of range, as nodes of a bound kernel. */
interface Read {
  readonly site: number;
  readonly isBeyond: Node;
  readonly index: Node;
}

/** Returns the reads of a block whose range has to be checked, each index once. */
export function readsToCheck(
  b: Builder,
  guards: Guards,
  loads: readonly LoadNode[],
  indexOf: (load: LoadNode) => Node,
): Read[] {
  const reads = new Map<number, Read>();
  for (const load of loads) {
    const guard = guards.byLoad.get(load);
    if (!guard || guard.site === null || reads.has(guard.site)) continue;
    const index = indexOf(load);
    const isBeyond = b.pure(ge, index, b.const(guard.elements, 'u32'));
    const isSomething = guard.mayBeNone ? b.pure(ne, index, b.const(NO_ELEMENT, 'u32')) : null;
    const isWrong = isSomething ? b.pure(and, isBeyond, isSomething) : isBeyond;
    if (isWrong.op === 'const' && !isWrong.value) continue;
    reads.set(guard.site, { site: guard.site, isBeyond: isWrong, index });
  }
  return [...reads.values()];
}

/** Substep, invocation, element and world of a read, for its record. */
export interface Moment {
  readonly substep: () => Node;
  readonly invocation: Node;
  readonly element: Node;
  readonly world: Node;
}

/**
 * Emits code that records a read out of range: the one of the earliest substep and, within that, of the first
 * invocation. If invocations write at the same time, words of several records may mix, which the checksum reveals.
 */
export function recordReads(
  b: Builder,
  reads: readonly Read[],
  moment: Moment,
  load: (word: number) => Node,
  store: (word: number, value: Node) => void,
): void {
  if (reads.length === 0) return;
  emitIf(
    b,
    anyOf(
      b,
      reads.map(({ isBeyond }) => isBeyond),
    ),
    () => {
      for (const { isBeyond, index, site } of reads)
        emitIf(b, isBeyond, () => {
          const words = [
            b.add(moment.substep(), b.const(1, 'u32')),
            moment.invocation,
            moment.element,
            moment.world,
            b.const(site, 'u32'),
            index,
          ];
          const [substep, invocation] = [load(0), load(1)];
          const isEarlier = b.pure(or, b.pure(eq, substep, b.const(0, 'u32')), b.pure(lt, words[0], substep));
          const isBeside = b.pure(and, b.pure(eq, words[0], substep), b.pure(lt, words[1], invocation));
          emitIf(b, b.pure(or, isEarlier, isBeside), () => {
            const sum = words.reduce((before, word) => b.add(before, word));
            [...words, sum].forEach((word, k) => store(k, word));
          });
        });
    },
  );
}
