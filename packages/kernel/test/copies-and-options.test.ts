import { expect, it, vi } from 'vitest';

it('two copies of the package mixed in one kernel are refused', async () => {
  const one = await import('@gradsim/kernel');
  vi.resetModules();
  const other = await import('@gradsim/kernel');
  expect(other.kernel).not.toBe(one.kernel);
  const mixed = () =>
    one.kernel('mixed', { domain: 'points', reads: { x: one.f32 }, writes: { y: one.f32 } }, ({ x }) => ({
      y: other.max(1, 2) && x,
    }));
  expect(mixed).toThrowCode({ code: 'kernel/traced-outside-kernel', values: ['gradsim/core', 'gradsim/kernel'] });
  // Outside of all kernels there is nothing to mix.
  expect(() => other.sin(1)).toThrowCode('kernel/traced-outside-kernel');
});

it('unknown options of cpuDevice, f64Device and selectDevice are refused, with the right name', async () => {
  const { cpuDevice, f64Device, selectDevice } = await import('@gradsim/kernel');
  expect(() => cpuDevice({ thread: 1 } as never)).toThrowCode({
    code: 'base/unknown-option',
    values: ['"thread"', '"threads"', 'cpu'],
  });
  expect(() => f64Device({ smid: false } as never)).toThrowCode({
    code: 'base/unknown-option',
    values: ['"smid"', '"simd"', 'f64'],
  });
  await expect(selectDevice('cpu', { thraeds: 1 } as never)).rejects.toThrowCode({
    code: 'base/unknown-option',
    values: ['"threads"'],
  });
});
