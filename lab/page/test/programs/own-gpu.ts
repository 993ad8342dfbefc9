// A GPUDevice, a worker and a signal of the program's own, in the types of the library that it has for them.
import type { DeviceChoice, Simulation } from '@gradsim/core';
import { compile, f32, kernel, selectDevice, webgpuDevice } from '@gradsim/core';
import { estimateInWorker } from '@gradsim/optim';
import { readFrames } from '@gradsim/video';

const twice = kernel('twice', { domain: 'points', reads: { x: f32 }, writes: { y: f32 } }, ({ x }) => ({
  y: x.mul(2),
}));

export async function onMine(simulation: Simulation, film: File): Promise<void> {
  const adapter = await navigator.gpu.requestAdapter();
  if (!adapter) throw new Error('There is no adapter.');
  const mine: GPUDevice = await adapter.requestDevice();
  const choices: DeviceChoice[] = [mine, await webgpuDevice({ device: mine }), await webgpuDevice({ adapter })];
  for (const device of choices) await selectDevice(device);
  await compile(twice, { sizes: { points: 2 }, device: mine });
  // @ts-expect-error a device of another kind
  await selectDevice({ queue: 3 });
  await simulation.run({ signal: AbortSignal.timeout(1000) });
  await readFrames(film);
  const signal = AbortSignal.timeout(1000);
  await estimateInWorker(new URL('https://here.test/problem.js'), { signal });
  await estimateInWorker(() => new Worker('problem.js', { type: 'module' }), { settings: { film }, signal });
}
