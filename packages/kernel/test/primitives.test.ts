import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, expectTypeOf, it } from 'vitest';
import { tangent } from '../src/derivatives/tangent.ts';
import type { Device } from '../src/devices/device.ts';
import { webgpuDevice } from '../src/devices/webgpu/webgpu.ts';
import type { CONVERSIONS_F64, F32, F64 } from '../src/emit/wasm/format/opcodes.ts';
import type { Lanes } from '../src/emit/wasm/lanes.ts';
import type { Lowering, Overload, Primitive, Text } from '../src/form/nodes.ts';
import type { ScalarType } from '../src/form/types.ts';
import type { WasmOperation } from '../src/form/wasm-operation.ts';
import { Builder } from '../src/language/builder.ts';
import * as functions from '../src/language/functions.ts';
import { detach } from '../src/primitives/choice.ts';
import type { floatFunction } from '../src/primitives/primitive.ts';
import { PRIMITIVES } from '../src/primitives/table.ts';
import { evaluatorDevice } from '../src/testing/evaluator.ts';
import { inDoubles, oneByOne, simd } from './support/agree.ts';
import { formOf, NAMES } from './support/operation.ts';
import { runKernel } from './support/run-kernel.ts';
import { missingAdapter } from './webgpu-adapter.ts';

/** Number of arguments at which a primitive is evaluated. */
const COUNT = 64;
/** Inverse of the golden ratio: its multiples modulo 1 are spread evenly. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

const oracle = evaluatorDevice();
const gpu = missingAdapter === null ? await webgpuDevice({ allowSoftware: true }) : null;
afterAll(() => gpu?.dispose());

/** Returns values of an argument, spread evenly over the operation's range, away from its ends. */
function argument({ argumentRanges }: Primitive, type: ScalarType, k: number): number[] {
  const spread = Array.from({ length: COUNT }, (_, n) => ((n + 1) * GOLDEN * (k + 1)) % 1);
  if (type === 'bool') return spread.map((s) => Number(s < 0.5));
  if (type === 'i32') return spread.map((s) => Math.floor(100 * s - 50));
  // Small ones, and ones whose bits are floats of about 1.
  if (type === 'u32') return spread.map((s, n) => Math.floor(n % 2 ? 100 * s : 0x3f000000 + 2 ** 24 * s));
  const [from, to] = argumentRanges?.[k] ?? [-3, 3];
  const [low, high] = [Math.max(from, -3), Math.min(to, 3)];
  return spread.map((s) => Math.fround(low + (high - low) * (0.05 + 0.9 * s)));
}

const inputsOf = (primitive: Primitive, { args }: Overload): Record<string, number[]> =>
  Object.fromEntries(args.map((type, k) => [NAMES[k], argument(primitive, type, k)]));

/** f'(x) by fourth-order central differences. */
function difference(f: (x: number) => number, x: number): number {
  const h = 2e-4 * Math.max(Math.abs(x), 1e-2);
  return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h);
}

describe.each(PRIMITIVES.map((primitive) => [primitive.name, primitive] as const))('%s', (_, primitive) => {
  describe.each(primitive.overloads.map((overload) => [overload.args.join(', '), overload] as const))(
    'of %s',
    (_, overload) => {
      const form = formOf(primitive, overload);
      const inputs = inputsOf(primitive, overload);
      const at = (n: number): number[] => overload.args.map((_, k) => inputs[NAMES[k]][n]);
      const run = async (device: Device): Promise<number[]> =>
        (await runKernel(form, device, { elements: COUNT, inputs }))['new value'];
      const exact = run(oracle);

      async function expectClose(device: Device, tolerance: number): Promise<void> {
        const got = await run(device);
        const expected = await exact;
        if (overload.result !== 'f32') {
          expect(got).toEqual(expected);
          return;
        }
        const scale = Math.max(...expected.map(Math.abs));
        got.forEach((value, n) => {
          expect(Math.abs(value - expected[n]), `of ${at(n)}`).toBeLessThanOrEqual(tolerance * scale);
        });
      }

      it('on cpu is within 1e-6 of doubles, relative to the largest, with the same bits without SIMD', async () => {
        await expectClose(simd, 1e-6);
        expect(await run(simd)).toEqual(await run(oneByOne));
      });

      it('in doubles equals JavaScript, bit for bit', async () => {
        expect((await inDoubles(form, { elements: COUNT, inputs }))['new value']).toEqual(await exact);
      });

      it.skipIf(!gpu)('on webgpu is within 2e-6 of doubles, relative to the largest', () => expectClose(gpu!, 2e-6));

      it('folds constants to the value that it computes', async () => {
        const expected = await exact;
        for (let n = 0; n < COUNT; n++) {
          const b = new Builder('constants');
          const folded = b.pure(primitive, ...at(n).map((value, k) => b.const(value, overload.args[k])));
          expect(folded).toMatchObject({ op: 'const', type: overload.result, value: expected[n] });
        }
      });

      if (overload.result !== 'f32' || !overload.args.includes('f32') || primitive === detach) return;
      it('has a tangent that agrees with central differences to 1e-7', async () => {
        for (const [k, type] of overload.args.entries()) {
          if (type !== 'f32') continue;
          const along = tangent(form, { wrt: new Set([NAMES[k]]) });
          const isRead = along.ports.some((port) => port.kind === 'tangent' && port.access === 'read');
          const dots = isRead ? { [`${NAMES[k]}_dot`]: new Array<number>(COUNT).fill(1) } : {};
          const { 'new value_dot': slopes } = await runKernel(along, oracle, {
            elements: COUNT,
            inputs: { ...inputs, ...dots },
          });
          slopes.forEach((slope, n) => {
            const expected = difference((x) => overload.evaluate(...at(n).with(k, x)), at(n)[k]);
            const error = Math.abs(slope - expected) / Math.max(1, Math.abs(expected));
            expect(error, `d/d${NAMES[k]} at ${at(n)}: ${slope}, not ${expected}`).toBeLessThan(1e-7);
          });
        }
      });
    },
  );
});

it('an entry of the table of primitives without a required column is a type error', () => {
  type Entry = Parameters<typeof floatFunction>[1];
  type Always = Required<Pick<Entry, 'evaluate' | 'derivative'>>;
  type Complete = Always & { inSingle: Lowering };
  expectTypeOf<Complete>().toExtend<Entry>();
  expectTypeOf<Omit<Complete, 'evaluate'>>().not.toExtend<Entry>();
  expectTypeOf<Omit<Complete, 'derivative'>>().not.toExtend<Entry>();
  expectTypeOf<Always>().not.toExtend<Entry>();
  expectTypeOf<Always & { lowering: Lowering }>().toExtend<Entry>();
  expectTypeOf<Always & { wgsl: Text }>().not.toExtend<Entry>();
  expectTypeOf<Always & { wgsl: Text; wasm: WasmOperation }>().toExtend<Entry>();
});

it('a WebAssembly instruction that lacks one precision is a type error', () => {
  expectTypeOf<typeof F64>().toExtend<Record<keyof typeof F32, readonly [number, number]>>();
  expectTypeOf<Omit<typeof F64, 'sqrt'>>().not.toExtend<Lanes['floats']>();
  expectTypeOf<Omit<typeof CONVERSIONS_F64, 'i32OfFloat'>>().not.toExtend<Lanes['conversions']>();
});

it('docs/reference/kernels.md names every function of the language', () => {
  const page = readFileSync(new URL('../../../docs/reference/kernels.md', import.meta.url), 'utf8');
  const [, words] = /^- Functions: (.*?)^\S/ms.exec(page)!;
  const named = new Set(words.match(/\w+/g));
  expect(Object.keys(functions).filter((name) => !named.has(name))).toEqual([]);
});

it('names of primitives and of their overloads are unique', () => {
  const names = PRIMITIVES.flatMap(({ name, overloads }) => [name, ...overloads.map((o) => o.called)]);
  expect(new Set(names).size).toBe(names.length);
});
