// What a page runs: the program on the cpu device, on several threads and on one, and where it asks for that (a meta
// element `webgpu`) a part of it on webgpu; its results posted to where the page came from. Without top-level await, which not every format of a bundle has.
import { cpuDevice, webgpuDevice } from '@gradsim/core';
import type { Bits } from './bits.ts';
import { fallOfBlock } from './block.ts';
import { drop } from './drop.ts';
import { runProgram } from './program.ts';

/** Result of a run on a device, or the reason why there is none. */
export interface Outcome {
  readonly device?: string;
  readonly results?: Bits;
  /** Error of the run, other than a missing GPU adapter. */
  readonly error?: string;
  /** Reason why the device is not available. */
  readonly missing?: string;
}

export interface PageReport {
  readonly isIsolated: boolean;
  readonly cpu: Outcome;
  readonly oneThread: Outcome;
  readonly webgpu?: Outcome;
}

const outcome = (run: () => Promise<Outcome>): Promise<Outcome> =>
  run().catch((error: Error) => ({ error: String(error.stack ?? error) }));

const onThreads = (threads: number, run: typeof drop): Promise<Outcome> =>
  outcome(async () => {
    const device = cpuDevice({ threads });
    const results = await run(device);
    const { description } = device;
    device.dispose();
    return { device: description, results };
  });

const onGpu = (): Promise<Outcome> =>
  outcome(async () => {
    const adapter = await navigator.gpu?.requestAdapter();
    if (!adapter) return { missing: navigator.gpu ? 'It has WebGPU, but finds no adapter.' : 'It has no WebGPU.' };
    const device = await webgpuDevice({ allowSoftware: true });
    const results = await drop(device);
    device.dispose();
    return { device: device.description, results };
  });

async function main(): Promise<void> {
  const report: PageReport = {
    isIsolated: crossOriginIsolated,
    cpu: await onThreads(2, runProgram),
    oneThread: await onThreads(1, fallOfBlock),
    ...(document.querySelector('meta[name=webgpu]') ? { webgpu: await onGpu() } : {}),
  };
  await fetch('/report', { method: 'POST', body: JSON.stringify(report) });
}
void main();
