import type { Precision } from '../../language/form.ts';
import type { Device, Executor } from '../device.ts';
import { createExecutor } from './executor.ts';
import { Team } from './team.ts';
import { availableThreads } from './workers.ts';

const MOST_THREADS = 32;
/** More threads than these are taken only when asked for: they gain little on kernels of this size. */
const USUAL_THREADS = 8;

export interface CpuOptions {
  /** Whether to work on several invocations at once where a kernel allows it; true by default. */
  readonly simd?: boolean;
  /**
   * Threads that share the work of large models. Default: as many as the machine has processors, at most 8, which start
   * once a model has run for a while.
   */
  readonly threads?: number;
}

/** A device on the processor, with floats of one precision. */
export function processorDevice(
  kind: string,
  precision: Precision,
  { simd = true, threads: given }: CpuOptions,
): Device {
  const asked = given ?? Math.min(availableThreads(), USUAL_THREADS);
  if (!Number.isInteger(asked) || asked < 1 || asked > MOST_THREADS)
    throw new Error(`threads must be a whole number from 1 to ${MOST_THREADS}, got ${asked}.`);
  const threads = availableThreads() > 1 ? asked : 1;
  const team = new Team(threads, given !== undefined);
  const executors = new Set<Executor>();
  const doubles = precision === 'f64' ? 'double precision, ' : '';
  return {
    kind,
    description: `${doubles}WebAssembly${simd ? ' SIMD' : ''}, ${threads} thread${threads === 1 ? '' : 's'}`,
    precision,
    lowers: true,
    async createExecutor(spec) {
      const onDispose = (): void => void executors.delete(executor);
      const executor = await createExecutor(spec, { kind, precision, simd, team, onDispose });
      executors.add(executor);
      return executor;
    },
    dispose() {
      for (const executor of executors) executor.dispose();
      team.dispose();
    },
  };
}
