import { expect, it, vi } from 'vitest';

it('two copies of the package, mixed in one kernel, are said to be mixed', async () => {
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
