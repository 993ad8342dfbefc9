import type { CpuOptions } from './cpu/processor.ts';
import { processorDevice } from './cpu/processor.ts';
import type { Device } from './device.ts';

/**
 * Double precision: like the device `cpu`, with two SIMD lanes instead of four. Functions that WebAssembly has no
 * instruction for (sines, powers) are those of the host's Math. The reference that other devices are compared with.
 *
 * ```ts
 * const device = f64Device();
 * ```
 * @param options the same as of the device `cpu`.
 * @throws when `threads` is no whole number from 1 to 32.
 */
export const f64Device = (options: CpuOptions = {}): Device => processorDevice('f64', 'f64', options);
