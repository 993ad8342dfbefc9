import { createSimulation, f64Device } from '@gradsim/core';
import { toRows } from '@gradsim/render';
import type { Drawing } from '@gradsim/render/raster';
import { describe, expect, it } from 'vitest';
import { softRasScene } from '../src/index.ts';
import { softRasOptions } from '../src/renderer.ts';
import { bruteForce } from './brute.ts';
import type { SceneOptions } from './scenes.ts';
import { randomTriangles } from './scenes.ts';

const BACKGROUND = [0.1, 0.2, 0.3] as const;

/** Draws a mesh: red, green, blue, alpha, depth of each pixel, and alpha again from the silhouette kernel. */
async function draw(
  size: { width: number; height: number },
  mesh: { vertices: number[]; faces: number[]; colors: number[] },
  options: SceneOptions,
) {
  const drawings: Drawing[] = ['color', 'silhouette', 'depth'];
  const { model, layout } = softRasScene(size, mesh, {
    ...options,
    drawings,
    backgroundColor: BACKGROUND,
  });
  const fields = ['pixels.rgba', 'pixels.alpha', 'pixels.depth'];
  const simulation = await createSimulation(model, {
    device: f64Device(),
    frames: 1,
    frameRate: 1,
    substeps: 1,
    record: fields,
  });
  simulation.forward();
  const [rgba, alpha, depth] = await Promise.all(fields.map((field) => simulation.readFrames(field)));
  simulation.dispose();
  return { rgba: toRows(layout, rgba, 4), alpha: toRows(layout, alpha, 1), depth: toRows(layout, depth, 1) };
}

function expectLike(got: Awaited<ReturnType<typeof draw>>, wanted: Float64Array, tolerance: number): void {
  for (let pixel = 0; pixel < wanted.length / 5; pixel++) {
    const values = [...got.rgba.slice(4 * pixel, 4 * pixel + 4), got.alpha[pixel], got.depth[pixel]];
    const expected = [...wanted.slice(5 * pixel, 5 * pixel + 4), wanted[5 * pixel + 3], wanted[5 * pixel + 4]];
    values.forEach((value, k) => {
      expect(Math.abs(value - expected[k]), `pixel ${pixel}, value ${k}: ${value}, not ${expected[k]}`).toBeLessThan(
        tolerance,
      );
    });
  }
}

describe('pictures equal those of a brute-force test of every pixel against every face', () => {
  const seed = 20240;
  console.log(`random triangles from seed ${seed}`);
  const cases: [string, { width: number; height: number }, number, SceneOptions][] = [
    ['few large and small faces', { width: 32, height: 32 }, 20, { sigma: 1e-4, gamma: 1e-2 }],
    // Not multiples of the tile size, nor of each other; a transposed picture would fail.
    ['a wide picture', { width: 45, height: 21 }, 40, { sigma: 1e-4, gamma: 1e-3 }],
    ['a tall picture', { width: 13, height: 50 }, 40, { sigma: 3e-5, gamma: 1e-3 }],
    // More faces than one mask has bits (32), and than one mask of masks has (1024).
    ['more faces than a mask holds', { width: 24, height: 16 }, 70, { sigma: 1e-5, gamma: 1e-3 }],
    ['more faces than two levels of masks hold', { width: 16, height: 16 }, 1100, { sigma: 1e-5, gamma: 1e-2 }],
    ['outlines softer than the picture is wide', { width: 16, height: 16 }, 5, { sigma: 1, gamma: 1e-2 }],
    ['colours at corners', { width: 32, height: 24 }, 30, { sigma: 1e-4, gamma: 1e-2, colors: 'corner' }],
    [
      'colours composed by coverage',
      { width: 32, height: 24 },
      30,
      { sigma: 1e-4, gamma: 1e-2, compositing: 'coverage' },
    ],
    [
      'colours composed by coverage, faces before near and beyond far',
      { width: 24, height: 24 },
      40,
      { sigma: 1e-4, gamma: 1e-2, near: 2.6, far: 3.4, compositing: 'coverage' },
    ],
    ['front faces only', { width: 32, height: 24 }, 60, { sigma: 1e-4, gamma: 1e-2, doubleSided: false }],
    [
      'faces before near and beyond far',
      { width: 24, height: 24 },
      40,
      { sigma: 1e-4, gamma: 1e-2, near: 2.6, far: 3.4 },
    ],
  ];
  it.each(cases)('%s', async (_, size, faces, options) => {
    const mesh = randomTriangles(seed + faces, faces);
    const colors = options.colors === 'corner' ? mesh.cornerColors : mesh.faceColors;
    const scene = { vertices: mesh.vertices, faces: mesh.faces, colors };
    const { colors: colorsOf, ...settings } = options;
    const wanted = bruteForce({ ...size, ...scene, colorsOf, background: BACKGROUND }, softRasOptions(settings));
    expectLike(await draw(size, scene, options), wanted, 1e-9);
  });

  it('leaves out faces behind the camera and those that are a point, and draws one without area as a line', async () => {
    const vertices = [
      -0.5,
      -0.5,
      -3,
      0.5,
      -0.5,
      -2,
      0,
      0.5,
      -1, // behind
      -0.8,
      -0.8,
      3,
      0,
      0,
      3,
      0.8,
      0.8,
      3, // a line
      0.4,
      -0.4,
      2,
      0.4,
      -0.4,
      2,
      0.4,
      -0.4,
      2, // a point
    ];
    const mesh = { vertices, faces: [0, 1, 2, 3, 4, 5, 6, 7, 8], colors: [1, 0, 0, 0, 1, 0, 0, 0, 1] };
    const size = { width: 16, height: 16 };
    const options = { sigma: 1e-3, gamma: 1e-2 };
    const got = await draw(size, mesh, options);
    const seen = { vertices, faces: mesh.faces.slice(0, 6), colors: mesh.colors.slice(0, 6) };
    expectLike(got, bruteForce({ ...size, ...seen, background: BACKGROUND }, softRasOptions(options)), 1e-9);
    expect(Math.max(...got.alpha)).toBeGreaterThan(0.3);
  });

  it('draws a picture per camera', async () => {
    const size = { width: 20, height: 12 };
    const options = { sigma: 1e-4, gamma: 1e-2 };
    const mesh = randomTriangles(seed, 12, 3);
    const { model, layout } = softRasScene(
      { ...size, cameras: 3 },
      { ...mesh, colors: mesh.faceColors },
      { ...options, backgroundColor: BACKGROUND },
    );
    const simulation = await createSimulation(model, {
      device: f64Device(),
      frames: 1,
      frameRate: 1,
      substeps: 1,
      record: ['pixels.rgba'],
    });
    simulation.forward();
    const rows = toRows(layout, await simulation.readFrames('pixels.rgba'), 4);
    for (let camera = 0; camera < 3; camera++) {
      const vertices = mesh.vertices.slice(camera * 108, (camera + 1) * 108);
      const wanted = bruteForce(
        { ...size, vertices, faces: mesh.faces, colors: mesh.faceColors, background: BACKGROUND },
        softRasOptions(options),
      );
      for (let pixel = 0; pixel < 240; pixel++) {
        for (let c = 0; c < 4; c++)
          expect(Math.abs(rows[(camera * 240 + pixel) * 4 + c] - wanted[5 * pixel + c])).toBeLessThan(1e-9);
      }
    }
  });
});

describe('softRasOptions', () => {
  it('refuses sigma = 0, and a near distance beyond the far one', () => {
    expect(() => softRasOptions({ sigma: 0 })).toThrowCode({
      code: 'render/option-out-of-range',
      values: [0, 'softRas'],
    });
    expect(() => softRasOptions({ near: 2, far: 1 })).toThrowCode({
      code: 'render/option-out-of-range',
      values: ['(1)', '(2)'],
    });
  });
});
