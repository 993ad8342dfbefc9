import type { Bool, F32, Index, Kernel, LocalArray, Reader, U32, Vec3 } from '@gradsim/core';
import {
  dot,
  f32,
  forRange,
  indexOn,
  kernel,
  localArray,
  max,
  min,
  norm,
  select,
  several,
  u32,
  vec2,
  vec3,
  when,
} from '@gradsim/core';
import type { ReadersOf } from '../fields.ts';
import { onEach } from '../fields.ts';
import type { Corners } from './closest.ts';
import { nearestWeights, weighted } from './closest.ts';
import type { GridSizes, PointGrid, Search } from './fields.ts';
import { bucketOf, cellOf, sortedOf } from './grid.ts';

/**
 * Maximum number of cells that a query visits along an axis: three, and one because of rounding. The limit prevents
 * overflow.
 */
const WIDEST = 4;

/** Fields that a kernel reads to find the points in the grid cells around a position. */
export const gridIn = (search: PointGrid) => {
  const { position, start, world } = search.fields;
  const { cell, perCell } = world;
  return { ...onEach({ position, start, sorted: sortedOf(search).sorted }), cell, perCell };
};
/** Fields that both neighbour searches read. */
const searchIn = (search: Search) => {
  const { corner, restPosition, thickness, piece, closePoint, closeCount } = search.fields;
  const ofOthers = onEach({ restPosition, thickness, piece, closePoint, closeCount });
  return { ...gridIn(search), ...ofOthers, corner: indexOn(corner) };
};
type OfWorld = 'cell' | 'perCell';
type Grid = ReadersOf<Omit<ReturnType<typeof gridIn>, OfWorld>> & Readonly<Record<OfWorld, F32>>;
type Fields = ReadersOf<Omit<ReturnType<typeof searchIn>, OfWorld>> & Grid;

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
interface Places {
  readonly isComplete: Bool;
  readonly first: U32;
  readonly end: U32;
  at(place: U32): U32;
}

/**
 * Loops over the points within a cell's edge length of `x`: the list `known` if that is given and complete, otherwise
 * those found in the surrounding grid cells.
 */
export function overClose(
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
    min(max(span.add(1), f32(1)), f32(WIDEST)).toU32(),
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
 * Kernel that lists, for each point, the points within a cell's edge length, as many as fit. The neighbours of the
 * point, and of the triangles of which it is the first corner, are found among these points and the triangles of which
 * these are the first corner.
 */
export function pointsNearPoint(search: Search): Kernel {
  const { fields, sizes, room } = search;
  const { touches, closePoint, closeCount } = fields;
  return kernel(
    'pointsNearPoint',
    {
      domain: fields.points.component,
      reads: { ...gridIn(search), touches },
      writes: { closePoint: several(closePoint, room), closeCount },
    },
    ({ touches, ...grid }, { element }) => {
      const x = grid.position.at(element);
      const found = when(
        touches.gt(0),
        () => overClose(grid, sizes, x, emptyList(room), (point, list) => append(list, point, room)),
        () => emptyList(room),
      );
      return { closePoint: elementsOf(found, room), closeCount: found.count };
    },
  );
}

/** Returns the list of points near a point, as stored by `pointsNearPoint`. */
function closeTo({ closePoint, closeCount }: Fields, point: U32, { room }: Search): Places {
  const first = point.mul(room);
  const count = closeCount.at(point);
  return {
    isComplete: count.le(room),
    first,
    end: first.add(count),
    at: (place) => closePoint.at(place),
  };
}

/**
 * Appends an element to the list if the point and the triangle may touch before the next search: the point is none of
 * the corners, and its distance is at most the contact distance plus the margin. Pairs of one connected piece that are
 * within contact distance in the rest shape are left out, since contact would bulge the surface at rest.
 */
function appendNear(
  { position, restPosition, thickness, piece }: Fields,
  point: U32,
  corners: readonly Index[],
  margin: F32,
  element: U32,
  list: List,
  room: number,
): List {
  const p = position.at(point);
  const at = corners.map((corner) => position.at(corner)) as readonly Vec3[] as Corners;
  const reach = thickness.at(point).add(thickest(thickness, corners)).add(margin);
  const isCorner = corners.map((corner) => point.eq(corner)).reduce((any, is) => any.or(is));
  const mayBeNear = isInBox(p, at, reach).and(isCorner.not());
  return when(
    mayBeNear,
    () =>
      when(
        distance(p, at).le(reach),
        () => {
          const restCorners = corners.map((corner) => restPosition.at(corner)) as readonly Vec3[] as Corners;
          const rest = restPosition.at(point);
          const w = nearestWeights(rest, restCorners);
          const [d1, d2, d3] = corners.map((corner) => thickness.at(corner));
          const skin = thickness.at(point).add(dot(w, vec3(d1, d2, d3)));
          const isRestNear = norm(rest.sub(weighted(w, restCorners))).lt(skin);
          return when(
            isRestNear.and(piece.at(point).eq(piece.at(corners[0]))),
            () => list,
            () => append(list, element, room),
          );
        },
        () => list,
      ),
    () => list,
  );
}

const thickest = (thickness: Reader<F32>, [a, b, c]: readonly U32[]): F32 =>
  max(thickness.at(a), max(thickness.at(b), thickness.at(c)));

/** Returns whether a point lies in the bounding box of a triangle, enlarged by `by` on all sides. */
function isInBox(p: Vec3, [a, b, c]: Corners, by: F32): Bool {
  const over = (pick: typeof min<F32>): Vec3 =>
    vec3(pick(a.x, pick(b.x, c.x)), pick(a.y, pick(b.y, c.y)), pick(a.z, pick(b.z, c.z)));
  const [below, above] = [over(min).sub(p), p.sub(over(max))];
  return max(max(below.x, above.x), max(max(below.y, above.y), max(below.z, above.z))).le(by);
}

const distance = (p: Vec3, corners: Corners): F32 => norm(p.sub(weighted(nearestWeights(p, corners), corners)));

/**
 * Returns the record of a list's first overflow, (substep + 1, number of elements found), for its alarm; (0, 0) if
 * none.
 */
export const crowdedBy = (count: U32, room: number, before: { x: F32 }, substep: U32) =>
  select(
    count.gt(room).and(before.x.eq(0)),
    vec2(substep.toF32().add(1), count.toF32()),
    before as ReturnType<typeof vec2>,
  );

/**
 * Kernel that lists, for each point, the triangles that it may touch until the next search, and stores its position.
 */
export function trianglesNearPoint(search: Search): Kernel {
  const { fields, sizes, room, margins } = search;
  const { firstTriangle, triangleCount, nearCount, crowded, searchedAt } = fields;
  return kernel(
    'trianglesNearPoint',
    {
      domain: fields.points.component,
      reads: { ...searchIn(search), ...onEach({ firstTriangle, triangleCount }), crowded },
      writes: { nearTriangle: several(fields.nearTriangle, room), nearCount, searchedAt, crowded },
    },
    (c, { element, longestDt, substep }) => {
      const x = c.position.at(element);
      const ofPoint = (other: U32, list: List): List => {
        const first = c.firstTriangle.at(other);
        return forRange(first, first.add(c.triangleCount.at(other)), list, (t, own) => {
          const corners = [0, 1, 2].map((j) => c.corner.at(t.mul(3).add(j)));
          return appendNear(c, element, corners, margins.search(longestDt), t, own, room);
        });
      };
      const found = overClose(c, sizes, x, emptyList(room), ofPoint, closeTo(c, element, search));
      return {
        nearTriangle: elementsOf(found, room),
        nearCount: min(found.count, u32(room)),
        searchedAt: x,
        crowded: crowdedBy(found.count, room, c.crowded, substep),
      };
    },
  );
}

/** Kernel that lists, for each triangle, the points that it may touch until the next search. */
export function pointsNearTriangle(search: Search): Kernel {
  const { fields, sizes, room, margins } = search;
  const { nearCount, crowded } = fields.triangle;
  return kernel(
    'pointsNearTriangle',
    {
      domain: fields.vertices.domain,
      reads: { ...searchIn(search), crowded },
      writes: { nearPoint: several(fields.nearPoint, room), nearCount, crowded },
    },
    (c, { element, longestDt, substep }) => {
      const corners = [0, 1, 2].map((j) => c.corner.at(element.mul(3).add(j)));
      const found = overClose(
        c,
        sizes,
        c.position.at(corners[0]),
        emptyList(room),
        (point, list) => appendNear(c, point, corners, margins.search(longestDt), point, list, room),
        closeTo(c, corners[0], search),
      );
      return {
        nearPoint: elementsOf(found, room),
        nearCount: min(found.count, u32(room)),
        crowded: crowdedBy(found.count, room, c.crowded, substep),
      };
    },
  );
}

/**
 * Kernel that raises an alarm for a point that has moved further than the search allows for. As long as no point has, pairs that are not listed cannot be in contact.
 */
export function watchTravel({ fields, margins }: Search): Kernel {
  const { points, position, velocity, searchedAt, touches, strayed } = fields;
  return kernel(
    'watchTravel',
    {
      domain: points.component,
      reads: { position, velocity, searchedAt, touches, strayed },
      writes: { strayed },
    },
    ({ position, velocity, searchedAt, touches, strayed }, { longestDt, substep }) => {
      const travel = norm(position.sub(searchedAt));
      const isTooFar = travel.mul(touches).gt(margins.travel(longestDt)).and(strayed.x.eq(0));
      const report = vec3(substep.toF32().add(1), travel, norm(velocity));
      return { strayed: select(isTooFar, report, strayed) };
    },
  );
}
