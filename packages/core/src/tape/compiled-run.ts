import type { CompiledModel } from '../compile/compiled-model.ts';

/** A compiled model with the sizes of its run. */
export interface CompiledRun {
  readonly compiled: CompiledModel;
  readonly frames: number;
  readonly substeps: number;
  readonly worlds: number;
  /** Substep, s. */
  readonly dt: number;
}
