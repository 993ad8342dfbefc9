import { describe, expect, it } from 'vitest';
import { adjointOf, detach, exp, f32, fieldOn, index, kernel, perWorld, select, sin, vec2 } from '../src/index.ts';
import type { FieldValues, KernelCheckOptions } from '../src/testing/index.ts';
import { checkKernel, compareWithDifferences } from '../src/testing/index.ts';

describe('checkKernel', () => {
  it('finds a wrong tangent by differences: a variable treated as a constant', async () => {
    const wrong = kernel('wrong', { domain: 'things', reads: { x: f32 }, writes: { y: f32 } }, ({ x }) => ({
      y: x.mul(detach(x)),
    }));
    await expect(checkKernel(wrong, { seed: 1 })).rejects.toThrowCode({
      code: 'kernel/comparison-failed',
      values: ['things.x', 'FAILED'],
    });
  });
  it('refuses a kernel whose outputs and derivatives are 0 for every input, since nothing is tested', async () => {
    const misses = kernel(
      'misses',
      { domain: 'things', reads: { x: f32 }, writes: { y: f32 } },
      ({ x }, { element }) => ({
        y: select(element.lt(100), f32(0), x.mul(x)),
      }),
    );
    await expect(checkKernel(misses)).rejects.toThrowCode({ code: 'kernel/nothing-to-check', values: ['misses'] });
    await checkKernel(misses, { sizes: { things: 101 } });
    const flat = kernel('flat', { domain: 'things', reads: { x: f32 }, writes: { y: f32 } }, ({ x }) => ({
      y: x.mul(0).add(1),
    }));
    await checkKernel(flat);
  });
  it('asks for the number of elements where a kernel goes beyond those that a check takes by itself', async () => {
    const twelfth = kernel(
      'twelfth',
      { domain: 'things', reads: { x: f32, share: fieldOn('nodes', f32) }, writes: { y: f32 } },
      ({ x, share }, { element }) => ({ y: x.mul(share.at(element.add(7))) }),
    );
    await expect(checkKernel(twelfth)).rejects.toThrowCode({
      code: 'kernel/size-missing',
      values: ['twelfth', 'nodes.share', '`sizes`: { nodes'],
    });
    await expect(checkKernel(twelfth, { sizes: { nodes: 8 } })).rejects.toThrowCode('kernel/access-out-of-range');
    await checkKernel(twelfth, { sizes: { nodes: 12 } });
  });
  it('returns its figures, with the seed to repeat them', async () => {
    const k = kernel(
      'k',
      { domain: 'things', reads: { x: f32, g: perWorld(f32) }, writes: { y: f32 } },
      ({ x, g }) => ({ y: x.mul(x).mul(g) }),
    );
    const first = await checkKernel(k);
    expect(first).toEqual(await checkKernel(k, { seed: first.seed }));
    expect(Object.keys(first.differenceErrors)).toEqual(['things.x', 'world.g']);
  });
  it('takes what cancels for rounding: forces of a pair that ends at one point', async () => {
    const pair = kernel(
      'pair',
      { domain: 'pairs', reads: { ends: index('points', 2), x: f32, k: f32 }, adds: { force: fieldOn('points', f32) } },
      ({ ends: [i, j], x, k, force }) => {
        const pull = k.mul(sin(k)).mul(x);
        force.add(i, pull);
        force.add(i, pull.mul(0.1));
        force.add(j, pull.mul(-1.1));
      },
    );
    // One in four of the pairs that are drawn ends at one point.
    for (let seed = 1; seed <= 6; seed++) await checkKernel(pair, { seed, sizes: { pairs: 1, points: 4 } });
  });
  it('names the inputs of which no derivative was seen', async () => {
    const late = kernel(
      'late',
      { domain: 'things', reads: { x: f32, rate: f32 }, writes: { y: f32 } },
      ({ x, rate }) => ({
        y: x.add(select(rate.gt(5), rate, f32(0))),
      }),
    );
    expect((await checkKernel(late)).unseen).toEqual(['things.rate']);
    expect((await checkKernel(late, { ranges: { rate: [4, 8] }, seed: 1 })).unseen).toEqual([]);
  });
  it('takes another time step', async () => {
    const early = kernel('early', { domain: 'things', reads: { x: f32 }, writes: { y: f32 } }, ({ x }, { dt }) => ({
      y: select(dt.gt(0.05), x, f32(0)),
    }));
    await expect(checkKernel(early)).rejects.toThrowCode('kernel/nothing-to-check');
    await checkKernel(early, { dt: 0.1 });
  });
  it('refuses kernels without inputs, adjoint kernels by themselves, and unknown fields', async () => {
    const k = kernel('k', { domain: 'things', reads: { x: f32 }, writes: { y: f32 } }, ({ x }) => ({ y: x }));
    await expect(checkKernel(k, { ranges: { z: [0, 1] } })).rejects.toThrowCode({
      code: 'kernel/unknown-field',
      values: ['"z"', 'k', 'Did you mean "x"?'],
    });
    await expect(checkKernel(k, { edges: { z: [1] } })).rejects.toThrowCode('kernel/unknown-field');
    await expect(checkKernel(k, { sizes: { thing: 9 } })).rejects.toThrowCode({
      code: 'kernel/unknown-domain',
      values: ['Did you mean "things"?'],
    });
    const misspelt = { range: { x: [0, 1] } } as KernelCheckOptions;
    await expect(checkKernel(k, misspelt)).rejects.toThrowCode({
      code: 'base/unknown-option',
      values: ['Did you mean "ranges"?'],
    });
    const pair = kernel('pair', { domain: 'things', reads: { x: vec2 }, writes: { y: f32 } }, ({ x }) => ({ y: x.x }));
    await checkKernel(pair, { values: { x: [1, 2] } });
    await expect(checkKernel(pair, { values: { x: [1, 2, 3] } })).rejects.toThrowCode({
      code: 'kernel/wrong-size',
      values: ['things.x', '3 numbers', '5 elements of 2'],
    });
    const bar = kernel(
      'bar',
      { domain: 'things', reads: { y_bar: adjointOf('y', f32) }, adds: { x_bar: adjointOf('x', f32) } },
      ({ y_bar, x_bar }) => x_bar.add(y_bar),
    );
    await expect(checkKernel(bar)).rejects.toThrowCode({ code: 'kernel/adjoint-alone', values: ['bar'] });
    const fixed = kernel('fixed', { domain: 'things', writes: { y: f32 } }, () => ({ y: f32(1) }));
    await expect(checkKernel(fixed)).rejects.toThrowCode({ code: 'kernel/nothing-to-check', values: ['fixed'] });
  });
});

describe('checkKernel of a hand-written adjoint', () => {
  const make = (factor: number) =>
    kernel(
      'growth',
      {
        domain: 'points',
        reads: { x: f32, rate: f32 },
        writes: { y: f32 },
        adjoint: () => [
          kernel(
            'growthBack',
            {
              domain: 'points',
              reads: { saved: f32, rate: f32, x: f32, yBar: adjointOf('y', f32) },
              adds: { xBar: adjointOf('x', f32), rateBar: adjointOf('rate', f32) },
            },
            ({ saved, rate, x, yBar, xBar, rateBar }) => {
              xBar.add(yBar.mul(saved).mul(rate).mul(factor));
              rateBar.add(yBar.mul(saved).mul(x));
            },
          ),
        ],
      },
      ({ x, rate }) => ({ y: exp(x.mul(rate)) }),
    );
  const adjointFields = (inputs: FieldValues) => ({
    'points.saved': Array.from(inputs['points.x'], (x, k) => Math.exp(x * inputs['points.rate'][k])),
  });

  it('takes extra inputs of the adjoint from `adjointFields`, recomputed for every tried input', async () => {
    await checkKernel(make(1), { adjointFields });
    await expect(checkKernel(make(1.01), { adjointFields })).rejects.toThrowCode({
      code: 'kernel/comparison-failed',
      values: ['FAILED'],
    });
  });
  it('names the fields that `adjointFields` has to return', async () => {
    await expect(checkKernel(make(1))).rejects.toThrowCode({
      code: 'kernel/input-missing',
      values: ['points.saved', 'growth'],
    });
  });
});

describe('differences', () => {
  it('have an error below 1e-9 for a right slope, above 5e-6 for one that is wrong by 1e-5, and above 1 at a jump', async () => {
    const smooth = await compareWithDifferences(async (h) => [Math.sin(1 + h)], [Math.cos(1)]);
    expect(smooth.error).toBeLessThan(1e-9);
    const wrong = await compareWithDifferences(async (h) => [Math.sin(1 + h)], [Math.cos(1) * 1.00001]);
    expect(wrong.error).toBeGreaterThan(5e-6);
    const jump = await compareWithDifferences(async (h) => [h > 0 ? 1 : 0], [0]);
    expect(jump.error).toBeGreaterThan(1);
  });

  it('stop after fewer than 10 evaluations if the error is below the tolerance, and after 25 if it never is', async () => {
    const compare = async (derivative: number): Promise<{ error: number; runs: number }> => {
      let runs = 0;
      const sine = async (h: number): Promise<number[]> => {
        runs++;
        return [Math.sin(1 + h)];
      };
      const { error } = await compareWithDifferences(sine, [derivative], 1e-6);
      return { error, runs };
    };
    const right = await compare(Math.cos(1));
    expect(right.error).toBeLessThan(1e-6);
    expect(right.runs).toBeLessThan(10);
    const wrong = await compare(Math.cos(1) * 1.00001);
    expect(wrong.error).toBeGreaterThan(5e-6);
    expect(wrong.runs).toBe(25);
  });
});
