import { expect, it, vi } from 'vitest';

it('two copies of the package mixed in one kernel are detected and named', async () => {
  const one = await import('@gradsim/kernel');
  vi.resetModules();
  const other = await import('@gradsim/kernel');
  expect(other.kernel).not.toBe(one.kernel);
  const mixed = () =>
    one.kernel('mixed', { domain: 'points', reads: { x: one.f32 }, writes: { y: one.f32 } }, ({ x }) => ({
      y: other.max(1, 2) && x,
    }));
  expect(mixed).toThrow(/two copies of @gradsim\/core or @gradsim\/kernel are mixed.*npm ls/);
  // Outside of all kernels there is nothing to mix.
  expect(() => other.sin(1)).toThrow('outside of a kernel function');
});

it('unknown options of devices are refused', async () => {
  const { cpuDevice, f64Device, selectDevice } = await import('@gradsim/kernel');
  expect(() => cpuDevice({ thread: 1 } as never)).toThrow('cpu has no option "thread". Did you mean "threads"?');
  expect(() => f64Device({ smid: false } as never)).toThrow('f64 has no option "smid". Did you mean "simd"?');
  await expect(selectDevice('cpu', { thraeds: 1 } as never)).rejects.toThrow('Did you mean "threads"?');
});
