import { GradsimError } from '@gradsim/base';
import type { Device } from '../device.ts';
import { describeAdapter, findAdapter } from './adapter.ts';
import type { WebgpuContext, WebgpuExecutor } from './executor.ts';
import type { WebgpuOptions } from './handles.ts';

/**
 * A GPU through WebGPU: in browsers `navigator.gpu`, in Node the package `webgpu`, which has to be installed as well.
 * It may compute in software, unless `allowSoftware` is false; its description says so.
 *
 * With `device` it runs on that GPUDevice, which stays the caller's. Otherwise it creates one with the largest buffers
 * that the adapter allows, and `dispose()` destroys it.
 *
 * ```ts
 * const device = await webgpuDevice();
 * ```
 * @throws for unknown options and what is no GPUDevice; when there is no WebGPU or no adapter, saying what to install.
 */
export async function webgpuDevice(options: WebgpuOptions = {}): Promise<Device> {
  // Loaded here, since most pages never ask for a GPU.
  const { refuseOptions } = await import('./refuse-options.ts');
  refuseOptions(options);
  if (options.device) {
    // Not every browser exposes the adapter of a device.
    const info: GPUAdapterInfo | undefined = options.device.adapterInfo;
    return wrapDevice(options.device, info ? describeAdapter(info) : options.device.label || 'GPU device', false);
  }
  const adapter = options.adapter ?? (await findAdapter(options));
  const description = describeAdapter(adapter.info);
  const { maxBufferSize, maxStorageBufferBindingSize } = adapter.limits;
  try {
    const device = await adapter.requestDevice({
      label: 'gradsim',
      requiredLimits: { maxBufferSize, maxStorageBufferBindingSize },
      // Needed for timing only; it has no other cost.
      requiredFeatures: adapter.features.has('timestamp-query') ? ['timestamp-query'] : [],
    });
    return await wrapDevice(device, description, true);
  } catch (error) {
    throw new GradsimError('kernel/no-gpu', `The GPU "${description}" gave no device: ${(error as Error).message}.`, {
      hint: 'Use the device "cpu".',
      cause: error,
    });
  }
}

/** 128 MB, which a GPU can spare; where buffers must be smaller, an eighth of one. */
const MOST_ACCUMULATOR_WORDS = 2 ** 25;
const SHARE_OF_ARENA = 8;

async function wrapDevice(device: GPUDevice, description: string, isOwned: boolean): Promise<Device> {
  // Loaded with the first such device: most processes have none, and the code for shaders and buffers is large.
  const [{ WebgpuExecutor }, { Pipelines }] = await Promise.all([import('./executor.ts'), import('./pipelines.ts')]);
  const context: WebgpuContext = { device, description, pipelines: new Pipelines(device) };
  const executors = new Set<WebgpuExecutor>();
  let isDisposed = false;
  device.lost.then(({ reason, message }) => {
    context.lossReason = `${message || 'no reason was given'} (${reason || 'unknown'}).`;
  });
  return {
    kind: 'webgpu',
    description,
    precision: 'f32',
    scatters: 'sorted',
    accumulatorWords: Math.min(MOST_ACCUMULATOR_WORDS, device.limits.maxStorageBufferBindingSize / SHARE_OF_ARENA / 4),
    isDeferred: true,
    get isLost() {
      return context.lossReason !== undefined;
    },
    async createExecutor(spec) {
      if (isDisposed)
        throw new GradsimError('kernel/disposed', `The device "${description}" was disposed.`, {
          hint: 'Make another one.',
        });
      if (context.lossReason !== undefined)
        throw new GradsimError(
          'kernel/gpu-lost',
          `The GPU "${description}" was lost: ${context.lossReason} Make a new device.`,
        );
      const executor = await WebgpuExecutor.create(context, spec, (ended) => executors.delete(ended));
      executors.add(executor);
      return executor;
    },
    dispose() {
      if (isDisposed) return;
      isDisposed = true;
      for (const executor of [...executors]) executor.dispose();
      if (isOwned) device.destroy();
    },
  };
}
