// What the page runs: the drop on all devices, and a larger fall on one and two threads; its results posted to where the
// page came from.

import type { Device } from '@gradsim/core';
import { cpuDevice, f64Device, webgpuDevice } from '@gradsim/core';
import { fallOfBlock } from './block.ts';
import type { Bits } from './drop.ts';
import { drop } from './drop.ts';

/** What a device gave, or why it gave nothing. */
export interface Outcome {
  readonly device?: string;
  readonly results?: Bits;
  /** An error that is no missing adapter. */
  readonly error?: string;
  /** Why there is no such device. */
  readonly missing?: string;
}

export interface PageReport {
  /** Whether the page may make code of text. */
  readonly mayEvaluate: boolean;
  readonly cpu: Outcome;
  readonly doubles: Outcome;
  readonly webgpu: Outcome;
  readonly oneThread: Outcome;
  readonly twoThreads: Outcome;
}

async function outcome(run: () => Promise<Outcome>): Promise<Outcome> {
  return run().catch((error: Error) => ({ error: String(error.stack ?? error) }));
}

function mayEvaluate(): boolean {
  try {
    new Function('');
    return true;
  } catch {
    return false;
  }
}

const dropOn = (device: Device): Promise<Outcome> =>
  outcome(async () => ({ device: device.description, results: await drop(device) }));
const webgpu = await outcome(async () => {
  const adapter = await navigator.gpu?.requestAdapter();
  if (!adapter)
    return { missing: navigator.gpu ? 'It has WebGPU, but finds no adapter.' : 'It has no WebGPU.' };
  const device = await webgpuDevice({ allowSoftware: true });
  return { device: device.description, results: await drop(device) };
});
const onThreads = (threads: number): Promise<Outcome> =>
  outcome(async () => {
    if (!crossOriginIsolated) return { missing: 'The page is not cross-origin isolated.' };
    const device = cpuDevice({ threads });
    const results = await fallOfBlock(device);
    device.dispose();
    return { device: device.description, results };
  });
const report: PageReport = {
  mayEvaluate: mayEvaluate(),
  cpu: await dropOn(cpuDevice()),
  doubles: await dropOn(f64Device()),
  webgpu,
  oneThread: await onThreads(1),
  twoThreads: await onThreads(2),
};
await fetch('/report', { method: 'POST', body: JSON.stringify(report) });
