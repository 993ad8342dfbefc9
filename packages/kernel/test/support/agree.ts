import { expect } from 'vitest';
import { cpuDevice } from '../../src/devices/cpu/cpu.ts';
import { f64Device } from '../../src/devices/f64.ts';
import { MIN_SHARED_KERNELS } from '../../src/emit/wasm/module.ts';
import type { KernelForm } from '../../src/form/kernel-form.ts';
import { evaluatorDevice } from '../../src/testing/evaluator.ts';
import type { RunOptions } from './run-kernel.ts';
import { runKernel } from './run-kernel.ts';

export const simd = cpuDevice();
export const oneByOne = cpuDevice({ simd: false });
const oracle = evaluatorDevice();
const doubles = [f64Device(), f64Device({ simd: false })];
/** CPU devices of both precisions, with SIMD and without. */
export const processors = [simd, oneByOne, ...doubles];

/**
 * Runs a kernel in doubles and expects the same bits with SIMD, without, by a function that several kernels share, and
 * in JavaScript.
 */
export async function inDoubles(form: KernelForm, options: RunOptions): Promise<Record<string, number[]>> {
  const exact = await runKernel(form, oracle, options);
  for (const device of doubles)
    for (const alike of [1, MIN_SHARED_KERNELS])
      expect(
        await runKernel(form, device, { ...options, alike }),
        `${form.name}, ${alike} alike, ${device.description}`,
      ).toEqual(exact);
  return exact;
}

/**
 * Expects SIMD and scalar code to agree bit for bit, in single precision and in double, as well as a function that
 * several kernels share with one of a single kernel, and doubles with JavaScript; and single precision to agree with
 * doubles to `tolerance`, relative to the largest value.
 */
export async function agree(
  form: KernelForm,
  options: RunOptions,
  tolerance = 1e-5,
): Promise<Record<string, number[]>> {
  const [fast, plain] = await Promise.all([simd, oneByOne].map((d) => runKernel(form, d, options)));
  const exact = await inDoubles(form, options);
  expect(await runKernel(form, simd, { ...options, alike: MIN_SHARED_KERNELS }), `${form.name}, shared`).toEqual(fast);
  for (const [label, values] of Object.entries(exact)) {
    expect(fast[label], `${form.name}: ${label}, SIMD and scalar`).toEqual(plain[label]);
    const scale = Math.max(1e-30, ...values.map((v) => (Number.isFinite(v) ? Math.abs(v) : 0)));
    values.forEach((v, k) => {
      const got = fast[label][k];
      if (Object.is(got, v) || got === v || Math.abs(got - v) <= tolerance * scale) return;
      throw new Error(`${form.name}: ${label}[${k}] is ${got} on the cpu device and ${v} in doubles`);
    });
  }
  return fast;
}
