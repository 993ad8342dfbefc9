import { describe, expect, it } from 'vitest';
import type { Device, ExecutorSpec } from '../../src/device.ts';
import { compile, f32, f64Device, fieldOn, index, kernel } from '../../src/index.ts';
import { evaluatorDevice } from '../../src/testing/index.ts';

/** x_i' = .9 x_i + .1 x_j^2 + .01 x_k, with j from a list, and k computed from x_i. */
const advance = kernel(
  'advance',
  { domain: 'points', reads: { x: fieldOn('points', f32), next: index('points') }, writes: { x: f32 } },
  ({ x, next }, { element }) => {
    const own = x.at(element);
    const beside = x.at(next);
    const chosen = x.at(own.mul(4).add(2).toU32());
    return { x: own.mul(0.9).add(beside.mul(beside).mul(0.1)).add(chosen.mul(0.01)) };
  },
);

/** Wraps a device to record the executor specs that it is given. */
function noting(device: Device): { device: Device; specs: ExecutorSpec[] } {
  const specs: ExecutorSpec[] = [];
  const createExecutor: Device['createExecutor'] = (spec) => {
    specs.push(spec);
    return device.createExecutor(spec);
  };
  return { device: { ...device, createExecutor }, specs };
}

const sizes = { points: 11 };
const next = Array.from({ length: sizes.points }, (_, k) => (k * 7 + 3) % sizes.points);
const x = Float64Array.from({ length: sizes.points }, (_, k) => Math.sin(k));
const passes = new Array(12).fill(advance);

async function runOn(device: Device) {
  const f = await compile(passes, { sizes, device, indices: { 'points.next': next } });
  const { 'points.x': end } = await f.run({ 'points.x': x });
  const { 'points.x': gradient } = await f.vjp({ 'points.x': Float64Array.from(x, (_, k) => 1 + k) });
  f.dispose();
  return { end: [...end], gradient: [...gradient] };
}

describe('passes that run one kernel', () => {
  it('share code with different base addresses, and give the results of separate code', async () => {
    const { device, specs } = noting(f64Device());
    expect(await runOn(device)).toEqual(await runOn(evaluatorDevice()));
    for (const { programs } of specs)
      for (const { kernels } of programs) {
        const own = kernels.filter(({ name }) => name.startsWith('advance'));
        if (own.length === 0) continue;
        expect(own).toHaveLength(passes.length);
        // The first and the last have another layout: inputs from and outputs to the host have their own places.
        expect(new Set(own.map(({ root }) => root)).size).toBeLessThanOrEqual(3);
        expect(new Set(own.map(({ bases }) => bases.join())).size).toBe(passes.length);
      }
  });
});
