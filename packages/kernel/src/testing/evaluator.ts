import type { Device, Executor } from '../devices/device.ts';
import type { ExecutorSpec } from '../emit/executor-spec.ts';
import { javascriptSource } from '../emit/javascript/evaluator.ts';

type KernelFunction = (F: Float64Array, U: Uint32Array, R: Uint32Array, begin: number, end: number) => void;

/**
 * The oracle: every kernel as plain JavaScript on doubles, one element after another, which shares no code with the
 * back ends of other devices. Slow, and it creates functions from text, which the policy of a page may forbid. The
 * device `f64` gives the same results, bit for bit.
 *
 * ```ts
 * import { evaluatorDevice } from '@gradsim/kernel/testing';
 *
 * const device = evaluatorDevice();
 * ```
 */
export function evaluatorDevice(): Device {
  return {
    kind: 'evaluator',
    description: 'double precision, JavaScript',
    precision: 'f64',
    createExecutor: async (spec) => createExecutor(spec),
    dispose: () => {},
  };
}

function createExecutor(spec: ExecutorSpec): Executor {
  const F = new Float64Array(spec.f32Words);
  const U = new Uint32Array(spec.u32Words);
  const R = new Uint32Array(spec.registers.length);
  const programs = spec.programs.map((program) =>
    program.kernels.map((kernel) => ({
      call: new Function('F', 'U', 'R', 'begin', 'end', javascriptSource(kernel)) as KernelFunction,
      invocations: kernel.invocations,
    })),
  );
  return {
    run(program, registers, only) {
      for (let row = 0; row < registers.length; row += R.length) {
        R.set(registers.subarray(row, row + R.length));
        const kernels = programs[program];
        const chosen = only === undefined ? kernels : [kernels[only]];
        for (const { call, invocations } of chosen) call(F, U, R, 0, invocations);
      }
    },
    copy: (arena, to, from, words) => {
      (arena === 'f32' ? F : U).copyWithin(to, from, from + words);
    },
    clear: (arena, from, words) => {
      (arena === 'f32' ? F : U).fill(0, from, from + words);
    },
    writeF32: (at, values) => F.set(values, at),
    writeU32: (at, values) => U.set(values, at),
    readF32: (from, words) => Promise.resolve(F.slice(from, from + words)),
    peekF32: (from, words) => F.subarray(from, from + words),
    peekU32: (from, words) => U.subarray(from, from + words),
    readU32: (from, words) => Promise.resolve(U.slice(from, from + words)),
    dispose: () => {},
  };
}
