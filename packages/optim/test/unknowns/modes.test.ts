import { f64Device } from '@gradsim/core';
import type { ArraySpec } from '@gradsim/optim';
import { estimate, lossOf } from '@gradsim/optim';
import { describe, type ExpectedError, expect, it } from 'vitest';
import { carts, TRACK } from '../carts.ts';
import { gravity, motesModel, motesProblem, seenBy } from '../motes.ts';

const device = f64Device();
/** True velocities of both motes, equal to those of the model, so that the true amplitudes of the modes are 0. */
const base = [0.4, 1, 0, -0.2, 2, 0];
const modes = [
  [1, 0, 0, 1, 0, 0],
  [0, 1, 0, 0, -1, 0],
  [0.5, 0.5, 0, 0, 0, 1],
];
const along = (amounts: readonly number[]): Float64Array =>
  Float64Array.from(base, (x, k) => x + modes.reduce((sum, mode, m) => sum + amounts[m] * mode[k], 0));
const array: ArraySpec = { name: 'throw', field: 'motes.velocity', modes, initial: [0.3, -0.5, 0.2] };

describe('modes of a field', () => {
  it.each(['levenberg-marquardt', 'l-bfgs'] as const)(
    'are estimated by %s, together with a scalar unknown, with standard errors',
    async (method) => {
      const target = await seenBy(motesModel());
      // Output of the model at those amplitudes: free fall with drag is linear in the velocity.
      const problem = motesProblem(target, {
        parameters: [gravity],
        arrays: [{ ...array, truth: [0, 0, 0] }],
        options: { search: { method, tolerance: 1e-14, iterations: 200 }, uncertainty: { standardErrors: true } },
      });
      const found = await estimate(problem, { device });
      const { estimate: values, shape, standardErrors } = found.arrays.throw;
      expect(shape).toEqual([1, 3, 1]);
      values.forEach((v) => expect(v).toBeCloseTo(0, 5));
      expect(standardErrors).toHaveLength(3);
      expect(found.parameters.gravity.estimate).toBeCloseTo(-9.81, 5);
    },
  );

  it('are included in the field that a loss of unknowns receives, and found by its gradient', async () => {
    const wanted = along([0.3, -0.2, 0.1]);
    const seen: number[][] = [];
    const near = lossOf({
      name: 'near',
      recordedFields: { run: 'motes.seen' },
      unknowns: { velocity: 'motes.velocity' },
      evaluate: ({ velocity, run }) => {
        seen.push([...velocity]);
        const off = velocity.map((v, k) => v - wanted[k]);
        return {
          value: off.reduce((sum, d) => sum + d * d, 0),
          gradient: { velocity: off.map((d) => 2 * d), run: run.map(() => 0) },
        };
      },
    });
    const { observations: _, ...problem } = motesProblem([], {
      parameters: [],
      arrays: [array],
      losses: [near],
    });
    const found = await estimate({ ...problem, options: { search: { tolerance: 1e-14 } } }, { device });
    [0.3, -0.2, 0.1].forEach((amount, m) => expect(found.arrays.throw.estimate[m]).toBeCloseTo(amount, 6));
    along([0.3, -0.5, 0.2]).forEach((v, k) => expect(seen[0][k]).toBeCloseTo(v, 6));
  });

  it.each<[string, Partial<ArraySpec>, ExpectedError]>([
    ['of another length', { modes: [[1, 2]] }, { code: 'optim/wrong-size', values: [0, 2, 3, 6] }],
    ['in an empty list', { modes: [] }, 'optim/no-modes'],
    ['not finite', { modes: [[1, 0, 0, Number.NaN, 0, 0]] }, { code: 'optim/value-not-finite', values: [3, 0, 'NaN'] }],
    ['tied', { tied: ['elements'] }, 'optim/modes-not-with'],
    [
      'with another number of initial amounts',
      { initial: [1] },
      { code: 'optim/wrong-size', values: [1, 3, 'initial values', 'modes'] },
    ],
  ])('are refused %s', async (_, wrong, expected) => {
    const problem = motesProblem([], { parameters: [], arrays: [{ ...array, ...wrong }] });
    await expect(estimate(problem, { device })).rejects.toThrowCode(expected);
  });

  it('are refused for a field over time, and beside another unknown of the same values', async () => {
    const over: ArraySpec = { name: 'push', field: 'carts.push', modes: [[1, 1]], initial: 0 };
    const loss = lossOf({
      name: 'none',
      recordedFields: { p: 'carts.position' },
      evaluate: () => ({ value: 0, gradient: { p: [] } }),
    });
    await expect(
      estimate({ model: carts(), ...TRACK, arrays: [over], losses: [loss] }, { device }),
    ).rejects.toThrowCode({ code: 'optim/modes-not-with', field: 'carts.push' });
    const vx = { name: 'vx', field: 'motes.velocity', component: 0, elements: [0], initial: 0 };
    const problem = motesProblem([], { parameters: [vx], arrays: [array] });
    await expect(estimate(problem, { device })).rejects.toThrowCode({
      code: 'optim/set-twice',
      values: ['vx', 'throw', 'motes.velocity[0][0]'],
    });
  });
});
