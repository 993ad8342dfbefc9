import { describe, expect, it } from 'vitest';
import { cpuDevice } from '../src/devices/cpu/cpu.ts';
import type { PureOp } from '../src/language/form.ts';
import { REGISTERS } from '../src/language/form.ts';
import { kernel } from '../src/language/kernel.ts';
import { currentBuilder, use, wrap } from '../src/language/scalar.ts';
import { f32 } from '../src/language/types.ts';
import { layKernel } from './support/run-kernel.ts';

const device = cpuDevice();

async function evaluate(op: PureOp, args: readonly Float32Array[]): Promise<Float32Array> {
  const names = ['x', 'y'].slice(0, args.length);
  const reads = Object.fromEntries(names.map((name) => [name, f32]));
  const form = kernel(op, { domain: 'points', reads, writes: { value: f32 } }, (fields) => {
    const nodes = names.map((name) => use(fields[name]));
    return { value: wrap<'f32'>(currentBuilder().pure(op, ...nodes)) };
  }).form;
  const elements = args[0].length;
  const { kernel: bound, f32Words, u32Words, slots } = layKernel(form, device, { elements, inputs: {} });
  const executor = await device.createExecutor({
    f32Words,
    u32Words,
    programs: [{ name: 'p', kernels: [bound] }],
  });
  names.forEach((name, k) => executor.writeF32(slots.get(name)!.offset, args[k]));
  executor.run(0, new Uint32Array(REGISTERS.length));
  const out = (await executor.readF32(slots.get('new value')!.offset, elements)) as Float32Array;
  executor.dispose();
  return out;
}

/** The distance between neighbouring floats at a value. */
function ulp(value: number): number {
  const size = Math.max(Math.abs(value), 2 ** -126);
  return 2 ** (Math.floor(Math.log2(size)) - 23);
}

function worst(values: Float32Array, exact: (k: number) => number): { error: number; at: number } {
  let error = 0;
  let at = 0;
  for (let k = 0; k < values.length; k++) {
    const truth = exact(k);
    const expected = Math.fround(truth);
    if (Object.is(values[k], expected) || (values[k] === 0 && Math.abs(truth) < 2 ** -126)) continue;
    const miss = Number.isFinite(expected)
      ? Math.abs(values[k] - truth) / ulp(truth)
      : values[k] === expected
        ? 0
        : Number.POSITIVE_INFINITY;
    if (!(miss <= error)) {
      error = miss;
      at = k;
    }
  }
  return { error, at };
}

const COUNT = 400_000;
const linear = (low: number, high: number): Float32Array =>
  Float32Array.from({ length: COUNT }, (_, k) => low + ((high - low) * k) / (COUNT - 1));
/** Numbers of all magnitudes from 2^low to 2^high, of both signs if asked for. */
const logarithmic = (low: number, high: number, isSigned = false): Float32Array =>
  Float32Array.from(
    { length: COUNT },
    (_, k) => (isSigned && k % 2 ? -1 : 1) * 2 ** (low + ((high - low) * k) / COUNT),
  );
const join = (...parts: Float32Array[]): Float32Array => Float32Array.from(parts.flatMap((p) => [...p]));

const UNARY: [PureOp, (x: number) => number, Float32Array, number][] = [
  ['exp', Math.exp, join(linear(-90, 90), linear(-1, 1), logarithmic(-30, 6, true)), 1],
  ['log', Math.log, join(linear(0, 4), logarithmic(-149, 128), linear(0.99, 1.01)), 1],
  ['sin', Math.sin, join(linear(-7, 7), linear(-1e4, 1e4), logarithmic(-40, 12, true)), 1],
  ['cos', Math.cos, join(linear(-7, 7), linear(-1e4, 1e4), logarithmic(-40, 12, true)), 1],
  ['tan', Math.tan, join(linear(-7, 7), linear(-1e4, 1e4), logarithmic(-40, 12, true)), 2],
  ['asin', Math.asin, join(linear(-1, 1), logarithmic(-40, 0, true)), 2],
  ['acos', Math.acos, join(linear(-1, 1), logarithmic(-40, 0, true)), 2],
  ['atan', Math.atan, join(linear(-10, 10), logarithmic(-40, 120, true)), 2],
  ['tanh', Math.tanh, join(linear(-10, 10), logarithmic(-40, 10, true)), 2],
];

describe('functions of single precision', () => {
  for (const [op, exact, samples, bound] of UNARY) {
    it(`${op} is within ${bound} units of the last place`, async () => {
      const values = await evaluate(op, [samples]);
      const { error, at } = worst(values, (k) => exact(samples[k]));
      console.info(`${op}: ${error.toFixed(2)} ulp, at ${samples[at]}`);
      expect(error).toBeLessThanOrEqual(bound);
    });
  }

  it('atan2 is within 2 units of the last place', async () => {
    const angle = linear(-4, 4);
    const y = angle.map((a, k) => Math.sin(a) * 2 ** ((k % 40) - 20));
    const x = angle.map((a, k) => Math.cos(a) * 2 ** ((k % 40) - 20));
    const values = await evaluate('atan2', [y, x]);
    const { error, at } = worst(values, (k) => Math.atan2(y[k], x[k]));
    console.info(`atan2: ${error.toFixed(2)} ulp, at ${y[at]}, ${x[at]}`);
    expect(error).toBeLessThanOrEqual(2);
  });

  it('pow is within 1.2 units of the last place', async () => {
    const x = logarithmic(-30, 30);
    const y = x.map((_, k) => ((k % 997) / 997 - 0.5) * (k % 3 === 0 ? 8 : 1));
    const steep = linear(0.5, 2);
    const exponents = steep.map((_, k) => (k % 251) - 125);
    for (const [base, exponent] of [
      [x, y],
      [steep, exponents],
    ]) {
      const values = await evaluate('pow', [base, exponent]);
      const { error, at } = worst(values, (k) => base[k] ** exponent[k]);
      console.info(`pow: ${error.toFixed(2)} ulp, at ${base[at]}, ${exponent[at]}`);
      expect(error).toBeLessThanOrEqual(1.2);
    }
  });

  const { NaN: nan, POSITIVE_INFINITY: inf } = Number;
  const limits: [PureOp, number[], number][] = [
    ['exp', [-104], 0],
    ['exp', [-inf], 0],
    ['exp', [89], inf],
    ['exp', [inf], inf],
    ['exp', [0], 1],
    ['exp', [nan], nan],
    ['log', [0], -inf],
    ['log', [-1], nan],
    ['log', [inf], inf],
    ['log', [1], 0],
    ['log', [nan], nan],
    ['sin', [0], 0],
    ['sin', [inf], nan],
    ['cos', [0], 1],
    ['cos', [nan], nan],
    ['tan', [nan], nan],
    ['asin', [1], Math.fround(Math.PI / 2)],
    ['asin', [1.1], nan],
    ['acos', [1], 0],
    ['acos', [-1], Math.fround(Math.PI)],
    ['acos', [-1.1], nan],
    ['atan', [inf], Math.fround(Math.PI / 2)],
    ['atan', [-inf], -Math.fround(Math.PI / 2)],
    ['atan', [nan], nan],
    ['tanh', [inf], 1],
    ['tanh', [-inf], -1],
    ['tanh', [nan], nan],
    ['atan2', [0, 0], 0],
    ['atan2', [0, -1], Math.fround(Math.PI)],
    ['atan2', [1, 0], Math.fround(Math.PI / 2)],
    ['atan2', [inf, inf], Math.fround(Math.PI / 4)],
    ['atan2', [1, nan], nan],
    ['atan2', [nan, 1], nan],
    ['pow', [0, 2.5], 0],
    ['pow', [0, -1.5], inf],
    ['pow', [0, 0], 1],
    ['pow', [inf, 1.5], inf],
    ['pow', [1, 1e30], 1],
    ['pow', [10, 60], inf],
    ['pow', [10, -60], 0],
    ['pow', [-1, 1.5], nan],
    ['pow', [nan, 2.5], nan],
    ['pow', [2, nan], nan],
    ['sign', [-3], -1],
    ['sign', [0], 0],
    ['sign', [7], 1],
    ['sign', [nan], nan],
  ];
  it('has the right limits', async () => {
    for (const [op, args, expected] of limits) {
      const [value] = await evaluate(
        op,
        args.map((x) => Float32Array.of(x)),
      );
      expect(value, `${op}(${args.join(', ')})`).toBe(expected);
    }
  });

  it('rem stays below the divisor', async () => {
    const x = linear(-1000, 1000);
    const y = x.map((_, k) => ((k % 89) + 1) * 0.37);
    const values = await evaluate('rem', [x, y]);
    values.forEach((v, k) => {
      if (!(Math.abs(v) < y[k]) || Math.abs((v - x[k]) / y[k] - Math.round((v - x[k]) / y[k])) > 1e-3) {
        throw new Error(`${x[k]} rem ${y[k]} gave ${v}`);
      }
    });
  });
});
