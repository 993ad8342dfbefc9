import { GradsimError } from '@gradsim/base';
import type { Device, Executor } from '../devices/device.ts';
import type { ProgramField } from './chain.ts';
import type { MemoryPlace } from './memory/places.ts';
import { fromWords, toWords } from './memory/value-order.ts';
import type { Plan } from './plan.ts';

export type Words = Float32Array | Float64Array | Uint32Array;
export type Values = Words | Int32Array;

/** Allocates zeroed words of a field in every world. */
export function emptyWords(
  { chain, worlds }: Plan,
  { precision }: Device,
  { domain, components, scalar }: ProgramField,
): Words {
  const length = chain.sizes.get(domain)! * components * worlds;
  if (scalar !== 'f32') return new Uint32Array(length);
  return precision === 'f64' ? new Float64Array(length) : new Float32Array(length);
}

/** Converts a field's values from [world][element][component] to the order of words in memory. */
export function wordsOf(plan: Plan, device: Device, field: ProgramField, values: ArrayLike<number>): Words {
  const { chain, worlds } = plan;
  const { key, domain, components } = field;
  const elements = chain.sizes.get(domain)!;
  const one = elements * components;
  const words = emptyWords(plan, device, field);
  const { length } = words;
  if (values.length !== one && values.length !== length)
    throw new GradsimError(
      'kernel/wrong-size',
      `${key} takes ${worlds > 1 ? `${worlds} worlds x ` : ''}${elements} x ${components} values, got ${values.length}.`,
      { field: key },
    );
  const all = values.length === length ? values : Float64Array.from(words, (_, k) => values[k % one]);
  toWords({ elements, components, worlds, worldsInner: true }, all, 0, words);
  return words;
}

/** Reads the values at a place as [world][element][component], in the field's array type. */
export async function valuesAt(
  executor: Executor,
  { scalar }: ProgramField,
  { buffer, offset, words: count, shape }: MemoryPlace,
): Promise<Values> {
  const words = buffer === 'f32' ? await executor.readF32(offset, count) : await executor.readU32(offset, count);
  const values = scalar === 'i32' ? new Int32Array(count) : words.slice();
  fromWords(shape, words, 0, values, 0);
  return values;
}
