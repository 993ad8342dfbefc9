import type { FieldKey } from '@gradsim/core';
import type { NamedValues } from './named.ts';

/**
 * A function that computes values of a field from parameters; several ties may use one parameter.
 *
 * ```ts
 * // A disc that rolls: its speed is that of its rim.
 * const rolls: TieSpec = { field: 'bodies.velocity', components: [0], compute: ({ omega }) => -0.05 * omega };
 * ```
 */
export interface TieSpec {
  /** Field that the function sets: `Body.mass`, or `bodies.mass`. */
  readonly field: FieldKey;
  /**
   * Numbers of the elements that it sets. Default: all. `components`: indices of the components of vectors. Default:
   * all.
   */
  readonly elements?: readonly number[];
  readonly components?: readonly number[];
  /** Returns the values for given parameters: one number for all places, or one for each, flat [element][component]. */
  readonly compute: (values: NamedValues) => number | ArrayLike<number>;
}
