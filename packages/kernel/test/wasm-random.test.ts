import { describe, expect, it } from 'vitest';
import { draws } from '../../../scripts/vitest/draws.ts';
import type { KernelForm } from '../src/form/kernel-form.ts';
import { forRange, loop, when } from '../src/language/control.ts';
import { erf, min, select, sin, tanh } from '../src/language/functions.ts';
import { kernel } from '../src/language/kernel.ts';
import type { F32, U32 } from '../src/language/scalar.ts';
import { f32, fieldOn, perWorld, u32 } from '../src/language/types.ts';
import { inDoubles, oneByOne, simd } from './support/agree.ts';
import { randomFields } from './support/random.ts';
import type { RunOptions } from './support/run-kernel.ts';
import { runKernel } from './support/run-kernel.ts';

const { random, numbers, wholes } = randomFields('random kernels');

describe('random kernels', () => {
  /** Creates a kernel of random operations, branches and loops over a few fields; `seed` only serves as its name. */
  function make(seed: number): KernelForm {
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
    return kernel(
      `random${seed}`,
      {
        domain: 'points',
        reads: { x: f32, n: u32, shared: perWorld(f32), table: fieldOn('table', f32) },
        writes: { y: f32, m: u32 },
      },
      ({ x, n, shared, table }, { element, substep }) => {
        type Values = { floats: F32[]; wholes: U32[] };
        const grow = ({ floats, wholes: integers }: Values, depth: number): { f: F32; w: U32 } => {
          const own: Values = { floats: [...floats], wholes: [...integers] };
          const condition = () =>
            random() < 0.5
              ? pick(own.floats).lt(pick(own.floats))
              : pick(own.wholes)
                  .and(pick([1, 2, 3, 7]))
                  .eq(pick([0, 1]));
          for (let step = 0; step < 6; step++) {
            const [a, b, i, j] = [pick(own.floats), pick(own.floats), pick(own.wholes), pick(own.wholes)];
            const choice = Math.floor(random() * (depth > 0 ? 14 : 10));
            if (choice === 0) own.floats.push(a.add(b));
            else if (choice === 1) own.floats.push(a.mul(b).sub(shared));
            else if (choice === 2) own.floats.push(select(condition(), a, b));
            else if (choice === 3) own.floats.push(table.at(i.rem(16)));
            else if (choice === 4) own.wholes.push(i.add(j.mul(pick([1, 3, 4]))));
            else if (choice === 5) own.wholes.push(i.div(pick([1, 3, 4, 8])).xor(j));
            else if (choice === 6) own.floats.push(i.rem(9).toF32().mul(0.25).add(min(a, b)));
            else if (choice === 7) own.floats.push(table.at(element.add(pick([0, 1, 5]))).div(a.mul(a).add(1)));
            else if (choice === 8) own.wholes.push(select(condition(), i, j));
            else if (choice === 9) own.floats.push(pick([sin, tanh, erf])(a).sub(b.rem(3)));
            else if (choice <= 11) {
              const both = when(
                condition(),
                () => grow(own, depth - 1),
                () => grow(own, depth - 1),
              );
              own.floats.push(both.f);
              own.wholes.push(both.w);
            } else if (choice === 12) {
              const end = pick([i.rem(5), u32(3), element.rem(4)]);
              const done = forRange(pick([u32(0), j.rem(3)]), end, { f: a, w: i }, (k, { f, w }) =>
                grow({ floats: [...own.floats, f], wholes: [...own.wholes, k, w] }, depth - 1),
              );
              own.floats.push(done.f);
              own.wholes.push(done.w);
            } else {
              const done = loop(
                { f: a, w: i, round: u32(0) },
                ({ f, round }) => round.lt(pick([i.rem(6), u32(4)])).and(f.lt(4)),
                ({ f, w, round }) => ({
                  ...grow({ floats: [...own.floats, f], wholes: [...own.wholes, w, round] }, depth - 1),
                  round: round.add(1),
                }),
              );
              own.floats.push(done.f);
              own.wholes.push(done.w);
            }
          }
          return {
            f: own.floats[own.floats.length - 1].mul(0.5).add(pick(own.floats).mul(0.25)),
            w: own.wholes[own.wholes.length - 1],
          };
        };
        const { f, w } = grow({ floats: [x, shared, f32(0.5)], wholes: [n, element, substep, u32(2)] }, 3);
        return { y: f, m: w };
      },
    ).form;
  }

  it('give the same bits with and without SIMD, and in doubles those of JavaScript', async () => {
    const options = (worlds: number): RunOptions => ({
      elements: 22,
      worlds,
      sizes: { table: 32 },
      registers: [5],
      inputs: {
        x: numbers(22 * worlds),
        n: wholes(22 * worlds, 0, 40),
        shared: numbers(worlds),
        table: numbers(32 * worlds),
      },
    });
    let finite = 0;
    for (let k = 0; k < draws(30, 5000); k++) {
      const form = make(k);
      const given = { ...options(k % 3 === 0 ? 4 : k % 3) };
      if ((given.worlds ?? 1) === 0) continue;
      const inputs = Object.fromEntries(
        Object.entries(given.inputs).filter(([name]) => form.ports.some((p) => p.name === name)),
      );
      const [fast, plain] = await Promise.all([simd, oneByOne].map((d) => runKernel(form, d, { ...given, inputs })));
      expect(fast, form.name).toEqual(plain);
      await inDoubles(form, { ...given, inputs });
      finite += fast['new y'].filter(Number.isFinite).length;
    }
    expect(finite).toBeGreaterThan(1000);
  });
});
