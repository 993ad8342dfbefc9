import { expect, it } from 'vitest';
import type { Device, ExecutorSpec } from '../../src/device.ts';
import { everyStatement } from '../../src/form/walk.ts';
import type { Kernel } from '../../src/index.ts';
import { compile, f32, f64Device, fieldOn, forRange, kernel, max, min } from '../../src/index.ts';
import { min as least } from '../../src/primitives/arithmetic.ts';

/** Counts the integer clamps in the code of a kernel that runs over four points. */
async function limitsIn(kernel: Kernel): Promise<number> {
  const specs: ExecutorSpec[] = [];
  const cpu = f64Device();
  const createExecutor: Device['createExecutor'] = (spec) => {
    specs.push(spec);
    return cpu.createExecutor(spec);
  };
  const f = await compile(kernel, { sizes: { points: 4 }, device: { ...cpu, createExecutor } });
  await f.run({ 'points.x': [1, 2, 3, 4], 'points.from': [0, 1, 2, Number.NaN], 'points.to': [1, 3, 4, 2] });
  f.dispose();
  return everyStatement(specs[0].programs[0].kernels[0].root).filter(
    (node) => node.op === 'pure' && node.primitive === least && node.type === 'u32',
  ).length;
}

/** Kernel that sums x over the points from `from` to `to`, floats converted to u32, where `to` is limited to `most`. */
const sumOf = (most: number): Kernel =>
  kernel(
    'sumBetween',
    { domain: 'points', reads: { x: fieldOn('points', f32), from: f32, to: f32 }, writes: { sum: f32 } },
    ({ x, from, to }) => ({
      sum: forRange(max(from.toU32(), 0), min(to.toU32(), most), f32(0), (k, sum) => sum.add(x.at(k))),
    }),
  );

it('reads by a loop counter need no clamp if its end is at most the number of elements, even if it comes from floats', async () => {
  expect(await limitsIn(sumOf(4))).toBe(1);
  expect(await limitsIn(sumOf(5))).toBe(2);
});
