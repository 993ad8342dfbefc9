import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cpuDevice } from '@gradsim/core';
import { FILM, readDataset, type Sample, sceneModel } from '@gradsim/dataset';
import { filmModel } from '@gradsim/film';
import { layoutOf, toRows } from '@gradsim/render';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { draws } from '../../../scripts/vitest/draws.ts';

const PROGRAM = fileURLToPath(new URL('../dist/make-dataset.js', import.meta.url));
/** Width and height of the films, px. */
const SIZE = 24;
/** Number of samples made. */
const COUNT = draws(2, 6);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradsim-dataset-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function start(out: string) {
  const options = { count: COUNT, seed: 7, size: SIZE, workers: 1 };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  return spawn(process.execPath, [PROGRAM, ...args, '--out', out], { stdio: ['ignore', 'pipe', 'ignore'] });
}

/** Contents of a dataset's files by path, in base64, except those of the study. */
function contentOf(out: string): Record<string, string> {
  const names = readdirSync(out, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = names.map(({ parentPath, name }) => join(parentPath, name).slice(out.length + 1));
  const kept = paths.filter((path) => !path.startsWith('study')).sort();
  return Object.fromEntries(kept.map((path) => [path, readFileSync(join(out, path)).toString('base64')]));
}

it('make-dataset killed and restarted writes the same bytes as in one go, and its films equal new simulations up to 8-bit rounding', async () => {
  const [whole, broken] = ['whole', 'broken'].map((name) => join(folder, name));
  const unbroken = start(whole);
  let printed = '';
  unbroken.stdout.on('data', (text) => {
    printed += text;
  });
  const killed = start(broken);
  const results = join(broken, 'study/results.jsonl');
  const timer = setInterval(() => {
    if (existsSync(results) && readFileSync(results, 'utf8').includes('\n')) killed.kill('SIGKILL');
  }, 20);
  await Promise.all([once(unbroken, 'close'), once(killed, 'close')]);
  clearInterval(timer);
  expect(killed.signalCode).toBe('SIGKILL');
  expect(existsSync(join(broken, 'index.jsonl'))).toBe(false);
  const again = start(broken);
  await once(again, 'close');
  expect([unbroken.exitCode, again.exitCode]).toEqual([0, 0]);
  expect(JSON.parse(printed)).toMatchObject({ count: COUNT, samples: COUNT, failed: 0 });
  const content = contentOf(whole);
  expect(Object.keys(content)).toHaveLength(3 + COUNT * (FILM.frames + 2));
  expect(contentOf(broken)).toEqual(content);

  for await (const sample of readDataset(whole)) await compare(sample);
  const tested: number[] = [];
  for await (const { sample } of readDataset(whole, { split: 'test' })) tested.push(sample);
  expect(tested.length).toBeLessThanOrEqual(1);
});

/** Compares a sample's files with a new run of its model, to within one level of 8 bits. */
async function compare(sample: Sample): Promise<void> {
  const { scene, mass } = await sample.record();
  expect(sample.values).toEqual({ mass, density: scene.density, ...scene.material });
  const model = sceneModel(scene);
  const film = await filmModel(model, { ...FILM, substeps: scene.substeps }, { device: cpuDevice({ threads: 1 }) });
  const rgba = toRows(layoutOf(model), film.rgba, 4);
  const [frames, masks] = [await sample.frames(), await sample.masks()];
  expect([frames.width, frames.height, masks.width, masks.height]).toEqual([SIZE, SIZE, SIZE, SIZE]);
  let [color, mask] = [0, 0];
  for (let pixel = 0; pixel < rgba.length / 4; pixel++) {
    for (let k = 0; k < 3; k++) color = Math.max(color, Math.abs(frames.data[3 * pixel + k] - rgba[4 * pixel + k]));
    mask = Math.max(mask, Math.abs(masks.data[pixel] - rgba[4 * pixel + 3]));
  }
  expect(color).toBeLessThan(0.501 / 255 + 1e-4);
  expect(mask).toBeLessThan(0.501 / 255 + 1e-4);
}
