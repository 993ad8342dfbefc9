import { describeValue, GradsimError, refuseUnknownOptions } from '@gradsim/base';
import type { WebgpuOptions } from './handles.ts';

const OPTIONS = { device: true, adapter: true, powerPreference: true, allowSoftware: true } as const;

/** True for what has the parts of a GPUDevice that every program needs. */
const isGpuDevice = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'createBindGroupLayout' in value && 'queue' in value;

/** Refuses a GPUDevice in place of options, unknown options, and a `device` that is no GPUDevice. */
export function refuseOptions(options: WebgpuOptions): void {
  if (isGpuDevice(options))
    throw new GradsimError('kernel/unknown-device', 'webgpuDevice got a GPUDevice where options belong.', {
      hint: 'Write `webgpuDevice({ device })`.',
    });
  refuseUnknownOptions<WebgpuOptions>('webgpuDevice', options, OPTIONS);
  const { device } = options;
  if (device !== undefined && !isGpuDevice(device))
    throw new GradsimError('kernel/unknown-device', `The device is ${describeValue(device)}, which is no GPUDevice.`, {
      hint: 'Give a name, a device of gradsim, or what `adapter.requestDevice()` returned, awaited.',
    });
}
