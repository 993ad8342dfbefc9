import type { BoundKernel } from '../../emit/bound-kernel.ts';
import type { Program } from '../../emit/executor-spec.ts';
import type { Dispatch } from '../../emit/order/dispatches.ts';
import { dispatchesOf, fitsWorkgroup } from '../../emit/order/dispatches.ts';
import { dispatchSource, loopSource, workgroupsOf } from '../../emit/wgsl/dispatch.ts';
import { wgslSource, workgroups } from '../../emit/wgsl/shader.ts';
import type { Pipelines } from './pipelines.ts';
import { ROW_WORDS } from './pipelines.ts';

/** A pipeline with its workgroup counts. */
export interface Step {
  readonly pipeline: GPUComputePipeline;
  readonly groups: readonly [number, number];
}

export interface CompiledProgram {
  readonly name: string;
  readonly kernels: readonly BoundKernel[];
  /** Pipelines to dispatch, in order, for one row of registers. */
  readonly steps: readonly Step[];
  /**
   * Pipeline that runs many rows of registers in one dispatch; undefined if the program does not fit into one
   * workgroup.
   */
  readonly loop?: Step;
}

/**
 * Compiles a program into few dispatches. A dispatch costs a GPU some microseconds, whatever it does: a scene of one
 * body has a dozen kernels per substep, each of which takes less time than that.
 *
 * @throws when the driver refuses a shader, with the names of its kernels.
 */
export async function compileProgram(pipelines: Pipelines, { name, kernels }: Program): Promise<CompiledProgram> {
  const busy = kernels.filter(({ invocations }) => invocations > 0);
  const label = (of: readonly BoundKernel[]): string => of.map((kernel) => kernel.name).join(', ');
  if (fitsWorkgroup(busy)) {
    const pipeline = await pipelines.get(label(busy), loopSource(busy, ROW_WORDS));
    return { name, kernels, steps: [], loop: { pipeline, groups: [1, 1] } };
  }
  const compile = async (dispatch: Dispatch): Promise<Step> => {
    const all = dispatch.flat();
    const source = all.length === 1 ? wgslSource(all[0]) : dispatchSource(dispatch);
    return { pipeline: await pipelines.get(label(all), source), groups: workgroupsOf(dispatch) };
  };
  return { name, kernels, steps: await Promise.all(dispatchesOf(busy).map(compile)) };
}

/** Compiles a single kernel, to find out which kernel of a failed run was at fault. */
export const singleStep = (pipelines: Pipelines, kernel: BoundKernel): Step => ({
  pipeline: pipelines.createSync(kernel.name, wgslSource(kernel)),
  groups: workgroups(kernel.invocations),
});
