import { GradsimError, refuseUnknownOptions } from '@gradsim/base';
import { cpuDevice } from './cpu/cpu.ts';
import { FORBIDDEN_HINT, mayCompile } from './cpu/may-compile.ts';
import type { Device } from './device.ts';
import { f64Device } from './f64.ts';
import { describeAdapter, findAdapter, isSoftware, mayHaveGpu } from './webgpu/adapter.ts';
import type { GpuDevice } from './webgpu/handles.ts';
import { webgpuDevice } from './webgpu/webgpu.ts';

/** Names by which a device can be chosen. */
export const DEVICE_NAMES = ['auto', 'cpu', 'webgpu', 'f64'] as const;
export type DeviceName = (typeof DEVICE_NAMES)[number];

/** A device name, an existing device (returned as it is), or a GPUDevice of the caller's. */
export type DeviceChoice = DeviceName | Device | GpuDevice;

export interface SelectOptions {
  /** Threads of the devices `cpu` and `f64`; see {@link cpuDevice}. */
  readonly threads?: number;
  /** URL of the workers' file, in a page; see {@link cpuDevice}. */
  readonly workerUrl?: string;
}

/**
 * Returns the device for a choice. `auto` is a GPU if the machine has one, with the CPU for small models, which are faster
 * there; else the CPU. `webgpu`, as {@link webgpuDevice}, also takes an adapter that computes in software, which `auto` never
 * does: the device `cpu` is far faster.
 *
 * ```ts
 * const device = await selectDevice('auto');
 * ```
 * @throws for an unknown name, with those known; for `webgpu` without an adapter, saying what to install.
 */
export async function selectDevice(choice: DeviceChoice = 'auto', options: SelectOptions = {}): Promise<Device> {
  refuseUnknownOptions<SelectOptions>('selectDevice', options, { threads: true, workerUrl: true });
  if (typeof choice === 'object' && choice !== null) {
    return 'createExecutor' in choice ? choice : webgpuDevice({ device: choice });
  }
  switch (choice) {
    case 'cpu':
      return waitUntilReady(cpuDevice(options));
    case 'f64':
      return waitUntilReady(f64Device(options));
    case 'webgpu':
      return webgpuDevice();
    case 'auto': {
      const adapter = await gpuAdapter();
      // A page may forbid WebAssembly, but not WebGPU.
      if (adapter && mayCompile()) {
        const { smallOnCpu } = await import('./small-on-cpu.ts');
        return smallOnCpu(await webgpuDevice({ adapter }), await waitUntilReady(cpuDevice(options)));
      }
      if (adapter) return webgpuDevice({ adapter });
      return mayCompile()
        ? waitUntilReady(cpuDevice(options))
        : webgpuDevice().catch(() => waitUntilReady(cpuDevice(options)));
    }
    default:
      throw new GradsimError('kernel/unknown-device', `There is no device "${String(choice)}".`, {
        hint: `Choose one of: ${DEVICE_NAMES.join(', ')}.`,
      });
  }
}

/** Waits until the device knows how many threads it has. */
async function waitUntilReady(device: Device): Promise<Device> {
  await device.ready;
  return device;
}

/** Returns the adapter of a hardware GPU, or null if there is none or no WebGPU. */
async function gpuAdapter(): Promise<GPUAdapter | null> {
  if (!mayHaveGpu()) return null;
  return findAdapter({ allowSoftware: false }).catch(() => null);
}

/** A device of this machine, described for people. */
export interface DeviceListing {
  readonly name: Exclude<DeviceName, 'auto'>;
  /** Name of the engine or adapter; for a device that cannot be used, the reason and what to install. */
  readonly description: string;
  readonly isAvailable: boolean;
  /** True for the device that `auto` takes. */
  readonly isDefault: boolean;
  /** True if it computes on the CPU. */
  readonly isSoftware: boolean;
  /** Limits of a GPU's buffers, in bytes. */
  readonly limits?: { readonly maxBufferSize: number; readonly maxStorageBufferBindingSize: number };
}

/** Lists the devices of this machine: the CPU, a GPU or why there is none, double precision. */
export async function listDevices(options: SelectOptions = {}): Promise<DeviceListing[]> {
  const webgpu = await listWebgpu();
  const isGpu = webgpu.isAvailable && !webgpu.isSoftware;
  const onCpu = (name: 'cpu' | 'f64', device: Device, isDefault: boolean): DeviceListing => {
    const { description } = device;
    device.dispose();
    const isAvailable = mayCompile();
    return {
      name,
      isAvailable,
      isDefault,
      isSoftware: true,
      description: isAvailable ? description : FORBIDDEN_HINT,
    };
  };
  return [
    onCpu('cpu', await waitUntilReady(cpuDevice(options)), !isGpu),
    { ...webgpu, isDefault: isGpu },
    onCpu('f64', await waitUntilReady(f64Device(options)), false),
  ];
}

async function listWebgpu(): Promise<Omit<DeviceListing, 'isDefault'>> {
  try {
    const { info, limits } = await findAdapter();
    const { maxBufferSize, maxStorageBufferBindingSize } = limits;
    return {
      name: 'webgpu',
      description: describeAdapter(info),
      isAvailable: true,
      isSoftware: isSoftware(info),
      limits: { maxBufferSize, maxStorageBufferBindingSize },
    };
  } catch (error) {
    return { name: 'webgpu', description: (error as Error).message, isAvailable: false, isSoftware: false };
  }
}
