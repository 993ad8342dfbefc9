import type { Precision } from '../../form/types.ts';
import { refuseUnknownOptions } from '../../language/known-names.ts';
import type { Device, Executor } from '../device.ts';
import { createExecutor } from './executor.ts';
import { Team } from './team.ts';

export interface CpuOptions {
  /** Whether to work on several invocations at once where a kernel allows it; true by default. */
  readonly simd?: boolean;
  /**
   * Threads that share the work of large models, always. Default: as many as the machine has processors, at most 8, which
   * start once a model has run for a while and are used for as long as they are faster than one.
   */
  readonly threads?: number;
  /**
   * In a page: the address of a copy of the file `@gradsim/kernel/worker`, which workers run, for a page whose policy
   * forbids those from a blob and whose bundler knows no files of workers.
   */
  readonly workerUrl?: string;
}

/** A device on the processor, with floats of one precision. */
export function processorDevice(kind: string, precision: Precision, given: CpuOptions): Device {
  refuseUnknownOptions<CpuOptions>(kind, given, { simd: true, threads: true, workerUrl: true });
  const { simd = true, ...options } = given;
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
      if (isDisposed) throw new Error(`This device "${kind}" was disposed; make another one.`);
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
