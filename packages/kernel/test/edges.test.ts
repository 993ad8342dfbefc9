import { describe, expect, it } from 'vitest';
import { adjoint } from '../src/derivatives/adjoint.ts';
import { tangent } from '../src/derivatives/tangent.ts';
import { vjp } from '../src/derivatives/vjp.ts';
import { cpuDevice } from '../src/devices/cpu/cpu.ts';
import type { Device } from '../src/devices/device.ts';
import { f64Device } from '../src/devices/f64.ts';
import { webgpuDevice } from '../src/devices/webgpu/webgpu.ts';
import { exp, log, max, min, pow, select, sqrt } from '../src/language/functions.ts';
import { kernel } from '../src/language/kernel.ts';
import { maxOver } from '../src/language/sums.ts';
import { f32 } from '../src/language/types.ts';
import { evaluatorDevice } from '../src/testing/evaluator.ts';
import { runKernel } from './support/run-kernel.ts';
import { missingAdapter } from './webgpu-adapter.ts';

const DEVICES: readonly (readonly [string, () => Device | Promise<Device>])[] = [
  ['cpu', cpuDevice],
  ['f64', f64Device],
  ['evaluator', evaluatorDevice],
  ...(missingAdapter ? [] : [['webgpu', () => webgpuDevice({ allowSoftware: true })] as const]),
];

const power = kernel('power', { domain: 'd', reads: { x: f32, p: f32 }, writes: { y: f32 } }, ({ x, p }) => ({
  y: pow(x, p),
})).form;

/** Derivative of a power by its exponent, times w. */
const byExponent = kernel(
  'byExponent',
  { domain: 'd', reads: { x: f32, p: f32, w: f32 }, writes: { y: f32 } },
  ({ x, p, w }) => ({
    y: vjp((at) => ({ y: pow(at.x, at.p) }), { x, p }, { y: w }).p,
  }),
).form;

const edges = kernel(
  'edges',
  {
    domain: 'd',
    reads: { large: f32, zero: f32 },
    writes: {
      product: f32,
      literal: f32,
      folded: f32,
      log0: f32,
      logOfLess: f32,
      difference: f32,
      root: f32,
      least: f32,
      lowest: f32,
    },
  },
  ({ large, zero }) => ({
    product: exp(large).mul(zero),
    literal: exp(large).mul(0),
    folded: exp(f32(1000)).mul(zero),
    log0: log(zero),
    logOfLess: log(zero.sub(large)),
    // Of two values: WGSL lets drivers take x - x for 0.
    difference: exp(large).sub(exp(large.mul(2))),
    root: sqrt(large.neg()),
    // No element yet: the start of a search for the minimum.
    least: select(large.gt(0), f32(Number.POSITIVE_INFINITY), 0),
    // The least finite number: the start of a search for the maximum.
    lowest: maxOver(0, zero.toU32(), f32, () => large),
  }),
).form;

const tied = kernel('tied', { domain: 'd', reads: { x: f32 }, writes: { y: f32, z: f32, s: f32 } }, ({ x }) => ({
  // x, in two parts.
  y: max(x, 0).sub(max(x.neg(), 0)),
  z: max(0, x).add(min(0, x)),
  // |x|, by its parts.
  s: max(x, x.neg()),
})).form;

describe.each(DEVICES)('for extreme arguments, the device %s', (_, create) => {
  it('computes powers of negative bases for integer exponents, and NaN for others', async () => {
    const cases = [
      [-2, 3, -8],
      [-2, 4, 16],
      [-2, -1, -0.5],
      [-2, -2, 0.25],
      [-1.5, 2, 2.25],
      [-3, 0, 1],
      [-10, 5, -1e5],
      [-2, 0.5, Number.NaN],
      [-2, 2.5, Number.NaN],
      [-1e30, 3, Number.NEGATIVE_INFINITY],
      [2, -0.5, Math.SQRT1_2],
    ];
    const device = await create();
    const { 'new y': y } = await runKernel(power, device, {
      elements: cases.length,
      inputs: { x: cases.map(([x]) => x), p: cases.map(([, p]) => p) },
    });
    cases.forEach(([x, p, expected], k) => {
      // -1e90 is a number of doubles.
      const is = device.precision === 'f64' && !Number.isFinite(expected) ? x ** p : expected;
      if (Number.isFinite(is)) expect(Math.abs(y[k] - is) / Math.abs(is), `${x} ^ ${p}`).toBeLessThan(1e-6);
      else expect(y[k], `${x} ^ ${p}`).toBe(is);
    });
  });

  it('computes the derivative of powers of negative bases where the exponent is a field that does not change', async () => {
    const { 'new y_dot': slope } = await runKernel(tangent(power, { wrt: new Set(['x', 'p']) }), await create(), {
      elements: 4,
      inputs: { x: [-2, -2, 2, 0], p: [3, 4, 3, 3], x_dot: [1, -5, 1, 1], p_dot: [0, 0, 0.5, 0.5] },
    });
    [12, 160, 12 + 4 * Math.LN2, 0].forEach((expected, k) => {
      expect(Math.abs(slope[k] - expected)).toBeLessThan(1e-4);
    });
  });

  it('computes the derivative of powers by the exponent as linear in what it multiplies, at 0 too, where x > 0', async () => {
    const { 'new y_dot': slope } = await runKernel(tangent(byExponent, { wrt: new Set(['w']) }), await create(), {
      elements: 3,
      inputs: { x: [2, 2, 0], p: [3, 3, 3], w: [0, 1, 0], w_dot: [1, 1, 1] },
    });
    // d/dp 2^3 = 8 log 2.
    [8 * Math.LN2, 8 * Math.LN2, 0].forEach((expected, k) => {
      expect(Math.abs(slope[k] - expected)).toBeLessThan(1e-5);
    });
  });

  it('computes the derivative of powers of negative bases by the base, for exponents 3 and 4', async () => {
    const { 'new y_dot': slope } = await runKernel(tangent(power, { wrt: new Set(['x']) }), await create(), {
      elements: 2,
      inputs: { x: [-2, -2], p: [3, 4], x_dot: [1, 1] },
    });
    // (x^3)' = 3 x^2 and (x^4)' = 4 x^3.
    expect(slope[0]).toBeCloseTo(12, 4);
    expect(slope[1]).toBeCloseTo(-32, 4);
  });

  it('computes the mean derivative of minimum and maximum where both arguments are equal, so that sums keep theirs', async () => {
    const device = await create();
    const wrt = new Set(['x']);
    const inputs = { x: [-2, 0, 3] };
    const forward = await runKernel(tangent(tied, { wrt }), device, {
      elements: 3,
      inputs: { ...inputs, x_dot: [1, 1, 1] },
    });
    expect(forward['new y_dot']).toEqual([1, 1, 1]);
    expect(forward['new z_dot']).toEqual([1, 1, 1]);
    expect(forward['new s_dot']).toEqual([-1, 0, 1]);
    const back = await runKernel(adjoint(tied, { wrt, seeds: new Set(['y', 'z', 's']) }), device, {
      elements: 3,
      inputs: { ...inputs, y_bar: [1, 1, 1], z_bar: [10, 10, 10], s_bar: [100, 100, 100], x_bar: [0, 0, 0] },
    });
    expect(Object.values(back)).toEqual([[-89, 11, 111]]);
  });

  it('computes infinities and NaN as IEEE 754 does, except that products with the literal 0 are 0', async () => {
    const results = await runKernel(edges, await create(), {
      elements: 2,
      inputs: { large: [1000, 2000], zero: [0, 0] },
    });
    const { NaN: nan, POSITIVE_INFINITY: inf } = Number;
    const expected = {
      product: nan,
      literal: 0,
      folded: nan,
      log0: -inf,
      logOfLess: nan,
      difference: nan,
      root: nan,
    };
    for (const [name, value] of Object.entries({ ...expected, least: inf, lowest: -(2 - 2 ** -23) * 2 ** 127 }))
      expect(results[`new ${name}`], name).toEqual([value, value]);
  });
});
