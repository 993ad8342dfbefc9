import { adam, sgd } from '@gradsim/optim';
import { describe, expect, it } from 'vitest';
import { stepping } from '../../src/descent/first-order.ts';

describe('a descent by steps of a fixed rule', () => {
  it('returns to its best point with half the step size if the loss is not finite', () => {
    // x^2, undefined for x < -1: a step of 6 from 3 goes there.
    const descent = stepping(Float64Array.of(3), (share) => sgd({ learningRate: share, momentum: 0 }), 0);
    const seen: number[] = [];
    for (let k = 0; k < 8; k++) {
      const [x] = descent.point;
      seen.push(x);
      descent.acceptEvaluation(x < -1 ? Number.NaN : x * x, [2 * x]);
    }
    // A step of 1 goes to 3 - 6 = -3, where there is no loss; one of 1/2 ends at the minimum.
    expect(seen.slice(0, 3)).toEqual([3, -3, 0]);
  });
  it('ends after thirty steps without gain, or at once if the first loss is not finite', () => {
    const still = stepping(Float64Array.of(1), () => adam({ learningRate: 0 }), 0);
    let steps = 0;
    for (; !still.isDone; steps++) still.acceptEvaluation(1, [1]);
    expect(steps).toBe(31);
    const none = stepping(Float64Array.of(1), () => adam(), 0);
    none.acceptEvaluation(Number.NaN, [0]);
    expect(none.isDone).toBe(true);
  });
});

describe('step sizes', () => {
  it('of sgd and Adam are multiplied by the decay factor after every step', () => {
    for (const make of [
      () => sgd({ learningRate: 1, momentum: 0, decay: 0.5 }),
      // For a constant gradient, Adam's steps are as long as its rate.
      () => adam({ learningRate: 1, decay: 0.5 }),
    ]) {
      const optimizer = make();
      let x = Float64Array.of(0);
      const steps: number[] = [];
      for (let k = 0; k < 4; k++) {
        const next = optimizer.step(x, [1]);
        steps.push(x[0] - next[0]);
        x = Float64Array.from(next);
      }
      [1, 0.5, 0.25, 0.125].forEach((step, k) => expect(steps[k]).toBeCloseTo(step, 9));
    }
  });
});
