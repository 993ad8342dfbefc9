import type { Bool, F32, Index, Kernel, Reader, U32, Vec3 } from '@gradsim/core';
import {
  dot,
  forRange,
  indexOn,
  kernel,
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
import type { GridSizes, Search } from './fields.ts';
import { bucketOf, cellOf, sortedOf } from './grid.ts';

/** Along an axis, a query spans at most this many cubes: a box of twice their edge. The limit holds back overflow. */
const WIDEST = 4;

/** What both kernels that look for neighbours read. */
const searchIn = (search: Search) => {
  const { corner, position, restPosition, thickness, piece, start, world } = search.fields;
  const { sorted } = sortedOf(search);
  const ofOthers = onEach({ position, restPosition, thickness, piece, sorted, start });
  return { ...ofOthers, corner: indexOn(corner), ...world };
};
type Fields = ReadersOf<ReturnType<typeof searchIn>>;

/** A list with room for so many elements, and how many there were for it. */
type List = { readonly count: U32 } & Readonly<Record<string, U32>>;

const slotsOf = (room: number): string[] => Array.from({ length: room }, (_, k) => `slot${k}`);

const emptyList = (room: number): List =>
  Object.fromEntries([['count', u32(0)], ...slotsOf(room).map((name) => [name, u32(0)])]) as List;

/** Elements beyond the room are counted, not kept. */
function append(list: List, element: U32, room: number): List {
  const slots = slotsOf(room).map((name, k) => [name, select(list.count.eq(k), element, list[name])]);
  return Object.fromEntries([['count', list.count.add(1)], ...slots]) as List;
}

/** Goes over the points in the cubes that a box touches, those that are close. */
function overBox(
  { position, sorted, start, cell: size }: Fields & { readonly cell: F32 },
  { buckets }: GridSizes,
  low: Vec3,
  high: Vec3,
  list: List,
  isClose: (x: Vec3) => Bool,
  body: (point: U32, list: List) => List,
): List {
  const [from, to] = [cellOf(low, size), cellOf(high, size)];
  const span = (axis: 'x' | 'y' | 'z'): U32 => min(max(to[axis].sub(from[axis]).add(1), 1), WIDEST).toU32();
  const [spanX, spanY, spanZ] = [span('x'), span('y'), span('z')];
  return forRange(0, spanX.mul(spanY).mul(spanZ), list, (k, outer) => {
    const row = k.div(spanX);
    const layer = row.div(spanY);
    const cell = {
      x: from.x.add(k.sub(row.mul(spanX)).toI32()),
      y: from.y.add(row.sub(layer.mul(spanY)).toI32()),
      z: from.z.add(layer.toI32()),
    };
    const bucket = bucketOf(cell, buckets);
    return forRange(start.at(bucket), start.at(bucket.add(1)), outer, (at, inner) => {
      const point = sorted.at(at);
      // Other cubes may share the bucket, and two of the box's own would be gone over twice.
      const own = cellOf(position.at(point), size);
      const isHere = own.x.eq(cell.x).and(own.y.eq(cell.y)).and(own.z.eq(cell.z));
      return when(
        isHere.and(isClose(position.at(point))),
        () => body(point, inner),
        () => inner,
      );
    });
  });
}

/**
 * Adds an element to the list when the point and the triangle may touch before the next search: no corner of it,
 * within touch and the margin, and not within touch in the rest shape of one piece, where it would have to bulge.
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

/** The bounds of a triangle. */
function bounds([a, b, c]: Corners): { low: Vec3; high: Vec3 } {
  const over = (pick: typeof min<F32>): Vec3 =>
    vec3(pick(a.x, pick(b.x, c.x)), pick(a.y, pick(b.y, c.y)), pick(a.z, pick(b.z, c.z)));
  return { low: over(min), high: over(max) };
}

/** Whether a point lies in the bounds of a triangle, grown to all sides. */
function isInBox(p: Vec3, corners: Corners, by: F32): Bool {
  const { low, high } = bounds(corners);
  const [below, above] = [low.sub(p), p.sub(high)];
  return max(max(below.x, above.x), max(max(below.y, above.y), max(below.z, above.z))).le(by);
}

const distance = (p: Vec3, corners: Corners): F32 =>
  norm(p.sub(weighted(nearestWeights(p, corners), corners)));

/** The first overflow of a list, as its alarm tells it. */
const crowdedBy = (count: U32, room: number, before: { x: F32 }, substep: U32) =>
  select(
    count.gt(room).and(before.x.eq(0)),
    vec2(substep.toF32().add(1), count.toF32()),
    before as ReturnType<typeof vec2>,
  );

/** The triangles that each point may touch until the next search, and where it is now. */
export function trianglesNearPoint(search: Search): Kernel {
  const { fields, sizes, room, margin } = search;
  const { touches, firstTriangle, triangleCount, nearCount, crowded, searchedAt } = fields;
  return kernel(
    'trianglesNearPoint',
    {
      domain: fields.points.component,
      reads: { ...searchIn(search), ...onEach({ firstTriangle, triangleCount }), touches, crowded },
      writes: { nearTriangle: several(fields.nearTriangle, room), nearCount, searchedAt, crowded },
    },
    (c, { element, dt, substep }) => {
      const x = c.position.at(element);
      const far = c.thickness.at(element).add(c.reach).add(margin(dt));
      const reach = vec3(far, far, far);
      const isClose = (other: Vec3): Bool => norm(other.sub(x)).le(far);
      const found = when(
        c.touches.gt(0),
        () =>
          overBox(c, sizes, x.sub(reach), x.add(reach), emptyList(room), isClose, (other, list) => {
            const first = c.firstTriangle.at(other);
            return forRange(first, first.add(c.triangleCount.at(other)), list, (t, own) => {
              const corners = [0, 1, 2].map((j) => c.corner.at(t.mul(3).add(j)));
              return appendNear(c, element, corners, margin(dt), t, own, room);
            });
          }),
        () => emptyList(room),
      );
      return {
        nearTriangle: slotsOf(room).map((name) => found[name]),
        nearCount: min(found.count, u32(room)),
        searchedAt: x,
        crowded: crowdedBy(found.count, room, c.crowded, substep),
      };
    },
  );
}

/** The points that each triangle may touch until the next search. */
export function pointsNearTriangle(search: Search): Kernel {
  const { fields, sizes, room, margin } = search;
  const { nearCount, crowded } = fields.triangle;
  return kernel(
    'pointsNearTriangle',
    {
      domain: fields.vertices.domain,
      reads: { ...searchIn(search), crowded },
      writes: { nearPoint: several(fields.nearPoint, room), nearCount, crowded },
    },
    (c, { element, dt, substep }) => {
      const corners = [0, 1, 2].map((j) => c.corner.at(element.mul(3).add(j)));
      const at = corners.map((corner) => c.position.at(corner)) as readonly Vec3[] as Corners;
      const far = thickest(c.thickness, corners).add(c.skin).add(margin(dt));
      const reach = vec3(far, far, far);
      const { low, high } = bounds(at);
      const isClose = (x: Vec3): Bool => isInBox(x, at, far);
      const found = overBox(
        c,
        sizes,
        low.sub(reach),
        high.add(reach),
        emptyList(room),
        isClose,
        (point, list) => appendNear(c, point, corners, margin(dt), point, list, room),
      );
      return {
        nearPoint: slotsOf(room).map((name) => found[name]),
        nearCount: min(found.count, u32(room)),
        crowded: crowdedBy(found.count, room, c.crowded, substep),
      };
    },
  );
}

/**
 * Raises an alarm for a point that has gone further since the search than half of the margin: until then, no pair
 * that was not found can have come within touch.
 */
export function watchTravel({ fields, margin }: Search): Kernel {
  const { points, position, velocity, searchedAt, touches, strayed } = fields;
  return kernel(
    'watchTravel',
    {
      domain: points.component,
      reads: { position, velocity, searchedAt, touches, strayed },
      writes: { strayed },
    },
    ({ position, velocity, searchedAt, touches, strayed }, { dt, substep }) => {
      const travel = norm(position.sub(searchedAt));
      const isTooFar = travel.mul(touches).gt(margin(dt).mul(0.5)).and(strayed.x.eq(0));
      const report = vec3(substep.toF32().add(1), travel, norm(velocity));
      return { strayed: select(isTooFar, report, strayed) };
    },
  );
}
