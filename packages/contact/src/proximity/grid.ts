import type { F32, I32, Kernel, U32, Vec3 } from '@gradsim/core';
import {
  f32,
  floor,
  forRange,
  indexOn,
  kernel,
  max,
  min,
  norm,
  on,
  perWorld,
  select,
  u32,
  vec3,
} from '@gradsim/core';

/*
 * A grid of cubes without bounds: a cube's three whole numbers are hashed to one of a fixed number of buckets, and
 * the particles are sorted by bucket. Sorting is by merging, run after run: every place of the merged run finds its own
 * source by bisection, so nothing is scattered and log2 N passes do it. Cubes that share a bucket are told apart where
 * particles are looked up.
 */

/** How many particles, triangles, cubes' buckets and parts of the search for the largest reach there are. */
export interface GridSizes {
  readonly particles: number;
  readonly triangles: number;
  readonly buckets: number;
  readonly chunks: number;
}

/** Twice as many buckets as particles, rounded up to a power of two, so that most hold one cube. */
export function gridSizes(particles: number, triangles: number): GridSizes {
  return {
    particles,
    triangles,
    buckets: 2 ** Math.ceil(Math.log2(2 * particles)),
    chunks: Math.ceil(Math.sqrt(triangles)),
  };
}

/** Over `contactChunks`: the largest reach of every so many triangles, and the thickest skin of as many particles. */
export function reachOfChunk({ particles, triangles, chunks }: GridSizes): Kernel {
  return kernel(
    'reachOfChunk',
    {
      domain: 'contactChunks',
      reads: {
        corner: indexOn('touchingCorners', 'particles'),
        position: on('particles', vec3),
        thickness: on('particles', f32),
        touches: on('particles', f32),
      },
      writes: { triangleReach: f32, thickest: f32 },
    },
    ({ corner, position, thickness, touches }, { element }) => {
      const triangleReach = forRange(0, Math.ceil(triangles / chunks), f32(0), (k, most) => {
        const t = min(k.mul(chunks).add(element), u32(triangles - 1));
        const [a, b, c] = [0, 1, 2].map((j) => corner.at(t.mul(3).add(j)));
        const far = (other: typeof b): F32 => norm(position.at(other).sub(position.at(a)));
        const skin = max(thickness.at(a), max(thickness.at(b), thickness.at(c)));
        return max(most, max(far(b), far(c)).add(skin));
      });
      const thickest = forRange(0, Math.ceil(particles / chunks), f32(0), (k, most) => {
        const i = min(k.mul(chunks).add(element), u32(particles - 1));
        return max(most, thickness.at(i).mul(touches.at(i)));
      });
      return { triangleReach, thickest };
    },
  );
}

/**
 * Over `world`: from the first corner of a triangle, how far its skin goes; the thickest skin of a particle; and the
 * edge of a cube, as far as the two can see each other.
 * @param margin how far beyond touch neighbours are looked for, given dt, m.
 */
export function reachOfWorld({ chunks }: GridSizes, margin: (dt: F32) => F32): Kernel {
  return kernel(
    'reachOfWorld',
    {
      domain: 'world',
      reads: { triangleReach: on('contactChunks', f32), thickest: on('contactChunks', f32) },
      writes: { contactReach: f32, contactThickness: f32, contactCell: f32 },
    },
    ({ triangleReach, thickest }, { dt }) => {
      const start = { reach: f32(0), skin: f32(0) };
      const { reach, skin } = forRange(0, chunks, start, (k, most) => ({
        reach: max(most.reach, triangleReach.at(k)),
        skin: max(most.skin, thickest.at(k)),
      }));
      return { contactReach: reach, contactThickness: skin, contactCell: reach.add(skin).add(margin(dt)) };
    },
  );
}

/** A cube of the grid. */
export interface Cell {
  readonly x: I32;
  readonly y: I32;
  readonly z: I32;
}

export function cellOf({ x, y, z }: Vec3, size: F32): Cell {
  const whole = (a: F32): I32 => floor(a.div(size)).toI32();
  return { x: whole(x), y: whole(y), z: whole(z) };
}

/** Source of the primes: M. Teschner et al., Optimized Spatial Hashing for Collision Detection, 2003. */
export const bucketOf = ({ x, y, z }: Cell, buckets: number): U32 =>
  x
    .toU32()
    .mul(73_856_093)
    .xor(y.toU32().mul(19_349_663))
    .xor(z.toU32().mul(83_492_791))
    .and(buckets - 1);

/** The bucket of every particle; those without contact come last, in none. */
export function bucketOfParticle({ buckets }: GridSizes): Kernel {
  return kernel(
    'bucketOfParticle',
    {
      domain: 'particles',
      reads: { position: vec3, touches: f32, contactCell: perWorld(f32) },
      writes: { bucket: u32, sorted: u32 },
    },
    ({ position, touches, contactCell }, { element }) => ({
      bucket: select(touches.gt(0), bucketOf(cellOf(position, contactCell), buckets), u32(buckets)),
      sorted: element,
    }),
  );
}

/**
 * Merges neighbouring sorted runs of 2^level particles; equal buckets stay in order. Source of the bisection: O. Green,
 * S. Odeh, Y. Birk, Merge Path, 2014.
 */
export function mergeRuns({ particles }: GridSizes, level: number): Kernel {
  const length = 2 ** level;
  return kernel(
    `mergeRuns${length}`,
    {
      domain: 'particles',
      reads: { bucket: on('particles', u32), sorted: on('particles', u32) },
      writes: { mergedBucket: u32, mergedSorted: u32 },
    },
    ({ bucket, sorted }, { element }) => {
      const base = element.shiftRight(level + 1).shiftLeft(level + 1);
      const second = min(base.add(length), u32(particles));
      const end = min(base.add(2 * length), u32(particles));
      const [sizeA, sizeB] = [second.sub(base), end.sub(second)];
      const place = element.sub(base);
      // How many of the first run go before this place: bisected between too few and enough.
      const start = { low: select(place.gt(sizeB), place.sub(sizeB), u32(0)), high: min(place, sizeA) };
      const { low } = forRange(0, level + 1, start, (_, { low, high }) => {
        const middle = low.add(high).shiftRight(1);
        const isOpen = low.lt(high);
        const a = bucket.at(base.add(middle));
        const b = bucket.at(second.add(select(isOpen, place.sub(middle).sub(1), u32(0))));
        const isBefore = isOpen.and(a.le(b));
        return {
          low: select(isBefore, middle.add(1), low),
          high: select(isOpen.and(isBefore.not()), middle, high),
        };
      });
      const [atA, atB] = [base.add(low), second.add(place.sub(low))];
      const isFirst = low
        .lt(sizeA)
        .and(atB.ge(end).or(bucket.at(atA).le(bucket.at(min(atB, u32(particles - 1))))));
      const from = select(isFirst, atA, atB);
      return { mergedBucket: bucket.at(from), mergedSorted: sorted.at(from) };
    },
  );
}

/** Over `contactBuckets`, one more than there are: the first place in the sorted list that belongs to it or a later one. */
export function startOfBucket({ particles }: GridSizes): Kernel {
  return kernel(
    'startOfBucket',
    { domain: 'contactBuckets', reads: { bucket: on('particles', u32) }, writes: { start: u32 } },
    ({ bucket }, { element }) => {
      const rounds = Math.ceil(Math.log2(particles + 1));
      const { low } = forRange(0, rounds, { low: u32(0), high: u32(particles) }, (_, { low, high }) => {
        const middle = low.add(high).shiftRight(1);
        const isBefore = low.lt(high).and(bucket.at(min(middle, u32(particles - 1))).lt(element));
        return { low: select(isBefore, middle.add(1), low), high: select(isBefore, high, middle) };
      });
      return { start: low };
    },
  );
}
