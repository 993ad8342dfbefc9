import {
  buildModel,
  column,
  createScene,
  createSimulation,
  defineComponent,
  definePlugin,
  f32,
  f64Device,
  kernel,
  perWorld,
  sin,
} from '@gradsim/core';
import type { Estimate, EstimateOptions, ParameterSpec, Problem } from '@gradsim/optim';
import { defineCheck, estimate } from '@gradsim/optim';
import { beforeEach, describe, expect, it } from 'vitest';
import { normalNumbers, randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';
import { LINE, lineModel, lineParameters, PIXELS } from '../line.ts';
import { drag, gravity, motesModel, motesProblem, seenBy, TRUTH } from '../motes.ts';

const device = f64Device();
const model = lineModel();
const SEED = seedOfRun('verdict', 4);
/** Noise of a test, the same whichever tests run before it. */
let normal: () => number;
beforeEach(() => {
  normal = normalNumbers(randomNumbers(SEED));
});
const clean = await shown();
const noisy = (target: ArrayLike<number>): Float64Array =>
  Float64Array.from({ length: target.length }, (_, k) => target[k] + 0.02 * normal());

async function shown(): Promise<Float64Array> {
  const simulation = await createSimulation(model, { device, ...LINE, record: ['pixels.light'] });
  simulation.forward();
  const seen = await simulation.readFrames('pixels.light');
  simulation.dispose();
  return seen;
}
const judged = (target: ArrayLike<number>, rest: Partial<Problem> = {}): Promise<Estimate> =>
  estimate(
    {
      model,
      ...LINE,
      parameters: lineParameters(0.1),
      observations: [{ field: 'pixels.light', target: noisy(target) }],
      ...rest,
    },
    { device },
  );
const critical = ({ verdict }: Estimate): string[] =>
  verdict.findings.filter(({ isCritical }) => isCritical).map(({ kind }) => kind);

describe('a result', () => {
  it('is distrusted if a check of the problem returns a critical finding, not if it returns another or none', async () => {
    const asked: number[] = [];
    const check = (isCritical: boolean) =>
      defineCheck({
        kind: 'check',
        rank: 80,
        isCritical,
        needs: [],
        fields: ['world.centre'],
        find: ({ predicted }) => {
          asked.push(predicted['world.centre'].length);
          return [{ note: 'It is another light.' }];
        },
      });
    const none = defineCheck({ kind: 'check', rank: 80, isCritical: true, needs: ['fit'], find: () => [] });
    const fine = await judged(clean, { options: { checks: [none] } });
    expect(fine.verdict.trusted).toBe(true);
    const told = await judged(clean, { options: { checks: [check(false)] } });
    expect(told.verdict).toMatchObject({
      trusted: true,
      findings: [{ kind: 'check', isCritical: false, note: 'It is another light.' }],
    });
    const found = await judged(clean, { options: { checks: [check(true)] } });
    expect(critical(found)).toEqual(['check']);
    expect(asked).toEqual([LINE.frames, LINE.frames]);
  });

  it('with two noisy frames is distrusted for some frames, unless their residuals are within the stated noise', async () => {
    const spoilt = noisy(clean);
    for (const frame of [10, 11]) for (let k = 0; k < PIXELS; k++) spoilt[frame * PIXELS + k] += 0.5 * normal();
    const watched = (noise?: number): Promise<Estimate> =>
      judged(clean, { observations: [{ field: 'pixels.light', target: spoilt, noise }] });
    expect(critical(await watched())).toContain('some frames');
    expect(critical(await watched(0.5))).not.toContain('some frames');
  });

  it('is trusted without findings if model, start and noise are right, and reports explained share, overlap and noise', async () => {
    const { verdict, fit, stopped } = await judged(clean);
    expect(verdict).toMatchObject({ trusted: true, findings: [] });
    expect(stopped).toBe('tolerance');
    const [observation] = fit!.observations;
    expect(observation.explained).toBeGreaterThan(0.99);
    expect(observation.overlap!.end).toBeGreaterThan(0.9);
    // Most values are of pixels that the light does not reach, so the noise is theirs: 0.02.
    expect(observation.noise).toBeGreaterThan(0.018);
    expect(observation.noise).toBeLessThan(0.03);
    expect(observation.residuals).toHaveLength(LINE.frames);
    expect(fit!.values).toBe(clean.length);
    expect(fit!.independent).toBeGreaterThan(clean.length / 4);
  });

  it('without overlap of model and target is distrusted, though the search ends by its tolerance', async () => {
    const away = lineParameters().map((spec) => (spec.name === 'centre' ? { ...spec, initial: -300 } : spec));
    const found = await judged(clean, { parameters: away });
    expect(found.stopped).toBe('tolerance');
    expect(found.verdict.trusted).toBe(false);
    expect(found.verdict.findings[0]).toMatchObject({ kind: 'no overlap', isCritical: true });
    expect(found.fit!.observations[0].overlap!.end).toBeLessThan(0.05);
  });

  it('is distrusted if something else moves in view', async () => {
    // Another light, as bright, that goes up and down at the other end.
    const other = clean.map((value, at) => {
      const d = (at % PIXELS) - 35 - 3 * Math.sin(Math.floor(at / PIXELS) / 4);
      return Math.floor(at / PIXELS) < 30 ? value + Math.exp(-(d * d) / 9) : value;
    });
    expect((await judged(other)).verdict.trusted).toBe(false);
  });

  it('is distrusted if 12 frames in the middle were dropped', async () => {
    const dropped = clean.map((_, at) => {
      const frame = Math.floor(at / PIXELS);
      const from = frame < 20 ? frame : Math.min(frame + 12, LINE.frames - 1);
      return clean[from * PIXELS + (at % PIXELS)];
    });
    expect((await judged(dropped)).verdict.trusted).toBe(false);
  });

  it('has a critical finding if the search stops after its only allowed iteration', async () => {
    const found = await judged(clean, { parameters: lineParameters(0.5), options: { search: { iterations: 1 } } });
    expect(found.stopped).toBe('iterations');
    expect(critical(found)).toContain('unfinished');
  });

  it('from states with a motion that the model lacks is distrusted, with a critical finding of residuals beyond noise', async () => {
    const seen = await seenBy(motesModel(), 0.001, normal);
    // The motes rise again: nothing in the model throws them.
    const wrong = seen.map((value, k) => (k % 3 === 1 ? value + 0.1 * Math.sin(k / 18) : value));
    const found = await estimate(motesProblem(wrong), { device });
    expect(found.verdict.trusted).toBe(false);
    expect(critical(found)).toContain('beyond noise');
  });
});

describe('the range of an unknown', () => {
  const narrow: readonly ParameterSpec[] = [
    { ...gravity, range: [-8, -1] },
    { ...drag, transform: 'log', range: [0.01, 5] },
  ];
  const METHODS: readonly EstimateOptions[] = [
    { search: { method: 'levenberg-marquardt' } },
    { search: { method: 'levenberg-marquardt', starts: 3, scan: 20, hops: 2 } },
    { search: { method: 'l-bfgs' } },
    { search: { method: 'adam', learningRate: 0.2, iterations: 300 } },
    { search: { method: 'sgd', learningRate: 0.2, iterations: 300 } },
  ];
  it.each(METHODS)('is never left by the search, and named as limiting at its end: %j', async (options) => {
    const target = await seenBy(motesModel(), 0.01, normal);
    const found = await estimate(
      motesProblem(target, { parameters: narrow, options: { ...options, uncertainty: { standardErrors: true } } }),
      {
        device,
      },
    );
    for (const { parameters } of found.history) {
      expect(parameters.gravity).toBeGreaterThanOrEqual(-8);
      expect(parameters.drag).toBeGreaterThanOrEqual(0.01);
    }
    // The truth, -9.81, lies beyond: the end of the range is the best value, and it is named.
    expect(TRUTH.gravity).toBeLessThan(-8);
    expect(found.parameters.gravity.estimate).toBe(-8);
    expect(found.parameters.gravity.determinedBy).toBe('range');
    const finding = found.verdict.findings.find(({ kind }) => kind === 'range')!;
    expect(finding.isCritical).toBe(true);
    expect(finding.unknowns).toContain('gravity');
  });

  it('is named if the interval of the unknown covers more than half of it', async () => {
    const target = await seenBy(motesModel(), 0.05, normal);
    const estimated = (spec: Partial<ParameterSpec>): Promise<Estimate> =>
      estimate(motesProblem(target, { parameters: [gravity, { ...drag, ...spec }] }), { device });
    const { interval, estimate: initial } = (await estimated({})).parameters.drag;
    const [low, high] = interval!;
    const foundWith = async (margin: number): Promise<string | undefined> => {
      const range = [low - margin * (high - low), high + margin * (high - low)] as const;
      const { verdict } = await estimated({ initial, range, transform: 'identity' });
      return verdict.findings.find(({ kind, isCritical }) => kind === 'range' && !isCritical)?.note;
    };
    expect(await foundWith(0.2)).toMatch(
      /hardly determine drag: its 95 % interval is [\d.]+ to [\d.]+, and it may only be/,
    );
    expect(await foundWith(2)).toBeUndefined();
    expect(await foundWith(-0.2)).toMatch(/do not determine drag: its 95 % interval is all that it may be/);
  });
});

// Ten marks, each observed at a place that depends on one number of the world.
const Mark = defineComponent('marks', { weight: column(f32, { default: 1 }) });
const markModel = (look: ReturnType<typeof square>) => {
  const scene = createScene([
    definePlugin({
      name: 'marks',
      contract: 1,
      components: [Mark],
      build: ({ model: own }) => {
        own.addField('world', 'root', f32, { fill: 1 });
        own.addField('marks', 'seen', f32);
        own.addPass('observe', look);
      },
    }),
  ]);
  for (let k = 0; k < 10; k++) scene.add(Mark, { weight: 1 + k / 10 });
  return buildModel(scene);
};
const marks = {
  domain: 'marks',
  reads: { weight: f32, root: perWorld(f32) },
  writes: { seen: f32 },
} as const;
const square = () => kernel('square', marks, ({ weight, root }) => ({ seen: root.mul(root).mul(weight) }));
const ripple = () =>
  kernel('ripple', marks, ({ weight, root }) => ({
    seen: root.add(sin(root.mul(weight).mul(1e7)).mul(1e-3)),
  }));
const MARKS = { frames: 4, frameRate: 10, substeps: 1 } as const;

it('if another start reaches an equally good minimum, a critical finding says so', async () => {
  const target = Array.from({ length: 40 }, (_, k) => 4 * (1 + (k % 10) / 10) + 0.01 * normal());
  const found = await estimate(
    {
      model: markModel(square()),
      ...MARKS,
      parameters: [{ name: 'root', field: 'world.root', initial: 1, range: [-5, 5] }],
      observations: [{ field: 'marks.seen', target }],
      options: { search: { starts: 6 } },
    },
    { device },
  );
  // (-2)^2 = 2^2.
  expect(Math.abs(found.parameters.root.estimate)).toBeCloseTo(2, 1);
  expect(critical(found)).toEqual(['other minimum']);
});

describe('a loss with minima at a spacing of 1.3', () => {
  const waves = () =>
    kernel('waves', marks, ({ weight, root }) => ({
      seen: sin(root.mul(5)).mul(weight).add(root.mul(0.3)),
    }));
  const searched = async (options: EstimateOptions): Promise<Estimate> => {
    // The same film for each search, whatever runs before it.
    const noise = normalNumbers(randomNumbers(SEED));
    const target = Array.from(
      { length: 40 },
      (_, k) => Math.sin(5 * 2.2) * (1 + (k % 10) / 10) + 0.3 * 2.2 + 0.002 * noise(),
    );
    return estimate(
      {
        model: markModel(waves()),
        ...MARKS,
        parameters: [{ name: 'root', field: 'world.root', initial: -9, range: [-10, 10] }],
        observations: [{ field: 'marks.seen', target }],
        options,
      },
      { device },
    );
  };
  const likely = ({ verdict }: Estimate): boolean[] =>
    verdict.findings.flatMap(({ note, isCritical }) => (/better (one|place).*likely/.test(note) ? [isCritical] : []));

  it('where each of 4 starts finds another minimum, a finding that is not critical says that a better one is likely', async () => {
    expect(likely(await searched({ search: { starts: 4 } }))).toEqual([false]);
  });
  it('after a single hop that ends at a wrong minimum yields a critical finding that a better one is likely', async () => {
    const found = await searched({ search: { hops: 1 } });
    expect(Math.abs(found.parameters.root.estimate - 2.2)).toBeGreaterThan(0.5);
    expect(likely(found)).toEqual([true]);
  });
  it('is solved with `scan: 64, starts: 4, hops: 6`, without a finding that a better minimum is likely', async () => {
    const found = await searched({ search: { scan: 64, starts: 4, hops: 6 } });
    expect(found.parameters.root.estimate).toBeCloseTo(2.2, 1);
    expect(likely(found)).toEqual([]);
  });
});

it('derivatives that do not predict changes of the residuals yield an infinite standard error and a critical finding', async () => {
  // A ripple of a thousandth whose slope is ten thousand.
  const target = Array.from({ length: 40 }, () => 1.5 + 0.01 * normal());
  const found = await estimate(
    {
      model: markModel(ripple()),
      ...MARKS,
      parameters: [{ name: 'root', field: 'world.root', initial: 1.4 }],
      observations: [{ field: 'marks.seen', target }],
    },
    { device },
  );
  expect(found.parameters.root).toMatchObject({
    standardError: Number.POSITIVE_INFINITY,
    determinedBy: 'nothing',
  });
  expect(critical(found)).toContain('false derivatives');
});
