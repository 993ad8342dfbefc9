import {
  buildModel,
  column,
  createScene,
  defineComponent,
  definePlugin,
  f32,
  f64Device,
  kernel,
  perWorld,
} from '@gradsim/core';
import type { Estimate, Finding, Problem } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { describe, expect, it } from 'vitest';
import { normalNumbers, randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';
import { motesProblem, RUN, TRUTH } from '../motes.ts';

const device = f64Device();
const normal = normalNumbers(randomNumbers(seedOfRun('verify', 5)));
const findingsOf = ({ verdict }: Estimate, kind: Finding['kind']): Finding[] =>
  verdict.findings.filter((finding) => finding.kind === kind);

/**
 * Positions of both motes from the closed form of a fall with linear drag, without substeps: x' = v e^(-d t); with
 * noise of the given standard deviation.
 */
function inClosedForm(noise: number): Float64Array {
  const { gravity: g, drag: d } = TRUTH;
  const starts = [
    { x: 0, u: TRUTH.vx, v: 1 },
    { x: 0.5, u: -0.2, v: 2 },
  ];
  return Float64Array.from({ length: RUN.frames * 6 }, (_, at) => {
    const t = Math.floor(at / 6) / RUN.frameRate;
    const { x, u, v } = starts[Math.floor(at / 3) % 2];
    const moved = (1 - Math.exp(-d * t)) / d;
    const place = [x + u * moved, 1 + (g / d) * t + (v - g / d) * moved, 0][at % 3];
    return place + noise * normal();
  });
}

describe('verification with half the substep', () => {
  it('yields a critical finding with old and new values if it moves the estimate by more than its standard error', async () => {
    const problem = motesProblem(inClosedForm(1e-4));
    const found = await estimate({ ...problem, options: { uncertainty: { verify: true } } }, { device });
    const finer = await estimate({ ...problem, substeps: 2 * RUN.substeps }, { device });
    const [{ refined, parameters }] = found.verification;
    expect(refined).toBe('substep');
    for (const [name, { estimate: value, standardError }] of Object.entries(finer.parameters))
      expect(Math.abs(parameters![name] - value)).toBeLessThan(0.01 * standardError!);
    const [finding] = findingsOf(found, 'substep');
    expect(finding).toMatchObject({ isCritical: true });
    expect(finding.unknowns).toContain('gravity');
    expect(finding.note).toContain(parameters!.gravity.toPrecision(3));
    expect(finding.note).toContain(found.parameters.gravity.estimate.toPrecision(3));
    expect(found.verdict.trusted).toBe(false);
  });

  it('yields no finding if the standard error is larger than the change', async () => {
    const problem = motesProblem(inClosedForm(0.3), { options: { uncertainty: { verify: true } } });
    const found = await estimate(problem, { device });
    expect(found.verification).toHaveLength(1);
    expect(findingsOf(found, 'substep')).toEqual([]);
  });

  it('is not done unless requested', async () => {
    expect((await estimate(motesProblem(inClosedForm(1e-4)), { device })).verification).toEqual([]);
  });

  it('is refused without standard errors', async () => {
    const problem = motesProblem(inClosedForm(0), {
      options: { search: { method: 'l-bfgs' }, uncertainty: { verify: true } },
    });
    await expect(estimate(problem, { device })).rejects.toThrowCode({
      code: 'optim/hessian-missing',
      values: ['`verify`', '`uncertainty: { standardErrors: true }`'],
    });
  });
});

const Weight = defineComponent('weights', { load: column(f32, { unit: 'N' }) });
/**
 * Kernel for the sag of a bar under weights, discretised into `cells` linear cells, whose relative error is -1 /
 * cells^2.
 */
const hang = kernel(
  'hang',
  {
    domain: 'weights',
    reads: { load: f32, stiffness: perWorld(f32), cells: perWorld(f32) },
    writes: { sag: f32 },
  },
  ({ load, stiffness, cells }) => ({
    sag: load.div(stiffness).mul(cells.mul(cells).sub(1)).div(cells.mul(cells)),
  }),
);
function bar(cells: number, target: ArrayLike<number>, name = 'stiffness'): Problem {
  const scene = createScene([
    definePlugin({
      name: 'bar',
      contract: 1,
      components: [Weight],
      build: ({ model }) => {
        model.addField('world', 'stiffness', f32, { fill: 10 });
        model.addField('world', 'cells', f32, { fill: cells });
        model.addField('weights', 'sag', f32);
        model.addPass('observe', hang);
      },
    }),
  ]);
  for (let k = 1; k <= 30; k++) scene.add(Weight, { load: k });
  return {
    model: buildModel(scene),
    frames: 2,
    frameRate: 1,
    substeps: 1,
    parameters: [{ name, field: 'world.stiffness', transform: 'log', initial: 8, unit: 'N/m' }],
    observations: [{ field: 'weights.sag', target }],
    refined: (times) => bar(times * cells, target),
    options: { uncertainty: { verify: true } },
  };
}

describe('verification with a finer mesh', () => {
  // The bar itself, of stiffness 12.
  const sags = (noise: number): number[] =>
    Array.from({ length: 60 }, (_, k) => (1 + (k % 30)) / 12 + noise * normal());

  it('yields a finding if it moves the estimate by more than its standard error', async () => {
    const found = await estimate(bar(2, sags(0.01)), { device });
    expect(found.verification.map(({ refined }) => refined)).toEqual(['substep', 'mesh']);
    // 12 (1 - 1/4) on two cells, 12 (1 - 1/16) on four.
    expect(found.parameters.stiffness.estimate).toBeCloseTo(9, 1);
    expect(found.verification[1].parameters!.stiffness).toBeCloseTo(11.25, 1);
    expect(findingsOf(found, 'mesh')).toHaveLength(1);
    expect(findingsOf(found, 'substep')).toEqual([]);
  });
  it('yields no finding if the estimate moves by less than its standard error', async () => {
    expect(findingsOf(await estimate(bar(40, sags(0.01)), { device }), 'mesh')).toEqual([]);
  });
  it('is refused if the finer problem has another parameter', async () => {
    const other = { ...bar(2, sags(0)), refined: () => bar(4, sags(0), 'modulus') };
    await expect(estimate(other, { device })).rejects.toThrowCode({
      code: 'optim/other-parameters',
      values: ['modulus'],
    });
  });
});
