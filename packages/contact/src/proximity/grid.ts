import type { F32, Kernel, U32, Vec3 } from '@gradsim/core';
import {
  f32,
  fieldOn,
  floor,
  forRange,
  indexOn,
  kernel,
  lowerBound,
  max,
  mergedSource,
  min,
  norm,
  select,
  u32,
  vec3,
} from '@gradsim/core';
import { onEach } from '../fields.ts';
import type { PointGrid, Search } from './fields.ts';

/*
 * A grid of cubes without bounds: a cube's three whole numbers are hashed to one of a fixed number of buckets, and
 * the points are sorted by bucket, by merging. Cubes that share a bucket are distinguished where points are looked up.
 */

/**
 * Kernel over chunks that computes the largest reach of the triangles, and the largest thickness of the points, in a
 * chunk, m. A triangle's reach is the largest distance of a corner from its first corner plus its largest thickness.
 */
export function reachOfChunk({ fields, sizes: { points, triangles, chunks } }: Search): Kernel {
  const { corner, chunk, touches, position, thickness } = fields;
  return kernel(
    'reachOfChunk',
    {
      domain: chunk.reach.domain,
      reads: { corner: indexOn(corner), ...onEach({ position, thickness, touches }) },
      writes: chunk,
    },
    ({ corner, position, thickness, touches }, { element }) => {
      const reach = forRange(0, Math.ceil(triangles / chunks), f32(0), (k, most) => {
        const t = min(k.mul(chunks).add(element), u32(triangles - 1));
        const [a, b, c] = [0, 1, 2].map((j) => corner.at(t.mul(3).add(j)));
        const far = (other: typeof b): F32 => norm(position.at(other).sub(position.at(a)));
        const skin = max(thickness.at(a), max(thickness.at(b), thickness.at(c)));
        return max(most, max(far(b), far(c)).add(skin));
      });
      const skin = forRange(0, Math.ceil(points / chunks), f32(0), (k, most) => {
        const i = min(k.mul(chunks).add(element), u32(points - 1));
        return max(most, thickness.at(i).mul(touches.at(i)));
      });
      return { reach, skin };
    },
  );
}

/**
 * Kernel over `world` that computes the edge length of a grid cell, m, and its inverse: the largest distance between a
 * triangle's first corner and a point at which they can be neighbours.
 */
export function reachOfWorld({ fields: { chunk, world }, sizes: { chunks }, margins }: Search): Kernel {
  return kernel(
    'reachOfWorld',
    {
      domain: 'world',
      reads: { triangleReach: fieldOn(chunk.reach), thickest: fieldOn(chunk.skin) },
      writes: world,
    },
    ({ triangleReach, thickest }, { longestDt }) => {
      const start = { reach: f32(0), skin: f32(0) };
      const { reach, skin } = forRange(0, chunks, start, (k, most) => ({
        reach: max(most.reach, triangleReach.at(k)),
        skin: max(most.skin, thickest.at(k)),
      }));
      const cell = reach.add(skin).add(margins.search(longestDt));
      return { cell, perCell: f32(1).div(cell) };
    },
  );
}

/** Returns the integer cell coordinates of a position, given the inverse of the cell's edge length. */
export function cellOf(x: Vec3, perCell: F32): Vec3 {
  const at = x.mul(perCell);
  return vec3(floor(at.x), floor(at.y), floor(at.z));
}

/**
 * Returns the hash bucket of a cell. Source of the primes: M. Teschner et al., Optimized Spatial Hashing for Collision
 * Detection, 2003.
 */
export function bucketOf(cell: Vec3, buckets: number): U32 {
  const [x, y, z] = [cell.x, cell.y, cell.z].map((whole) => whole.toI32().toU32());
  return x
    .mul(73_856_093)
    .xor(y.mul(19_349_663))
    .xor(z.mul(83_492_791))
    .and(buckets - 1);
}

/** Kernel that computes the hash bucket of every point; points without contact get an extra bucket after all others. */
export function bucketOfPoint({ fields, sizes: { buckets } }: PointGrid): Kernel {
  const { points, position, touches, world, runs } = fields;
  return kernel(
    'bucketOfPoint',
    {
      domain: points.component,
      reads: { position, touches, perCell: world.perCell },
      writes: runs[0],
    },
    ({ position, touches, perCell }, { element }) => ({
      bucket: select(touches.gt(0), bucketOf(cellOf(position, perCell), buckets), u32(buckets)),
      sorted: element,
    }),
  );
}

/** Kernel for one pass of a stable merge sort: merges pairs of adjacent sorted runs of 2^level points. */
export function mergeRuns({ fields, sizes: { points } }: PointGrid, level: number): Kernel {
  const [from, to] = [0, 1].map((next) => fields.runs[(level + next) % 2]);
  return kernel(
    `mergeRuns${2 ** level}`,
    {
      domain: fields.points.component,
      reads: onEach(from),
      writes: { mergedBucket: to.bucket, mergedSorted: to.sorted },
    },
    ({ bucket, sorted }, { element }) => {
      const source = mergedSource(bucket, element, level, points);
      return { mergedBucket: bucket.at(source), mergedSorted: sorted.at(source) };
    },
  );
}

/** Returns the number of passes of the merge sort. */
export const levelsOf = ({ sizes: { points } }: PointGrid): number => Math.ceil(Math.log2(points));
/** Returns the buffer that holds the points sorted by bucket after the last merge pass. */
export const sortedOf = (search: PointGrid) => search.fields.runs[levelsOf(search) % 2];

/**
 * Kernel over buckets, and one past the last, that finds the first position in the sorted list whose point is in that
 * bucket or a later one.
 */
export function startOfBucket(search: PointGrid): Kernel {
  const { points } = search.sizes;
  const { start } = search.fields;
  return kernel(
    'startOfBucket',
    { domain: start.domain, reads: { bucket: fieldOn(sortedOf(search).bucket) }, writes: { start } },
    ({ bucket }, { element }) => ({ start: lowerBound(bucket, element, points) }),
  );
}
