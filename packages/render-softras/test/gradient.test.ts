import type { Device } from '@gradsim/core';
import { cpuDevice, createSimulation, f64Device } from '@gradsim/core';
import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../scripts/vitest/draws.ts';
import { softRasScene } from '../src/index.ts';
import type { SceneOptions } from './scenes.ts';
import { randomTriangles } from './scenes.ts';

const seed = 7101;
console.log(`random triangles and directions from seed ${seed}`);

type Drawing = keyof typeof PICTURE;
const PICTURE = { color: 'pixels.rgba', silhouette: 'pixels.alpha', depth: 'pixels.depth' } as const;
const inner = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((sum, v, k) => sum + v * b[k], 0);

interface Case {
  readonly size: { width: number; height: number; cameras?: number };
  readonly mesh: { vertices: number[]; faces: number[]; colors: number[] };
  readonly options: SceneOptions;
  readonly drawing: Drawing;
}

const parametersOf = ({ drawing, options }: Case): string[] =>
  drawing === 'color'
    ? ['viewVertices.ndc', 'faces.color', options.background === 'image' ? 'pixels.background' : 'world.background']
    : ['viewVertices.ndc'];

async function simulate(of: Case, derivative: 'adjoint' | 'tangent' | 'none', device: Device = f64Device()) {
  const { model } = softRasScene(of.size, of.mesh, {
    ...of.options,
    drawings: [of.drawing],
    backgroundColor: [0.1, 0.2, 0.3],
  });
  const picture = PICTURE[of.drawing];
  return createSimulation(model, {
    device,
    frames: 1,
    frameRate: 1,
    substeps: 1,
    derivative,
    record: [picture],
    parameters: derivative === 'none' ? [] : parametersOf(of),
  });
}

/**
 * Both sides of the transpose identity, <J v, w> and <v, J^T w>, for random directions v of all parameters and w of the
 * picture.
 */
async function bothSides(of: Case): Promise<[number, number]> {
  const random = randomNumbers(seed);
  const picture = PICTURE[of.drawing];
  const forward = await simulate(of, 'tangent');
  const directions = parametersOf(of).map((key) => {
    const { model } = forward;
    const field = model.field(key);
    const direction = Float64Array.from(
      { length: model.domain(field.domain).size * field.components },
      () => random() - 0.5,
    );
    forward.setTangent(key, direction);
    return { key, direction };
  });
  forward.forward();
  const moved = await forward.readTangentFrames(picture);
  const weights = Float64Array.from(moved, () => random() - 0.5);
  const back = await simulate(of, 'adjoint');
  back.forward();
  back.backward({ [picture]: weights });
  let sum = 0;
  for (const { key, direction } of directions) sum += inner(direction, await back.gradient(key));
  forward.dispose();
  back.dispose();
  return [inner(moved, weights), sum];
}

function sceneOf(faces: number, cameras: number, corner: boolean): Case['mesh'] {
  const mesh = randomTriangles(seed + faces, faces, cameras);
  return { vertices: mesh.vertices, faces: mesh.faces, colors: corner ? mesh.cornerColors : mesh.faceColors };
}

describe('the adjoint of a picture is the transpose of its tangent', () => {
  const cases: [string, Case][] = [
    [
      'colour and alpha',
      {
        size: { width: 24, height: 24 },
        mesh: sceneOf(20, 1, false),
        options: { sigma: 1e-4, gamma: 1e-2 },
        drawing: 'color',
      },
    ],
    [
      'sharp depth',
      {
        size: { width: 24, height: 16 },
        mesh: sceneOf(40, 1, false),
        options: { sigma: 1e-5, gamma: 1e-4 },
        drawing: 'color',
      },
    ],
    [
      'colours at corners',
      {
        size: { width: 21, height: 30 },
        mesh: sceneOf(20, 1, true),
        options: { sigma: 1e-3, gamma: 1e-2, colors: 'corner' },
        drawing: 'color',
      },
    ],
    [
      'a background image, padding',
      {
        size: { width: 13, height: 10 },
        mesh: sceneOf(8, 1, false),
        options: { sigma: 1e-3, gamma: 1e-2, background: 'image' },
        drawing: 'color',
      },
    ],
    [
      'three cameras',
      {
        size: { width: 16, height: 9, cameras: 3 },
        mesh: sceneOf(10, 3, false),
        options: { sigma: 1e-3, gamma: 1e-2 },
        drawing: 'color',
      },
    ],
    [
      'colours composed by coverage over a background image',
      {
        size: { width: 19, height: 12 },
        mesh: sceneOf(12, 1, true),
        options: {
          sigma: 1e-3,
          gamma: 1e-2,
          background: 'image',
          colors: 'corner',
          compositing: 'coverage',
        },
        drawing: 'color',
      },
    ],
    ...(['color', 'silhouette', 'depth'] as const).map((drawing): [string, Case] => [
      `${drawing} by area`,
      {
        size: { width: 19, height: 12 },
        mesh: sceneOf(16, 1, false),
        options: { sigma: 1e-3, gamma: 1e-2, compositing: 'area' },
        drawing,
      },
    ]),
    [
      'silhouette',
      {
        size: { width: 19, height: 24 },
        mesh: sceneOf(20, 1, false),
        options: { sigma: 1e-3 },
        drawing: 'silhouette',
      },
    ],
    [
      'depth',
      {
        size: { width: 24, height: 17 },
        mesh: sceneOf(20, 1, false),
        options: { sigma: 1e-3, gamma: 1e-2 },
        drawing: 'depth',
      },
    ],
  ];
  it.each(cases)('%s', async (_, of) => {
    const [left, right] = await bothSides(of);
    expect(Math.abs(left - right) / Math.abs(left), `${left} and ${right}`).toBeLessThan(1e-10);
  });
});

describe('the adjoint of a picture compared with central differences', () => {
  // One triangle across tile borders, so soft that no pixel is beyond the cutoff, where the picture jumps: pixels lie
  // inside, beyond each edge and beyond each corner. A derivative with clipped coordinates instead of unclipped ones,
  // or the reverse, fails outside of the triangle.
  const triangle = { vertices: [-0.41, -0.52, 2.3, 0.63, -0.18, 3.1, -0.07, 0.57, 2.7], faces: [0, 1, 2] };
  const crossing = {
    vertices: [...triangle.vertices, 0.5, 0.61, 2.2, -0.7, 0.23, 2.9, 0.2, -0.66, 3.3],
    faces: [0, 1, 2, 3, 4, 5],
  };
  const size = { width: 20, height: 12 };
  const cases: [string, Case][] = [
    [
      'silhouette',
      { size, mesh: { ...triangle, colors: [1, 0.5, 0.2] }, options: { sigma: 0.5 }, drawing: 'silhouette' },
    ],
    [
      'depth',
      {
        size,
        mesh: { ...crossing, colors: Array(6).fill(1) },
        options: { sigma: 0.5, gamma: 0.02 },
        drawing: 'depth',
      },
    ],
    [
      'colour',
      {
        size,
        mesh: { ...crossing, colors: [1, 0.5, 0.2, 0.1, 0.4, 0.9] },
        options: { sigma: 0.5, gamma: 0.02 },
        drawing: 'color',
      },
    ],
    [
      'colour composed by coverage',
      {
        size,
        mesh: { ...crossing, colors: [1, 0.5, 0.2, 0.1, 0.4, 0.9] },
        options: { sigma: 0.5, gamma: 0.02, compositing: 'coverage' },
        drawing: 'color',
      },
    ],
    [
      'colour composed by area',
      {
        size,
        mesh: { ...crossing, colors: [1, 0.5, 0.2, 0.1, 0.4, 0.9] },
        options: { sigma: 0.5, gamma: 0.02, compositing: 'area' },
        drawing: 'color',
      },
    ],
    [
      'colours at corners',
      {
        size,
        mesh: { ...crossing, colors: Array.from({ length: 18 }, (_, k) => Math.sin(k) ** 2) },
        options: { sigma: 0.5, gamma: 0.02, colors: 'corner' },
        drawing: 'color',
      },
    ],
  ];
  it.each(cases)('%s', async (_, of) => {
    const picture = PICTURE[of.drawing];
    const random = randomNumbers(seed);
    const back = await simulate(of, 'adjoint');
    back.forward();
    const weights = Float64Array.from(await back.readFrames(picture), () => random() - 0.5);
    back.backward({ [picture]: weights });
    const plain = await simulate(of, 'none');
    for (const key of parametersOf(of)) {
      const gradient = await back.gradient(key);
      const base = Float64Array.from(back.model.field(key).values!);
      const largest = Math.max(1e-6, ...gradient.map(Math.abs));
      for (let k = 0; k < base.length; k++) {
        // Pixels change region within a step, so the best of a sweep counts.
        let least = Number.POSITIVE_INFINITY;
        for (const step of [1e-4, 1e-5, 1e-6, 1e-7]) {
          const at = async (x: number): Promise<number> => {
            plain.set(key, base.with(k, x));
            plain.forward();
            return inner(await plain.readFrames(picture), weights);
          };
          const difference = ((await at(base[k] + step)) - (await at(base[k] - step))) / (2 * step);
          least = Math.min(least, Math.abs(difference - gradient[k]) / largest);
        }
        expect(least, `${key}[${k}] ${gradient[k]}`).toBeLessThan(1e-6);
      }
      plain.set(key, base);
    }
  });

  it.each(['color', 'silhouette'] as const)('is 0 for alpha where a face covers everything, %s', async (drawing) => {
    // At d = 1 from the outline, the openness is exp(-1e5), and its derivative that times 2 d/sigma.
    const mesh = { vertices: [-9, -9, 4, 9, -9, 4, 0, 18, 4], faces: [0, 1, 2], colors: [0.25, 0.5, 0.75] };
    const of: Case = { size, mesh, options: { sigma: 1e-5 }, drawing };
    const back = await simulate(of, 'adjoint');
    back.forward();
    const picture = await back.readFrames(PICTURE[drawing]);
    const channels = drawing === 'color' ? 4 : 1;
    back.backward({ [PICTURE[drawing]]: picture.map((_, k) => (k % channels === channels - 1 ? 1 : 0)) });
    expect(await back.gradient('viewVertices.ndc')).toEqual(new Float64Array(9));
  });

  it('is finite and agrees with the tangent for degenerate triangles, also with coinciding corners', async () => {
    const mesh = {
      vertices: [-0.8, -0.8, 3, 0, 0, 3, 0.8, 0.8, 3, 0.4, -0.4, 2, 0.4, -0.4, 2, 0.4, -0.4, 2],
      faces: [0, 1, 2, 3, 4, 5],
      colors: [1, 0, 0, 0, 1, 0],
    };
    const of: Case = {
      size: { width: 16, height: 16 },
      mesh,
      options: { sigma: 1e-3, gamma: 1e-2 },
      drawing: 'color',
    };
    const [left, right] = await bothSides(of);
    expect(Number.isFinite(left)).toBe(true);
    expect(Math.abs(left - right)).toBeLessThan(1e-10 * Math.max(1, Math.abs(left)));
  });
});

describe('single precision', () => {
  it('has a picture and gradients that agree with double precision to 1e-3 of their largest value', async () => {
    // So soft that rounding moves no pixel across the cutoff, where the picture jumps.
    const of: Case = {
      size: { width: 32, height: 20 },
      mesh: sceneOf(12, 1, false),
      options: { sigma: 0.5, gamma: 0.02 },
      drawing: 'color',
    };
    const results = await Promise.all(
      [f64Device(), cpuDevice()].map(async (device) => {
        const simulation = await simulate(of, 'adjoint', device);
        simulation.forward();
        const picture = await simulation.readFrames('pixels.rgba');
        simulation.backward({ 'pixels.rgba': Float64Array.from(picture, (_, k) => Math.sin(k)) });
        return [picture, await simulation.gradient('viewVertices.ndc'), await simulation.gradient('faces.color')];
      }),
    );
    results[0].forEach((exact, k) => {
      const largest = Math.max(...exact.map(Math.abs));
      const error = Math.max(...exact.map((v, e) => Math.abs(v - results[1][k][e]))) / largest;
      expect(error).toBeLessThan(1e-3);
    });
  });
});

// Frame data are stored for the backward pass only if memory allows; otherwise frames are rendered again.
it('the gradient of pictures is the same whether frames are stored or rerendered', async () => {
  const mesh = sceneOf(20, 1, false);
  const gradients: Float64Array[] = [];
  for (const memory of [1, 1e9]) {
    const { model } = softRasScene({ width: 24, height: 16 }, mesh, { sigma: 1e-3 });
    const simulation = await createSimulation(model, {
      device: f64Device(),
      frames: 3,
      frameRate: 1,
      substeps: 1,
      memory,
      record: ['pixels.rgba'],
      parameters: ['viewVertices.ndc'],
    });
    simulation.forward();
    const picture = await simulation.readFrames('pixels.rgba');
    simulation.backward({ 'pixels.rgba': picture.map((value, k) => value - (k % 7) / 7) });
    gradients.push(await simulation.gradient('viewVertices.ndc'));
    simulation.dispose();
  }
  const [again, kept] = gradients;
  expect(inner(kept, kept)).toBeGreaterThan(1);
  expect([...again]).toEqual([...kept]);
});
