import type { Device } from '@gradsim/kernel';
import { compile, cpuDevice, f32, kernel, selectDevice } from '@gradsim/kernel';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { missingAdapter } from './webgpu-adapter.ts';

const triple = kernel('triple', { domain: 'points', reads: { x: f32 }, writes: { y: f32 } }, ({ x }) => ({
  y: x.mul(3),
}));

const DEVICES: Readonly<Record<string, () => Promise<Device>>> = {
  cpu: async () => cpuDevice({ threads: 1 }),
  'cpu on two threads': async () => cpuDevice({ threads: 2 }),
  webgpu: () => selectDevice('webgpu'),
};
// If there is no adapter, the import above has said so.
const ends = describe.skipIf(missingAdapter !== null);

for (const [name, open] of Object.entries(DEVICES)) {
  const group = name === 'webgpu' ? ends : describe;
  group(`disposal of ${name}`, () => endsWell(open));
}

function endsWell(open: () => Promise<Device>): void {
  const spec = { f32Words: 8, u32Words: 8, registers: ['row'], programs: [] };

  it('a disposed device and its executors refuse to be used', async () => {
    const device = await open();
    const executor = await device.createExecutor(spec);
    device.dispose();
    device.dispose();
    await expect(device.createExecutor(spec)).rejects.toThrowCode({ code: 'kernel/disposed', values: ['disposed'] });
    expect(() => executor.writeF32(0, [1])).toThrowCode({ code: 'kernel/disposed', values: ['dispose'] });
    executor.dispose();
  });

  it('a disposed executor refuses to be used, while others of its device still work', async () => {
    const device = await open();
    const [executor, other] = [await device.createExecutor(spec), await device.createExecutor(spec)];
    executor.dispose();
    executor.dispose();
    const words = Uint32Array.of(0);
    for (const use of [
      () => executor.run(0, words),
      () => executor.copy('f32', 0, 4, 4),
      () => executor.clear('u32', 0, 8),
      () => executor.writeF32(0, [1]),
      () => executor.writeU32(0, words),
    ])
      expect(use).toThrowCode({ code: 'kernel/disposed', values: ['dispose'] });
    await expect(executor.readF32(0, 8)).rejects.toThrowCode({ code: 'kernel/disposed', values: ['dispose'] });
    await expect(executor.readU32(0, 8)).rejects.toThrowCode({ code: 'kernel/disposed', values: ['dispose'] });
    // Others keep working.
    other.writeF32(0, [1, 2]);
    expect([...(await other.readF32(0, 3))]).toEqual([1, 2, 0]);
    device.dispose();
  });

  it('a disposed program refuses to run, while others on its device still work', async () => {
    const device = await open();
    const [program, other] = [
      await compile(triple, { sizes: { points: 2 }, device }),
      await compile(triple, { sizes: { points: 2 }, device }),
    ];
    program.dispose();
    program.dispose();
    await expect(program.run({ 'points.x': [1, 2] })).rejects.toThrowCode({
      code: 'kernel/disposed',
      values: ['disposed'],
    });
    expect([...(await other.run({ 'points.x': [1, 2] }))['points.y']]).toEqual([3, 6]);
    other.dispose();
    device.dispose();
  });
}

describe('a device chosen by name', () => {
  it('serves the remaining programs after others are disposed of', async () => {
    const open = () => compile(triple, { sizes: { points: 2 }, device: 'cpu' });
    const programs = await Promise.all([open(), open(), open()]);
    programs[0].dispose();
    programs[0].dispose();
    programs[1].dispose();
    const late = open();
    programs[2].dispose();
    const last = await late;
    expect([...(await last.run({ 'points.x': [1, 2] }))['points.y']]).toEqual([3, 6]);
    last.dispose();
    const again = await open();
    expect([...(await again.run({ 'points.x': [1, 2] }))['points.y']]).toEqual([3, 6]);
    again.dispose();
  });
});

ends('a GPU chosen by name', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('a lost GPU device is replaced for programs created later', async () => {
    const { create } = await import('webgpu');
    const gpu = create([]);
    const made: GPUDevice[] = [];
    const requestAdapter = async (): Promise<GPUAdapter> => {
      const adapter = (await gpu.requestAdapter())!;
      const { info, limits, features } = adapter;
      const requestDevice = async (options: GPUDeviceDescriptor): Promise<GPUDevice> => {
        const device = await adapter.requestDevice(options);
        made.push(device);
        return device;
      };
      return { info, limits, features, requestDevice } as GPUAdapter;
    };
    vi.stubGlobal('navigator', { gpu: { requestAdapter } });
    const open = () => compile(triple, { sizes: { points: 2 }, device: 'webgpu' });
    const [first, second] = [await open(), await open()];
    expect(made.length).toBe(1);
    made[0].destroy();
    await made[0].lost;
    await expect(second.run({ 'points.x': [1, 2] })).rejects.toThrowCode('kernel/gpu-lost');
    const third = await open();
    expect(made.length).toBe(2);
    expect([...(await third.run({ 'points.x': [1, 2] }))['points.y']]).toEqual([3, 6]);
    for (const program of [first, second, third]) program.dispose();
  });
});
