import { GradsimError } from '@gradsim/base';
import { isNode } from '../is-node.ts';
import type { AdapterOptions, GpuAdapter, GpuAdapterInfo } from './handles.ts';

const HOW_TO_INSTALL =
  'In Node a GPU is reached through its Vulkan, Metal or Direct3D 12 driver. Without a GPU, a software driver does: ' +
  'on Debian `apt-get install chromium libvulkan1`, then set VK_DRIVER_FILES=/usr/lib/chromium/vk_swiftshader_icd.json. ' +
  'Or use the device "cpu".';

const IN_A_BROWSER =
  'Turn on hardware acceleration in the settings of the browser, look whether its page about the GPU (chrome://gpu, ' +
  'about:support) lists WebGPU, and renew the graphics driver. Or use the device "cpu".';

/** The parts of the package `webgpu` that are used. */
interface WebgpuPackage {
  readonly create: (options: string[]) => GPU;
}

/** Entry point of WebGPU. Dawn shuts down when its GPU object is garbage-collected, so it is kept. */
let entry: Promise<GPU> | null = null;

/**
 * Returns the entry point of WebGPU: `navigator.gpu`, or the package `webgpu` in Node.
 * @throws when there is neither, saying what to install.
 */
function webgpuEntry(): Promise<GPU> {
  const native = (globalThis as { navigator?: { gpu?: GPU } }).navigator?.gpu;
  if (native) return Promise.resolve(native);
  if (!isNode()) {
    const secure = (globalThis as { isSecureContext?: boolean }).isSecureContext;
    const why =
      secure === false ? 'This page is not a secure context (https or localhost)' : 'This browser has no WebGPU';
    return Promise.reject(
      new GradsimError('kernel/no-gpu', `${why}, so the device "webgpu" cannot be used.`, {
        hint: 'Use the device "cpu".',
      }),
    );
  }
  entry ??= packageEntry();
  return entry;
}

async function packageEntry(): Promise<GPU> {
  try {
    const { create } = (await importOutOfSight('webgpu')) as WebgpuPackage;
    return create([]);
  } catch (error) {
    entry = null;
    const isMissing = (error as { code?: string }).code === 'ERR_MODULE_NOT_FOUND';
    throw new GradsimError(
      'kernel/no-gpu',
      isMissing
        ? 'The device "webgpu" needs the package webgpu in Node: `npm install webgpu`. Or use the device "cpu".'
        : `The package webgpu could not be loaded: ${(error as Error).message}. Install it again, or use the device "cpu".`,
      { cause: error },
    );
  }
}

/** Imports a module by a name that bundlers do not resolve: the package `webgpu` is for Node only. */
const importOutOfSight = (name: string): Promise<unknown> => import(/* @vite-ignore */ /* webpackIgnore: true */ name);

/**
 * Finds an adapter of this machine.
 * @throws when there is none that is allowed, saying what to install.
 */
export async function findAdapter({
  powerPreference = 'high-performance',
  allowSoftware = true,
}: AdapterOptions = {}): Promise<GpuAdapter> {
  const gpu = await webgpuEntry();
  const adapter = await gpu.requestAdapter({ powerPreference });
  if (adapter && (allowSoftware || !isSoftware(adapter.info))) return adapter;
  if (adapter) {
    throw new GradsimError(
      'kernel/no-gpu',
      `WebGPU finds only a software adapter (${describeAdapter(adapter.info)}), and \`allowSoftware\` is false.`,
      {
        hint: `To use it, leave that out. ${isNode() ? HOW_TO_INSTALL : IN_A_BROWSER}`,
      },
    );
  }
  throw new GradsimError(
    'kernel/no-gpu',
    isNode() ? 'WebGPU finds no adapter on this machine.' : 'This browser has WebGPU, but finds no adapter for it.',
    { hint: isNode() ? HOW_TO_INSTALL : IN_A_BROWSER },
  );
}

/**
 * Returns whether it is worth asking for a GPU: false on Linux in Node where the system shows none. Asking would load a
 * large library only for it to complain on standard error that there is no driver.
 */
export function mayHaveGpu(): boolean {
  if (!isNode() || process.platform !== 'linux' || (globalThis as { navigator?: { gpu?: GPU } }).navigator?.gpu)
    return true;
  const fs = process.getBuiltinModule('node:fs');
  return ['/dev/dri', '/dev/nvidia0', '/dev/nvidiactl', '/dev/dxg', '/dev/mali0', '/dev/kfd'].some((file) =>
    fs.existsSync(file),
  );
}

/** Returns whether the adapter computes on the CPU. */
export function isSoftware(info: GpuAdapterInfo): boolean {
  const text = `${info.vendor} ${info.architecture} ${info.device} ${info.description}`;
  return info.isFallbackAdapter === true || /swiftshader|llvmpipe|lavapipe|softpipe|basic render|warp/i.test(text);
}

/** Returns the adapter's name, for people. Browsers often reveal only vendor and architecture. */
export function describeAdapter(info: GpuAdapterInfo): string {
  const { vendor, architecture, device, description } = info;
  if (isSoftware(info)) return `${description || vendor || 'unnamed adapter'} (software)`;
  // A description may be of the driver alone.
  const parts = description ? [device, description] : [vendor, architecture || device];
  return parts.filter(Boolean).join(', ') || 'unnamed adapter';
}
