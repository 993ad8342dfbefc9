import type { Bool, F32, LocalArray, U32, Vec3 } from '@gradsim/core';
import { dot, f32, forRange, localArray, max, min, norm, select, u32, vec2, vec3, when } from '@gradsim/core';
import type { ReadersOf } from '../on-each.ts';
import { readsOnElements } from '../on-each.ts';
import type { GridSizes, PointGrid } from './grid.ts';
import { bucketOf, cellOf, sortedOf } from './grid.ts';

/**
 * Maximum number of cells that a query visits along an axis: three, and one because of rounding. The limit prevents
 * overflow.
 */
const MAX_CELLS = 4;

/** Fields that a kernel reads to find the points in the grid cells around a position. */
export const gridIn = (search: PointGrid) => {
  const { position, start, world } = search.fields;
  const { cell, perCell } = world;
  return { ...readsOnElements({ position, start, sorted: sortedOf(search).sorted }), cell, perCell };
};
export type OfWorld = 'cell' | 'perCell';
export type Grid = ReadersOf<Omit<ReturnType<typeof gridIn>, OfWorld>> & Readonly<Record<OfWorld, F32>>;

/** A list under construction: the number of elements found, and the elements, as many as fit. */
export type List = { readonly count: U32; readonly elements: LocalArray<U32> };

/** Creates an empty list of capacity `room`, with one extra entry that takes the elements beyond it. */
export const emptyList = (room: number): List => ({ count: u32(0), elements: localArray(room + 1, u32) });

export const append = ({ count, elements }: List, element: U32, room: number): List => ({
  count: count.add(1),
  elements: elements.set(min(count, u32(room)), element),
});

export const elementsOf = ({ elements }: List, room: number): U32[] =>
  Array.from({ length: room }, (_, k) => elements.get(k));

/** A stored list of points, as a range of places, and whether it holds all points found. */
export interface Places {
  readonly isComplete: Bool;
  readonly first: U32;
  readonly end: U32;
  at(place: U32): U32;
}

/**
 * Loops over the points within a cell's edge length of `x`: the list `known` if that is given and complete, otherwise
 * those found in the surrounding grid cells.
 */
export function forEachClosePoint(
  { position, sorted, start, cell: size, perCell }: Grid,
  { buckets }: Pick<GridSizes, 'buckets'>,
  x: Vec3,
  list: List,
  body: (point: U32, list: List) => List,
  known?: Places,
): List {
  const reach = vec3(size, size, size);
  const from = cellOf(x.sub(reach), perCell);
  const spans = cellOf(x.add(reach), perCell).sub(from);
  const [spanX, spanY, spanZ] = [spans.x, spans.y, spans.z].map((span) =>
    min(max(span.add(1), f32(1)), f32(MAX_CELLS)).toU32(),
  );
  const cubeOf = (k: U32) => {
    const row = k.div(spanX);
    const layer = row.div(spanY);
    const along = vec3(k.sub(row.mul(spanX)).toF32(), row.sub(layer.mul(spanY)).toF32(), layer.toF32());
    const cell = from.add(along);
    const bucket = bucketOf(cell, buckets);
    return {
      range: () => ({ first: start.at(bucket), end: start.at(bucket.add(1)) }),
      at: (place: U32) => {
        const point = sorted.at(place);
        const other = position.at(point);
        // Other cells may share the bucket, and two cells of the box may share one and be visited twice.
        const own = cellOf(other, perCell);
        const isSame = own.x.eq(cell.x).and(own.y.eq(cell.y)).and(own.z.eq(cell.z));
        const away = other.sub(x);
        return { point, isClose: isSame.and(dot(away, away).le(size.mul(size))) };
      },
    };
  };
  const cubes = spanX.mul(spanY).mul(spanZ);
  return forRange(0, known ? select(known.isComplete, 1, cubes) : cubes, list, (k, outer) => {
    const cube = cubeOf(k);
    const { first, end } = known
      ? when(known.isComplete, () => ({ first: known.first, end: known.end }), cube.range)
      : cube.range();
    return forRange(first, end, outer, (place, inner) => {
      const inCube = () => cube.at(place);
      const { point, isClose } = known
        ? when(known.isComplete, () => ({ point: known.at(place), isClose: known.isComplete }), inCube)
        : inCube();
      return when(
        isClose,
        () => body(point, inner),
        () => inner,
      );
    });
  });
}

/**
 * Returns the record of a list's first overflow, (substep + 1, number of elements found), for its alarm; (0, 0) if
 * none.
 */
export const overflowRecord = (count: U32, room: number, earlier: { x: F32 }, substep: U32) =>
  select(
    count.gt(room).and(earlier.x.eq(0)),
    vec2(substep.toF32().add(1), count.toF32()),
    earlier as ReturnType<typeof vec2>,
  );

/**
 * Returns the record of the first time that an element moved farther than a search allows for, (substep + 1, way, speed), for
 * its alarm; (0, 0, 0) if none.
 */
export const excessTravelRecord = (
  distance: F32,
  maxDistance: F32,
  velocity: Vec3,
  earlier: Vec3,
  substep: U32,
): Vec3 =>
  select(
    distance.gt(maxDistance).and(earlier.x.eq(0)),
    vec3(substep.toF32().add(1), distance, norm(velocity)),
    earlier,
  );
