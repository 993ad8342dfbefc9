import type { Pass } from '@gradsim/core';
import {
  block,
  conjugateGradients,
  conjugateResiduals,
  f32,
  field,
  iterate,
  kernel,
  Model,
  repeat,
} from '@gradsim/core';
import { describe, expect, it } from 'vitest';

const [rightSide, solution] = ['b', 'x'].map((name) => field('nodes', name, f32));
const nothing = (() => {}) as unknown as () => Pass;
const own = kernel('own', { domain: 'nodes', reads: { solution }, writes: { solution } }, (f) => f);

describe('values that are not passes are refused, naming where they were given', () => {
  it('when the product of a solver returns nothing', () => {
    for (const solve of [conjugateGradients, conjugateResiduals])
      expect(() => solve({ name: 'heat', rightSide, solution, product: nothing })).toThrowCode({
        code: 'core/not-a-pass',
        values: ['heat', 'product'],
      });
  });
  it('when a preconditioner returns nothing, or one pass instead of a list', () => {
    const product = (): Pass => repeat(1, [own]);
    for (const precondition of [nothing, product])
      expect(() =>
        conjugateResiduals({
          name: 'heat',
          rightSide,
          solution,
          product,
          precondition: precondition as unknown as () => Pass[],
        }),
      ).toThrowCode({ code: 'core/not-a-pass', values: ['heat', 'precondition'] });
  });
  it('in repeat, iterate and block, and in addPass', () => {
    const none = [undefined] as unknown as Pass[];
    expect(() => repeat(2, none, 'sweeps')).toThrowCode({ code: 'core/not-a-pass', values: ['undefined', 'sweeps'] });
    expect(() => iterate(none, { until: { field: 'left', below: 1 }, maxRounds: 3, name: 'sweeps' })).toThrowCode({
      code: 'core/not-a-pass',
      values: ['sweeps'],
    });
    expect(() => block([own], {} as never)).toThrowCode({
      code: 'core/not-a-pass',
      values: ['undefined', '`vjp` of block'],
    });
    expect(() => block([own], { vjp: none })).toThrowCode({ code: 'core/not-a-pass', values: ['`vjp` of block'] });
    expect(() => new Model().addPass('force', [own] as never)).toThrowCode({
      code: 'core/not-a-pass',
      values: ['addPass', 'an array'],
    });
  });
});
