import type { Device } from './device.ts';

/**
 * Mean number of elements of a dispatch from which a GPU is faster. A dispatch takes it 2 microseconds or more, in which a
 * CPU handles hundreds of elements. Measured on an H100: the search of `toss`, with 1,500, takes it twice as long as 8
 * threads; 1,000 boxes as worlds, with 3,300, a quarter as long.
 */
export const ENOUGH_FOR_GPU = 2000;

/** GPU that leaves models with small dispatches to the CPU. Both devices become its own. */
export const smallOnCpu = (gpu: Device, cpu: Device): Device => ({
  ...gpu,
  kind: 'auto',
  description: `${gpu.description}; ${cpu.description} for models of fewer than ${ENOUGH_FOR_GPU} elements a dispatch`,
  get isLost() {
    return gpu.isLost ?? false;
  },
  forElements: (mean) => (mean < ENOUGH_FOR_GPU ? cpu : gpu),
  dispose() {
    gpu.dispose();
    cpu.dispose();
  },
});
