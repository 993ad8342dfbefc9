import type { DeviceSceneOptions } from '@gradsim/render/raster';
import { randomNumbers } from '../../../scripts/vitest/draws.ts';
import type { SoftRasOptions } from '../src/index.ts';

export type SceneOptions = DeviceSceneOptions<SoftRasOptions>;

/** Triangles of all sizes, some extending beyond the picture, at depths 2 to 4, for a number of cameras. */
export function randomTriangles(seed: number, faces: number, cameras = 1) {
  const random = randomNumbers(seed);
  const vertices: number[] = [];
  for (let k = 0; k < cameras * faces; k++) {
    const [x, y, size] = [2.4 * random() - 1.2, 2.4 * random() - 1.2, 0.02 + random() ** 3];
    for (let corner = 0; corner < 3; corner++) {
      vertices.push(x + size * (2 * random() - 1), y + size * (2 * random() - 1), 2 + 2 * random());
    }
  }
  return {
    vertices,
    faces: Array.from({ length: 3 * faces }, (_, k) => k),
    faceColors: Array.from({ length: 3 * faces }, random),
    cornerColors: Array.from({ length: 9 * faces }, random),
  };
}
