import { describe, expect, it } from 'vitest';
import { forRange, loop, when } from '../src/language/control.ts';
import { clamp, countTrailingZeros, max, min } from '../src/language/functions.ts';
import { kernel } from '../src/language/kernel.ts';
import type { F32 } from '../src/language/scalar.ts';
import { f32, fieldOn, index, perWorld, u32, vec2, vec3, vec4 } from '../src/language/types.ts';
import { winding } from '../src/testing/programs.ts';
import { agree, processors } from './support/agree.ts';
import { gather, spring, springInputs } from './support/kernels.ts';
import { randomFields } from './support/random.ts';
import { REGISTERS } from './support/registers.ts';
import { layKernel, runKernel } from './support/run-kernel.ts';

const fields = randomFields('kernels in WebAssembly agree with JavaScript:');
const { random, numbers, wholes } = fields;

describe('WebAssembly with SIMD and without agrees with JavaScript, in both precisions', () => {
  for (const elements of [1, 3, 4, 7, 64]) {
    for (const worlds of [1, 3, 4, 8]) {
      for (const worldsInner of [true, false]) {
        it(`${elements} springs in ${worlds} worlds, ${worldsInner ? 'worlds' : 'elements'} contiguous`, async () => {
          const inputs = springInputs(fields, elements, worlds);
          // No spring of length zero.
          for (let e = 0; e < elements; e++)
            if (inputs.ends[e] === inputs.ends[elements + e]) inputs.ends[e] = (inputs.ends[e] + 1) % 9;
          await agree(spring.form, { elements, worlds, worldsInner, sizes: { particles: 9 }, inputs }, 1e-5);
        });
      }
    }
  }

  it('elements of two to four words at an index that depends on data and lane', async () => {
    const form = kernel(
      'windows',
      {
        domain: 'points',
        reads: {
          pair: fieldOn('slots', vec2),
          triple: fieldOn('slots', vec3),
          quad: fieldOn('slots', vec4),
          shift: perWorld(u32),
        },
        writes: { y: f32 },
      },
      ({ pair, triple, quad, shift }, { element }) => {
        const at = element.add(shift.add(shift));
        return {
          y: when(
            at.lt(40),
            () => {
              const [p, t, q] = [pair.at(at), triple.at(at), quad.at(at)];
              return p.x
                .sub(p.y.mul(2))
                .add(t.y.mul(3))
                .add(q.x.mul(5))
                .sub(q.y.mul(7))
                .add(q.z.mul(11))
                .sub(q.w.mul(13));
            },
            () => f32(-1),
          ),
        };
      },
    ).form;
    for (const shift of [0, 3, 11, 300]) {
      const inputs = { pair: numbers(80), triple: numbers(120), quad: numbers(160), shift: [shift] };
      await agree(form, { elements: 32, elementsTogether: true, sizes: { slots: 40 }, inputs }, 1e-5);
    }
  });

  it('divergent branches and loops', async () => {
    const elements = 131;
    await agree(winding.form, { elements, inputs: { x: numbers(elements), rounds: wholes(elements, 0, 12) } }, 1e-5);
  });

  it('branches and loops where all lanes take one path', async () => {
    const elements = 16;
    await agree(
      winding.form,
      { elements, inputs: { x: numbers(elements, 0.1, 0.2), rounds: new Array(elements).fill(5) } },
      1e-5,
    );
  });

  it('sums over lists of indices, of different lengths', async () => {
    const starts = [0];
    for (let e = 0; e < 37; e++) starts.push(starts[e] + Math.floor(6 * random()));
    const entries = wholes(Math.max(1, starts[37]), 0, 50);
    for (const worlds of [1, 2, 4]) {
      const copied = starts.flatMap((s) => new Array(worlds).fill(s));
      await agree(
        gather.form,
        {
          elements: 37,
          worlds,
          sizes: { starts: 38, entries: entries.length, slots: 50 },
          inputs: { starts: copied, entries, slots: numbers(150 * worlds) },
        },
        1e-5,
      );
    }
  });

  it('sums of lists of elements of two to four contiguous words', async () => {
    const form = kernel(
      'totals',
      {
        domain: 'nodes',
        reads: {
          first: u32,
          last: u32,
          pair: fieldOn('slots', vec2),
          triple: fieldOn('slots', vec3),
          quad: fieldOn('slots', vec4),
        },
        writes: { two: vec2, three: vec3, four: vec4 },
      },
      ({ first, last, pair, triple, quad }) => ({
        two: forRange(first, last, vec2(0, 0), (k, sum) => sum.add(pair.at(k))),
        three: forRange(first, last, vec3(0, 0, 0), (k, sum) => sum.add(triple.at(k))),
        four: forRange(first, last, vec4(0, 0, 0, 0), (k, sum) => sum.add(quad.at(k))),
      }),
    ).form;
    const first = wholes(37, 0, 40);
    const last = first.map((from) => from + Math.floor(11 * random()));
    const inputs = { first, last, pair: numbers(100), triple: numbers(150), quad: numbers(200) };
    const totals = await agree(form, { elements: 37, elementsTogether: true, sizes: { slots: 50 }, inputs });
    for (const [label, words] of [['new two', 2] as const, ['new three', 3] as const, ['new four', 4] as const])
      expect(totals[label].filter((value) => value !== 0).length, label).toBeGreaterThan(15 * words);
  });

  it('loops with bounds that grow from lane to lane, and bounds that all lanes share', async () => {
    const form = kernel(
      'windows',
      {
        domain: 'points',
        reads: { x: fieldOn('samples', f32), width: perWorld(u32) },
        writes: { own: f32, all: f32 },
      },
      ({ x, width }, { element }) => ({
        own: forRange(element, element.add(3), f32(0), (k, sum) => sum.add(x.at(k))),
        all: forRange(0, width, f32(0), (k, sum) => sum.add(x.at(k).mul(element.toF32()))),
      }),
    ).form;
    // Multiples of 1/256 between -2 and 2: every sum is exact in single precision, however much of it cancels.
    const exact = (count: number): number[] => wholes(count, -512, 512).map((n) => n / 256);
    await agree(form, { elements: 21, sizes: { samples: 24 }, inputs: { x: exact(24), width: [6] } }, 0);
    const inputs = { x: exact(96), width: [6, 0, 24, 1] };
    await agree(form, { elements: 5, worlds: 4, sizes: { samples: 24 }, inputs }, 0);
  });

  it('a kernel of 5000 unrolled steps', async () => {
    const form = kernel('long', { domain: 'points', reads: { x: f32 }, writes: { y: f32 } }, ({ x }) => {
      let y = x;
      for (let k = 1; k < 5000; k++) y = y.mul(0.5).add(k / 5000);
      return { y };
    }).form;
    await agree(form, { elements: 6, inputs: { x: numbers(6) } });
  });

  it('loops over the set bits of a word', async () => {
    const form = kernel(
      'bitset',
      { domain: 'points', reads: { set: u32, weight: fieldOn('bits', f32) }, writes: { sum: f32 } },
      ({ set, weight }) => ({
        sum: loop(
          { rest: set, sum: f32(0) },
          ({ rest }) => rest.ne(0),
          ({ rest, sum }) => ({
            rest: rest.and(rest.sub(1)),
            sum: sum.add(weight.at(countTrailingZeros(rest))),
          }),
        ).sum,
      }),
    ).form;
    const set = [0, 1, 0x80000000, 0xffffffff, ...wholes(30, 0, 2 ** 32)];
    await agree(form, { elements: set.length, sizes: { bits: 32 }, inputs: { set, weight: numbers(32) } });
  });

  it('reads of neighbouring elements within a branch, at both ends of the domain', async () => {
    const form = kernel(
      'slope',
      { domain: 'points', reads: { x: fieldOn('samples', f32), last: perWorld(u32) }, writes: { slope: f32 } },
      ({ x, last }, { element }) => ({
        slope: when(
          element.gt(0).and(element.lt(last)),
          () => x.at(element.add(1)).sub(x.at(element.sub(1))),
          () => f32(9),
        ),
      }),
    ).form;
    const { 'new slope': slope } = await agree(form, {
      elements: 8,
      sizes: { samples: 8 },
      inputs: { x: [0, 1, 4, 9, 16, 25, 36, 49], last: [7] },
    });
    expect(slope).toEqual([9, 4, 8, 12, 16, 20, 24, 9]);
  });

  it('an index "none" is harmless where it is not used', async () => {
    const none = 0xffffffff;
    const form = kernel(
      'maybe',
      { domain: 'points', reads: { other: u32, x: fieldOn('samples', vec3) }, writes: { value: vec3 } },
      ({ other, x }) => ({
        value: when(
          other.ne(none),
          () => x.at(other),
          () => vec3(1, 2, 3),
        ),
      }),
    ).form;
    const other = [0, none, 2, none, none, 1, 0, none, 2];
    const { 'new value': value } = await agree(form, {
      elements: 9,
      sizes: { samples: 3 },
      inputs: { other, x: numbers(9) },
    });
    expect([value[1], value[10], value[19]]).toEqual([1, 2, 3]);
  });

  it('a read at an index beyond all data returns NaN, not a neighbour', async () => {
    const form = kernel(
      'wild',
      { domain: 'points', reads: { other: u32, x: fieldOn('samples', f32) }, writes: { value: f32 } },
      ({ other, x }) => ({
        value: x.at(other),
      }),
    ).form;
    for (const device of processors) {
      const { 'new value': value } = await runKernel(form, device, {
        elements: 9,
        sizes: { samples: 3 },
        inputs: { other: [0, 1, 0x40000000, 2, 0xffffffff, 0, 0x1fffffff, 2, 1], x: [1, 2, 3] },
      });
      const { NaN: nan } = Number;
      expect(value, device.description).toEqual([1, 2, nan, 3, nan, 1, nan, 3, 2]);
    }
  });

  it('additions to elements that invocations share, one after another', async () => {
    const form = kernel(
      'scatter',
      {
        domain: 'points',
        reads: { to: index('bins'), x: f32 },
        adds: { bin: fieldOn('bins', f32), total: perWorld(f32) },
      },
      ({ to, x, bin, total }) => {
        bin.add(to, x);
        total.add(x);
      },
    ).form;
    const elements = 50;
    const { bin, total } = await agree(
      form,
      { elements, sizes: { bins: 4 }, inputs: { to: wholes(elements, 0, 4), x: numbers(elements, 1, 2) } },
      1e-5,
    );
    expect(bin.reduce((a, b) => a + b)).toBeCloseTo(total[0], 3);
  });

  it('all fields are read before the first is written', async () => {
    const swap = kernel(
      'swap',
      { domain: 'points', reads: { a: f32, b: f32 }, writes: { a: f32, b: f32 } },
      ({ a, b }) => ({ a: b, b: a }),
    ).form;
    for (const device of processors) {
      const { kernel: laid, f32Words, slots } = layKernel(swap, device, { elements: 6, inputs: {} });
      // Bound again, with outputs in place of inputs.
      const inPlace = {
        ...laid,
        stores: laid.stores.map((s) => ({ ...s, offset: slots.get(s.label)!.offset })),
      };
      const executor = await device.createExecutor({
        f32Words,
        u32Words: 0,
        registers: REGISTERS,
        programs: [{ name: 'p', kernels: [inPlace] }],
      });
      executor.writeF32(slots.get('a')!.offset, [1, 2, 3, 4, 5, 6]);
      executor.writeF32(slots.get('b')!.offset, [7, 8, 9, 10, 11, 12]);
      executor.run(0, new Uint32Array(REGISTERS.length));
      expect([...(await executor.readF32(slots.get('a')!.offset, 6))]).toEqual([7, 8, 9, 10, 11, 12]);
      expect([...(await executor.readF32(slots.get('b')!.offset, 6))]).toEqual([1, 2, 3, 4, 5, 6]);
    }
  });

  it('NaN as an argument of min, max and clamp', async () => {
    const form = kernel(
      'limits',
      { domain: 'points', reads: { x: f32, y: f32 }, writes: { a: f32, b: f32, c: f32 } },
      ({ x, y }) => ({
        a: min(x, y),
        b: max<F32>(1, x),
        c: clamp(x, 0, 1),
      }),
    ).form;
    const x = [Number.NaN, 2, -1, 0.5, Number.NaN];
    await agree(form, { elements: 5, inputs: { x, y: [1, Number.NaN, 3, 4, Number.NaN] } });
  });
});
