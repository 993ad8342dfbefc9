// The three acts of an estimate, each used alone: from a search, at a point by hand, at what another program found.

import { upperMedian } from '@gradsim/base';
import { f64Device } from '@gradsim/core';
import type { Problem } from '@gradsim/optim';
import { assess, estimate, infer, search } from '@gradsim/optim';
import { describe, expect, it } from 'vitest';
import { normalNumbers, randomNumbers, seedOfRun } from '../../../scripts/vitest/draws.ts';
import { POSTERIOR_PROPERTIES } from '../src/posterior/posterior.ts';
import { drag, gravity, motesModel, motesProblem, RUN, seenBy, TRUTH, vx } from './motes.ts';

const device = f64Device();
const NOISE = 0.01;
const normal = normalNumbers(randomNumbers(seedOfRun('acts', 21)));
const target = await seenBy(motesModel(), NOISE, normal);
/** Unknowns on which positions depend linearly: drag has its true value. */
const linear = motesProblem(target, { parameters: [gravity, vx] });

describe('search, infer and assess one after another', () => {
  it.each<[string, Problem]>([
    ['growing horizons', motesProblem(target)],
    [
      'a prior',
      motesProblem(target, {
        parameters: [{ ...gravity, prior: { mean: -9, standardDeviation: 0.05 } }, { ...drag, initial: 0.4 }, vx],
      }),
    ],
    [
      'a given quantity, several starts',
      motesProblem(target, {
        parameters: [drag, { ...vx, range: [-1, 1] }],
        given: [{ name: 'zoom', field: 'world.zoom', value: 1, tolerance: 0.02 }],
        options: { search: { starts: 3 } },
      }),
    ],
    ['profiles', motesProblem(target, { options: { uncertainty: { intervals: 'profile', verify: true } } })],
  ])('have the numbers of an estimate, bit for bit: %s', async (_, problem) => {
    const whole = await estimate(problem, { device });
    const found = await search(problem, { device });
    const posterior = await infer(problem, found, { device });
    const names = Object.keys(whole.parameters);
    expect([...posterior.values.slice(0, names.length)]).toEqual(names.map((name) => whole.parameters[name].estimate));
    expect(posterior.uncertainty!.standardErrors.slice(0, names.length)).toEqual(
      names.map((name) => whole.parameters[name].standardError),
    );
    expect(posterior.fit).toEqual(whole.fit);
    expect(posterior.verification).toEqual(whole.verification);
    expect(posterior.search!.history.map(({ loss }) => loss)).toEqual(whole.history.map(({ loss }) => loss));
    expect(assess(problem, posterior)).toEqual(whole.verdict);
  });
});

/** Least squares of gravity and of the left mote's velocity along x, in closed form. */
function regression(target: Float64Array): { parameters: Record<string, number>; errors: Record<string, number> } {
  const [g, x] = [
    { s: 0, b: 0 },
    { s: 0, b: 0 },
  ];
  const dt = 1 / (RUN.frameRate * RUN.substeps);
  const decay = Math.exp(-TRUTH.drag * dt);
  const starts = [1, 2];
  // Positions are p0 + v0 a + g b, summed substep by substep as the model does.
  let [a, b, rate, fall] = [0, 0, 1, 0];
  for (let frame = 0; frame < RUN.frames; frame++) {
    for (let mote = 0; mote < 2; mote++) {
      const own = target[6 * frame + 3 * mote + 1] - 1 - starts[mote] * a;
      g.s += b * b;
      g.b += b * own;
    }
    x.s += a * a;
    x.b += a * target[6 * frame];
    for (let k = 0; k < RUN.substeps; k++) {
      rate *= decay;
      fall = fall * decay + dt;
      a += rate * dt;
      b += fall * dt;
    }
  }
  return {
    parameters: { gravity: g.b / g.s, vx: x.b / x.s },
    errors: { gravity: NOISE / Math.sqrt(g.s), vx: NOISE / Math.sqrt(x.s) },
  };
}

describe('an answer of another program', () => {
  it('is trusted at its values, and has the standard errors of the closed form to 35 % in the median of nine films', async () => {
    const ratios: number[] = [];
    for (let film = 0; film < 9; film++) {
      const seen = film === 0 ? target : await seenBy(motesModel(), NOISE, normal);
      const { parameters, errors } = regression(seen);
      const problem = motesProblem(seen, { parameters: [gravity, vx] });
      const posterior = await infer(problem, { parameters }, { device });
      expect(posterior.search).toBeNull();
      expect([...posterior.values]).toEqual([parameters.gravity, parameters.vx]);
      ratios.push(posterior.uncertainty!.standardErrors[0] / errors.gravity);
      if (film === 0) expect(assess(problem, posterior)).toMatchObject({ trusted: true, findings: [] });
    }
    expect(Math.abs(upperMedian(ratios) - 1)).toBeLessThan(0.35);
  });

  it('that is off by five standard errors is not trusted: it is at no minimum', async () => {
    const { parameters, errors } = regression(target);
    const off = { ...parameters, gravity: parameters.gravity + 5 * errors.gravity };
    const posterior = await infer(linear, { parameters: off }, { device });
    expect(posterior.values[0]).toBe(off.gravity);
    const { trusted, findings } = assess(linear, posterior);
    expect(trusted).toBe(false);
    expect(findings).toContainEqual(
      expect.objectContaining({ kind: 'no minimum', isCritical: true, unknowns: ['gravity'] }),
    );
  });

  it('has all properties that a check may need', async () => {
    const posterior = await infer(linear, { parameters: { gravity: -9.8 } }, { device });
    expect(Object.keys(posterior).sort()).toEqual([...POSTERIOR_PROPERTIES].sort());
  });

  it('leaves out unknowns that are to be where the search would start', async () => {
    const posterior = await infer(linear, { parameters: { gravity: -9.5 } }, { device });
    expect([...posterior.values]).toEqual([-9.5, vx.initial]);
  });

  it('without a sum of squared residuals has no uncertainty, and the verdict says so', async () => {
    const problem = motesProblem(target, { options: { search: { method: 'l-bfgs' } } });
    const posterior = await infer(problem, { parameters: { gravity: -9.8 } }, { device });
    expect(posterior.uncertainty).toBeNull();
    expect(assess(problem, posterior).findings.map(({ kind }) => kind)).toContain('no standard errors');
  });

  it('is refused for names, sizes and values that the problem does not have', async () => {
    await expect(infer(linear, { parameters: { mass: 1 } }, { device })).rejects.toThrowCode({
      code: 'optim/parameter-missing',
      values: ['mass'],
    });
    await expect(infer(linear, { parameters: { gravity: -25 } }, { device })).rejects.toThrowCode({
      code: 'optim/start-outside',
      values: [-25],
    });
    const found = await search(linear, { device });
    await expect(infer(motesProblem(target), found, { device })).rejects.toThrowCode({
      code: 'optim/other-problem',
      values: [2, 3],
    });
    const posterior = await infer(linear, found, { device });
    expect(() => assess(motesProblem(target), posterior)).toThrowCode({ code: 'optim/other-problem', values: [2, 3] });
  });
});
