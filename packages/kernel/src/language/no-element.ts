/**
 * The index of no element: what a kernel asks for by name where there is nothing to read or to add to, a neighbour beyond
 * the rim of a grid for one. A read at it gives 0 with derivative 0, and of an index field `NO_ELEMENT` again; what is added
 * at it is dropped. Index fields may hold it. Every other index that no element has raises an alarm.
 *
 * ```ts
 * const left = heat.at(select(column.gt(0), element.sub(1), NO_ELEMENT)); // 0 at the rim
 * ```
 */
export const NO_ELEMENT = 0xbfff_ffff;
// Far from 0 and from 2^32, where indices off by a few lie, and no float of single precision, so that no conversion gives it.
