import type { FieldKey } from '@gradsim/core';
import type { NamedValues } from './named.ts';

/**
 * Values of a field computed from parameters: from several at once, or one parameter for several fields.
 *
 * ```ts
 * // A disc that rolls: its speed is that of its rim.
 * const rolls: TieSpec = { field: 'bodies.velocity', components: [0], of: ({ omega }) => -0.05 * omega };
 * ```
 */
export interface TieSpec {
  /** Field that it sets: `Body.mass`, or `bodies.mass`. */
  readonly field: FieldKey;
  /** Elements of the field, and components of vectors, that it sets. Default all. */
  readonly elements?: readonly number[];
  readonly components?: readonly number[];
  /**
   * Values to set, as a function of the parameters: one number for all these places, or one for each,
   * [element][component].
   */
  readonly of: (values: NamedValues) => number | ArrayLike<number>;
}
