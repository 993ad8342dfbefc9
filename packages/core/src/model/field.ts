import type { FieldRef } from '@gradsim/kernel';
import type { ScalarType } from '@gradsim/kernel/internal';
import type { ValueRange } from './fit.ts';

export interface Domain {
  readonly name: string;
  readonly size: number;
  /**
   * True if fields of this domain are stored with the elements of one world contiguous (for images), instead of the
   * worlds of one element.
   */
  readonly elementsTogether: boolean;
  /**
   * True if fields of this domain that the run allocates are stored with the components of one element contiguous, for
   * kernels that read whole elements at computed indices: one or two cache lines instead of one a component.
   */
  readonly componentsTogether?: boolean;
  /** Returns an element's name for messages, such as `vertex 7 of cloth "flag"`. */
  readonly describe?: (element: number) => string;
  /** Arrangement of its elements in pictures, if they are pixels. */
  readonly grid?: PixelGrid;
}

/**
 * Pixels of pictures of one size, each in square tiles row by row from the top left, and in each tile row by row: pixel
 * (x, y) of picture c is element ((c tilesY + y div tile) tilesX + x div tile) tile^2 + (y mod tile) tile + x mod tile,
 * with tilesX by tilesY tiles per picture, the last ones padded. With tiles of side 1, pixels lie row by row.
 */
export interface PixelGrid {
  readonly width: number;
  readonly height: number;
  /** Side of a tile, px. */
  readonly tile: number;
}

/** A field before memory is allocated for it. Its key is `domain.name`. */
export interface Field {
  readonly key: string;
  /**
   * Reference to the field for plugins and hosts; for a field that passes create, the reference in the kernel that
   * writes it.
   */
  readonly ref?: FieldRef;
  readonly domain: string;
  readonly name: string;
  readonly scalar: ScalarType;
  readonly components: number;
  /** Name of the domain that the values of an index field refer to. */
  readonly target?: string;
  /**
   * For an input over time: `frame` or `substep`, the moments at which it has values of its own; otherwise it has one
   * value for the whole run.
   */
  readonly variesBy?: 'frame' | 'substep';
  /** True if all worlds share one copy, as they always do for index fields. */
  readonly shared: boolean;
  /**
   * Initial values, element by element, each with its components; the same for all worlds until set. Undefined means
   * zeros.
   */
  readonly values?: ArrayLike<number>;
  /** Key of the field whose rounding errors this field holds. */
  readonly carryOf?: string;
  readonly unit?: string;
  /** Allowed range of the values, such as that of the column they come from. */
  readonly range?: ValueRange;
  /** Sentence for reports that explains what it means if no observation depends on the field. */
  readonly unseen?: string;
  /** Function that composes the message of an alarm field; see {@link Model.addAlarm}. */
  readonly alarm?: AlarmMessage;
  /** True if passes only add to it; see {@link Model.addAccumulator}. */
  readonly isSum?: boolean;
  /** True if the first pass that writes the field created it; the host gives it no values. */
  readonly isComputed?: boolean;
  /** Name of the plugin that added the field, or whose pass creates it. */
  readonly owner?: string;
}

/**
 * Composes the message of an alarm, with advice, from the values that the kernel wrote after the substep, and the
 * element's name.
 */
export type AlarmMessage = (values: readonly number[], element: string) => string;
