import { describe, expect, it } from 'vitest';
import { cpuDevice } from '../src/devices/cpu/cpu.ts';
import type { Device } from '../src/devices/device.ts';
import { f64Device } from '../src/devices/f64.ts';
import { kernel } from '../src/language/kernel.ts';
import { f32 } from '../src/language/types.ts';
import { processors, simd } from './support/agree.ts';
import { REGISTERS } from './support/registers.ts';
import { layKernel } from './support/run-kernel.ts';

describe('the WebAssembly executor', () => {
  const count = kernel(
    'count',
    { domain: 'points', reads: { x: f32 }, adds: { total: f32 } },
    ({ x, total }, { substep }) => {
      total.add(x.mul(substep.toF32()));
    },
  );
  const double = kernel('double', { domain: 'points', reads: { x: f32 }, adds: { total: f32 } }, ({ x, total }) =>
    total.add(x),
  );

  const make = async (device: Device) => {
    const { kernel: first, f32Words, slots } = layKernel(count.form, device, { elements: 6, inputs: {} });
    const { kernel: second } = layKernel(double.form, device, { elements: 6, inputs: {} });
    const executor = await device.createExecutor({
      f32Words,
      u32Words: 4,
      registers: REGISTERS,
      programs: [{ name: 'frame', kernels: [first, second] }],
    });
    executor.writeF32(slots.get('x')!.offset, [1, 2, 3, 4, 5, 6]);
    return { executor, total: slots.get('total')!.offset };
  };

  it.each([simd, f64Device()])(
    'runs register tables longer than its buffer row by row, and a single kernel, on $kind',
    async (device) => {
      const { executor, total } = await make(device);
      const rows = 2500;
      const table = new Uint32Array(rows * REGISTERS.length);
      for (let row = 0; row < rows; row++) table[row * REGISTERS.length] = row % 3;
      executor.run(0, table, 0);
      const factor = Array.from({ length: rows }, (_, row) => row % 3).reduce((a, b) => a + b);
      expect([...(await executor.readF32(total, 6))]).toEqual([1, 2, 3, 4, 5, 6].map((x) => x * factor));
      executor.clear('f32', total, 6);
      executor.run(0, table.subarray(0, REGISTERS.length));
      expect([...(await executor.readF32(total, 6))]).toEqual([1, 2, 3, 4, 5, 6]);
      executor.run(0, table.subarray(0, REGISTERS.length), 1);
      executor.copy('f32', 0, total, 6);
      expect([...(await executor.readF32(0, 6))]).toEqual([2, 4, 6, 8, 10, 12]);
      executor.writeU32(1, Uint32Array.of(7, 4294967295));
      expect([...(await executor.readU32(0, 4))]).toEqual([0, 7, 4294967295, 0]);
      executor.dispose();
    },
  );

  it('names the kernel that writes beyond its memory', async () => {
    const form = kernel('astray', { domain: 'points', reads: { x: f32 }, writes: { y: f32 } }, ({ x }) => ({
      y: x,
    })).form;
    for (const device of processors) {
      const { kernel: bound, f32Words } = layKernel(form, device, { elements: 8, inputs: {} });
      const stores = bound.stores.map((s) => ({ ...s, offset: 1 << 28 }));
      const executor = await device.createExecutor({
        f32Words,
        u32Words: 0,
        registers: REGISTERS,
        programs: [{ name: 'frame', kernels: [{ ...bound, stores }] }],
      });
      expect(() => executor.run(0, new Uint32Array(REGISTERS.length))).toThrowCode({
        code: 'kernel/memory-overrun',
        values: ['astray', 'frame'],
      });
    }
  });

  it.each([cpuDevice(), f64Device()])(
    'is disposed with its device, and reports later use, on $kind',
    async (device) => {
      const executor = await device.createExecutor({
        f32Words: 4,
        u32Words: 4,
        registers: REGISTERS,
        programs: [],
      });
      device.dispose();
      device.dispose();
      executor.dispose();
      expect(() => executor.run(0, new Uint32Array(REGISTERS.length))).toThrowCode({
        code: 'kernel/disposed',
        values: [`the device ${device.kind}`],
      });
      await expect(executor.readF32(0, 1)).rejects.toThrowCode('kernel/disposed');
    },
  );

  it('refuses more memory than it can address', async () => {
    const spec = { f32Words: 2 ** 31, u32Words: 0, registers: REGISTERS, programs: [] };
    await expect(simd.createExecutor(spec)).rejects.toThrowCode({ code: 'kernel/too-large', values: ['8.0'] });
    await expect(f64Device().createExecutor(spec)).rejects.toThrowCode({ code: 'kernel/too-large', values: ['16.0'] });
  });

  it('copies, clears and reads doubles in the arena, beside integers', async () => {
    const executor = await f64Device().createExecutor({
      f32Words: 5,
      u32Words: 3,
      registers: REGISTERS,
      programs: [],
    });
    const third = 1 / 3;
    executor.writeF32(0, [third, 2 + 2 ** -40, -third]);
    executor.writeU32(0, Uint32Array.of(1, 0xffffffff, 3));
    executor.copy('f32', 3, 1, 2);
    executor.clear('f32', 1, 1);
    executor.clear('u32', 2, 1);
    expect(await executor.readF32(0, 5)).toEqual(Float64Array.of(third, 0, -third, 2 + 2 ** -40, -third));
    expect(executor.peekF32!(3, 1)).toEqual(Float64Array.of(2 + 2 ** -40));
    expect(await executor.readU32(0, 3)).toEqual(Uint32Array.of(1, 0xffffffff, 0));
    executor.dispose();
  });
});
