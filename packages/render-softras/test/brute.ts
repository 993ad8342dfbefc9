import type { RasterSettings } from '../src/options.ts';
import { distanceCutoff } from '../src/options.ts';

export interface BruteScene {
  readonly width: number;
  readonly height: number;
  /** Vertices (x, y, z): device x and y, and depth, m. */
  readonly vertices: ArrayLike<number>;
  readonly faces: ArrayLike<number>;
  readonly colors: ArrayLike<number>;
  /** Granularity of `colors`: one per face, or one per corner of it. */
  readonly colorsOf?: 'face' | 'corner';
  readonly background: readonly number[];
}

/**
 * Draws a picture by testing every pixel against every face, straight from the formulas: red, green, blue, alpha, depth
 * of each pixel, row by row from the top.
 */
export function bruteForce(scene: BruteScene, settings: RasterSettings): Float64Array {
  const { width, height } = scene;
  const out = new Float64Array(width * height * 5);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const x = (2 * column + 1 - width) / width;
      const y = (height - 1 - 2 * row) / height;
      out.set(pixelOf(scene, settings, x, y), (row * width + column) * 5);
    }
  }
  return out;
}

function pixelOf(scene: BruteScene, settings: RasterSettings, x: number, y: number): number[] {
  const { sigma, gamma, near, far } = settings;
  const cutoff = distanceCutoff(sigma);
  let open = 1;
  const behind = { inverse: 1e-3, weight: 1, color: scene.background, z: far };
  const faces: (typeof behind)[] = [];
  for (let f = 0; f < scene.faces.length / 3; f++) {
    const corners = [0, 1, 2].map((k) => {
      const v = scene.faces[3 * f + k];
      return [0, 1, 2].map((c) => scene.vertices[3 * v + c]);
    });
    if (corners.every((p) => p[2] <= 0)) continue;
    const edges = corners.map((a, k) => {
      const b = corners[(k + 1) % 3];
      const [ex, ey, px, py] = [b[0] - a[0], b[1] - a[1], x - a[0], y - a[1]];
      const length2 = ex * ex + ey * ey;
      const t = length2 > 0 ? Math.min(1, Math.max(0, (px * ex + py * ey) / length2)) : 0;
      return { cross: ex * py - ey * px, distance2: (px - t * ex) ** 2 + (py - t * ey) ** 2 };
    });
    const area = edges.reduce((sum, e) => sum + e.cross, 0);
    if (!settings.doubleSided && area <= 0) continue;
    const isFlat = Math.abs(area) < 1e-10;
    const w = [0, 1, 2].map((k) => (isFlat ? 1 / 3 : edges[(k + 1) % 3].cross / area));
    const inside = !isFlat && w.every((v) => v > 0);
    const distance2 = Math.min(...edges.map((e) => e.distance2));
    if (!inside && distance2 >= cutoff) continue;
    const covered = 1 / (1 + Math.exp(((inside ? -1 : 1) * distance2) / sigma));
    open *= 1 - covered;
    const clipped = w.map((v) => Math.min(1, Math.max(0, v)));
    const overZ = clipped.map((v, k) => v / corners[k][2]);
    const sum = overZ.reduce((a, b) => a + b);
    const z = clipped.reduce((a, b) => a + b) / sum;
    if (z < near || z > far) continue;
    const color = [0, 1, 2].map((c) =>
      scene.colorsOf === 'corner'
        ? overZ.reduce((total, v, k) => total + (v / sum) * scene.colors[9 * f + 3 * k + c], 0)
        : scene.colors[3 * f + c],
    );
    faces.push({ inverse: (far - z) / (far - near), weight: covered, color, z });
  }
  const mean = (shown: readonly (typeof behind)[], value: (s: typeof behind) => number): number => {
    const highest = Math.max(...shown.map((s) => s.inverse));
    const weights = shown.map((s) => s.weight * Math.exp((s.inverse - highest) / gamma));
    const total = weights.reduce((a, b) => a + b);
    return shown.reduce((sum, s, k) => sum + (weights[k] / total) * value(s), 0);
  };
  const all = [behind, ...faces];
  const rgb = [0, 1, 2].map((c) => {
    if (settings.compositing === 'softmax') return mean(all, ({ color }) => color[c]);
    if (faces.length === 0) return scene.background[c];
    return (1 - open) * mean(faces, ({ color }) => color[c]) + open * scene.background[c];
  });
  return [...rgb, 1 - open, mean(all, ({ z }) => z)];
}
