import { describe, expect, it } from 'vitest';
import type { Device } from '../../src/device.ts';
import { everyStatement } from '../../src/form/walk.ts';
import { compile, f32, f64Device, fieldOn, index, kernel } from '../../src/index.ts';

/** y_k = x_i z_j over pairs k; i is the second of two indices, j the only one. */
const product = kernel(
  'product',
  {
    domain: 'pairs',
    reads: { x: fieldOn('points', f32), z: fieldOn('planes', f32), ends: index('points', 2), plane: index('planes') },
    writes: { y: f32 },
  },
  ({ x, z, ends, plane }) => ({ y: x.at(ends[1]).mul(z.at(plane)) }),
);

const sizes = { pairs: 4, points: 9, planes: 5 };
const WORLDS = 4;

/** Runs the product on pairs, and names the index fields that its kernels load. */
async function run(ends: readonly number[], plane: readonly number[]) {
  const loaded = new Set<string>();
  const f64 = f64Device();
  const createExecutor: Device['createExecutor'] = (spec) => {
    for (const { root } of spec.programs.flatMap(({ kernels }) => kernels))
      for (const one of everyStatement(root)) if (one.op === 'word') loaded.add(one.port.name);
    return f64.createExecutor(spec);
  };
  const device = { ...f64, createExecutor };
  const indices = { 'pairs.ends': ends, 'pairs.plane': plane };
  const f = await compile([product], { sizes, device, worlds: WORLDS, indices });
  const filled = (size: number, from: number) => Float64Array.from({ length: size * WORLDS }, (_, k) => from + k);
  const [x, z] = [filled(sizes.points, 2), filled(sizes.planes, 3)];
  const { 'pairs.y': y } = await f.run({ 'points.x': x, 'planes.z': z });
  const { 'planes.z': zBar } = await f.vjp({ 'pairs.y': filled(sizes.pairs, 1) });
  f.dispose();
  const [expected, expectedBar] = [new Float64Array(y.length), new Float64Array(zBar.length)];
  for (let world = 0; world < WORLDS; world++)
    for (let k = 0; k < sizes.pairs; k++) {
      const [i, j] = [world * sizes.points + ends[2 * k + 1], world * sizes.planes + plane[k]];
      expected[world * sizes.pairs + k] = x[i] * z[j];
      expectedBar[j] += (1 + world * sizes.pairs + k) * x[i];
    }
  expect([...y]).toEqual([...expected]);
  expect([...zBar]).toEqual([...expectedBar]);
  return ['ends', 'plane'].filter((name) => loaded.has(name));
}

describe('index fields', () => {
  const mixed = [8, 3, 0, 0, 5, 1, 7, 7];
  it('are loaded where they hold anything', async () => {
    expect(await run(mixed, [4, 0, 0, 1])).toEqual(['ends', 'plane']);
  });
  it('are not loaded where they hold the first element throughout', async () => {
    expect(
      await run(
        mixed.map(() => 0),
        [0, 0, 0, 0],
      ),
    ).toEqual([]);
  });
  it('are not loaded where they hold the number of each element', async () => {
    expect(await run(mixed, [0, 1, 2, 3])).toEqual(['ends']);
  });
  it('are loaded where they count through several components', async () => {
    expect(await run([0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 3])).toEqual(['ends']);
  });
});
