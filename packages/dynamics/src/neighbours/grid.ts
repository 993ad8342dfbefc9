import type { Component, F32, FieldOf, FieldRef, Kernel, U32, Vec3 } from '@gradsim/core';
import { type f32, floor, kernel, lowerBound, mergedSource, select, u32, vec3 } from '@gradsim/core';
import { readsOnElements } from '../on-each.ts';

/*
 * A grid of cubes without bounds: a cube's three whole numbers are hashed to one of a fixed number of buckets, and
 * the points are sorted by bucket, by merging. Cubes that share a bucket are distinguished where points are looked up.
 */

/** Numbers of points and of hash buckets. */
export interface GridSizes {
  readonly points: number;
  readonly buckets: number;
}

/** Twice as many hash buckets as points, rounded up to a power of two, so that few buckets hold points of several cells. */
export const bucketCount = (points: number): number => 2 ** Math.ceil(Math.log2(2 * points));

/** Fields and sizes of the uniform grid that sorts the points of surfaces, or the shapes of bodies, by cell. */
export interface PointGrid {
  readonly fields: {
    readonly points: { readonly component: Pick<Component, 'domain'> };
    readonly position: FieldOf<Vec3>;
    /** 1 for elements that can touch, 0 for those left out of the grid. */
    readonly touches: FieldOf<F32>;
    readonly world: {
      readonly cell: FieldRef<typeof f32, 'world'>;
      readonly perCell: FieldRef<typeof f32, 'world'>;
    };
    readonly runs: readonly {
      readonly bucket: FieldRef<typeof u32>;
      readonly sorted: FieldRef<typeof u32>;
    }[];
    readonly start: FieldRef<typeof u32>;
  };
  readonly sizes: GridSizes;
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
      reads: readsOnElements(from),
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
    { domain: start.domain, reads: readsOnElements({ bucket: sortedOf(search).bucket }), writes: { start } },
    ({ bucket }, { element }) => ({ start: lowerBound(bucket, element, points) }),
  );
}
