import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Device, Executor } from '../src/devices/device.ts';
import { findAdapter, isSoftware } from '../src/devices/webgpu/adapter.ts';
import { webgpuDevice } from '../src/devices/webgpu/webgpu.ts';
import type { BoundKernel } from '../src/emit/bound-kernel.ts';
import type { Port } from '../src/form/port.ts';
import { Builder } from '../src/language/builder.ts';
import { cos, sin } from '../src/language/functions.ts';
import { kernel } from '../src/language/kernel.ts';
import { f32 } from '../src/language/types.ts';
import { eq } from '../src/primitives/comparison.ts';
import { evaluatorDevice } from '../src/testing/evaluator.ts';
import { springForce, TestLayout } from './sample-kernels.ts';
import type { Register } from './support/registers.ts';
import { REGISTERS } from './support/registers.ts';
import { describeWithAdapter } from './webgpu-adapter.ts';

/** Default number of elements of a test's fields. */
const ELEMENTS = 100;

/** x += v dt, v -= sin(x) dt: two kernels, from state to state where registers select them. */
const move = kernel('move', { domain: 'd', reads: { x: f32, v: f32 }, writes: { x: f32 } }, ({ x, v }, { dt }) => ({
  x: x.add(v.mul(dt)),
}));
const pull = kernel(
  'pull',
  { domain: 'd', reads: { x: f32, v: f32 }, writes: { v: f32 } },
  ({ x, v }, { dt, substep }) => ({
    v: v.sub(sin(x).add(cos(substep.toF32())).mul(dt)),
  }),
);

function pendulum(elements = ELEMENTS): { layout: TestLayout; kernels: BoundKernel[] } {
  const layout = new TestLayout(elements);
  return { layout, kernels: [layout.bind(move.form), layout.bind(pull.form)] };
}

const program = (kernels: readonly BoundKernel[], name = 'swing') => ({ name, kernels });

function rows(count: number, fill: Partial<Record<Register, (row: number) => number>>): Uint32Array {
  const registers = new Uint32Array(count * REGISTERS.length);
  for (let row = 0; row < count; row++) {
    REGISTERS.forEach((name, k) => {
      registers[row * REGISTERS.length + k] = fill[name]?.(row) ?? 0;
    });
  }
  return registers;
}

const start = Float32Array.from({ length: ELEMENTS }, (_, k) => k / ELEMENTS);

describeWithAdapter('the device webgpu', () => {
  let gpu: Device;
  beforeAll(async () => {
    gpu = await webgpuDevice({ allowSoftware: true });
  });
  afterAll(() => gpu?.dispose());

  const pendulumOn = async (device: Device): Promise<Executor> => {
    const { layout, kernels } = pendulum();
    const executor = await device.createExecutor({
      f32Words: layout.f32Words,
      u32Words: 0,
      registers: REGISTERS,
      programs: [program(kernels)],
    });
    executor.writeF32(layout.field('x', 'f32').offset, start);
    return executor;
  };

  it('a webgpu executor starts with zeroed memory', async () => {
    const executor = await gpu.createExecutor({
      f32Words: 300,
      u32Words: 7,
      registers: REGISTERS,
      programs: [],
    });
    expect(await executor.readF32(0, 300)).toEqual(new Float32Array(300));
    expect(await executor.readU32(0, 7)).toEqual(new Uint32Array(7));
    executor.dispose();
  });

  it('a webgpu executor runs 5000 rows of a program in order, each with the results of the one before', async () => {
    const registers = rows(5000, { substep: (row) => row });
    const [executor, oracle] = [await pendulumOn(gpu), await pendulumOn(evaluatorDevice())];
    for (const each of [executor, oracle]) each.run(0, registers);
    const [got, expected] = [await executor.readF32(0, 2 * ELEMENTS), await oracle.readF32(0, 2 * ELEMENTS)];
    got.forEach((value, k) => expect(Math.abs(value - expected[k])).toBeLessThan(1e-4));
    executor.dispose();
  });

  it('a webgpu executor gives the same bits twice', async () => {
    const results: Float32Array[] = [];
    for (let run = 0; run < 2; run++) {
      const executor = await pendulumOn(gpu);
      executor.run(0, rows(1000, { substep: (row) => row }));
      results.push((await executor.readF32(0, 2 * ELEMENTS)) as Float32Array);
      executor.dispose();
    }
    expect(new Uint32Array(results[0].buffer)).toEqual(new Uint32Array(results[1].buffer));
  });

  it('a webgpu executor runs a single kernel of a program', async () => {
    const executor = await pendulumOn(gpu);
    executor.run(0, rows(1, {}), 1);
    expect(await executor.readF32(0, ELEMENTS)).toEqual(start);
    expect((await executor.readF32(ELEMENTS, ELEMENTS))[0]).toBeLessThan(0);
    executor.dispose();
  });

  it('a webgpu executor alternates between state buffers by registers', async () => {
    const layout = new TestLayout(ELEMENTS);
    const next = kernel('next', { domain: 'd', reads: { x: f32 }, writes: { x: f32 } }, ({ x }) => ({
      x: x.add(1),
    }));
    const states = 1001;
    const place = layout.field('x', 'f32', 1, 'stateIn', states);
    const bound = layout.bind(next.form, (port: Port) => ({
      ...place,
      register: port.access === 'read' ? 'stateIn' : 'stateOut',
    }));
    const executor = await gpu.createExecutor({
      f32Words: layout.f32Words,
      u32Words: 0,
      registers: REGISTERS,
      programs: [program([bound])],
    });
    executor.run(0, rows(1000, { stateIn: (row) => row, stateOut: (row) => row + 1 }));
    const all = await executor.readF32(0, layout.f32Words);
    for (let state = 0; state < states; state++) expect(all[state * ELEMENTS + 7]).toBe(state);
    executor.dispose();
  });

  it('a webgpu executor keeps the order of writes, runs, copies, clears and reads', async () => {
    const layout = new TestLayout(4);
    const twice = kernel('twice', { domain: 'd', reads: { x: f32 }, writes: { x: f32 } }, ({ x }) => ({
      x: x.mul(2),
    }));
    const bound = layout.bind(twice.form);
    const executor = await gpu.createExecutor({
      f32Words: 16,
      u32Words: 4,
      registers: REGISTERS,
      programs: [program([bound])],
    });
    const row = rows(1, {});
    executor.writeF32(0, [1, 2, 3, 4]);
    executor.run(0, row);
    executor.copy('f32', 4, 0, 4);
    executor.run(0, row);
    const early = executor.readF32(0, 8);
    executor.writeF32(1, [100]);
    executor.run(0, row);
    executor.copy('f32', 8, 0, 4);
    executor.clear('f32', 4, 2);
    executor.writeU32(1, Uint32Array.of(7, 4294967295));
    const late = executor.readF32(0, 16);
    expect(await early).toEqual(Float32Array.of(4, 8, 12, 16, 2, 4, 6, 8));
    expect(await late).toEqual(Float32Array.of(8, 200, 24, 32, 0, 0, 6, 8, 8, 200, 24, 32, 0, 0, 0, 0));
    expect(await executor.readU32(0, 4)).toEqual(Uint32Array.of(0, 7, 4294967295, 0));
    executor.dispose();
  });

  it('a webgpu executor runs every invocation of a dispatch too long for one dimension', async () => {
    const elements = 65535 * 64 + 100;
    const layout = new TestLayout(elements);
    const count = kernel('count', { domain: 'd', reads: {}, writes: { x: f32 } }, (_, { element }) => ({
      x: element.toF32(),
    }));
    const bound = layout.bind(count.form);
    const executor = await gpu.createExecutor({
      f32Words: elements + 64,
      u32Words: 0,
      registers: REGISTERS,
      programs: [program([bound])],
    });
    executor.run(0, rows(1, {}));
    const got = await executor.readF32(0, elements + 64);
    let wrong = 0;
    for (let k = 0; k < elements + 64; k++) if (got[k] !== (k < elements ? k : 0)) wrong++;
    expect(wrong).toBe(0);
    executor.copy('f32', elements, 1, 64);
    expect((await executor.readF32(elements, 64))[63]).toBe(64);
    executor.dispose();
  });

  it('a webgpu device compiles kernels with the same source once', async () => {
    const mine = await (await findAdapter({ allowSoftware: true })).requestDevice();
    const compile = mine.createComputePipelineAsync.bind(mine);
    const compiled: (string | undefined)[] = [];
    mine.createComputePipelineAsync = (descriptor) => {
      compiled.push(descriptor.label);
      return compile(descriptor);
    };
    const device = await webgpuDevice({ device: mine });
    for (let k = 0; k < 2; k++) (await pendulumOn(device)).dispose();
    expect(compiled.sort()).toEqual(['clear', 'copy', 'move, pull']);
    mine.destroy();
  });

  it('a webgpu device refuses an invalid shader', async () => {
    const { kernels } = pendulum();
    const [store] = kernels[0].stores;
    // A comparison stored as a float: no traced kernel does that.
    const isZero = new Builder('broken').pure(eq, store.value, store.value);
    const broken = { ...kernels[0], name: 'broken', stores: [{ ...store, value: isZero }] };
    await expect(
      gpu.createExecutor({ f32Words: 100, u32Words: 0, registers: REGISTERS, programs: [program([broken])] }),
    ).rejects.toThrowCode('kernel/shader-refused');
  });

  it('a webgpu device refuses arenas larger than it can hold, with the requested size', async () => {
    await expect(
      gpu.createExecutor({ f32Words: 2 ** 40, u32Words: 0, registers: REGISTERS, programs: [] }),
    ).rejects.toThrowCode({ code: 'kernel/too-large', values: [4398046511104] });
  });

  it('a webgpu executor refuses ranges outside of the arena', async () => {
    const executor = await gpu.createExecutor({
      f32Words: 10,
      u32Words: 0,
      registers: REGISTERS,
      programs: [],
    });
    expect(() => executor.writeF32(8, [1, 2, 3])).toThrowCode({
      code: 'internal',
      values: ['write 3 words at word 8', 10],
    });
    await expect(executor.readF32(-1, 3)).rejects.toThrowCode({
      code: 'internal',
      values: ['read 3 words at word -1'],
    });
    executor.dispose();
  });

  it('a webgpu executor is disposed of with its device, and both refuse later use', async () => {
    const device = await webgpuDevice({ allowSoftware: true });
    const executor = await pendulumOn(device);
    executor.run(0, rows(1, {}));
    device.dispose();
    device.dispose();
    executor.dispose();
    expect(() => executor.run(0, rows(1, {}))).toThrowCode('kernel/disposed');
    await expect(executor.readF32(0, 1)).rejects.toThrowCode('kernel/disposed');
    await expect(
      device.createExecutor({ f32Words: 1, u32Words: 0, registers: REGISTERS, programs: [] }),
    ).rejects.toThrowCode('kernel/disposed');
  });

  it('a webgpu device does not destroy a GPUDevice that was passed in', async () => {
    const adapter = await findAdapter({ allowSoftware: true });
    const mine = await adapter.requestDevice();
    const device = await webgpuDevice({ device: mine });
    expect(device.description).toContain(isSoftware(adapter.info) ? 'software' : '');
    const executor = await pendulumOn(device);
    device.dispose();
    const other = await pendulumOn(await webgpuDevice({ device: mine }));
    other.run(0, rows(1, {}));
    expect(await other.readF32(0, ELEMENTS)).toEqual(start);
    expect(() => executor.clear('f32', 0, 1)).toThrowCode('kernel/disposed');
    mine.destroy();
  });

  it('a lost webgpu device makes pending reads and later runs fail with the code gpu-lost', async () => {
    const mine = await (await findAdapter({ allowSoftware: true })).requestDevice();
    const executor = await pendulumOn(await webgpuDevice({ device: mine }));
    executor.run(0, rows(10, {}));
    const reading = executor.readF32(0, 1);
    mine.destroy();
    await expect(reading).rejects.toThrowCode('kernel/gpu-lost');
    expect(() => executor.run(0, rows(1, {}))).toThrowCode('kernel/gpu-lost');
  });

  it('rejected webgpu work makes the next read fail with the reason, and later runs too', async () => {
    const mine = await (await findAdapter({ allowSoftware: true })).requestDevice();
    const create = mine.createBuffer.bind(mine);
    const arenas: GPUBuffer[] = [];
    mine.createBuffer = (descriptor) => {
      const buffer = create(descriptor);
      if (descriptor.label === 'gradsim u32 arena') arenas.push(buffer);
      return buffer;
    };
    const executor = await pendulumOn(await webgpuDevice({ device: mine }));
    // A destroyed buffer makes every submit invalid.
    arenas[0].destroy();
    executor.run(0, rows(1, {}));
    await expect(executor.readF32(0, 1)).rejects.toThrowCode({ code: 'kernel/gpu-refusal', values: ['u32'] });
    expect(() => executor.run(0, rows(1, {}))).toThrowCode('kernel/gpu-refusal');
    mine.destroy();
  });

  it('a webgpu executor computes the force of a spring between two indexed ends', async () => {
    const layout = new TestLayout(2);
    const bound = layout.bind(springForce.form);
    const executor = await gpu.createExecutor({
      f32Words: layout.f32Words,
      u32Words: layout.u32Words,
      registers: REGISTERS,
      programs: [program([bound])],
    });
    executor.writeU32(layout.field('ends', 'u32', 2).offset, Uint32Array.of(0, 0, 1, 1));
    executor.writeF32(layout.field('position', 'f32', 3).offset, [0, 3, 0, 4, 0, 0]);
    executor.writeF32(layout.field('stiffness', 'f32').offset, [10, 20]);
    executor.writeF32(layout.field('restLength', 'f32').offset, [4, 4]);
    executor.run(0, rows(1, {}));
    // 5 m long, at rest at 4 m: 10 N along (-0.6, -0.8, 0).
    const [x, , y] = await executor.readF32(layout.field('pull', 'f32', 3).offset, 4);
    expect(x).toBeCloseTo(-6, 5);
    expect(y).toBeCloseTo(-8, 5);
    executor.dispose();
  });
});

describe('adapter search', () => {
  const info = (parts: Partial<GPUAdapterInfo>): GPUAdapterInfo =>
    ({
      vendor: '',
      architecture: '',
      device: '',
      description: '',
      isFallbackAdapter: false,
      ...parts,
    }) as GPUAdapterInfo;

  it('recognises software adapters by flag or name', () => {
    expect(isSoftware(info({ isFallbackAdapter: true }))).toBe(true);
    expect(isSoftware(info({ description: 'llvmpipe (LLVM 15.0.6, 256 bits)' }))).toBe(true);
    expect(isSoftware(info({ vendor: 'google', architecture: 'swiftshader' }))).toBe(true);
    expect(isSoftware(info({ vendor: 'nvidia', architecture: 'hopper' }))).toBe(false);
  });
});
