import type { Loop, Node } from '../form/nodes.ts';
import type { ArrayType, NodeType } from '../form/types.ts';
import { isArray, lengthOf, scalarOf } from '../form/types.ts';
import type { Builder } from '../language/builder.ts';
import type { ClonedNodes } from '../language/clone.ts';
import { cloneBlock, mapped } from '../language/clone.ts';
import { min } from '../primitives/arithmetic.ts';
import { and, shiftRight } from '../primitives/bits.ts';
import { eq, le, lt, ne } from '../primitives/comparison.ts';
import { toF32, toU32 } from '../primitives/conversion.ts';
import { overEntries } from './arrays.ts';

/** Maximum words per invocation for the carried values in one loop's checkpoints, not counting iteration numbers. */
const MAX_WORDS = 1024;
/** Minimum and maximum number of checkpoints of a loop. */
const [MIN_CHECKPOINTS, MAX_CHECKPOINTS] = [4, 64];

/** Returns the number of words of a carried value: 1, or the length of an array. */
const wordsOf = (type: NodeType): number => (isArray(type) ? lengthOf(type) : 1);

/**
 * Checkpoints of a loop's carried values at some of its iterations, while the loop is reversed. To reach an iteration,
 * the loop is rerun from the last checkpoint before it. The rerun fills half of the free slots with evenly spaced
 * checkpoints, or one slot per iteration if that many are free. A checkpoint's slot is freed once its iteration is
 * reversed. So S slots suffice for S iterations at the cost of one more run of the loop, and for about S^2 / 2
 * iterations at the cost of two. With S = 64, 4096 iterations take three more runs; up to there the cost is
 * proportional to the number of iterations, whatever the body does.
 *
 * The memory is local arrays, carried from iteration to iteration of the reversed loop. Values that the adjoint does
 * not need are not stored: dead-code removal deletes arrays that nothing reads.
 */
export class Checkpoints {
  readonly #b: Builder;
  readonly #loop: Loop;
  readonly #map: ClonedNodes;
  readonly #slots: number;
  /** True if the number of iterations is constant and every iteration has a checkpoint slot. */
  readonly #isRoomy: boolean;
  /**
   * Initial values of the reversed loop: number of checkpoints, their iteration numbers, and an array for each carried
   * value.
   */
  readonly initial: readonly Node[];

  constructor(b: Builder, loop: Loop, map: ClonedNodes, rounds: Node) {
    const starts = loop.initial.map((initial) => mapped(map, initial));
    const words = starts.reduce((sum, { type }) => sum + wordsOf(type), 0);
    const room = Math.min(MAX_CHECKPOINTS, Math.max(MIN_CHECKPOINTS, Math.floor(MAX_WORDS / Math.max(1, words))));
    this.#isRoomy = rounds.op === 'const' && rounds.value <= room;
    this.#slots = this.#isRoomy && rounds.op === 'const' ? Math.max(1, rounds.value) : room;
    this.#b = b;
    this.#loop = loop;
    this.#map = map;
    const first = this.#number(0);
    const positions = b.set(b.unsetArray(`u32[${this.#slots}]`), first, first);
    const kept = starts.map((start) => this.#storeValue(b.unsetArray(this.#stackType(start.type)), first, start));
    this.initial = [this.#number(1), positions, ...kept];
  }

  #number(value: number): Node {
    return this.#b.const(value, 'u32');
  }
  #stackType(type: NodeType): ArrayType {
    const scalar = scalarOf(type);
    return `${scalar === 'bool' ? 'u32' : scalar}[${this.#slots * wordsOf(type)}]`;
  }
  /** Clamps a slot number to those that exist, for lanes that are masked out. */
  #slot(slot: Node): Node {
    return this.#b.pure(min, slot, this.#number(this.#slots - 1));
  }
  #word(slot: Node, type: NodeType, at: Node): Node {
    return this.#b.add(this.#b.mul(slot, this.#number(wordsOf(type))), at);
  }

  #storeValue(stack: Node, slot: Node, value: Node): Node {
    const b = this.#b;
    const { type } = value;
    if (isArray(type))
      return overEntries(b, type, stack, (at, carry) => b.set(carry, this.#word(slot, type, at), b.get(value, at)));
    return b.set(stack, slot, type === 'bool' ? b.pure(toU32, value) : value);
  }
  #loadValue(stack: Node, slot: Node, type: NodeType): Node {
    const b = this.#b;
    if (isArray(type))
      return overEntries(b, type, b.unsetArray(type), (at, carry) =>
        b.set(carry, at, b.get(stack, this.#word(slot, type, at))),
      );
    const word = b.get(stack, slot);
    return type === 'bool' ? b.pure(ne, word, this.#number(0)) : word;
  }

  /**
   * Reruns the loop from the last checkpoint to the start of iteration `round`. Calls go from the last iteration to the
   * first. Returns the values carried into iteration `round`, and the updated `held` (from {@link initial} or the last
   * call). `offset` is the loop counter of the first iteration.
   */
  rerunUpTo(round: Node, held: readonly Node[], offset: Node | null): { state: readonly Node[]; held: Node[] } {
    const b = this.#b;
    const { body } = this.#loop;
    const types = body.params.map(({ type }) => type);
    const [one, slots] = [1, this.#slots].map((value) => this.#number(value));
    const [count, positions, ...stacks] = held;
    const top = this.#slot(b.sub(count, one));
    const from = b.get(positions, top);
    const distance = b.sub(round, from);
    const spacing = this.#isRoomy ? one : this.#spacing(distance, b.sub(slots, count));

    const again = b.openRange();
    const inner: ClonedNodes = new Map(this.#map);
    const position = b.add(from, again.counter);
    if (this.#loop.op === 'range') inner.set(this.#loop.body.counter, b.add(offset!, position));
    const state = types.map((type) => b.param(again, type));
    body.params.forEach((param, k) => inner.set(param, state[k]));
    const kept = [...held, spacing].map(({ type }) => b.param(again, type));
    cloneBlock(b, body, inner);
    const next = body.results.map((result) => mapped(inner, result));
    again.results = [...next, ...this.#keepIfDue(kept, spacing, again.counter, distance, position, next)];
    b.closeBlock(again);
    const starts = types.map((type, k) => this.#loadValue(stacks[k], top, type));
    const loop = b.range(this.#number(0), distance, [...starts, ...held, spacing], again);
    const reached = b.results(loop);
    const [after, ...rest] = reached.slice(types.length, -1);
    // The checkpoint of this very iteration is used up.
    const left = b.select(b.pure(eq, distance, this.#number(0)), b.sub(count, one), after);
    return { state: reached.slice(0, types.length), held: [left, ...rest] };
  }

  /** Returns the number of iterations between neighbouring checkpoints, for `distance` iterations and `free` slots. */
  #spacing(distance: Node, free: Node): Node {
    const b = this.#b;
    const one = this.#number(1);
    const fits = b.pure(le, distance, b.add(free, one));
    const parts = b.add(b.pure(shiftRight, b.add(free, one), one), one);
    // Float division: SIMD has none for integers, and a slightly larger spacing is as good.
    const part = b.pure(toU32, b.div(b.pure(toF32, distance), b.pure(toF32, parts)));
    return b.select(fits, one, b.add(part, one));
  }

  /** Returns the checkpoints after an iteration of the rerun, and the iteration at which the next one is due. */
  #keepIfDue(
    [count, positions, ...more]: readonly Node[],
    spacing: Node,
    done: Node,
    distance: Node,
    position: Node,
    state: readonly Node[],
  ): readonly Node[] {
    const b = this.#b;
    const one = this.#number(1);
    const [stacks, due] = [more.slice(0, -1), more[more.length - 1]];
    const after = b.add(done, one);
    const isDue = b.pure(and, b.pure(eq, after, due), b.pure(lt, after, distance));
    const then = b.openSide();
    const slot = this.#slot(count);
    then.results = [
      b.add(count, one),
      b.set(positions, slot, b.add(position, one)),
      ...stacks.map((stack, k) => this.#storeValue(stack, slot, state[k])),
      b.add(due, spacing),
    ];
    b.closeBlock(then);
    const otherwise = b.openSide();
    otherwise.results = [count, positions, ...stacks, due];
    b.closeBlock(otherwise);
    return b.results(b.if(isDue, then, otherwise));
  }
}
