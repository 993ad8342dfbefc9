import { createSimulation, f64Device } from '@gradsim/core';
import { toRows } from '@gradsim/render';
import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../scripts/vitest/draws.ts';
import { softRasScene } from '../src/index.ts';
import type { SceneOptions } from './scenes.ts';

interface Surface {
  readonly positions: ArrayLike<number>;
  readonly triangles: ArrayLike<number>;
}
/** A closed surface from a grid of points that wraps around in both directions; collapsed rows make its poles. */
function wrapped(across: number, along: number, pointAt: (u: number, v: number) => readonly number[]): Surface {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let i = 0; i < across; i++)
    for (let j = 0; j < along; j++) {
      positions.push(...pointAt((2 * Math.PI * i) / across, j / along));
      const [a, b] = [i * along + j, i * along + ((j + 1) % along)];
      const [c, d] = [a, b].map((v) => (v + along) % (across * along));
      triangles.push(a, c, b, b, c, d);
    }
  return { positions, triangles };
}

const torus = (): Surface =>
  wrapped(24, 12, (u, v) => {
    const [w, r] = [2 * Math.PI * v, 0.5];
    return [(r + 0.15 * Math.cos(w)) * Math.cos(u), 0.15 * Math.sin(w), (r + 0.15 * Math.cos(w)) * Math.sin(u)];
  });

/** A sphere, and with few points a convex body of sharp edges, whose axis closes it. */
const ball = (across: number, along: number): Surface =>
  wrapped(across, along, (u, v) => {
    const w = (Math.PI * v * along) / (along - 1);
    return [0.6 * Math.sin(w) * Math.cos(u), 0.6 * Math.cos(w), 0.6 * Math.sin(w) * Math.sin(u)];
  });

type Point = readonly [x: number, y: number];

/** Vertices (device x, device y, depth) of a surface, turned at random and seen from a distance of 4 of its sizes. */
function seenFrom({ positions }: Surface, random: () => number): number[] {
  const [a, b, c, d] = Array.from({ length: 4 }, () => random() - 0.5);
  const n = Math.hypot(a, b, c, d);
  const [w, x, y, z] = [a / n, b / n, c / n, d / n];
  const rows = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
  const vertices: number[] = [];
  for (let v = 0; v < positions.length; v += 3) {
    const [right, up, near] = rows.map((row) => row.reduce((sum, r, k) => sum + r * positions[v + k], 0));
    const depth = 4 - near;
    vertices.push((2.4 * right) / depth + 0.05, (2.4 * up) / depth - 0.03, depth);
  }
  return vertices;
}

const cross = (o: Point, p: Point, q: Point): number => (p[0] - o[0]) * (q[1] - o[1]) - (p[1] - o[1]) * (q[0] - o[0]);

/** Area of the convex hull of the points (Andrew's monotone chain). */
function hullArea(vertices: readonly number[]): number {
  const points = Array.from({ length: vertices.length / 3 }, (_, v): Point => [vertices[3 * v], vertices[3 * v + 1]]);
  points.sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  const half = (all: readonly Point[]): Point[] => {
    const chain: Point[] = [];
    for (const p of all) {
      while (chain.length > 1 && cross(chain.at(-2)!, chain.at(-1)!, p) <= 0) chain.pop();
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  const hull = [...half(points), ...half(points.reverse())];
  return hull.reduce((sum, p, k) => sum + cross([0, 0], p, hull[(k + 1) % hull.length]) / 2, 0);
}

/** Alpha of each pixel, row by row. */
async function alphaOf(
  size: { width: number; height: number },
  { triangles }: Surface,
  vertices: readonly number[],
  options: SceneOptions,
): Promise<ArrayLike<number>> {
  const colors = Array.from(triangles, () => 1);
  const mesh = { vertices: [...vertices], faces: Array.from(triangles), colors };
  const { model, layout } = softRasScene(size, mesh, { ...options, compositing: 'area', drawings: ['silhouette'] });
  const record = ['pixels.alpha'];
  const simulation = await createSimulation(model, {
    device: f64Device(),
    frames: 1,
    frameRate: 1,
    substeps: 1,
    record,
  });
  simulation.forward();
  const alpha = toRows(layout, await simulation.readFrames('pixels.alpha'), 1);
  simulation.dispose();
  return alpha;
}

const seed = 4411;
const size = { width: 40, height: 28 };
const sumOf = (values: ArrayLike<number>): number => Array.from(values).reduce((sum, value) => sum + value, 0);

describe('compositing by area', () => {
  console.log(`random views from seed ${seed}`);
  const convex: [string, Surface, SceneOptions][] = [
    ['a body of large faces', ball(4, 4), {}],
    ['a sphere of faces smaller than pixels', ball(40, 30), {}],
    ['outlines of several pixels', ball(14, 10), { sigma: 3e-3 }],
    ['front faces only', ball(14, 10), { doubleSided: false }],
    ['outlines equally soft in x and y', ball(5, 4), { sigma: 1e-3, evenOutlines: true }],
  ];
  it.each(convex)('covers the area of the outline: %s', async (_, surface, options) => {
    const random = randomNumbers(seed);
    for (let view = 0; view < 3; view++) {
      const vertices = seenFrom(surface, random);
      const area = (sumOf(await alphaOf(size, surface, vertices, options)) * 4) / (size.width * size.height);
      expect(Math.abs(area / hullArea(vertices) - 1)).toBeLessThan(1e-9);
    }
  });

  it('covers each pixel by the share of its points that lie on a surface with a hole', async () => {
    const ring = torus();
    const vertices = seenFrom(ring, randomNumbers(seed));
    const alpha = await alphaOf(size, ring, vertices, {});
    const side = 16;
    const [columns, rows] = [side * size.width, side * size.height];
    const isCovered = new Uint8Array(columns * rows);
    for (let f = 0; f < ring.triangles.length; f += 3) {
      const [a, b, c] = [0, 1, 2].map((k): Point => {
        const v = 3 * ring.triangles[f + k];
        return [((vertices[v] + 1) / 2) * columns, ((1 - vertices[v + 1]) / 2) * rows];
      });
      const least = (k: 0 | 1): number => Math.floor(Math.min(a[k], b[k], c[k]));
      const most = (k: 0 | 1): number => Math.ceil(Math.max(a[k], b[k], c[k]));
      for (let row = least(1); row <= most(1); row++)
        for (let column = least(0); column <= most(0); column++) {
          const p: Point = [column + 0.5, row + 0.5];
          const sides = [cross(a, b, p), cross(b, c, p), cross(c, a, p)];
          if (sides.every((s) => s > 0) || sides.every((s) => s < 0)) isCovered[row * columns + column] = 1;
        }
    }
    let worst = 0;
    for (let row = 0; row < size.height; row++)
      for (let column = 0; column < size.width; column++) {
        let hits = 0;
        for (let s = 0; s < side ** 2; s++)
          hits += isCovered[(row * side + Math.floor(s / side)) * columns + column * side + (s % side)];
        worst = Math.max(worst, Math.abs(hits / side ** 2 - alpha[row * size.width + column]));
      }
    expect(worst).toBeLessThan(0.03);
  });
});
