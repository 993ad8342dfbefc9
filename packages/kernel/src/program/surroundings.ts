import type { Device } from '../devices/device.ts';
import type { Loss } from './losses.ts';
import type { Arena, Place } from './places.ts';

/** The field that a sum is of. */
export interface SumTarget {
  /** Unlike those of all others: `domain.name`. */
  readonly key: string;
  readonly domain: string;
  readonly name: string;
  readonly components: number;
}

/** Properties of the run that sums depend on. */
export interface SumSurroundings {
  readonly arena: Arena;
  readonly worlds: number;
  /** Fastest way of the device to add at indices that only the run knows. */
  readonly scatters: Device['scatters'];
  /** Elements of a domain. */
  readonly sizeOf: (domain: string) => number;
  /** Whether the worlds of one element of a domain lie together, rather than the elements of one world. */
  readonly worldsInner: (domain: string) => boolean;
  /** Tangents that go along with each value. */
  readonly tangents: number;
  /** The place that holds one of the tangents of what another one holds. */
  readonly tangent: (place: Place, column: number) => Place;
  /** Registers a record that is checked after each run. */
  readonly addLoss: (loss: Loss) => void;
  /** Whether a field of whole numbers may hold `NO_ELEMENT`. */
  readonly holdsNone: (key: string) => boolean;
}

/** Words of u32 that the host writes once, before a run. */
export interface Table {
  readonly place: Place;
  readonly values: Uint32Array;
}
