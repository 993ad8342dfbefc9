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

describe('values that are not passes are refused by name', () => {
  it('when the product of a solver returns nothing', () => {
    for (const solve of [conjugateGradients, conjugateResiduals])
      expect(() => solve({ name: 'heat', rightSide, solution, product: nothing })).toThrow(
        /^heat: `product\(from, into\)` returned nothing for nodes\.\w+\. It must return a pass that adds the product to `into`/,
      );
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
      ).toThrow(/^heat: `precondition\(from, into\)` returned .* It must return an array of passes/);
  });
  it('in groups of passes, and in addPass', () => {
    const none = [undefined] as unknown as Pass[];
    expect(() => repeat(2, none, 'sweeps')).toThrow(/^sweeps takes kernels and passes .*got undefined\.$/);
    expect(() => iterate(none, { until: { field: 'left', below: 1 }, most: 3, name: 'sweeps' })).toThrow(
      /^sweeps takes/,
    );
    expect(() => block([own], {} as never)).toThrow(
      /^`vjp` of block takes an array of kernels and passes, got undefined/,
    );
    expect(() => block([own], { vjp: none })).toThrow(/^`vjp` of block takes kernels and passes/);
    expect(() => new Model().addPass('force', [own] as never)).toThrow(
      /^addPass takes kernels and passes .*got an array\.$/,
    );
  });
});
