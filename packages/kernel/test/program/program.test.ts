import { afterAll, describe, expect, expectTypeOf, it } from 'vitest';
import type { Device, Floats, Kernel } from '../../src/index.ts';
import {
  adjointOf,
  compile,
  cpuDevice,
  exp,
  f32,
  f64Device,
  fieldOn,
  forRange,
  i32,
  index,
  kernel,
  listDevices,
  norm,
  perWorld,
  selectDevice,
  sin,
  u32,
  vec2,
  vec3,
} from '../../src/index.ts';

const square = kernel('square', { domain: 'points', reads: { x: f32 }, writes: { y: f32 } }, ({ x }) => ({
  y: x.mul(x),
}));

const webgpu = (await listDevices()).find(({ name }) => name === 'webgpu')!;
const devices: [string, number][] = [
  ['f64', 1e-12],
  ['cpu', 1e-5],
  ...(webgpu.isAvailable ? ([['webgpu', 1e-5]] as [string, number][]) : []),
];
const made = new Map<string, Device>();
const deviceOf = async (name: string): Promise<Device> => {
  if (!made.has(name)) made.set(name, await selectDevice(name as 'cpu'));
  return made.get(name)!;
};
afterAll(() => {
  for (const device of made.values()) device.dispose();
});

const close = (got: ArrayLike<number>, expected: readonly number[], tolerance: number): void => {
  expect(got.length).toBe(expected.length);
  expected.forEach((value, k) =>
    expect(Math.abs(got[k] - value), `value ${k}: ${got[k]} for ${value}`).toBeLessThanOrEqual(
      tolerance * Math.max(1, Math.abs(value)),
    ),
  );
};

it.skipIf(webgpu.isAvailable)(`has no webgpu to run on: ${webgpu.description}`, () => {});

describe.each(devices)('a program on the device %s', (name, tolerance) => {
  it('one kernel: values, vjp and jvp of y = x^2', async () => {
    const f = await compile(square, { sizes: { points: 3 }, device: await deviceOf(name) });
    const { 'points.y': y } = await f.run({ 'points.x': Float32Array.of(1, 2, -3) });
    close(y, [1, 4, 9], tolerance);
    const { 'points.x': gradient } = await f.vjp({ 'points.y': [1, 10, 100] });
    close(gradient, [2, 40, -600], tolerance);
    const { 'points.y': dot } = await f.jvp({ 'points.x': [1, 1, 0.5] });
    close(dot, [2, 4, -3], tolerance);
    // vjp is at the last run.
    await f.run({ 'points.x': [5, 6, 7] });
    close((await f.vjp({ 'points.y': [1, 1, 1] }))['points.x'], [10, 12, 14], tolerance);
    f.dispose();
    f.dispose();
  });

  it('reads and adds at another index in each iteration of a loop, with a run-time count', async () => {
    const walk = kernel(
      'walk',
      {
        domain: 'points',
        reads: { x: fieldOn('points', f32), count: u32 },
        writes: { y: f32 },
        adds: { visits: fieldOn('bins', f32) },
      },
      ({ x, count, visits }) => ({
        y: forRange(0, count, f32(0), (k, sum) => {
          visits.add(k, x.at(k));
          return sum.add(x.at(k));
        }),
      }),
    );
    const f = await compile(walk, { sizes: { points: 2, bins: 3 }, device: await deviceOf(name) });
    const values = await f.run({ 'points.x': [3, 4], 'points.count': [1, 2] });
    close(values['points.y'], [3, 7], tolerance);
    close(values['bins.visits'], [6, 4, 0], tolerance);
    close((await f.vjp({ 'points.y': [1, 1] }))['points.x'], [2, 1], tolerance);
    close((await f.vjp({ 'bins.visits': [1, 10, 0] }))['points.x'], [2, 10], tolerance);
    const dots = await f.jvp({ 'points.x': [1, 2] });
    close(dots['bins.visits'], [2, 2, 0], tolerance);
    f.dispose();
  });

  it('several kernels read what others wrote and added: springs on a line', async () => {
    // E = sum over springs of k (|xi - xj| - l)^2 / 2, with dE/dx = k (|d| - l) d / |d| at i and its negative at j.
    const stretch = kernel(
      'stretch',
      {
        domain: 'springs',
        reads: { ends: index('points', 2), x: fieldOn('points', vec2), rest: f32 },
        writes: { extension: f32 },
      },
      ({ ends: [i, j], x, rest }) => ({ extension: norm(x.at(i).sub(x.at(j))).sub(rest) }),
    );
    const store = kernel(
      'store',
      {
        domain: 'springs',
        reads: { ends: index('points', 2), extension: f32, stiffness: perWorld(f32) },
        adds: { energy: perWorld(f32), share: fieldOn('points', f32) },
      },
      ({ ends: [i, j], extension, stiffness, energy, share }) => {
        const e = extension.mul(extension).mul(stiffness).mul(0.5);
        energy.add(e);
        share.add(i, e.mul(0.5));
        share.add(j, e.mul(0.5));
      },
    );
    const f = await compile([stretch, store], {
      sizes: { points: 3, springs: 2 },
      indices: { 'springs.ends': Uint32Array.of(0, 1, 1, 2) },
      device: await deviceOf(name),
    });
    const inputs = {
      'points.x': [0, 0, 3, 4, 3, 0],
      'springs.rest': [4, 5],
      'world.stiffness': [2],
    };
    const out = await f.run(inputs);
    close(out['springs.extension'], [1, -1], tolerance);
    close(out['world.energy'], [2], tolerance);
    close(out['points.share'], [0.5, 1, 0.5], tolerance);
    const back = await f.vjp({ 'world.energy': [1] });
    close(back['points.x'], [-1.2, -1.6, 1.2, 1.6 - 2, 0, 2], tolerance);
    close(back['springs.rest'], [-2, 2], tolerance);
    close(back['world.stiffness'], [1], tolerance);
    // Two cotangents at once, through a sum and beside it.
    const both = await f.vjp({ 'points.share': [1, 1, 0], 'springs.extension': [3, 0] });
    close(both['springs.rest'], [-3 - 2, 2 * 0.5], tolerance);
    const dots = await f.jvp({ 'springs.rest': [1, 0] });
    close(dots['world.energy'], [-2], tolerance);
    close(dots['points.share'], [-1, -1, 0], tolerance);
    f.dispose();
  });

  it('overwrites fields and differentiates through every version: an integrated pendulum', async () => {
    const DT = 0.05;
    const kick = kernel(
      'kick',
      { domain: 'rods', reads: { angle: f32, speed: f32, length: f32 }, writes: { speed: f32 } },
      ({ angle, speed, length }, { dt }) => ({ speed: speed.sub(sin(angle).div(length).mul(dt)) }),
    );
    const drift = kernel(
      'drift',
      { domain: 'rods', reads: { angle: f32, speed: f32 }, writes: { angle: f32 } },
      ({ angle, speed }, { dt }) => ({ angle: angle.add(speed.mul(dt)) }),
    );
    const steps = Array.from({ length: 10 }, () => [kick, drift]).flat();
    const f = await compile(steps, { sizes: { rods: 2 }, dt: DT, device: await deviceOf(name) });
    const simulate = (angle: number, speed: number, length: number): number => {
      for (let k = 0; k < 10; k++) {
        speed -= (Math.sin(angle) / length) * DT;
        angle += speed * DT;
      }
      return angle;
    };
    const [angle, speed, length] = [
      [1, 0.5],
      [0, 1],
      [2, 1],
    ];
    const out = await f.run({ 'rods.angle': angle, 'rods.speed': speed, 'rods.length': length });
    const expected = [0, 1].map((k) => simulate(angle[k], speed[k], length[k]));
    close(out['rods.angle'], expected, tolerance);
    const back = await f.vjp({ 'rods.angle': [1, 1] });
    const h = 1e-5;
    const differences = [0, 1].map(
      (k) => (simulate(angle[k], speed[k], length[k] + h) - simulate(angle[k], speed[k], length[k] - h)) / (2 * h),
    );
    close(back['rods.length'], differences, Math.max(tolerance, 1e-8));
    const dots = await f.jvp({ 'rods.length': [1, 1] });
    close(dots['rods.angle'], differences, Math.max(tolerance, 1e-8));
    f.dispose();
  });

  it('sums the additions of several kernels, from zero again after a read', async () => {
    const reads = { x: f32 };
    const twice = kernel('twice', { domain: 'points', reads, adds: { total: f32 } }, ({ x, total }) => {
      total.add(x);
      total.add(x);
    });
    const cube = kernel('cube', { domain: 'points', reads, adds: { total: f32 } }, ({ x, total }) =>
      total.add(x.mul(x).mul(x)),
    );
    const take = kernel('take', { domain: 'points', reads: { total: f32 }, writes: { x: f32 } }, ({ total }) => ({
      x: total,
    }));
    const f = await compile([twice, cube, take, cube], {
      sizes: { points: 2 },
      device: await deviceOf(name),
    });
    const out = await f.run({ 'points.x': [1, 2] });
    close(out['points.x'], [3, 12], tolerance);
    close(out['points.total'], [27, 1728], tolerance);
    // d (2x + x^3)^3 / dx = 3 (2x + x^3)^2 (2 + 3 x^2)
    close((await f.vjp({ 'points.total': [1, 1] }))['points.x'], [3 * 9 * 5, 3 * 144 * 14], tolerance);
    f.dispose();
  });

  it('runs many worlds side by side, with their own or the same values', async () => {
    const scale = kernel(
      'scale',
      { domain: 'points', reads: { x: vec2, factor: perWorld(f32) }, writes: { y: vec2 } },
      ({ x, factor }) => ({ y: x.mul(factor) }),
    );
    const f = await compile(scale, { sizes: { points: 2 }, worlds: 3, device: await deviceOf(name) });
    const out = await f.run({ 'points.x': [1, 2, 3, 4], 'world.factor': [1, 10, 100] });
    close(out['points.y'], [1, 2, 3, 4, 10, 20, 30, 40, 100, 200, 300, 400], tolerance);
    const back = await f.vjp({ 'points.y': [1, 0, 0, 1] });
    close(back['world.factor'], [5, 5, 5], tolerance);
    close(back['points.x'], [1, 0, 0, 1, 10, 0, 0, 10, 100, 0, 0, 100], tolerance);
    f.dispose();
  });

  it('takes integers and returns them as Int32Array and Uint32Array', async () => {
    const whole = kernel(
      'whole',
      { domain: 'points', reads: { a: i32, b: u32 }, writes: { c: i32, d: u32 } },
      ({ a, b }) => ({ c: a.mul(2), d: b.add(1) }),
    );
    const f = await compile(whole, { sizes: { points: 2 }, device: await deviceOf(name) });
    const out = await f.run({ 'points.a': Int32Array.of(-5, 7), 'points.b': [4294967294, 0] });
    expect(out['points.c']).toEqual(Int32Array.of(-10, 14));
    expect(out['points.d']).toEqual(Uint32Array.of(4294967295, 1));
    f.dispose();
  });

  it('differentiates through a hand-written adjoint that reads an output and an extra input', async () => {
    const growth = kernel(
      'growth',
      { domain: 'points', reads: { x: f32 }, writes: { y: f32 }, adjoint: () => [growthBack] },
      ({ x }) => ({ y: exp(x.mul(2)) }),
    );
    const growthBack = kernel(
      'growthBack',
      {
        domain: 'points',
        reads: { y: f32, rate: f32, yBar: adjointOf('y', f32) },
        adds: { xBar: adjointOf('x', f32) },
      },
      ({ y, rate, yBar, xBar }) => xBar.add(yBar.mul(y).mul(rate)),
    );
    const f = await compile([growth], { sizes: { points: 1 }, device: await deviceOf(name) });
    await f.run({ 'points.x': [0.5] });
    await expect(f.vjp({ 'points.y': [1] })).rejects.toThrowCode({
      code: 'kernel/input-missing',
      field: 'points.rate',
    });
    await f.run({ 'points.x': [0.5], 'points.rate': [2] } as { 'points.x': number[] });
    close((await f.vjp({ 'points.y': [1] }))['points.x'], [2 * Math.E], tolerance);
    f.dispose();
  });

  it('returns zeros for inputs that no output depends on, and runs domains without elements', async () => {
    const flat = kernel('flat', { domain: 'points', reads: { x: f32, z: f32 }, writes: { y: f32 } }, ({ x, z }) => ({
      y: x.add(z.lt(0).not().toF32()),
    }));
    const f = await compile(flat, { sizes: { points: 2 }, device: await deviceOf(name) });
    await f.run({ 'points.x': [1, 2], 'points.z': [1, -1] });
    close((await f.vjp({ 'points.y': [1, 1] }))['points.z'], [0, 0], 0);
    const none = await compile(flat, { sizes: { points: 0 }, device: await deviceOf(name) });
    expect((await none.run({ 'points.x': [], 'points.z': [] }))['points.y'].length).toBe(0);
    expect((await none.vjp({ 'points.y': [] }))['points.x'].length).toBe(0);
    for (const program of [f, none]) program.dispose();
  });
});

describe('a program', () => {
  it('returns arrays of the precision of its device', async () => {
    for (const [device, type] of [
      [cpuDevice({ threads: 1 }), Float32Array],
      [f64Device(), Float64Array],
    ] as const) {
      const f = await compile(square, { sizes: { points: 1 }, device });
      expect((await f.run({ 'points.x': [3] }))['points.y']).toBeInstanceOf(type);
      f.dispose();
    }
  });

  it('answers calls in the order in which they are made, awaited or not', async () => {
    const f = await compile(square, { sizes: { points: 1 }, device: 'f64' });
    const all = await Promise.all([
      f.run({ 'points.x': [2] }),
      f.vjp({ 'points.y': [1] }),
      f.run({ 'points.x': [5] }),
      f.jvp({ 'points.x': [1] }),
      f.vjp({ 'points.y': [1] }),
    ]);
    expect(all.map((values) => Object.values(values)[0][0])).toEqual([4, 4, 25, 10, 10]);
    f.dispose();
  });

  it('has typed inputs and outputs', async () => {
    const count = kernel(
      'count',
      { domain: 'points', reads: { y: f32, at: vec3 }, writes: { n: u32 }, adds: { sum: perWorld(f32) } },
      ({ y, at, sum }) => {
        sum.add(at.x);
        return { n: y.toU32() };
      },
    );
    const f = await compile([square, count], { sizes: { points: 1 }, device: 'f64' });
    const out = await f.run({ 'points.x': [3], 'points.at': [1, 2, 3] });
    expectTypeOf(out['points.y']).toEqualTypeOf<Floats>();
    expectTypeOf(out['points.n']).toEqualTypeOf<Uint32Array>();
    expectTypeOf(out['world.sum']).toEqualTypeOf<Floats>();
    const back = await f.vjp({ 'points.y': [1] });
    expectTypeOf(back).toEqualTypeOf<{ 'points.x': Floats; 'points.at': Floats }>();
    const many: Kernel[] = [square, count];
    const g = await compile(many, { sizes: { points: 1 }, device: 'f64' });
    const { 'points.y': y } = await g.run({ 'points.x': [3], 'points.at': [1, 2, 3] });
    expect(y[0]).toBe(9);
    // @ts-expect-error an input is missing
    await expect(f.run({ 'points.x': [3] })).rejects.toThrowCode({
      code: 'kernel/input-missing',
      values: ['points.at'],
    });
    // @ts-expect-error y is made by the first kernel, no input
    await expect(f.run({ 'points.x': [3], 'points.at': [1, 2, 3], 'points.y': [1] })).rejects.toThrowCode(
      'kernel/unknown-name',
    );
    // @ts-expect-error whole numbers have no cotangent
    await expect(f.vjp({ 'points.n': [1] })).rejects.toThrowCode({
      code: 'kernel/unknown-name',
      values: ['"points.n"', 'output of floats'],
    });
    for (const program of [f, g]) program.dispose();
  });
});
