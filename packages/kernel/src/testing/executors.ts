import type { Device, Executor } from '../devices/device.ts';
import { bindKernel } from '../emit/bind/bind.ts';
import type { BoundKernel } from '../emit/bound-kernel.ts';
import type { KernelForm } from '../form/kernel-form.ts';
import type { Primitive } from '../form/nodes.ts';
import type { Port } from '../form/port.ts';
import { Builder } from '../language/builder.ts';
import { kernel } from '../language/kernel.ts';
import { f32 } from '../language/types.ts';

/** A test of an executor; returns a description of the fault, or null. */
export interface ExecutorTrial {
  readonly name: string;
  readonly run: (device: Device) => Promise<string | null>;
}

const REGISTERS = ['substep', 'frame', 'from', 'to', 'fifth'] as const;
/**
 * Number of elements in each copy of a port's data, of which a register selects one: no multiple of the SIMD lanes, although
 * each copy begins at a multiple of 4 words.
 */
const ELEMENTS_PER_COPY = 6;
/** Distance in words between copies that a register selects, and between components. */
const WORD_STRIDE = 8;

const row = (values: Partial<Record<(typeof REGISTERS)[number], number>>): number[] =>
  REGISTERS.map((name) => values[name] ?? 0);

function bind(form: KernelForm, device: Device, registerOf: (port: Port) => string | undefined): BoundKernel {
  return bindKernel(form, {
    elements: ELEMENTS_PER_COPY,
    worlds: 1,
    worldsInner: true,
    steps: 0.5,
    registers: REGISTERS,
    precision: device.precision,
    lowers: device.lowers,
    accumulates: () => false,
    binding: (port) => ({
      buffer: 'f32',
      offset: 0,
      register: registerOf(port),
      registerStride: WORD_STRIDE,
      componentStride: WORD_STRIDE,
      elementStride: 1,
      worldStride: 0,
    }),
  });
}

const double = kernel('double', { domain: 'points', reads: { x: f32 }, writes: { x: f32 } }, ({ x }) => ({
  x: x.mul(2),
}));
const increment = kernel('increment', { domain: 'points', reads: { x: f32 }, writes: { x: f32 } }, ({ x }) => ({
  x: x.add(1),
}));
const count = kernel(
  'count',
  { domain: 'points', reads: { x: f32 }, writes: { x: f32 } },
  ({ x }, { substep, frame, dt }) => ({ x: x.add(substep.add(frame.mul(100)).toF32()).add(dt) }),
);

/**
 * Creates an executor with programs that work in place, and with programs that copy from where one register points to
 * where another one does, and runs a test with it.
 */
const withExecutor =
  (test: (executor: Executor) => Promise<string | null>) =>
  async (device: Device): Promise<string | null> => {
    const inPlace = (): undefined => undefined;
    const along = (port: Port): string => (port.access === 'read' ? 'from' : 'to');
    const executor = await device.createExecutor({
      f32Words: 64,
      u32Words: 8,
      registers: REGISTERS,
      programs: [
        {
          name: 'steps',
          kernels: [bind(double.form, device, inPlace), bind(increment.form, device, inPlace)],
        },
        { name: 'along', kernels: [bind(count.form, device, along)] },
        { name: 'nothing', kernels: [] },
      ],
    });
    try {
      return await test(executor);
    } finally {
      executor.dispose();
    }
  };

function differs(got: ArrayLike<number>, expected: readonly number[]): string | null {
  const isSame = got.length === expected.length && expected.every((value, k) => Object.is(got[k], value));
  return isSame ? null : `got ${Array.from(got).join(', ')} for ${expected.join(', ')}`;
}
const first = (...problems: (string | null)[]): string | null => problems.find((p) => p !== null) ?? null;

const UNKNOWN_PRIMITIVE_NAME = 'unheardOf';
/** A primitive without code, as if from a newer version of the language: only a name and types. */
const unknownPrimitive = {
  name: UNKNOWN_PRIMITIVE_NAME,
  derivative: null,
  overloads: [{ args: ['f32'], result: 'f32', called: UNKNOWN_PRIMITIVE_NAME }],
} as unknown as Primitive;

export const EXECUTOR_TRIALS: readonly ExecutorTrial[] = [
  {
    name: 'arenas start as zeros',
    run: withExecutor(async (executor) =>
      first(differs(await executor.readF32(0, 4), [0, 0, 0, 0]), differs(await executor.readU32(4, 4), [0, 0, 0, 0])),
    ),
  },
  {
    name: 'writes, runs, copies, clears and reads in the order of the calls',
    run: withExecutor(async (executor) => {
      executor.writeF32(0, [1, 2, 3, 4, 5, 6]);
      executor.run(0, Uint32Array.from(row({})));
      executor.copy('f32', WORD_STRIDE, 0, ELEMENTS_PER_COPY);
      const early = executor.readF32(0, 16);
      executor.writeF32(1, [100]);
      executor.run(0, Uint32Array.from(row({})));
      executor.clear('f32', WORD_STRIDE, 2);
      executor.run(2, Uint32Array.from(row({})));
      const late = executor.readF32(0, 16);
      return first(
        differs(await early, [3, 5, 7, 9, 11, 13, 0, 0, 3, 5, 7, 9, 11, 13, 0, 0]),
        differs(await late, [7, 201, 15, 19, 23, 27, 0, 0, 0, 0, 7, 9, 11, 13, 0, 0]),
      );
    }),
  },
  {
    name: 'whole numbers bit for bit',
    run: withExecutor(async (executor) => {
      executor.writeU32(1, Uint32Array.of(7, 4294967295));
      executor.copy('u32', 4, 1, 2);
      const early = executor.readU32(0, 8);
      executor.clear('u32', 2, 3);
      return first(
        differs(await early, [0, 7, 4294967295, 0, 7, 4294967295, 0, 0]),
        differs(await executor.readU32(0, 8), [0, 7, 0, 0, 0, 4294967295, 0, 0]),
      );
    }),
  },
  {
    name: 'reads give copies',
    run: withExecutor(async (executor) => {
      const before = await executor.readF32(0, 2);
      executor.writeF32(0, [1, 2]);
      before[1] = 9;
      return first(differs(before, [0, 9]), differs(await executor.readF32(0, 2), [1, 2]));
    }),
  },
  {
    name: 'rows of registers one after another',
    run: withExecutor(async (executor) => {
      const rows = [0, 1, 2, 3, 4].flatMap((k) => row({ from: k, to: k + 1, substep: k, frame: 1, fifth: 99 }));
      executor.run(1, Uint32Array.from(rows));
      const expected = [0.5 + 100, 1 + 201, 1.5 + 303, 2 + 406, 2.5 + 510];
      const states = await executor.readF32(WORD_STRIDE, 5 * WORD_STRIDE);
      return differs(
        expected.map((_, k) => states[k * WORD_STRIDE + ELEMENTS_PER_COPY - 1]),
        expected,
      );
    }),
  },
  {
    name: 'thousands of rows in one call',
    run: withExecutor(async (executor) => {
      const rows = Array.from({ length: 3000 }, (_, k) => row({ from: k % 2, to: 1 - (k % 2), frame: 0 }));
      executor.run(1, Uint32Array.from(rows.flat()));
      return differs(await executor.readF32(0, 1), [1500]);
    }),
  },
  {
    name: 'one kernel of a program alone',
    run: withExecutor(async (executor) => {
      executor.run(0, Uint32Array.from(row({})), 1);
      executor.run(0, Uint32Array.from(row({})), 1);
      executor.run(0, Uint32Array.from(row({})), 0);
      return differs(await executor.readF32(0, 2), [4, 4]);
    }),
  },
  {
    name: 'executors apart from each other',
    run: (device) =>
      withExecutor(async (executor) => {
        executor.writeF32(0, [5]);
        const other = withExecutor(async (second) => {
          second.run(0, Uint32Array.from(row({})));
          return differs(await second.readF32(0, 2), [1, 1]);
        });
        return first(await other(device), differs(await executor.readF32(0, 2), [5, 0]));
      })(device),
  },
  {
    name: 'dispose() twice',
    run: withExecutor(async (executor) => {
      executor.dispose();
      executor.dispose();
      return null;
    }),
  },
  {
    name: 'a primitive that it does not have is refused by name when an executor is made',
    run: async (device) => {
      const b = new Builder('stranger');
      const [port] = increment.form.ports.filter((p) => p.access === 'write');
      const value = b.pure(unknownPrimitive, b.load({ ...port, access: 'read' }, 0, null));
      b.output(port, 0, null, value);
      const form: KernelForm = {
        name: 'stranger',
        domain: 'points',
        ports: [port],
        root: b.root,
        outputs: b.outputs,
      };
      const programs = [{ name: 'strange', kernels: [bind(form, device, () => undefined)] }];
      try {
        const executor = await device.createExecutor({
          f32Words: 8,
          u32Words: 4,
          registers: REGISTERS,
          programs,
        });
        executor.dispose();
      } catch (error) {
        const { message } = error as Error;
        if (message.includes(UNKNOWN_PRIMITIVE_NAME) && message.includes('stranger')) return null;
        return `the refusal does not name the kernel and the primitive: ${message}`;
      }
      return `a kernel with the primitive "${UNKNOWN_PRIMITIVE_NAME}" was taken`;
    },
  },
];
