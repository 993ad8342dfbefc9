import { describe, expect, it } from 'vitest';
import { cpuDevice } from '../src/devices/cpu/cpu.ts';
import type { ArgumentRange, Primitive } from '../src/form/nodes.ts';
import { kernel } from '../src/language/kernel.ts';
import { currentBuilder, use, wrap } from '../src/language/scalar.ts';
import { f32 } from '../src/language/types.ts';
import { rem, sign } from '../src/primitives/arithmetic.ts';
import { cosh, erf, exp, expm1, log, log1p, sinh, tanh } from '../src/primitives/exponential.ts';
import { pow } from '../src/primitives/power.ts';
import { PRIMITIVES } from '../src/primitives/table.ts';
import { acos, asin, atan, atan2, cos, sin, tan } from '../src/primitives/trigonometric.ts';
import { REGISTERS } from './support/registers.ts';
import { layKernel } from './support/run-kernel.ts';

const device = cpuDevice();

async function evaluate(primitive: Primitive, args: readonly Float32Array[]): Promise<Float32Array> {
  const names = ['x', 'y'].slice(0, args.length);
  const reads = Object.fromEntries(names.map((name) => [name, f32]));
  const form = kernel(primitive.name, { domain: 'points', reads, writes: { value: f32 } }, (fields) => {
    const nodes = names.map((name) => use(fields[name]));
    return { value: wrap<'f32'>(currentBuilder().pure(primitive, ...nodes)) };
  }).form;
  const elements = args[0].length;
  const { kernel: bound, f32Words, u32Words, slots } = layKernel(form, device, { elements, inputs: {} });
  const executor = await device.createExecutor({
    f32Words,
    u32Words,
    registers: REGISTERS,
    programs: [{ name: 'p', kernels: [bound] }],
  });
  names.forEach((name, k) => executor.writeF32(slots.get(name)!.offset, args[k]));
  executor.run(0, new Uint32Array(REGISTERS.length));
  const out = (await executor.readF32(slots.get('new value')!.offset, elements)) as Float32Array;
  executor.dispose();
  return out;
}

/** Returns the unit in the last place of a value. */
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

/** Number of arguments at which a function is evaluated. */
const COUNT = 400_000;
const linear = (low: number, high: number): Float32Array =>
  Float32Array.from({ length: COUNT }, (_, k) => low + ((high - low) * k) / (COUNT - 1));

/** Samples of a range: evenly spaced, near 0, and of all magnitudes. */
function samplesOf([low, high]: ArgumentRange): Float32Array {
  const top = Math.log2(Math.max(-low, high));
  const least = low > 0 ? Math.log2(low) : -40;
  const magnitudes = Float32Array.from({ length: COUNT }, (_, k) => {
    const size = 2 ** (least + ((top - least) * k) / COUNT);
    return k % 2 && -size >= low ? -size : Math.min(size, high);
  });
  const near = linear(Math.max(low, -1), Math.min(high, 1));
  const inside = (x: number): boolean => x >= low && x <= high;
  return Float32Array.from([...linear(low, high), ...near, ...magnitudes].filter(inside));
}

describe('transcendental functions in single precision', () => {
  const rounded = PRIMITIVES.filter(({ ulps }) => ulps !== undefined);
  for (const primitive of rounded) {
    const { name, ulps, argumentRanges = [], overloads } = primitive;
    it(`${name} is accurate to ${ulps} units in the last place`, async () => {
      const [x, y] = argumentRanges.map(samplesOf);
      // Pairs each of the first with some of the second, in another order.
      const args = y ? [x, x.map((_, k) => y[(k * 7919) % y.length])] : [x];
      const values = await evaluate(primitive, args);
      const { error, at } = worst(values, (k) => overloads[0].evaluate(...args.map((a) => a[k])));
      console.info(`${name}: ${error.toFixed(2)} ulp, at ${args.map((a) => a[at]).join(', ')}`);
      expect(error).toBeLessThanOrEqual(ulps!);
    });
  }

  it('pow stays accurate for integer exponents from -125 to 125', async () => {
    const base = linear(0.5, 2);
    const exponent = base.map((_, k) => (k % 251) - 125);
    const { error } = worst(await evaluate(pow, [base, exponent]), (k) => base[k] ** exponent[k]);
    expect(error).toBeLessThanOrEqual(pow.ulps!);
  });

  const { NaN: nan, POSITIVE_INFINITY: inf } = Number;
  const limits: [Primitive, number[], number][] = [
    [exp, [-104], 0],
    [exp, [-inf], 0],
    [exp, [89], inf],
    [exp, [inf], inf],
    [exp, [0], 1],
    [exp, [nan], nan],
    [log, [0], -inf],
    [log, [-1], nan],
    [log, [inf], inf],
    [log, [1], 0],
    [log, [nan], nan],
    [sin, [0], 0],
    [sin, [inf], nan],
    [cos, [0], 1],
    [cos, [nan], nan],
    [tan, [nan], nan],
    [asin, [1], Math.fround(Math.PI / 2)],
    [asin, [1.1], nan],
    [acos, [1], 0],
    [acos, [-1], Math.fround(Math.PI)],
    [acos, [-1.1], nan],
    [atan, [inf], Math.fround(Math.PI / 2)],
    [atan, [-inf], -Math.fround(Math.PI / 2)],
    [atan, [nan], nan],
    [tanh, [inf], 1],
    [tanh, [-inf], -1],
    [tanh, [nan], nan],
    [atan2, [0, 0], 0],
    [atan2, [0, -1], Math.fround(Math.PI)],
    [atan2, [1, 0], Math.fround(Math.PI / 2)],
    [atan2, [inf, inf], Math.fround(Math.PI / 4)],
    [atan2, [1, nan], nan],
    [atan2, [nan, 1], nan],
    [pow, [0, 2.5], 0],
    [pow, [0, -1.5], inf],
    [pow, [0, 0], 1],
    [pow, [inf, 1.5], inf],
    [pow, [1, 1e30], 1],
    [pow, [10, 60], inf],
    [pow, [10, -60], 0],
    [pow, [-1, 1.5], nan],
    [pow, [nan, 2.5], nan],
    [pow, [2, nan], nan],
    [sign, [-3], -1],
    [sign, [0], 0],
    [sign, [7], 1],
    [sign, [nan], nan],
    [expm1, [-inf], -1],
    [expm1, [0], 0],
    [expm1, [inf], inf],
    [expm1, [nan], nan],
    [log1p, [-1], -inf],
    [log1p, [-2], nan],
    [log1p, [0], 0],
    [log1p, [inf], inf],
    [log1p, [nan], nan],
    [sinh, [-inf], -inf],
    [sinh, [90], inf],
    [sinh, [nan], nan],
    [cosh, [0], 1],
    [cosh, [-inf], inf],
    [cosh, [nan], nan],
    [erf, [-inf], -1],
    [erf, [inf], 1],
    [erf, [0], 0],
    [erf, [nan], nan],
  ];
  it('values at infinities, zeros, NaN and beyond the domain are exact', async () => {
    for (const [primitive, args, expected] of limits) {
      const [value] = await evaluate(
        primitive,
        args.map((x) => Float32Array.of(x)),
      );
      expect(value, `${primitive.name}(${args.join(', ')})`).toBe(expected);
    }
  });

  it('x rem y is smaller than y in size, and differs from x by a multiple of y', async () => {
    const x = linear(-1000, 1000);
    const y = x.map((_, k) => ((k % 89) + 1) * 0.37);
    const values = await evaluate(rem, [x, y]);
    values.forEach((v, k) => {
      if (!(Math.abs(v) < y[k]) || Math.abs((v - x[k]) / y[k] - Math.round((v - x[k]) / y[k])) > 1e-3) {
        throw new Error(`${x[k]} rem ${y[k]} gave ${v}`);
      }
    });
  });
});
