import { describe, expect, it } from 'vitest';
import { adjoint } from '../src/derivatives/adjoint.ts';
import { tangent } from '../src/derivatives/tangent.ts';
import { placeArrays } from '../src/emit/arrays.ts';
import { bindKernel } from '../src/emit/bind/bind.ts';
import type { KernelForm } from '../src/form/kernel-form.ts';
import type { Block, Loop, SetNode } from '../src/form/nodes.ts';
import { everyStatement, isRegion } from '../src/form/walk.ts';
import { forRange, loop, when } from '../src/language/control.ts';
import { sin } from '../src/language/functions.ts';
import { kernel } from '../src/language/kernel.ts';
import type { LocalArray } from '../src/language/local-array.ts';
import { localArray } from '../src/language/local-array.ts';
import type { F32 } from '../src/language/scalar.ts';
import { f32, fieldOn, i32, u32, vec3 } from '../src/language/types.ts';
import { agree } from './support/agree.ts';
import { randomFields } from './support/random.ts';

const { numbers, wholes } = randomFields('local arrays of a kernel');
const elements = 37;

/** Counts the copies of whole arrays in the code of a kernel, wherever they stand. */
function copies(form: KernelForm): number {
  const { root } = bindKernel(form, {
    elements: 1,
    worlds: 1,
    worldsInner: false,
    steps: 1,
    registers: [],
    binding: ({ scalar }) => ({
      buffer: scalar === 'f32' ? 'f32' : 'u32',
      offset: 0,
      componentStride: 1,
      elementStride: 1,
      worldStride: 0,
    }),
    accumulates: () => false,
  });
  const arrays = placeArrays(root);
  return [...everyStatement(root)]
    .flatMap((of): (SetNode | Loop | Block)[] => {
      if (of.op === 'set') return [of];
      if (!isRegion(of)) return [];
      return of.op === 'if' ? [of.then, of.otherwise] : [of, of.body];
    })
    .reduce((sum, at) => sum + arrays.moves(at).length, 0);
}

/** The three nearest of eight, sorted by insertion. */
const nearest = kernel(
  'nearest',
  { domain: 'points', reads: { x: f32, table: fieldOn('entries', f32) }, writes: { near: vec3 } },
  ({ x, table }) => {
    const found = forRange(0, 8, localArray(3, f32(100)), (k, list) => {
      const distance = table.at(k).sub(x).mul(table.at(k).sub(x));
      return forRange(0, 3, { list, rest: distance }, (j, { list: before, rest }) =>
        when(
          rest.lt(before.get(j)),
          () => ({ list: before.set(j, rest), rest: before.get(j) }),
          () => ({ list: before, rest }),
        ),
      ).list;
    });
    return { near: vec3(found.get(0), found.get(1), found.get(2)) };
  },
).form;

describe('local arrays', () => {
  it('hold what loops and branches set, per lane', async () => {
    const table = numbers(8);
    const x = numbers(elements);
    const { 'new near': near } = await agree(nearest, {
      elements,
      sizes: { entries: 8 },
      inputs: { x, table },
    });
    x.forEach((at, e) => {
      const sorted = table.map((t) => (t - at) ** 2).sort((a, b) => a - b);
      for (let k = 0; k < 3; k++) expect(near[k * elements + e]).toBeCloseTo(sorted[k], 4);
    });
  });

  it('hold integers and vectors, and agree with JavaScript for indices beyond the end too', async () => {
    const form = kernel(
      'kinds',
      {
        domain: 'points',
        reads: { x: vec3, at: u32 },
        writes: { sum: vec3, count: u32, least: i32 },
      },
      ({ x, at }, { element }) => {
        const vectors = localArray(5, vec3).set(at, x).set(at.add(1), x.mul(2));
        const counts = forRange(0, at.add(element), localArray(4, u32(1)), (k, all) =>
          all.set(k.and(3), all.get(k.and(3)).add(k)),
        );
        const signed = localArray(2, i32(-3)).set(at.rem(2), at.toI32().sub(7));
        return {
          sum: forRange(0, 5, vec3(0, 0, 0), (k, sum) => sum.add(vectors.get(k).mul(k.toF32().add(1)))),
          count: counts
            .get(0)
            .add(counts.get(1).mul(3))
            .add(counts.get(at.add(3))),
          least: signed.get(0).add(signed.get(1).mul(10)),
        };
      },
    ).form;
    const at = wholes(elements, 0, 9);
    const result = await agree(form, { elements, inputs: { x: numbers(3 * elements), at } });
    at.forEach((a, e) => {
      const own = a - 7;
      expect(result['new least'][e]).toBe(a % 2 === 0 ? own - 30 : -3 + 10 * own);
    });
  });

  it('are immutable: a set returns a new one', async () => {
    const form = kernel(
      'versions',
      { domain: 'points', reads: { x: f32, n: u32 }, writes: { y: vec3, z: f32 } },
      ({ x, n }) => {
        const first = localArray(4, x);
        const second = first.set(n, x.mul(10));
        const third = when(
          x.gt(0),
          () => first.set(0, f32(7)),
          () => second,
        );
        // Both are carried, swapped.
        const swapped = forRange(0, n, { a: first, b: third }, (k, { a, b }) => ({
          a: b,
          b: a.set(k, a.get(k).add(1)),
        }));
        const sum = (of: LocalArray<F32>): F32 =>
          forRange(0, 4, f32(0), (k, s) => s.add(of.get(k).mul(k.toF32().add(1))));
        const ended = loop(
          { of: swapped.a, rounds: u32(0) },
          ({ of, rounds }) => of.set(0, f32(50)).get(rounds).lt(40).and(rounds.lt(4)),
          ({ of, rounds }) => ({ of: of.set(rounds, of.get(rounds).add(2)), rounds: rounds.add(1) }),
        );
        return {
          y: vec3(sum(first), sum(second), sum(third)),
          z: sum(swapped.a).sub(sum(swapped.b)).add(sum(ended.of)),
        };
      },
    ).form;
    const [x, n] = [numbers(elements), wholes(elements, 0, 4)];
    const { 'new y': y, 'new z': z } = await agree(form, { elements, inputs: { x, n } }, 1e-5);
    const sum = (of: readonly number[]): number => of.reduce((s, v, k) => s + v * (k + 1), 0);
    x.forEach((value, e) => {
      const first = new Array<number>(4).fill(value);
      const second = first.with(n[e], value * 10);
      const third = value > 0 ? first.with(0, 7) : second;
      let [a, b] = [first, third];
      for (let k = 0; k < n[e]; k++) [a, b] = [b, a.with(k, a[k] + 1)];
      let ended = a;
      for (let k = 0; k < 4 && (k === 0 ? 50 : ended[k]) < 40; k++) ended = ended.with(k, ended[k] + 2);
      [first, second, third].forEach((of, k) => expect(y[k * elements + e]).toBeCloseTo(sum(of), 3));
      expect(z[e]).toBeCloseTo(sum(a) - sum(b) + sum(ended), 3);
    });
  });

  it('are changed in place where the old one is no longer used', () => {
    expect(copies(nearest)).toBe(0);
    expect(copies(tangent(nearest, { wrt: new Set(['x']) }))).toBe(0);
    expect(copies(adjoint(nearest, { wrt: new Set(['x']), seeds: new Set(['near']) }))).toBe(0);
    const kept = kernel('kept', { domain: 'points', reads: { x: f32 }, writes: { y: f32 } }, ({ x }) => {
      const first = localArray(4, x);
      return { y: first.set(1, sin(x)).get(1).add(first.get(1)) };
    });
    expect(copies(kept.form)).toBe(1);
  });

  it('refuse lengths, entries and values that do not fit', () => {
    const tried = (body: (x: F32) => F32) => () =>
      kernel('bad', { domain: 'points', reads: { x: f32 }, writes: { y: f32 } }, ({ x }) => ({ y: body(x) }));
    expect(tried((x) => localArray(0, x).get(0))).toThrowCode({
      code: 'kernel/option-out-of-range',
      values: [1, 256, 0],
    });
    expect(tried((x) => localArray(1000, x).get(0))).toThrowCode({
      code: 'kernel/option-out-of-range',
      values: [256, 1000],
    });
    expect(tried((x) => localArray(4, x).get(4))).toThrowCode({ code: 'kernel/no-such-entry', values: [4] });
    expect(
      tried((x) =>
        localArray(4, x)
          .set(0, x.toU32() as never)
          .get(0),
      ),
    ).toThrowCode({ code: 'base/wrong-type', values: ['of another type'] });
    expect(tried((x) => localArray(4, x.gt(0)).get(0) as never)).toThrowCode({
      code: 'base/wrong-type',
      values: ['of numbers, not of conditions'],
    });
    expect(
      tried((x) => {
        const inside = forRange(0, 2, localArray(4, x), (_, a) => {
          const other = localArray(3, x);
          return other as never as typeof a;
        });
        return inside.get(0);
      }),
    ).toThrowCode('kernel/other-shape');
  });
});
