/**
 * The index of no element: a kernel uses it where there is nothing to read or to add to, such as a neighbour beyond the
 * rim of a grid. A read at it returns 0 with derivative 0, and of an index field `NO_ELEMENT` again; an addition at it
 * is dropped. Index fields may hold it. Every other index out of range is reported as an error after the run.
 *
 * ```ts
 * const left = heat.at(select(column.gt(0), element.sub(1), NO_ELEMENT)); // 0 at the rim
 * ```
 */
export const NO_ELEMENT = 0xbfff_ffff;
// Far from 0 and from 2^32, near which indices wrong by a few lie, and not representable in f32, so that no conversion
// results in it.
