import type { Node } from '../form/nodes.ts';
import { min } from '../primitives/arithmetic.ts';
import type { Value } from './functions.ts';
import { likeValue, scalarsOf } from './functions.ts';
import type { Operand } from './scalar.ts';
import { currentBuilder, lift, typeOf, use, wrap } from './scalar.ts';
import type { ValueType } from './types.ts';

/** Entries that an array may have. */
const MOST = 256;

/**
 * So many values of one type, each read and changed by a number that the run finds. An array is a value like others:
 * `set` gives another one and leaves this as it is, branches give arrays and loops carry them. Code changes the memory in
 * place where nothing asks for the array as it was before.
 */
export class LocalArray<V extends Value = Value> {
  readonly length: number;
  /** One array of scalars for each scalar of a value. */
  readonly parts: readonly { readonly node: Node }[];
  readonly #model: V;

  constructor(length: number, parts: readonly Node[], model: V) {
    this.length = length;
    this.parts = parts.map((node) => ({ node }));
    this.#model = model;
  }

  /** An array of the same kind, of other nodes. */
  like(parts: readonly Node[]): LocalArray<V> {
    return new LocalArray(this.length, parts, this.#model);
  }

  #at(index: Operand<'u32'>): Node {
    const b = currentBuilder();
    if (typeof index === 'number' && index >= this.length)
      throw new Error(
        `kernel ${b.kernelName}: a local array of ${this.length} values has no entry ${index}; they count from 0.`,
      );
    return b.pure(min, lift(index, 'u32'), b.const(this.length - 1, 'u32'));
  }

  /** Entry `index`; the last one for an index beyond it. */
  get(index: Operand<'u32'>): V {
    const at = this.#at(index);
    const b = currentBuilder();
    return likeValue(
      this.#model,
      this.parts.map((part) => wrap(b.get(use(part), at))),
    );
  }

  /** The array with another value for entry `index`; for the last one where the index is beyond it. */
  set(index: Operand<'u32'>, value: V): LocalArray<V> {
    const at = this.#at(index);
    const b = currentBuilder();
    const scalars = scalarsOf(value).map(use);
    const fits = scalars.map(({ type }) => `${type}[${this.length}]`).join();
    if (fits !== this.parts.map(({ node }) => node.type).join())
      throw new Error(`kernel ${b.kernelName}: a local array was given a value of another type than it is of.`);
    return this.like(this.parts.map((part, k) => b.set(use(part), at, scalars[k])));
  }
}

/**
 * An array in the memory of one element's run: `length` values, all `initial`, or 0 where a type is given.
 *
 * ```ts
 * const nearest = forRange(0, count, localArray(8, f32(1e9)), (k, list) => list.set(k.rem(8), distance.at(k)));
 * ```
 * @param length from 1 to 256, known when the kernel is made. `length` times the components of a value should not be
 * more than about 2000 over all arrays that are in use at once: that is what GPUs promise.
 */
export function localArray<V extends Value>(length: number, initial: V | ValueType<V>): LocalArray<V> {
  const b = currentBuilder();
  if (!Number.isInteger(length) || length < 1 || length > MOST)
    throw new Error(`kernel ${b.kernelName}: a local array has 1 to ${MOST} values, not ${length}.`);
  const zeros = 'fromNodes' in initial ? initial : null;
  const model = zeros
    ? zeros.fromNodes(Array.from({ length: zeros.components }, () => b.const(0, zeros.scalar)))
    : (initial as V);
  const parts = scalarsOf(model).map((scalar) => {
    const type = typeOf(scalar);
    if (type === 'bool') throw new Error(`kernel ${b.kernelName}: a local array is of numbers, not of conditions.`);
    return b.fill(`${type}[${length}]`, use(scalar));
  });
  return new LocalArray(length, parts, model);
}
