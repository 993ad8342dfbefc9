import { afterAll, describe, type ExpectedError, expect, it } from 'vitest';
import type { Device, Executor, Overload } from '../src/device.ts';
import { primitives } from '../src/device.ts';
import { compile, cpuDevice, f32, f64Device, kernel, listDevices, webgpuDevice } from '../src/index.ts';
import { checkDevice, evaluatorDevice } from '../src/testing/index.ts';
import { workerDevice } from './support/worker-device.ts';

const webgpu = (await listDevices()).find(({ name }) => name === 'webgpu')!;
const cpu = cpuDevice();
afterAll(() => cpu.dispose());

describe('conformance tests of devices', () => {
  it('pass on cpu', async () => {
    expect((await checkDevice(cpu)).length).toBeGreaterThan(100);
  });
  it('pass on cpu without SIMD', () => checkDevice(cpuDevice({ simd: false, threads: 1 })));
  it('pass on f64, bit for bit equal to JavaScript', async () => {
    const device = f64Device();
    await checkDevice(device, { tolerance: 0 });
    device.dispose();
  });
  it('pass on f64 without SIMD', () => checkDevice(f64Device({ simd: false, threads: 1 }), { tolerance: 0 }));
  it.skipIf(!webgpu.isAvailable)(
    webgpu.isAvailable ? 'pass on webgpu' : `webgpu (there is none: ${webgpu.description})`,
    async () => {
      const device = await webgpuDevice({ allowSoftware: true });
      await checkDevice(device);
      device.dispose();
    },
  );
});

it('a device written outside of this package passes checkDevice at its default tolerances, and runs a program', async () => {
  const device = workerDevice();
  await checkDevice(device);
  const square = kernel('square', { domain: 'points', reads: { x: f32 }, writes: { y: f32 } }, ({ x }) => ({
    y: x.mul(x),
  }));
  const f = await compile(square, { sizes: { points: 2 }, device });
  expect(await f.run({ 'points.x': [2, 3] })).toEqual({ 'points.y': Float32Array.of(4, 9) });
  f.dispose();
  device.dispose();
});

describe('checkDevice fails on a device with one fault', () => {
  const evaluator = evaluatorDevice();
  /** The evaluator, with some methods of its executors replaced. */
  const broken = (change: (executor: Executor) => Partial<Executor>): Device => ({
    ...evaluator,
    kind: 'broken',
    createExecutor: async (spec) => {
      const executor = await evaluator.createExecutor(spec);
      return { ...executor, ...change(executor) };
    },
  });
  /** The evaluator, with a tanh that is slightly too large. */
  const wrongHyperbolicTangent: Device = {
    ...evaluator,
    createExecutor(spec) {
      for (const { root } of spec.programs.flatMap(({ kernels }) => kernels))
        for (const node of root.nodes) {
          if (node.op !== 'pure' || node.primitive !== primitives.tanh) continue;
          const overload: Overload = { ...node.overload, javascript: ([x]) => `(1.001 * Math.tanh(${x}))` };
          Object.assign(node, { overload });
        }
      return evaluator.createExecutor(spec);
    },
  };
  const faults: [string, Device, ExpectedError][] = [
    [
      'a tanh that is too large',
      wrongHyperbolicTangent,
      { code: 'kernel/comparison-failed', values: ['points.y0', 'FAILED', '1e-12', /[\d.e-]+/] },
    ],
    ['no copies', broken(() => ({ copy: () => {} })), { code: 'kernel/comparison-failed', values: ['FAILED', 3, 5] }],
    [
      'no clears',
      broken(() => ({ clear: () => {} })),
      { code: 'kernel/comparison-failed', values: ['FAILED writes, runs, copies, clears and reads'] },
    ],
    [
      'rows of registers that are left out',
      broken((executor) => ({ run: (program, rows, only) => executor.run(program, rows.slice(0, 5), only) })),
      { code: 'kernel/comparison-failed', values: ['FAILED rows of registers one after another'] },
    ],
    [
      'all kernels run where one was requested',
      broken((executor) => ({ run: (program, rows) => executor.run(program, rows) })),
      { code: 'kernel/comparison-failed', values: ['FAILED one kernel of a program alone'] },
    ],
    [
      'an error at a second dispose()',
      broken(() => {
        let times = 0;
        return {
          dispose: () => {
            if (times++ > 0) throw new Error('gone already');
          },
        };
      }),
      { code: 'kernel/comparison-failed', values: ['FAILED dispose'] },
    ],
    [
      'reads of u32 that drop the highest bit',
      broken((executor) => ({
        readU32: async (from, words) => (await executor.readU32(from, words)).map((x) => x & 0x7fffffff),
      })),
      { code: 'kernel/comparison-failed', values: ['FAILED whole numbers bit for bit'] },
    ],
    [
      'errors of its own in place of refusals',
      {
        ...evaluator,
        createExecutor: (spec) =>
          evaluator.createExecutor(spec).catch(() => {
            throw new Error('something is wrong');
          }),
      },
      'kernel/comparison-failed',
    ],
  ];
  it.each(faults)('%s', async (_, device, expected) => {
    await expect(checkDevice(device)).rejects.toThrowCode(expected);
  });
});
