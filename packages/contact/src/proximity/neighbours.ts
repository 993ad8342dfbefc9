import type { Bool, F32, Index, Kernel, Reader, U32, Vec3 } from '@gradsim/core';
import {
  dot,
  f32,
  forRange,
  indexOn,
  kernel,
  max,
  min,
  norm,
  on,
  perWorld,
  select,
  several,
  u32,
  vec2,
  vec3,
  when,
} from '@gradsim/core';
import type { Corners } from './closest.ts';
import { nearestWeights, weighted } from './closest.ts';
import type { GridSizes } from './grid.ts';
import { bucketOf, cellOf } from './grid.ts';

/** What the search goes by. */
export interface SearchSettings {
  readonly sizes: GridSizes;
  /** How many neighbours an element has room for. */
  readonly room: number;
  /** How far beyond touch neighbours are looked for, given dt, m. */
  readonly margin: (dt: F32) => F32;
}

/** Along an axis, a query spans at most this many cubes: a box of twice their edge. The limit holds back overflow. */
const WIDEST = 4;

const READS = {
  corner: indexOn('touchingCorners', 'particles'),
  position: on('particles', vec3),
  restPosition: on('particles', vec3),
  thickness: on('particles', f32),
  piece: on('particles', u32),
  sorted: on('particles', u32),
  start: on('contactBuckets', u32),
  contactReach: perWorld(f32),
  contactThickness: perWorld(f32),
  contactCell: perWorld(f32),
} as const;

interface Fields {
  readonly position: Reader<Vec3>;
  readonly restPosition: Reader<Vec3>;
  readonly thickness: Reader<F32>;
  readonly piece: Reader<U32>;
}
interface Grid {
  readonly position: Reader<Vec3>;
  readonly sorted: Reader<U32>;
  readonly start: Reader<U32>;
  readonly contactCell: F32;
}

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

/** Goes over the particles in the cubes that a box touches, those that are close. */
function overBox(
  { position, sorted, start, contactCell }: Grid,
  { buckets }: GridSizes,
  low: Vec3,
  high: Vec3,
  list: List,
  isClose: (x: Vec3) => Bool,
  body: (particle: U32, list: List) => List,
): List {
  const [from, to] = [cellOf(low, contactCell), cellOf(high, contactCell)];
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
      const particle = sorted.at(at);
      // Other cubes may share the bucket, and two of the box's own would be gone over twice.
      const own = cellOf(position.at(particle), contactCell);
      const isHere = own.x.eq(cell.x).and(own.y.eq(cell.y)).and(own.z.eq(cell.z));
      return when(
        isHere.and(isClose(position.at(particle))),
        () => body(particle, inner),
        () => inner,
      );
    });
  });
}

/**
 * Adds an element to the list when the particle and the triangle may touch before the next search: no corner of it,
 * within touch and the margin, and not within touch in the rest shape of one piece, where it would have to bulge.
 */
function appendNear(
  { position, restPosition, thickness, piece }: Fields,
  particle: U32,
  corners: readonly Index[],
  margin: F32,
  element: U32,
  list: List,
  room: number,
): List {
  const p = position.at(particle);
  const at = corners.map((corner) => position.at(corner)) as readonly Vec3[] as Corners;
  const reach = thickness.at(particle).add(thickest(thickness, corners)).add(margin);
  const isCorner = corners.map((corner) => particle.eq(corner)).reduce((any, is) => any.or(is));
  const mayBeNear = isInBox(p, at, reach).and(isCorner.not());
  return when(
    mayBeNear,
    () =>
      when(
        distance(p, at).le(reach),
        () => {
          const restCorners = corners.map((corner) => restPosition.at(corner)) as readonly Vec3[] as Corners;
          const rest = restPosition.at(particle);
          const w = nearestWeights(rest, restCorners);
          const [d1, d2, d3] = corners.map((corner) => thickness.at(corner));
          const skin = thickness.at(particle).add(dot(w, vec3(d1, d2, d3)));
          const isRestNear = norm(rest.sub(weighted(w, restCorners))).lt(skin);
          return when(
            isRestNear.and(piece.at(particle).eq(piece.at(corners[0]))),
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

/** The triangles that each particle may touch until the next search, and where it is now. */
export function trianglesNearParticle({ sizes, room, margin }: SearchSettings): Kernel {
  return kernel(
    'trianglesNearParticle',
    {
      domain: 'particles',
      reads: {
        ...READS,
        touches: f32,
        firstTriangle: on('particles', u32),
        triangleCount: on('particles', u32),
        crowded: vec2,
      },
      writes: {
        nearTriangle: several('particleNeighbours', u32, room),
        nearCount: u32,
        searchedAt: vec3,
        crowded: vec2,
      },
    },
    (c, { element, dt, substep }) => {
      const x = c.position.at(element);
      const far = c.thickness.at(element).add(c.contactReach).add(margin(dt));
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

/** The particles that each triangle may touch until the next search. */
export function particlesNearTriangle({ sizes, room, margin }: SearchSettings): Kernel {
  return kernel(
    'particlesNearTriangle',
    {
      domain: 'touchingTriangles',
      reads: { ...READS, crowded: vec2 },
      writes: {
        nearParticle: several('triangleNeighbours', u32, room),
        nearCount: u32,
        crowded: vec2,
      },
    },
    (c, { element, dt, substep }) => {
      const corners = [0, 1, 2].map((j) => c.corner.at(element.mul(3).add(j)));
      const at = corners.map((corner) => c.position.at(corner)) as readonly Vec3[] as Corners;
      const far = thickest(c.thickness, corners).add(c.contactThickness).add(margin(dt));
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
        (particle, list) => appendNear(c, particle, corners, margin(dt), particle, list, room),
      );
      return {
        nearParticle: slotsOf(room).map((name) => found[name]),
        nearCount: min(found.count, u32(room)),
        crowded: crowdedBy(found.count, room, c.crowded, substep),
      };
    },
  );
}

/**
 * Raises an alarm for a particle that has gone further since the search than half of the margin: until then, no pair
 * that was not found can have come within touch.
 */
export function watchTravel({ margin }: SearchSettings): Kernel {
  return kernel(
    'watchTravel',
    {
      domain: 'particles',
      reads: { position: vec3, velocity: vec3, searchedAt: vec3, touches: f32, strayed: vec3 },
      writes: { strayed: vec3 },
    },
    ({ position, velocity, searchedAt, touches, strayed }, { dt, substep }) => {
      const travel = norm(position.sub(searchedAt));
      const isTooFar = travel.mul(touches).gt(margin(dt).mul(0.5)).and(strayed.x.eq(0));
      const report = vec3(substep.toF32().add(1), travel, norm(velocity));
      return { strayed: select(isTooFar, report, strayed) };
    },
  );
}
