import type { F32, Kernel } from '@gradsim/core';
import { f32, fieldOn, forRange, indexOn, kernel, max, min, norm, u32 } from '@gradsim/core';
import { readsOnElements } from '../fields.ts';
import type { Search } from './fields.ts';

/**
 * Kernel over chunks that computes the largest reach of the triangles, and the largest thickness of the points, in a
 * chunk, m. A triangle's reach is the largest distance of a corner from its first corner plus its largest thickness.
 */
export function chunkReach({ fields, sizes: { points, triangles, chunks } }: Search): Kernel {
  const { corner, chunk, touches, position, thickness } = fields;
  return kernel(
    'reachOfChunk',
    {
      domain: chunk.reach.domain,
      reads: { corner: indexOn(corner), ...readsOnElements({ position, thickness, touches }) },
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
export function worldCellSize({ fields: { chunk, world }, sizes: { chunks }, margins }: Search): Kernel {
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
