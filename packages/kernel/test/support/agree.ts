import { expect } from 'vitest';
import { cpuDevice } from '../../src/devices/cpu/cpu.ts';
import { f64Device } from '../../src/devices/f64.ts';
import type { KernelForm } from '../../src/language/form.ts';
import type { RunOptions } from './run-kernel.ts';
import { runKernel } from './run-kernel.ts';

export const simd = cpuDevice();
export const oneByOne = cpuDevice({ simd: false });
const oracle = f64Device();

/** SIMD and scalar code must agree in every bit, and with doubles to `tolerance`, relative to the largest value. */
export async function agree(
  form: KernelForm,
  options: RunOptions,
  tolerance = 1e-5,
): Promise<Record<string, number[]>> {
  const [fast, plain, exact] = await Promise.all(
    [simd, oneByOne, oracle].map((d) => runKernel(form, d, options)),
  );
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
