import type { CompiledModel } from '../../compile/compiled-model.ts';

/** A compiled model with the numbers of frames, substeps and worlds of its run. */
export interface CompiledRun {
  readonly compiled: CompiledModel;
  readonly frames: number;
  readonly substeps: number;
  readonly worlds: number;
  /** Length of a substep, s; of the longest, if frames have times of their own (`isUneven`). */
  readonly dt: number;
  readonly isUneven: boolean;
}
