import { compile, cpuDevice, f32, kernel } from '@gradsim/kernel';
import type { Executor } from '@gradsim/kernel/device';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { seeded } from './support/random.ts';

const executorOf = (words: number, device = cpuDevice({ threads: 1 })): Promise<Executor> =>
  device.createExecutor({ f32Words: words, u32Words: words, registers: ['row'], programs: [] });

/** Replaces `WebAssembly.Memory` by another class, until the test's stubs are removed. */
function makeMemories(Memory: typeof WebAssembly.Memory): void {
  vi.stubGlobal('WebAssembly', Object.assign(Object.create(WebAssembly), { Memory }));
}

/** Counts the WebAssembly memories created from now on. */
function countMemories(): { made: number } {
  const count = { made: 0 };
  makeMemories(
    class extends WebAssembly.Memory {
      constructor(descriptor: WebAssembly.MemoryDescriptor) {
        super(descriptor);
        count.made++;
      }
    },
  );
  return count;
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('memory of the cpu device', () => {
  it('is separate for each of many short-lived executors, and starts as zeros', async () => {
    const next = seeded('executors that come and go');
    const alive: { executor: Executor; words: number; mark: number }[] = [];
    const memories = countMemories();
    for (let step = 0; step < 1000; step++) {
      if (alive.length < 200 && next() < 0.6) {
        const words = 1 + Math.floor(30_000 * next() ** 4);
        const executor = await executorOf(words);
        expect((await executor.readF32(0, words)).every((value) => value === 0)).toBe(true);
        expect((await executor.readU32(0, words)).every((value) => value === 0)).toBe(true);
        executor.writeF32(0, new Float32Array(words).fill(step));
        executor.writeU32(0, new Uint32Array(words).fill(step));
        alive.push({ executor, words, mark: step });
      } else if (alive.length > 0) {
        const [{ executor, words, mark }] = alive.splice(Math.floor(next() * alive.length), 1);
        expect((await executor.readF32(0, words)).every((value) => value === mark)).toBe(true);
        expect((await executor.readU32(0, words)).every((value) => value === mark)).toBe(true);
        executor.dispose();
      }
    }
    for (const { executor } of alive) executor.dispose();
    expect(memories.made).toBeLessThan(10);
  });

  it('is reused by 60 consecutive programs of over 300,000 points on two threads', async () => {
    const double = kernel('double', { domain: 'points', reads: { x: f32 }, writes: { y: f32 } }, ({ x }) => ({
      y: x.mul(2),
    }));
    const device = cpuDevice({ threads: 2 });
    const memories = countMemories();
    for (let k = 0; k < 60; k++) {
      const points = 400_000 - 1000 * k;
      const f = await compile(double, { sizes: { points }, device });
      const { 'points.y': y } = await f.run({ 'points.x': new Float32Array(points).fill(k) });
      expect(y.every((value) => value === 2 * k)).toBe(true);
      f.dispose();
      f.dispose();
    }
    device.dispose();
    expect(memories.made).toBe(1);
  });

  it('lets executors of one specification share a compiled module', async () => {
    let modules = 0;
    const Module = class extends WebAssembly.Module {
      constructor(bytes: BufferSource) {
        super(bytes);
        modules++;
      }
    };
    vi.stubGlobal('WebAssembly', Object.assign(Object.create(WebAssembly), { Module }));
    const device = cpuDevice({ threads: 1 });
    const spec = { f32Words: 1000, u32Words: 1000, registers: ['row'], programs: [] };
    const before = await executorOf(5000);
    const first = await device.createExecutor(spec);
    const made = modules;
    before.dispose();
    first.writeF32(0, [3]);
    first.dispose();
    // Memory at a lower address is free now, too.
    const again = await device.createExecutor(spec);
    expect(modules).toBe(made);
    expect((await again.readF32(0, 1))[0]).toBe(0);
    // In another memory, as there are few.
    const beside = await device.createExecutor(spec);
    beside.writeF32(0, [7]);
    expect((await again.readF32(0, 1))[0]).toBe(0);
    expect(modules).toBe(made);
    for (const executor of [again, beside]) executor.dispose();
  });

  it('refuses a failed allocation with its reason, after which existing and new executors still work', async () => {
    const first = await executorOf(1000);
    makeMemories(
      class extends WebAssembly.Memory {
        constructor() {
          super({ initial: 0 });
          throw new RangeError('could not allocate memory');
        }
      },
    );
    await expect(executorOf(100_000_000)).rejects.toThrowCode({
      code: 'kernel/out-of-memory',
      values: ['could not allocate memory'],
    });
    vi.unstubAllGlobals();
    // Existing memory stays usable, and new executors still succeed.
    first.writeF32(0, [3]);
    expect([...(await first.readF32(0, 2))]).toEqual([3, 0]);
    const second = await executorOf(1000);
    for (const executor of [first, second]) executor.dispose();
  });
});
