import { refuseUnknownOptions } from '@gradsim/base';
import type { TriangleMesh } from '../mesh.ts';
import { checkCount, checkElementCount, checkLengths } from './dimensions.ts';
import { revolve } from './revolve.ts';

/**
 * A cylinder about the origin, its axis along y.
 *
 * @example
 * const can = cylinder({ radius: 0.03, height: 0.12, segments: 24 });
 */
export function cylinder({ radius = 0.5, height = 1, segments = 32, ...others } = {}): TriangleMesh {
  refuseUnknownOptions('cylinder', others, { radius: true, height: true, segments: true });
  checkLengths('cylinder', { radius, height });
  checkCount('cylinder', 'segments', segments, 3);
  checkElementCount('cylinder', 'triangles', 4 * segments);
  const [low, high] = [-height / 2, height / 2];
  return revolve(
    'cylinder',
    [
      [0, low],
      [radius, low],
      [radius, high],
      [0, high],
    ],
    segments,
  );
}

/** A cone with its base at y = -height / 2 and its tip at y = height / 2. Its centre of mass is at y = -height / 4. */
export function cone({ radius = 0.5, height = 1, segments = 32, ...others } = {}): TriangleMesh {
  refuseUnknownOptions('cone', others, { radius: true, height: true, segments: true });
  checkLengths('cone', { radius, height });
  checkCount('cone', 'segments', segments, 3);
  checkElementCount('cone', 'triangles', 2 * segments);
  return revolve(
    'cone',
    [
      [0, -height / 2],
      [radius, -height / 2],
      [0, height / 2],
    ],
    segments,
  );
}

/**
 * A capsule about the origin with its axis along y: a cylinder of the given height between two half balls, so that its
 * length is height + 2 radius.
 */
export function capsule({ radius = 0.5, height = 1, segments = 32, rings = 8, ...others } = {}): TriangleMesh {
  refuseUnknownOptions('capsule', others, { radius: true, height: true, segments: true, rings: true });
  checkLengths('capsule', { radius, height });
  checkCount('capsule', 'segments', segments, 3);
  checkCount('capsule', 'rings', rings, 1);
  checkElementCount('capsule', 'triangles', 4 * segments * rings);
  const half = Array.from({ length: rings + 1 }, (_, i): [number, number] => {
    const latitude = (Math.PI / 2) * (i / rings);
    return [radius * Math.cos(latitude), radius * Math.sin(latitude) + height / 2];
  });
  const below = half.map(([r, y]): [number, number] => [r, -y]).reverse();
  return revolve('capsule', [...below, ...half], segments);
}
