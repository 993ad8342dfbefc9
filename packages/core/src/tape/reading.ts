import { GradsimError, refuseUnknownOptions } from '@gradsim/kernel';
import type { Answer, NumberArray, Place, ReadRequest } from '@gradsim/kernel/internal';
import { fromWords } from '@gradsim/kernel/internal';
import type { Field } from '../model/field.ts';

/** Destination of values that are read, instead of a new array. */
export interface ReadInto<A extends NumberArray> {
  /**
   * Takes values as [world][element][component]. Bytes (`Uint8Array`, `Uint8ClampedArray`) take floats from 0 to 1 as 0
   * to 255.
   */
  readonly into: A;
  /** Numbers from one element to the next. Default: as many as there are components. */
  readonly stride?: number;
  /** The number in `into` that comes first. Default 0. */
  readonly offset?: number;
}

/** See {@link Simulation.readRecord}. */
export interface RecordWords {
  readonly words: Float32Array | Float64Array;
  /** Values of one world in one frame. */
  readonly values: number;
  readonly frameStride: number;
  readonly valueStride: number;
  readonly worldStride: number;
  /** Stride between worlds in tangents. */
  readonly tangentStride: number;
}

/** Source of a read: copies of a place, one after another. */
export interface Source {
  readonly field: Field;
  readonly place: Place;
  readonly copies: number;
  /** Name in messages. */
  readonly label: string;
  /** True if it holds values that were set, which no run changes. */
  readonly isGiven?: boolean;
}

const strideOf = ({ registerStride, words }: Place): number => registerStride ?? words;

/** Values in one copy. */
const valuesIn = ({ shape: { elements, components, worlds } }: Place): number => elements * components * worlds;

/** Request for the words that hold them. */
export function requestFor({ place, copies }: Source): ReadRequest {
  const perCopy = valuesIn(place);
  const isEmpty = copies === 0 || perCopy === 0;
  const words = isEmpty ? 0 : strideOf(place) * (copies - 1) + perCopy;
  return { arena: place.buffer, from: place.offset, words };
}

/** Words as values: [copy][world][element][component]. */
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

/** Writes the words as values to an array of the caller's, copy after copy. */
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
  { shape: { elements, components, worlds } }: Place,
  copies: number,
  { into, stride, offset }: Required<ReadInto<NumberArray>>,
): void {
  const whole = (what: string, value: number, least: number): void => {
    if (!Number.isInteger(value) || value < least)
      throw new GradsimError(
        'core/option-out-of-range',
        `Reading ${label}: ${what} must be a whole number of at least ${least}, got ${value}.`,
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

/** Location of a field in a device's memory, for code of the same device: see {@link Simulation.lend}. */
export interface Lent {
  /** The device's own buffer: a `GPUBuffer`. */
  readonly buffer: object;
  /** Offset of the first value, in bytes. */
  readonly byteOffset: number;
  /** Strides in values of 4 bytes, by world, element and component. */
  readonly strides: { readonly world: number; readonly element: number; readonly component: number };
}
