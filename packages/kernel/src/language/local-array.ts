import { GradsimError } from '@gradsim/base';
import type { Node } from '../form/nodes.ts';
import { min } from '../primitives/arithmetic.ts';
import type { Operand, Traced } from './scalar.ts';
import { currentBuilder, lift, typeOf, use, wrap } from './scalar.ts';
import type { ValueType } from './types.ts';
import type { Value } from './values.ts';
import { likeValue, scalarsOf } from './values.ts';

/** Maximum length of a local array. */
const MAX_LENGTH = 256;

/**
 * Array of values of one type, read and changed at indices computed at run time. An array is a value like others: `set`
 * returns a new one and leaves this unchanged, branches return arrays and loops carry them. Generated code changes the
 * memory in place if the old array is no longer used.
 */
export class LocalArray<V extends Value = Value> {
  readonly length: number;
  /** One array of scalars for each scalar of a value. */
  readonly parts: readonly Traced[];
  readonly #model: V;

  constructor(length: number, parts: readonly Node[], model: V) {
    this.length = length;
    this.parts = parts.map((node) => wrap(node));
    this.#model = model;
  }

  /** Rebuilds an array of the same kind from other nodes. */
  like(parts: readonly Node[]): LocalArray<V> {
    return new LocalArray(this.length, parts, this.#model);
  }

  #at(index: Operand<'u32'>): Node {
    const b = currentBuilder();
    if (typeof index === 'number' && index >= this.length)
      throw new GradsimError(
        'kernel/no-such-entry',
        `a local array of ${this.length} values has no entry ${index}; they count from 0.`,
        { kernel: b.kernelName },
      );
    return b.pure(min, lift(index, 'u32'), b.const(this.length - 1, 'u32'));
  }

  /** Reads entry `index`, clamped to the last entry. */
  get(index: Operand<'u32'>): V {
    const at = this.#at(index);
    const b = currentBuilder();
    return likeValue(
      this.#model,
      this.parts.map((part) => wrap(b.get(use(part), at))),
    );
  }

  /** Returns the array with a new value for entry `index`, clamped to the last entry. */
  set(index: Operand<'u32'>, value: V): LocalArray<V> {
    const at = this.#at(index);
    const b = currentBuilder();
    const scalars = scalarsOf(value).map(use);
    const fits = scalars.map(({ type }) => `${type}[${this.length}]`).join();
    if (fits !== this.parts.map(({ node }) => node.type).join())
      throw new GradsimError('base/wrong-type', 'a local array was given a value of another type than it is of.', {
        kernel: b.kernelName,
      });
    return this.like(this.parts.map((part, k) => b.set(use(part), at, scalars[k])));
  }
}

/**
 * Creates an array in the memory of one invocation: `length` values, all `initial`, or 0 if a type is given.
 *
 * ```ts
 * const nearest = forRange(0, count, localArray(8, f32(1e9)), (k, list) => list.set(k.rem(8), distance.at(k)));
 * ```
 * @param length from 1 to 256, fixed when the kernel is traced. `length` times the components of a value should total
 * no more than about 2000 over all arrays in use at once: GPUs guarantee no more.
 */
export function localArray<V extends Value>(length: number, initial: V | ValueType<V>): LocalArray<V> {
  const b = currentBuilder();
  if (!Number.isInteger(length) || length < 1 || length > MAX_LENGTH)
    throw new GradsimError(
      'kernel/option-out-of-range',
      `a local array has 1 to ${MAX_LENGTH} values, not ${length}.`,
      {
        kernel: b.kernelName,
      },
    );
  const zeros = 'fromNodes' in initial ? initial : null;
  const model = zeros
    ? zeros.fromNodes(Array.from({ length: zeros.components }, () => b.const(0, zeros.scalar)))
    : (initial as V);
  const parts = scalarsOf(model).map((scalar) => {
    const type = typeOf(scalar);
    if (type === 'bool')
      throw new GradsimError('base/wrong-type', 'a local array is of numbers, not of conditions.', {
        kernel: b.kernelName,
      });
    return b.fill(`${type}[${length}]`, use(scalar));
  });
  return new LocalArray(length, parts, model);
}
