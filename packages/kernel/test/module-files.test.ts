import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { randomNumbers } from '../../../scripts/vitest/draws.ts';
import { compile, cpuDevice, f32, forRange, kernel, select, u32, vec2, when } from '../src/index.ts';
import type { ProgramTrial } from '../src/testing/programs.ts';
import { programTrials, winding } from '../src/testing/programs.ts';
import { randomValues } from '../src/testing/random.ts';

const root = mkdtempSync(join(tmpdir(), 'gradsim-modules-'));
let folder = root;
afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});
afterAll(() => rmSync(root, { recursive: true }));

/** Sets the folder of modules, and the digest of the package's code, which the bundle for Node states. */
function keep(code: string, cache = folder): void {
  vi.stubEnv('GRADSIM_CACHE', cache);
  vi.stubGlobal('__CODE__', code);
}

/** Runs kernels with sums, loops, branches and several worlds, some on two threads, forward and backward. */
async function results(code: string, cache?: string): Promise<unknown> {
  keep(code, cache);
  const random = randomNumbers(5);
  const draw = (low: number, high: number, isWhole = false, count = 1): Float64Array => {
    const values = randomValues(random, count, low, high);
    return isWhole ? values.map(Math.floor) : values;
  };
  const points = 3000;
  const many: ProgramTrial = {
    name: 'enough for two threads',
    kernels: [winding],
    options: { sizes: { points } },
    inputs: { 'points.x': draw(-3, 3, false, points), 'points.rounds': draw(0, 5, true, points) },
  };
  const device = cpuDevice({ threads: 2 });
  const all = [];
  for (const { kernels, options, inputs } of [...programTrials(draw).slice(1, 5), many]) {
    const program = await compile(kernels, { ...options, device });
    const outputs = await program.run(inputs);
    const floats = Object.entries(outputs).filter(([, values]) => values instanceof Float32Array);
    all.push(outputs, await program.vjp(Object.fromEntries(floats)));
  }
  device.dispose();
  return all;
}

const files = (): Map<string, number> =>
  new Map(readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mtimeMs]));

describe('modules on disk', () => {
  beforeEach(() => {
    folder = mkdtempSync(join(root, 'folder-'));
  });

  it('give the same results bit for bit, and are written once', async () => {
    const plain = await results('a', 'off');
    expect(files().size).toBe(0);
    expect(await results('a')).toEqual(plain);
    const written = files();
    expect(written.size).toBeGreaterThan(5);
    expect(await results('a')).toEqual(plain);
    expect(files()).toEqual(written);
    expect(await results('b')).toEqual(plain);
    expect(files().size).toBe(2 * written.size);
  });

  it('are written again where a file was damaged or cut short', async () => {
    const plain = await results('a');
    const contents = (): Map<string, Buffer> =>
      new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
    const written = contents();
    [...written].forEach(([name, content], k) => {
      const file = join(folder, name);
      if (k % 3 === 0) truncateSync(file, content.length >> 1);
      else if (k % 3 === 1) truncateSync(file, 0);
      else
        writeFileSync(
          file,
          content.map((byte, at) => (at === content.length - 1 ? byte ^ 1 : byte)),
        );
    });
    expect(await results('a')).toEqual(plain);
    expect(contents()).toEqual(written);
  });

  it('are lost, oldest first, where their folder is too large, and do without one that cannot be written', async () => {
    const large = (name: string, seconds: number): void => {
      const file = join(folder, name);
      writeFileSync(file, '');
      truncateSync(file, 30 * 2 ** 20);
      utimesSync(file, seconds, seconds);
    };
    const names = ['b', 'a', 'c'].map((letter) => letter.repeat(64));
    names.forEach((name, k) => {
      large(name, k + 1);
    });
    large('of-somebody-else', 0);
    const plain = await results('a');
    const left = [...files().keys()];
    expect(names.map((name) => left.includes(name))).toEqual([false, false, true]);
    expect(left).toContain('of-somebody-else');
    expect(await results('a', join(folder, 'of-somebody-else'))).toEqual(plain);
  });

  it('differ for kernels that differ in one thing', async () => {
    type X = ReturnType<typeof f32>;
    const bodies: ((x: X, y: X) => X)[] = [
      (x, y) => x.add(y),
      (x, y) => x.sub(y),
      (x, y) => y.sub(x),
      (x) => x.mul(2),
      (x) => x.mul(2 + 2 ** -40),
      (x) => f32(1).div(x.mul(0)),
      (x) => f32(1).div(x.mul(-0)),
      (x) => f32(0).mul(x),
      (x) => f32(-0).mul(x),
      (x, y) => select(x.gt(y), x, y),
      (x, y) => select(x.lt(y), x, y),
      (x, y) =>
        when(
          x.gt(0),
          () => x.div(y),
          () => y,
        ),
      (x, y) =>
        when(
          x.gt(0),
          () => y,
          () => x.div(y),
        ),
      (x, y) => forRange(0, 3, x, (_, sum) => sum.mul(y)),
      (x, y) => forRange(0, 4, x, (_, sum) => sum.mul(y)),
      (x, y) => forRange(0, u32(3), x, (k, sum) => sum.add(y.mul(k.toF32()))),
      (x, y) => vec2(x, y).x,
      (x, y) => vec2(x, y).y,
    ];
    const run = async (body: (typeof bodies)[number], order: number): Promise<Float32Array> => {
      const one = kernel('one', { domain: 'points', reads: { x: f32, y: f32 }, writes: { z: f32 } }, ({ x, y }) => ({
        z: body(x, y),
      }));
      const device = cpuDevice({ threads: 1, simd: order === 0 });
      const program = await compile(one, { sizes: { points: 5 }, device });
      const { 'points.z': z } = await program.run({ 'points.x': [-1, 0, 1, 2, 3], 'points.y': [5, -3, 0.5, 7, 1] });
      device.dispose();
      return z as Float32Array;
    };
    const alone = [];
    for (const body of bodies) {
      keep('a', 'off');
      alone.push(await run(body, 0));
    }
    keep('a');
    for (const order of [0, 1, 0])
      for (const [k, body] of [...bodies.entries()].reverse()) expect(await run(body, order)).toEqual(alone[k]);
  });
});
