import type { FieldKey } from '@gradsim/core';
import type { NamedValues } from './named.ts';

/**
 * Places of a field that follow from parameters: from several, and of several fields one each.
 *
 * ```ts
 * // A disc that rolls: its speed is that of its rim.
 * const rolls: TieSpec = { field: 'bodies.velocity', components: [0], of: ({ omega }) => -0.05 * omega };
 * ```
 */
export interface TieSpec {
  /** The field that it sets: `Body.mass`, or `bodies.mass`. */
  readonly field: FieldKey;
  /** Elements of the field, and components of vectors, that it goes to. Default all. */
  readonly elements?: readonly number[];
  readonly components?: readonly number[];
  /** What goes there, of the parameters' values: one number for all these places, or one for each, [element][component]. */
  readonly of: (values: NamedValues) => number | ArrayLike<number>;
}
