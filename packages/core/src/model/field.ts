import type { FieldRef } from '@gradsim/kernel';
import type { ScalarType } from '@gradsim/kernel/internal';
import type { Range } from './fit.ts';

export interface Domain {
  readonly name: string;
  readonly size: number;
  /**
   * True if fields of this domain keep the elements of one world together (images) instead of the worlds of one
   * element.
   */
  readonly elementsTogether: boolean;
  /**
   * True if fields of this domain that the run allocates keep the components of one element together, for kernels that
   * read whole elements at computed indices: one or two cache lines instead of one a component.
   */
  readonly componentsTogether?: boolean;
  /** Returns an element's name in messages: `vertex 7 of cloth "flag"`. */
  readonly describe?: (element: number) => string;
  /** Places of its elements, if they are pixels. */
  readonly grid?: PixelGrid;
}

/**
 * Pixels of pictures of one size, each in square tiles row by row from the top left, and in each tile row by row: pixel (x, y) of
 * picture c is element ((c tilesY + y div tile) tilesX + x div tile) tile^2 + (y mod tile) tile + x mod tile, with tilesX and
 * tilesY of them, the last ones padded. With tiles of 1 they lie row by row.
 */
export interface PixelGrid {
  readonly width: number;
  readonly height: number;
  /** Side of a tile, px. */
  readonly tile: number;
}

/** A field before it has a place. Its key is `domain.name`. */
export interface Field {
  readonly key: string;
  /** Reference for plugins and hosts; for a field that passes create, that of the kernel that writes it. */
  readonly ref?: FieldRef;
  readonly domain: string;
  readonly name: string;
  readonly scalar: ScalarType;
  readonly components: number;
  /** An index field's target domain. */
  readonly target?: string;
  /** Rate of an input over time: a value for every frame or substep instead of one for the whole run. */
  readonly over?: 'frame' | 'substep';
  /** One copy for all worlds. Index fields always are. */
  readonly shared: boolean;
  /**
   * Initial values, element by element, each with its components; the same for all worlds until set. Undefined means
   * zeros.
   */
  readonly values?: ArrayLike<number>;
  /** Key of the field whose rounding compensation this one holds. */
  readonly carryOf?: string;
  readonly unit?: string;
  /** Allowed range of its values, such as that of the column it comes from. */
  readonly range?: Range;
  /** A sentence on what it means if no observation depends on it. */
  readonly unseen?: string;
  /** Message of an alarm; see {@link Model.addAlarm}. */
  readonly alarm?: AlarmMessage;
  /** True if passes only add to it; see {@link Model.addAccumulator}. */
  readonly isSum?: boolean;
  /** True if the first pass that writes it created it: the host gives it no values. */
  readonly isMade?: boolean;
  /** Plugin that added it, or whose pass creates it. */
  readonly owner?: string;
}

/**
 * Message of an alarm, with advice, from the values that the kernel wrote beside the substep and the element's name.
 */
export type AlarmMessage = (values: readonly number[], element: string) => string;
