import type { Bool, F32, Index, Kernel, Reader, U32, Vec3 } from '@gradsim/core';
import { dot, forRange, indexOn, kernel, max, min, norm, several, u32, vec3, when } from '@gradsim/core';
import {
  append,
  elementsOf,
  emptyList,
  excessTravelRecord,
  forEachClosePoint,
  type Grid,
  gridIn,
  type List,
  type OfWorld,
  overflowRecord,
  type Places,
} from '@gradsim/dynamics/internal';
import type { ReadersOf } from '../fields.ts';
import { readsOnElements } from '../fields.ts';
import type { Corners } from './closest.ts';
import { nearestWeights, weighted } from './closest.ts';
import type { Search } from './fields.ts';

/** Fields that both neighbour searches read. */
const searchReads = (search: Search) => {
  const { corner, restPosition, thickness, piece, closePoint, closeCount } = search.fields;
  const ofOthers = readsOnElements({ restPosition, thickness, piece, closePoint, closeCount });
  return { ...gridIn(search), ...ofOthers, corner: indexOn(corner) };
};
type Fields = ReadersOf<Omit<ReturnType<typeof searchReads>, OfWorld>> & Grid;

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
        () => forEachClosePoint(grid, sizes, x, emptyList(room), (point, list) => append(list, point, room)),
        () => emptyList(room),
      );
      return { closePoint: elementsOf(found, room), closeCount: found.count };
    },
  );
}

/** Returns the list of points near a point, as stored by `pointsNearPoint`. */
function listOfClosePoints({ closePoint, closeCount }: Fields, point: U32, { room }: Search): Places {
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
function appendIfNear(
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
  const reach = thickness.at(point).add(largestThickness(thickness, corners)).add(margin);
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

const largestThickness = (thickness: Reader<F32>, [a, b, c]: readonly U32[]): F32 =>
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
 * Kernel that lists, for each point, the triangles that it may touch until the next search, and stores its position.
 */
export function trianglesNearPoint(search: Search): Kernel {
  const { fields, sizes, room, margins } = search;
  const { firstTriangle, triangleCount, nearCount, crowded, searchedAt } = fields;
  return kernel(
    'trianglesNearPoint',
    {
      domain: fields.points.component,
      reads: { ...searchReads(search), ...readsOnElements({ firstTriangle, triangleCount }), crowded },
      writes: { nearTriangle: several(fields.nearTriangle, room), nearCount, searchedAt, crowded },
    },
    (c, { element, longestDt, substep }) => {
      const x = c.position.at(element);
      const ofPoint = (other: U32, list: List): List => {
        const first = c.firstTriangle.at(other);
        return forRange(first, first.add(c.triangleCount.at(other)), list, (t, own) => {
          const corners = [0, 1, 2].map((j) => c.corner.at(t.mul(3).add(j)));
          return appendIfNear(c, element, corners, margins.search(longestDt), t, own, room);
        });
      };
      const found = forEachClosePoint(c, sizes, x, emptyList(room), ofPoint, listOfClosePoints(c, element, search));
      return {
        nearTriangle: elementsOf(found, room),
        nearCount: min(found.count, u32(room)),
        searchedAt: x,
        crowded: overflowRecord(found.count, room, c.crowded, substep),
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
      reads: { ...searchReads(search), crowded },
      writes: { nearPoint: several(fields.nearPoint, room), nearCount, crowded },
    },
    (c, { element, longestDt, substep }) => {
      const corners = [0, 1, 2].map((j) => c.corner.at(element.mul(3).add(j)));
      const found = forEachClosePoint(
        c,
        sizes,
        c.position.at(corners[0]),
        emptyList(room),
        (point, list) => appendIfNear(c, point, corners, margins.search(longestDt), point, list, room),
        listOfClosePoints(c, corners[0], search),
      );
      return {
        nearPoint: elementsOf(found, room),
        nearCount: min(found.count, u32(room)),
        crowded: overflowRecord(found.count, room, c.crowded, substep),
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
      const way = norm(position.sub(searchedAt)).mul(touches);
      return { strayed: excessTravelRecord(way, margins.travel(longestDt), velocity, strayed, substep) };
    },
  );
}
