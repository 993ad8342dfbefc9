import { GradsimError } from '@gradsim/base';
import type { AccessRange, BoundKernel } from '../emit/bound-kernel.ts';
import type { ExecutorSpec } from '../emit/executor-spec.ts';
import type { Precision } from '../form/types.ts';
import { bytesOfFloat } from '../form/types.ts';
import type { Device, Executor } from './device.ts';

/** Time and traffic of one pass of a program. */
export interface PassProfile {
  readonly program: string;
  readonly pass: string;
  /** Number of times that the pass ran. */
  readonly dispatches: number;
  /** Total time of all dispatches on one thread, ms. */
  readonly milliseconds: number;
  /** Total bytes read and written by all dispatches; per dispatch, each word of the fields in use counts once. */
  readonly bytes: number;
}

/** A device that measures run times; see {@link profileDevice}. */
export interface ProfilingDevice extends Device {
  /** Profile of what ran so far, the slowest pass first. */
  profile(): PassProfile[];
}

interface Entry {
  readonly program: string;
  readonly pass: string;
  readonly bytesPerDispatch: number;
  dispatches: number;
  milliseconds: number;
}

/**
 * Measures the time of every pass that runs on a device, by running them one by one: on one thread, so that times add
 * up, and slower than without. Results stay the same. GPU times are measured by the GPU and available once a result has
 * been read; each pass then is a dispatch of its own, where without a profile several share one. Browsers round such
 * times, so trust only those of many dispatches.
 *
 * ```ts
 * const device = profileDevice(cpuDevice());
 * const simulation = await createSimulation(model, { device, frames: 10, frameRate: 30, substeps: 32 });
 * simulation.forward();
 * console.table(device.profile());
 * ```
 * @throws when a model is made for a GPU that takes no times.
 */
export function profileDevice(device: Device): ProfilingDevice {
  const entries: Entry[] = [];
  const profile = (): PassProfile[] =>
    mergeEntries(entries)
      .filter(({ dispatches }) => dispatches > 0)
      .sort((a, b) => b.milliseconds - a.milliseconds)
      .map(({ bytesPerDispatch, ...rest }) => ({ ...rest, bytes: bytesPerDispatch * rest.dispatches }));
  return { ...timedDevice(device, entries), profile };
}

function timedDevice(device: Device, entries: Entry[]): Device {
  return {
    ...device,
    get description() {
      return device.description;
    },
    get isLost() {
      return device.isLost ?? false;
    },
    async createExecutor(spec) {
      const executor = await device.createExecutor(spec);
      if (device.isDeferred && !executor.runTimed) {
        executor.dispose();
        throw new GradsimError(
          'kernel/no-gpu-times',
          `The GPU "${device.description}" takes no times (it lacks the feature timestamp-query), so it cannot be profiled.`,
          { hint: 'Choose cpu or f64.' },
        );
      }
      return timed(executor, spec, device.precision, entries);
    },
    ...(device.forElements && { forElements: (mean) => timedDevice(device.forElements!(mean), entries) }),
  };
}

function timed(executor: Executor, spec: ExecutorSpec, precision: Precision, entries: Entry[]): Executor {
  const own = spec.programs.map(({ name, kernels }) =>
    kernels.map((kernel): Entry => {
      const entry = { bytesPerDispatch: bytesOf(kernel, precision), dispatches: 0, milliseconds: 0 };
      return { program: name, pass: kernel.name, ...entry };
    }),
  );
  entries.push(...own.flat());
  return {
    run(program, registers, only) {
      const { length } = spec.registers;
      for (let row = 0; row < registers.length; row += length) {
        const one = registers.subarray(row, row + length);
        own[program].forEach((entry, k) => {
          if (only !== undefined && only !== k) return;
          entry.dispatches++;
          const taken = (milliseconds: number): void => {
            entry.milliseconds += milliseconds;
          };
          if (executor.runTimed) {
            executor.runTimed(program, one, k, taken);
            return;
          }
          const began = performance.now();
          executor.run(program, one, k);
          taken(performance.now() - began);
        });
      }
    },
    copy: (...range) => executor.copy(...range),
    clear: (...range) => executor.clear(...range),
    writeF32: (at, values) => executor.writeF32(at, values),
    writeU32: (at, values) => executor.writeU32(at, values),
    readF32: (from, words) => executor.readF32(from, words),
    readU32: (from, words) => executor.readU32(from, words),
    // Iterations with a tolerance still end early.
    ...(executor.peekF32 && { peekF32: (from, words) => executor.peekF32!(from, words) }),
    ...(executor.peekU32 && { peekU32: (from, words) => executor.peekU32!(from, words) }),
    dispose: () => executor.dispose(),
  };
}

/** Merges entries with the same pass name and program, over all models that ran. */
function mergeEntries(entries: readonly Entry[]): Entry[] {
  const all = new Map<string, Entry>();
  for (const entry of entries) {
    const key = `${entry.program} ${entry.pass}`;
    const known = all.get(key);
    if (!known) {
      all.set(key, { ...entry });
      continue;
    }
    const dispatches = known.dispatches + entry.dispatches;
    const bytes = known.bytesPerDispatch * known.dispatches + entry.bytesPerDispatch * entry.dispatches;
    const milliseconds = known.milliseconds + entry.milliseconds;
    all.set(key, { ...known, dispatches, milliseconds, bytesPerDispatch: bytes / Math.max(1, dispatches) });
  }
  return [...all.values()];
}

const isSame = (a: AccessRange, b: AccessRange): boolean =>
  a.region === b.region && a.from === b.from && a.words === b.words;

function bytesOf({ reads, writes }: BoundKernel, precision: Precision): number {
  const bytes = (accesses: BoundKernel['reads']): number =>
    accesses
      .filter((a, k) => k === accesses.findIndex((b) => isSame(a, b)))
      .reduce((sum, { arena, words }) => sum + words * (arena === 'f32' ? bytesOfFloat(precision) : 4), 0);
  return bytes(reads) + bytes(writes);
}
