import type { Device, Executor } from '../../devices/device.ts';
import type { AccessRecord } from '../indices/access-records.ts';
import type { Arena, MemoryPlace } from '../memory/places.ts';

/** Field that a sum is written to. */
export interface SumTarget {
  /** Unique key: `domain.name`. */
  readonly key: string;
  readonly domain: string;
  readonly name: string;
  readonly components: number;
}

/** Properties of the run that sums depend on. */
export interface SumSurroundings {
  readonly arena: Arena;
  readonly worlds: number;
  /** Fastest way of the device to add at indices known only at run time. */
  readonly scatters: Device['scatters'];
  readonly accumulatorWords: Device['accumulatorWords'];
  /** Returns the number of elements of a domain. */
  readonly sizeOf: (domain: string) => number;
  /** Returns the display name of an element of a domain. */
  readonly describe: (domain: string, element: number) => string;
  /** Returns whether the worlds of one element of a domain are contiguous, rather than the elements of one world. */
  readonly worldsInner: (domain: string) => boolean;
  /** Number of tangents carried with each value. */
  readonly tangents: number;
  /** Returns the place of tangent number `column` of the values at a place. */
  readonly tangent: (place: MemoryPlace, column: number) => MemoryPlace;
  /** Registers a record that is checked after each run. */
  readonly addAccessRecord: (record: AccessRecord) => void;
  /** Returns whether an integer field may hold `NO_ELEMENT`. */
  readonly holdsNone: (key: string) => boolean;
}

/** A place in an arena, with the words that the host writes there once, before a run. */
export interface Table {
  readonly place: MemoryPlace;
  /** Integers for the u32 arena, floats for the f32 arena. */
  readonly values: Uint32Array | Float64Array;
}

export function writeTables(executor: Executor, tables: readonly Table[]): void {
  for (const { place, values } of tables) {
    if (values.length === 0) continue;
    if (values instanceof Uint32Array) executor.writeU32(place.offset, values);
    else executor.writeF32(place.offset, values);
  }
}
