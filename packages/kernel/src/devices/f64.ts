import type { CpuOptions } from './cpu/processor.ts';
import { processorDevice } from './cpu/processor.ts';
import type { Device } from './device.ts';

/**
 * Double precision: what the device `cpu` does, with two invocations at once instead of four. Functions that WebAssembly
 * has no instruction for (sines, powers) are those of the host's Math. What other devices are held against.
 *
 * ```ts
 * const device = f64Device();
 * ```
 * @param options as of the device `cpu`.
 * @throws when `threads` is no whole number from 1 to 32.
 */
export const f64Device = (options: CpuOptions = {}): Device => processorDevice('f64', 'f64', options);
