import { refuseUnknownOptions } from '@gradsim/base';
import type { TriangleMesh } from '../mesh.ts';
import { checkCount, checkElementCount, checkLengths } from './dimensions.ts';
import { revolve } from './revolve.ts';

/**
 * An open bowl with its rim at y = 0: the lower half of a ball of radius `radius + wall`, hollowed by one of radius
 * `radius`, m.
 *
 * @example
 * const dish = bowl({ radius: 0.1, wall: 0.01 });
 */
export function bowl({ radius = 1, wall = 0.1, segments = 32, rings = 12, ...others } = {}): TriangleMesh {
  refuseUnknownOptions('bowl', others, { radius: true, wall: true, segments: true, rings: true });
  checkLengths('bowl', { radius, wall });
  checkCount('bowl', 'segments', segments, 3);
  checkCount('bowl', 'rings', rings, 1);
  checkElementCount('bowl', 'triangles', 4 * segments * rings);
  const arc = (of: number, from: number, to: number): [number, number][] =>
    Array.from({ length: rings + 1 }, (_, k) => {
      const angle = from + ((to - from) * k) / rings;
      return [of * Math.sin(angle), -of * Math.cos(angle)];
    });
  const quarter = Math.PI / 2;
  return revolve('bowl', [...arc(radius + wall, 0, quarter), ...arc(radius, quarter, 0)], segments);
}
