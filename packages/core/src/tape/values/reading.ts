import { describeValue, GradsimError, refuseUnknownOptions } from '@gradsim/base';
import type { Answer, MemoryPlace, NumberArray, ReadRequest } from '@gradsim/kernel/internal';
import { fromWords } from '@gradsim/kernel/internal';
import type { Field } from '../../model/field.ts';

/** Existing array to which values are read, instead of a new one. */
export interface ReadInto<A extends NumberArray> {
  /**
   * Array that receives the values, [world][element][component]. Byte arrays (`Uint8Array`, `Uint8ClampedArray`)
   * receive floats in [0, 1] as 0 to 255.
   */
  readonly into: A;
  /** Stride in `into` from one element to the next. Default: the number of components. */
  readonly stride?: number;
  /** Index in `into` of the first value. Default 0. */
  readonly offset?: number;
}

/** Result of {@link Simulation.readRecord}. */
export interface RecordWords {
  readonly words: Float32Array | Float64Array;
  /** Number of values of one world in one frame. */
  readonly values: number;
  readonly frameStride: number;
  readonly valueStride: number;
  readonly worldStride: number;
  /** Stride between worlds in the tangents. */
  readonly tangentStride: number;
}

/** Memory of values to be read: copies of a place, one after another. */
export interface Source {
  readonly field: Field;
  readonly place: MemoryPlace;
  readonly copies: number;
  /** Name of the values for messages. */
  readonly label: string;
  /** True if it holds values that the host set, which no run changes. */
  readonly isGiven?: boolean;
}

const strideOf = ({ registerStride, words }: MemoryPlace): number => registerStride ?? words;

/** Returns the number of values in one copy. */
const valuesIn = ({ shape: { elements, components, worlds } }: MemoryPlace): number => elements * components * worlds;

/** Returns the request for the words that hold the values of a source. */
export function requestFor({ place, copies }: Source): ReadRequest {
  const perCopy = valuesIn(place);
  const isEmpty = copies === 0 || perCopy === 0;
  const words = isEmpty ? 0 : strideOf(place) * (copies - 1) + perCopy;
  return { arena: place.buffer, from: place.offset, words };
}

/** Converts words to values, [copy][world][element][component]. */
export function valuesOf({ place, copies, field }: Source, words: Answer): Float64Array {
  const perCopy = valuesIn(place);
  const values = new Float64Array(perCopy * copies);
  if (perCopy === 0) return values;
  const numbers = field.scalar === 'i32' ? signed(words) : words;
  for (let copy = 0; copy < copies; copy++)
    fromWords(place.shape, numbers, copy * strideOf(place), values, copy * perCopy);
  return values;
}

const signed = (words: Answer): Int32Array => Int32Array.from(words, (word) => word | 0);

/** Converts words to values, and writes them to the caller's array, copy after copy. */
export function putInto<A extends NumberArray>(
  { place, field, label, copies }: Source,
  words: Answer,
  to: ReadInto<A>,
): A {
  refuseUnknownOptions<ReadInto<A>>(`Reading ${label}`, to, { into: true, stride: true, offset: true });
  const { into, stride = place.shape.components, offset = 0 } = to;
  if (!ArrayBuffer.isView(into) && !Array.isArray(into))
    throw new GradsimError(
      'core/not-an-array',
      `Reading ${label}: \`into\` must be an array to put values into, got ${String(into)}.`,
    );
  checkRoom(label, place, copies, { into, stride, offset });
  const { shape } = place;
  if (valuesIn(place) === 0) return into;
  const isBytes = into instanceof Uint8Array || into instanceof Uint8ClampedArray;
  const scale = isBytes && field.scalar === 'f32' ? 255 : 1;
  // Clamped arrays round, and limit values to 0 and 255.
  const target = into instanceof Uint8Array ? new Uint8ClampedArray(into.buffer, into.byteOffset, into.length) : into;
  const numbers = field.scalar === 'i32' ? signed(words) : words;
  const perCopy = shape.elements * shape.worlds * stride;
  for (let copy = 0; copy < copies; copy++)
    fromWords(shape, numbers, copy * strideOf(place), target, offset + copy * perCopy, stride, scale);
  return into;
}

/** @throws when values do not fit into the destination. */
function checkRoom(
  label: string,
  { shape: { elements, components, worlds } }: MemoryPlace,
  copies: number,
  { into, stride, offset }: Required<ReadInto<NumberArray>>,
): void {
  const whole = (what: string, value: number, least: number): void => {
    if (!Number.isInteger(value) || value < least)
      throw new GradsimError(
        'core/option-out-of-range',
        `Reading ${label}: ${what} must be a whole number of at least ${least}, got ${describeValue(value)}.`,
      );
  };
  whole('stride', stride, components);
  whole('offset', offset, 0);
  const count = elements * worlds * copies;
  const needed = count === 0 ? 0 : offset + (count - 1) * stride + components;
  if (into.length >= needed) return;
  const several = (number: number, what: string): string => (number > 1 ? `${number} ${what} x ` : '');
  throw new GradsimError(
    'core/wrong-size',
    `Reading ${label}: ${several(copies, 'moments')}${several(worlds, 'worlds')}${elements} x ${components} values${stride === components ? '' : `, an element every ${stride} numbers`}${offset ? `, from number ${offset} on` : ''}, take an array of ${needed} numbers, and \`into\` has ${into.length}.`,
  );
}

/** Location of a field in a device's memory, for code that uses the same device: see {@link Simulation.lend}. */
export interface FieldOnDevice {
  /** The device's own buffer: a `GPUBuffer`. */
  readonly buffer: object;
  /** Offset of the first value, bytes. */
  readonly byteOffset: number;
  /** Strides by world, element and component, in values of 4 bytes. */
  readonly strides: { readonly world: number; readonly element: number; readonly component: number };
}
