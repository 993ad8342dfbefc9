import type { Minimiser } from '@gradsim/optim';
import { lbfgs } from '@gradsim/optim';
import { describe, expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';
import { strongWolfe } from '../../src/descent/line-search.ts';

type Loss = (x: Float64Array) => { loss: number; gradient: ArrayLike<number> };

/** Runs a descent to its end; returns the number of evaluations of the loss. */
function finish(descent: Minimiser, at: Loss, most = 2000): number {
  let asked = 0;
  for (; !descent.isDone && asked < most; asked++) {
    const { loss, gradient } = at(descent.point);
    descent.acceptEvaluation(loss, gradient);
  }
  return asked;
}

describe('L-BFGS', () => {
  it('finds the minimum of the Rosenbrock function in fewer than 80 evaluations', () => {
    // Rosenbrock's function: the least is 0 at (1, 1).
    const descent = lbfgs(Float64Array.of(-1.2, 1), { tolerance: 1e-14 });
    const asked = finish(descent, ([x, y]) => ({
      loss: (1 - x) ** 2 + 100 * (y - x * x) ** 2,
      gradient: [-2 * (1 - x) - 400 * x * (y - x * x), 200 * (y - x * x)],
    }));
    expect(descent.point[0]).toBeCloseTo(1, 6);
    expect(descent.point[1]).toBeCloseTo(1, 6);
    // Other implementations need 40 to 50 evaluations.
    expect(asked).toBeLessThan(80);
  });

  it('with an attainable loss, reaches it in one step if the loss is that plus the square of a linear function', () => {
    // (2 x - 3 y + 4)^2 + 0.5 is least, 0.5, on a line.
    const descent = lbfgs(Float64Array.of(5, 1), { attainable: 0.5, learningRate: 1e-6 });
    const at: Loss = ([x, y]) => {
      const r = 2 * x - 3 * y + 4;
      return { loss: r * r + 0.5, gradient: [4 * r, -6 * r] };
    };
    const first = at(descent.point);
    descent.acceptEvaluation(first.loss, first.gradient);
    expect(at(descent.point).loss).toBeCloseTo(0.5, 12);
  });

  it.each([
    // Both are 0 at log 3: the first step falls short of it, or overshoots.
    ['first step too short', (x: number) => 3 * (1 - Math.exp(-x)) - 2, (x: number) => 3 * Math.exp(-x)],
    ['first step too long', (x: number) => Math.exp(x) - 3, Math.exp],
  ] as const)('divides an attainable loss by 20 in 6 steps by the signs of slopes only (%s)', (_, root, rate) => {
    const descent = lbfgs(Float64Array.of(0), { attainable: 0 });
    const losses: number[] = [];
    while (losses.length < 6) {
      const [x] = descent.point;
      losses.push(root(x) ** 2);
      // Beyond the start only the signs of gradients are right.
      descent.acceptEvaluation(root(x) ** 2, [2 * root(x) * rate(x) * (losses.length > 1 ? 1000 : 1)]);
      if (losses[losses.length - 1] <= 0.05 * losses[0]) break;
    }
    expect(losses[losses.length - 1]).toBeLessThanOrEqual(0.05 * losses[0]);
  });

  it('finds the minimum over 1000 unknowns of curvatures 2 to 200 in fewer than 130 evaluations', () => {
    const random = randomNumbers(seedOfRun('lbfgs', 4));
    const goal = Float64Array.from({ length: 1000 }, () => random() - 0.5);
    const steep = goal.map(() => 10 ** (2 * random()));
    const descent = lbfgs(new Float64Array(1000), { tolerance: 1e-12, learningRate: 0.01 });
    const points: Float64Array[] = [];
    const asked = finish(descent, (x) => {
      points.push(x);
      const off = x.map((value, k) => value - goal[k]);
      return {
        loss: off.reduce((sum, d, k) => sum + steep[k] * d * d, 1),
        gradient: off.map((d, k) => 2 * steep[k] * d),
      };
    });
    descent.point.forEach((value, k) => expect(value).toBeCloseTo(goal[k], 4));
    // L-BFGS-B of SciPy takes 100 to reach this loss.
    expect(asked).toBeLessThan(130);
  });

  it('steps back from points where the loss is not finite, and finds the minimum', () => {
    // x - log x, undefined for x <= 0, from a point with a steep slope that points there.
    const at: Loss = ([x]) => ({ loss: x > 0 ? x - Math.log(x) : Number.NaN, gradient: [1 - 1 / x] });
    const descent = lbfgs(Float64Array.of(30), { learningRate: 100, tolerance: 1e-12 });
    finish(descent, at);
    expect(descent.point[0]).toBeCloseTo(1, 5);
  });

  it('ends after one evaluation if the gradient is zero or the loss not finite', () => {
    const flat = lbfgs(Float64Array.of(3));
    expect(finish(flat, () => ({ loss: 1, gradient: [0] }))).toBe(1);
    expect(flat.point[0]).toBe(3);
    const none = lbfgs(Float64Array.of(3));
    expect(finish(none, () => ({ loss: Number.NaN, gradient: [1] }))).toBe(1);
    expect(none.isDone).toBe(true);
  });

  it('with relative noise of 1e-7 in the loss, comes within 0.01 of the minimum in fewer than 40 evaluations', () => {
    // A bowl whose values are known to seven digits: near its bottom they fluctuate at random.
    const random = randomNumbers(seedOfRun('rounding', 5));
    const descent = lbfgs(Float64Array.of(4, -3), { rounding: 1e-6, tolerance: 1e-6 });
    const asked = finish(descent, ([x, y]) => ({
      loss: (1 + x * x + 4 * y * y) * (1 + 1e-7 * (random() - 0.5)),
      gradient: [2 * x, 8 * y],
    }));
    expect(Math.hypot(...descent.point)).toBeLessThan(1e-2);
    expect(asked).toBeLessThan(40);
  });
});

describe('a step of the line search', () => {
  it('satisfies the strong Wolfe conditions along five kinds of lines, for initial steps of 1e-6 to 1e3', () => {
    // Strong Wolfe conditions with 1e-4 and 0.9, along lines of all kinds.
    const lines: [string, (t: number) => [number, number]][] = [
      ['a parabola', (t) => [(t - 1) ** 2, 2 * (t - 1)]],
      ['a wavy slope', (t) => [-t + 0.2 * Math.cos(5 * t), -1 - Math.sin(5 * t)]],
      ['a wall', (t) => [-Math.log(1 + t) + (t > 3 ? Number.NaN : 0) + t ** 4 / 100, -1 / (1 + t) + t ** 3 / 25]],
      ['a steep fall, then flat', (t) => [Math.exp(-10 * t) + 0.001 * t, -10 * Math.exp(-10 * t) + 0.001]],
      ['far away', (t) => [(t / 1e4 - 1) ** 2, (2 * (t / 1e4 - 1)) / 1e4]],
    ];
    for (const [name, line] of lines) {
      const [loss, slope] = line(0);
      for (const first of [1e-6, 1e-3, 1, 10, 1e3]) {
        const search = strongWolfe({ loss, slope }, first);
        let next = search.next();
        let asked = 0;
        for (; !next.done; asked++) {
          const [l, s] = line(next.value);
          next = search.next({ loss: l, slope: s });
        }
        const found = next.value!;
        const what = `${name} from ${first}`;
        expect(found.loss, what).toBeLessThanOrEqual(loss + 1e-4 * found.step * slope);
        expect(Math.abs(found.slope), what).toBeLessThanOrEqual(0.9 * Math.abs(slope));
        expect(asked, what).toBeLessThanOrEqual(30);
      }
    }
  });
  it('is null if the loss is higher at every step', () => {
    const search = strongWolfe({ loss: 0, slope: -1 }, 1);
    let next = search.next();
    while (!next.done) next = search.next({ loss: 1, slope: 1 });
    expect(next.value).toBeNull();
  });
});
