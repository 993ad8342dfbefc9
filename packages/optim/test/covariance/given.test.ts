import { f64Device } from '@gradsim/core';
import type { Estimate, GivenSpec, Problem, TieSpec } from '@gradsim/optim';
import { estimate, search } from '@gradsim/optim';
import { describe, expect, it } from 'vitest';
import { draws, normalNumbers, randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';

import { drag, gravity, motesModel, motesProblem, motesStarts, RUN, seenBy, TRUTH, vx } from '../motes.ts';

const device = f64Device();
const model = motesModel();
/** Number of estimates for a share, each from a new draw. */
const DRAWS = draws(10, 400);
const random = randomNumbers(seedOfRun('given quantities', 11));
const normal = normalNumbers(random);
/** Standard deviation of the target's noise, m. */
const NOISE = 0.002;

const zoom = (tolerance: number): GivenSpec => ({ name: 'zoom', field: 'world.zoom', value: 1, tolerance });

/** Noisy film of the motes, seen through a zoom of `times` the given one. */
async function seenThrough(times: number): Promise<Float64Array> {
  const clean = await seenBy(model);
  return clean.map((value) => times * value + NOISE * normal());
}
const free = (target: Float64Array, given: GivenSpec[]): Problem =>
  motesProblem(target, { parameters: [gravity, ...motesStarts], given });

describe('a given quantity', () => {
  it('adds its tolerance in quadrature to the standard error of gravity, and is named, as it contributes most of that', async () => {
    const target = await seenThrough(1);
    const exact = await estimate(free(target, []), { device });
    const { parameters, given, verdict } = await estimate(free(target, [zoom(0.01)]), { device });
    const own = exact.parameters.gravity.standardError!;
    // Gravity goes as 1 / zoom.
    const part = 0.01 * Math.abs(TRUTH.gravity);
    expect(parameters.gravity.standardError! / Math.hypot(own, part)).toBeCloseTo(1, 2);
    expect(parameters.gravity.ofGiven!.zoom / part).toBeCloseTo(1, 2);
    expect(parameters.gravity.estimate / exact.parameters.gravity.estimate).toBeCloseTo(1, 6);
    expect(Object.keys(parameters)).toEqual(Object.keys(exact.parameters));
    expect(given.zoom).toMatchObject({ value: 1, tolerance: 0.01, unit: '' });
    expect(given.zoom.standardError! / 0.01).toBeCloseTo(1, 2);
    expect(verdict.trusted).toBe(true);
    const [finding] = verdict.findings.filter(
      ({ kind, unknowns }) => kind === 'tolerance' && unknowns![0] === 'gravity',
    );
    expect(finding.note).toContain('tolerance of zoom: 0.098 of the 0.098 m/s2 of gravity');
    expect(verdict.findings.filter(({ kind }) => kind === 'priors')).toEqual([]);
  });

  it('that starts away from its measured value is kept there by the search, and ends where it ends from that value', async () => {
    const target = await seenBy(model, NOISE, normal);
    const measured: GivenSpec = { name: 'drag', field: 'motes.drag', value: TRUTH.drag, tolerance: 0.05 };
    const problem = motesProblem(target, { parameters: [gravity, vx], given: [measured] });
    const started = { ...problem, model: motesModel(0.6), given: [{ ...measured, start: 0.6 }] };
    const kept = await search(started, { device });
    const alone = await search({ ...started, given: [] }, { device });
    expect(kept.parameters.gravity).toBeCloseTo(alone.parameters.gravity, 6);
    const [plain, moved] = [await estimate(problem, { device }), await estimate(started, { device })];
    expect(moved.parameters.gravity.estimate).toBeCloseTo(plain.parameters.gravity.estimate, 5);
    expect(moved.given.drag.estimate).toBeCloseTo(plain.given.drag.estimate, 5);
    expect(moved.given.drag.value).toBe(TRUTH.drag);
    await expect(estimate({ ...started, model }, { device })).rejects.toThrow(
      'has the value 0.6, and the model has 0.5',
    );
  });

  it('that the film determines far from its measured value makes no other minimum of the other starts', async () => {
    const problem = motesProblem(await seenThrough(1.1), {
      parameters: [drag, { ...vx, range: [-1, 1] }],
      given: [zoom(0.2)],
    });
    const options = { search: { method: 'levenberg-marquardt', starts: 3, horizons: [1] } } as const;
    const { given, verdict } = await estimate({ ...problem, options }, { device });
    expect(Math.abs(given.zoom.estimate - 1)).toBeGreaterThan(10 * given.zoom.standardError!);
    expect(verdict.findings.filter(({ kind }) => kind === 'other minimum')).toEqual([]);
  });

  it('adds a search of its own to the allowed iterations; iteration numbers never exceed the reported total', async () => {
    const problem = motesProblem(await seenThrough(1.2), { given: [zoom(0.01)] });
    const options = { search: { method: 'levenberg-marquardt', iterations: 2, horizons: [1] } } as const;
    const told: [iteration: number, of: number][] = [];
    const onIteration = ({ iteration }: { readonly iteration: number }, of: number): unknown =>
      told.push([iteration, of]);
    await estimate({ ...problem, options }, { device, onIteration });
    expect(told.length).toBeGreaterThan(3);
    expect(told.filter(([iteration, of]) => iteration > of)).toEqual([]);
  });

  it('leads to 95 % intervals that contain the truth in at least 85 % of draws if its errors are as large as its tolerance', async () => {
    let held = 0;
    for (let draw = 0; draw < DRAWS; draw++) {
      const target = await seenThrough(1 + 0.01 * normal());
      const { parameters, verdict } = await estimate(free(target, [zoom(0.01)]), { device });
      expect(verdict.findings.filter(({ isCritical }) => isCritical)).toEqual([]);
      const [low, high] = parameters.gravity.interval!;
      held += Number(low <= TRUTH.gravity && TRUTH.gravity <= high);
    }
    expect(held / DRAWS).toBeGreaterThanOrEqual(0.85);
  });

  it('is estimated by observations that determine it; if they contradict it, it is named and the result distrusted', async () => {
    // The starts of the motes are known, so observations determine the zoom.
    const known = (target: Float64Array, tolerance: number): Problem =>
      motesProblem(target, { given: [zoom(tolerance)] });
    const right = await estimate(known(await seenThrough(1.01), 0.01), { device });
    expect(right.verdict.trusted).toBe(true);
    expect(Math.abs(right.given.zoom.estimate - 1.01) / right.given.zoom.standardError!).toBeLessThan(4);
    expect(right.given.zoom.standardError!).toBeLessThan(0.002);
    const { parameters } = right;
    for (const [name, truth] of Object.entries({ gravity: TRUTH.gravity, drag: TRUTH.drag, vx: TRUTH.vx }))
      expect(Math.abs(parameters[name].estimate - truth) / parameters[name].standardError!).toBeLessThan(4);

    const wrong = await estimate(known(await seenThrough(1.2), 0.01), { device });
    expect(wrong.verdict.trusted).toBe(false);
    const [finding] = wrong.verdict.findings.filter(({ kind }) => kind === 'against given');
    expect(finding.note).toMatch(
      /^zoom was given as 1(\.000)? ± 0\.01, .* a larger value, at least \d+ tolerances away/,
    );
  });

  it('sets several fields by ties, and derived values use it by name', async () => {
    const target = await seenThrough(1);
    const { parameters, derived, given } = await estimate(
      motesProblem(target, {
        parameters: [drag, vx],
        given: [{ name: 'scale', value: 1, tolerance: 0.02 }],
        ties: [
          { field: 'world.zoom', compute: ({ scale }) => scale },
          { field: 'world.gravity', components: [1], compute: ({ scale }) => TRUTH.gravity * scale },
        ],
        derived: {
          'scaled drag': { compute: ({ drag: of, scale }) => of * scale },
          'twice vx': { compute: (v) => 2 * v.vx },
        },
      }),
      { device },
    );
    expect(given.scale.standardError!).toBeLessThan(0.01);
    const bound = parameters.vx.bound!;
    expect(derived['twice vx'].bound! / (2 * bound)).toBeCloseTo(1, 6);
    expect(bound).toBeGreaterThan(0);
    expect(derived['scaled drag'].from).toEqual(['drag', 'scale']);
    expect(derived['scaled drag'].estimate).toBeCloseTo(parameters.drag.estimate * given.scale.estimate, 12);
  });

  it('with a tolerance of 1e-9 leaves estimates and standard errors as without it, to a thousandth of the errors', async () => {
    const target = await seenThrough(1);
    const exact = await estimate(motesProblem(target), { device });
    const { parameters, history, given } = await estimate(motesProblem(target, { given: [zoom(1e-9)] }), { device });
    for (const name of Object.keys(exact.parameters)) {
      const { estimate: value, standardError } = exact.parameters[name];
      expect(Math.abs(parameters[name].estimate - value) / standardError!).toBeLessThan(1e-3);
      expect(parameters[name].standardError! / standardError!).toBeCloseTo(1, 3);
    }
    expect(given.zoom.estimate).toBeCloseTo(1, 7);
    // One log of both parts, which reports the unknowns only.
    expect(history.map(({ iteration }) => iteration)).toEqual([...history.keys()]);
    for (const line of history) expect(Object.keys(line.parameters)).toEqual(['gravity', 'drag', 'vx']);
  });

  it('is refused with tolerance 0, another value than in the model, no effect, a taken name, L-BFGS, or an unknown without a derivative', async () => {
    const target = await seenBy(model);
    const refused = (rest: Partial<Problem>) => expect(estimate(motesProblem(target, rest), { device })).rejects;
    await refused({ given: [zoom(0)] }).toThrowCode({
      code: 'optim/tolerance-out-of-range',
      values: ['The given quantity zoom'],
    });
    await refused({ given: [{ ...zoom(0.1), value: 2 }] }).toThrowCode({
      code: 'optim/other-value-given',
      field: 'world.zoom',
      values: [2, 1],
    });
    await refused({
      given: [{ name: 'scale', value: 1, tolerance: 0.1 }],
      ties: [{ field: 'world.zoom', compute: ({ scale }) => 2 * scale }],
    }).toMatchObject({
      code: 'optim/other-value-given',
      message: expect.stringMatching(
        /^At the given values the tie of world\.zoom gives 2, and the model has 1 in world\.zoom\./,
      ),
    });
    await refused({ given: [{ name: 'zoom', value: 1, tolerance: 1 }] }).toThrowCode({
      code: 'optim/idle-parameter',
      values: ['zoom'],
    });
    await refused({ given: [{ ...zoom(1), name: 'gravity' }] }).toThrowCode({
      code: 'optim/name-taken',
      values: ['gravity'],
    });
    await refused({ given: [zoom(1)], options: { search: { method: 'l-bfgs' } } }).toThrowCode('optim/given-not-with');
    await refused({
      given: [zoom(1)],
      parameters: [{ ...gravity, derivative: 'none' }, vx],
    }).toThrowCode({ code: 'optim/given-not-with', values: ['`given`', "`derivative: 'none'`"] });
  });

  it('does not prevent distrust of a result above the loss that an earlier search reached', async () => {
    const target = await seenThrough(1);
    const first = await estimate(motesProblem(target), { device });
    const again = (times: number): Promise<Estimate> => {
      const search = { method: 'levenberg-marquardt', reached: times * first.parts.observations } as const;
      return estimate(motesProblem(target, { given: [zoom(0.01)], options: { search } }), { device });
    };
    expect((await again(1)).verdict.trusted).toBe(true);
    const { verdict } = await again(0.5);
    expect(verdict.trusted).toBe(false);
    expect(verdict.findings[0]).toMatchObject({ kind: 'other minimum', isCritical: true });
    expect(verdict.findings[0].note).toMatch(/^An earlier search from this start reached the loss \d/);
  });

  it('leaves no other minimum where priors, weighed anew as residuals are correlated, move the fit off the observations', async () => {
    const clean = await seenBy(model);
    const coordinates = clean.length / RUN.frames;
    const phases = Array.from({ length: coordinates }, () => 2 * Math.PI * random());
    // An error that turns twice in the film and that no unknown explains: neighbouring frames show the same.
    const target = clean.map((value, at) => {
      const turned = (4 * Math.PI * Math.floor(at / coordinates)) / RUN.frames + phases[at % coordinates];
      return value + 10 * NOISE * Math.sin(turned) + 0.1 * NOISE * normal();
    });
    const prior = { mean: TRUTH.drag - 0.24, standardDeviation: 0.03 };
    const problem = motesProblem(target, { parameters: [gravity, { ...drag, prior }, vx], given: [zoom(0.01)] });
    const { history, verdict } = await estimate(problem, { device });
    // Proves that the fit moves: the search, to which all residuals are independent, ends further from the prior.
    const drags = history.map(({ parameters }) => parameters.drag);
    expect(Math.max(...drags.slice(-8)) - drags.at(-1)!).toBeGreaterThan(0.03);
    expect(verdict.findings.filter(({ kind }) => kind === 'other minimum')).toEqual([]);
  });

  it('and four others that observations shift one way, each by less than 3 tolerances, make a result distrusted; right ones do not', async () => {
    // Seen through one zoom after the other: what was seen tells their product.
    const zooms = ['first', 'second', 'third', 'fourth', 'fifth'].map((name) => ({ name, value: 1, tolerance: 0.01 }));
    const product: TieSpec = { field: 'world.zoom', compute: (v) => zooms.reduce((all, { name }) => all * v[name], 1) };
    const known = { given: zooms, ties: [product] };
    const at = async (zoom: number): Promise<Estimate> =>
      estimate(motesProblem(await seenThrough(zoom), known), { device });
    const off = await at(1.1);
    for (const { name } of zooms) expect(Math.abs(off.given[name].estimate - 1)).toBeLessThan(0.03);
    const [finding] = off.verdict.findings;
    expect(finding).toMatchObject({ kind: 'against given', isCritical: true });
    expect(finding.note).toMatch(/^The observations shift several quantities .*: \w+ by \+1\.\d, \w+ by \+1/);
    let distrusted = 0;
    for (let draw = 0; draw < DRAWS; draw++) {
      const right = await at(zooms.reduce((all) => all * (1 + 0.01 * normal()), 1));
      distrusted += Number(!right.verdict.trusted);
    }
    console.log(`given quantities that are right: ${distrusted} of ${DRAWS} distrusted`);
    expect(distrusted / DRAWS).toBeLessThan(0.01);
  });
});
