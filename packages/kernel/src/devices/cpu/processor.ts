import { GradsimError, refuseUnknownOptions } from '@gradsim/base';
import type { Precision } from '../../form/types.ts';
import type { Device, Executor } from '../device.ts';
import { Team } from './team.ts';

export interface CpuOptions {
  /** Use SIMD, several invocations at once, where a kernel allows it; true by default. */
  readonly simd?: boolean;
  /**
   * Number of threads that always share the work of large models. Default: as many as the machine has processors, at
   * most 8, started once a model has run for a while and used while they are faster than one.
   */
  readonly threads?: number;
  /**
   * In a page: URL of a copy of the file `@gradsim/kernel/worker`, which workers run, for a page whose policy forbids
   * workers from a blob and whose bundler does not support files of workers.
   */
  readonly workerUrl?: string;
}

/** Creates a device on the processor, with floats of one precision. */
export function processorDevice(kind: string, precision: Precision, cpuOptions: CpuOptions): Device {
  refuseUnknownOptions<CpuOptions>(kind, cpuOptions, { simd: true, threads: true, workerUrl: true });
  const { simd = true, ...options } = cpuOptions;
  const team = new Team(options);
  const executors = new Set<Executor>();
  let isDisposed = false;
  const doubles = precision === 'f64' ? 'double precision, ' : '';
  return {
    kind,
    get description() {
      return `${doubles}WebAssembly${simd ? ' SIMD' : ''}, ${team.description}`;
    },
    ready: team.ready,
    precision,
    lowers: true,
    async createExecutor(spec) {
      if (isDisposed)
        throw new GradsimError('kernel/disposed', `This device "${kind}" was disposed.`, { hint: 'Make another one.' });
      // Loaded with the first executor, so that a page on a GPU has no code that writes WebAssembly.
      const { createExecutor } = await import('./executor.ts');
      const onDispose = (): void => void executors.delete(executor);
      const executor = await createExecutor(spec, { kind, precision, simd, team, onDispose });
      executors.add(executor);
      return executor;
    },
    dispose() {
      isDisposed = true;
      for (const executor of executors) executor.dispose();
      team.dispose();
    },
  };
}
