import { describe, expect, it } from 'vitest';
import { f64Device } from '../src/devices/f64.ts';
import type { DeviceName } from '../src/devices/select.ts';
import { listDevices, selectDevice } from '../src/devices/select.ts';
import { findAdapter, isSoftware } from '../src/devices/webgpu/adapter.ts';
import { webgpuDevice } from '../src/devices/webgpu/webgpu.ts';
import { REGISTERS } from './support/registers.ts';
import { describeWithAdapter, missingAdapter } from './webgpu-adapter.ts';

describe('choosing a device', () => {
  it('returns the devices of the CPU by name', async () => {
    for (const name of ['cpu', 'f64'] as const) {
      const device = await selectDevice(name);
      expect(device.kind).toBe(name);
      device.dispose();
    }
  });

  it('returns an existing device as it is', async () => {
    const device = f64Device();
    expect(await selectDevice(device)).toBe(device);
  });

  it('refuses an unknown name', async () => {
    await expect(selectDevice('cuda' as DeviceName)).rejects.toThrowCode({
      code: 'kernel/unknown-device',
      values: ['"cuda"'],
    });
  });

  it('refuses what is no device, and a GPUDevice in place of options', async () => {
    const code = 'kernel/unknown-device';
    await expect(selectDevice({} as never)).rejects.toThrowCode({ code, values: ['no GPUDevice'] });
    await expect(webgpuDevice({ device: 3 } as never)).rejects.toThrowCode({ code, values: ['3', 'no GPUDevice'] });
    const handle = { queue: {}, limits: {}, createBindGroupLayout: () => null };
    await expect(webgpuDevice(handle as never)).rejects.toThrowCode({ code, values: ['webgpuDevice({ device })'] });
    await expect(webgpuDevice({ devcie: handle } as never)).rejects.toThrowCode({
      code: 'base/unknown-option',
      values: ['devcie', 'device'],
    });
  });

  it('takes a GPU or the CPU for auto, never a software adapter', async () => {
    const gpu = await findAdapter({ allowSoftware: false }).catch(() => null);
    const device = await selectDevice('auto');
    expect(device.kind).toBe(gpu ? 'auto' : 'cpu');
    expect(device.description).not.toContain('(software)');
    device.dispose();
  });

  it('lists every device, with one default', async () => {
    const listed = await listDevices();
    expect(listed.map((device) => device.name)).toEqual(['cpu', 'webgpu', 'f64']);
    expect(listed.filter((device) => device.isDefault)).toHaveLength(1);
    const webgpu = listed[1];
    expect(webgpu.isAvailable).toBe(missingAdapter === null);
    if (webgpu.isAvailable) expect(webgpu.limits!.maxBufferSize).toBeGreaterThan(0);
    else expect(webgpu.description).toMatch(/npm install|apt-get install/);
  });
});

describeWithAdapter('choosing webgpu', () => {
  it('selectDevice takes a software adapter if requested by name, and says so', async () => {
    const adapter = await findAdapter();
    const device = await selectDevice('webgpu');
    expect(device.kind).toBe('webgpu');
    expect(device.description.endsWith('(software)')).toBe(isSoftware(adapter.info));
    device.dispose();
  });

  it('webgpuDevice takes what selectDevice takes, and refuses a software adapter if told so', async ({ skip }) => {
    const [one, other] = [await webgpuDevice(), await selectDevice('webgpu')];
    expect(one.description).toBe(other.description);
    one.dispose();
    other.dispose();
    const adapter = await findAdapter();
    if (!isSoftware(adapter.info)) skip('this machine has a GPU');
    await expect(webgpuDevice({ allowSoftware: false })).rejects.toThrowCode('kernel/no-gpu');
  });

  it('selectDevice wraps a GPUDevice that is passed in', async () => {
    const mine = await (await findAdapter()).requestDevice();
    const device = await selectDevice(mine);
    const executor = await device.createExecutor({
      f32Words: 2,
      u32Words: 0,
      registers: REGISTERS,
      programs: [],
    });
    executor.writeF32(0, [3, 4]);
    expect(await executor.readF32(0, 2)).toEqual(Float32Array.of(3, 4));
    device.dispose();
    mine.destroy();
  });
});
