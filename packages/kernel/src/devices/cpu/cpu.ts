import type { Device } from '../device.ts';
import type { CpuOptions } from './processor.ts';
import { processorDevice } from './processor.ts';

/**
 * The processor, through generated WebAssembly: four invocations at once in SIMD lanes, and several threads where
 * memory can be shared (Node, pages that are cross-origin isolated) and they are faster than one. Results are the same
 * bit for bit from run to run, for any number of threads, and with or without SIMD. Works in Node and in browsers,
 * with nothing to install. Its `description` states the number of threads, and why there are no more.
 *
 * Functions that WebAssembly has no instruction for are polynomials, with the errors that the primitives declare in
 * `ulps`. A read at an index beyond all data returns NaN (0 for integers). A write there is an error that names the
 * kernel.
 *
 * ```ts
 * const device = cpuDevice({ threads: 2 });
 * ```
 * @param options `simd: false` runs one invocation after another, for comparison.
 * @throws when `threads` is no whole number from 1 to 32.
 */
export const cpuDevice = (options: CpuOptions = {}): Device => processorDevice('cpu', 'f32', options);
