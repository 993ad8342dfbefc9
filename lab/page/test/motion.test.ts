import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addCloth, cloth } from '@gradsim/cloth';
import {
  buildModel,
  createScene,
  createSimulation,
  f64Device,
  type Motion,
  motionFields,
  readMotion,
} from '@gradsim/core';
import { box, formatMotion, plane } from '@gradsim/mesh';
import { particles } from '@gradsim/particles';
import { Body, rigid } from '@gradsim/rigid';
import { build } from 'esbuild';
import { validateBytes } from 'gltf-validator';
import { beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../../../scripts/chromium.js';
import { Browser, pageOf } from '../src/visit.ts';
import type { Viewing } from './programs/gltf-viewer.ts';

const chromium = findChromium();
if (!chromium) console.warn('SKIPPED, NOT TESTED: motion in another viewer. This machine has no Chromium on its PATH.');

/** Number of frames of the film. */
const FRAMES = 12;
/** Frame rate of the film, 1/s. */
const RATE = 24;
/** Positions in the second of two worlds, frame after frame. */
let positions: { readonly cube: Float64Array; readonly sheet: Float64Array };
let motion: Motion;
let bytes: Uint8Array;
const cube = box({ size: [0.3, 0.2, 0.1] });

beforeAll(async () => {
  const scene = createScene([rigid(), particles(), cloth()]);
  const chequers = { width: 2, height: 1, colors: [1, 0, 0, 0, 0, 1] };
  const uvs = Float64Array.from({ length: 72 }, (_, k) => ((5 * k) % 8) / 8);
  scene.add(
    Body,
    {
      mesh: { ...cube, textures: [chequers], uvs },
      density: 500,
      position: [0.5, 1, 0],
      velocity: [1, 2, 0],
      angularVelocity: [3, 14, -5],
    },
    'the cube',
  );
  addCloth(scene, plane({ size: [1, 1], segments: [3, 2] }), {
    mu: 30,
    lambda: 40,
    density: 0.2,
    bendStiffness: 0.01,
  });
  const model = buildModel(scene);
  const simulation = await createSimulation(model, {
    device: f64Device(),
    frames: FRAMES,
    frameRate: RATE,
    substeps: 40,
    worlds: 2,
    record: [...motionFields(model), 'bodyVertices.position', 'particles.position'],
  });
  simulation.set('bodies.velocity', [-1, 3, 0.5], 1);
  simulation.forward();
  const second = async (field: string): Promise<Float64Array> => {
    const all = await simulation.readFrames(field);
    const size = all.length / FRAMES / 2;
    return all.filter((_, k) => Math.floor(k / size) % 2 === 1);
  };
  positions = { cube: await second('bodyVertices.position'), sheet: await second('particles.position') };
  motion = await readMotion(simulation, 1);
  bytes = await formatMotion(motion);
  simulation.dispose();
});

describe('a run as animated glTF', () => {
  it('passes the validator of the Khronos Group', async () => {
    const { issues } = await validateBytes(bytes);
    expect(issues.messages.filter(({ severity }) => severity < 2)).toEqual([]);
  });

  it.skipIf(!chromium)('is shown by three.js as simulated, the sheet also half-way between frames', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gradsim-motion-'));
    const browser = await Browser.open(chromium!);
    try {
      await writeFile(join(folder, 'motion.glb'), bytes);
      await build({
        entryPoints: [fileURLToPath(new URL('programs/gltf-viewer.ts', import.meta.url))],
        bundle: true,
        format: 'esm',
        target: 'es2022',
        outfile: join(folder, 'page.js'),
      });
      const moments = [0, 1, 5, 10.5, FRAMES - 1].map((frame) => frame / RATE);
      const html = `${pageOf('/page.js')}<meta name="moments" content="${JSON.stringify(moments)}">`;
      const { report } = await browser.visit<Viewing>({ folder, html }, 600);
      expect(report.duration).toBeCloseTo((FRAMES - 1) / RATE, 6);
      expect(report.textures).toEqual({ the_cube: 2 });
      moments.forEach((time, k) => compare(report.moments[k], time * RATE));
    } finally {
      await browser.close();
      await rm(folder, { recursive: true });
    }
  });
});

/** Expects the triangle corners in the viewer to be those of the run, at a frame or half-way between two. */
function compare(seen: Viewing['moments'][number], frame: number): void {
  const [cubeSeen, sheetSeen] = [seen.the_cube, seen.cloth];
  const at = (all: Float64Array, size: number, f: number, vertex: number, axis: number): number =>
    all[f * size + 3 * vertex + axis];
  const [before, after] = [Math.floor(frame), Math.ceil(frame)];
  const sheetSize = positions.sheet.length / FRAMES;
  expect(sheetSeen).toHaveLength(3 * motion.meshes[1].mesh.triangles.length);
  Array.from(motion.meshes[1].mesh.triangles).forEach((vertex, corner) => {
    for (let axis = 0; axis < 3; axis++) {
      const [a, b] = [before, after].map((f) => at(positions.sheet, sheetSize, f, vertex, axis));
      expect(sheetSeen[3 * corner + axis]).toBeCloseTo((a + b) / 2, 5);
    }
  });
  // Between frames a body turns on an arc, which is not half way between its corners.
  if (before !== after) return;
  const cubeSize = positions.cube.length / FRAMES;
  expect(cubeSeen).toHaveLength(3 * cube.triangles.length);
  Array.from(cube.triangles).forEach((vertex, corner) => {
    for (let axis = 0; axis < 3; axis++)
      expect(cubeSeen[3 * corner + axis]).toBeCloseTo(at(positions.cube, cubeSize, before, vertex, axis), 5);
  });
}
