// Gradients that explode are reported with their horizon, and the best point is kept.
import type { Model } from '@gradsim/core';
import { buildModel, column, cpuDevice, createScene, defineComponent, definePlugin, f32, kernel } from '@gradsim/core';
import type { Problem } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { afterAll, expect, test } from 'vitest';

const device = cpuDevice();
afterAll(() => device.dispose());

// A pencil on its tip: its lean grows by (1 + rate dt) a substep, and it starts without lean, so it stands.
const Pencil = defineComponent('pencils', {
  lean: column(f32, { default: 0 }),
  rate: column(f32, { default: 0, unit: '1/s' }),
});
const fall = kernel(
  'fall',
  { domain: 'pencils', reads: { lean: f32, rate: f32 }, writes: { lean: f32 } },
  ({ lean, rate }, { dt }) => ({ lean: lean.add(lean.mul(rate).mul(dt)) }),
);
const look = kernel(
  'look',
  { domain: 'pencils', reads: { lean: f32, rate: f32 }, writes: { seen: f32, quick: f32 } },
  ({ lean, rate }) => ({ seen: lean, quick: rate }),
);
const pencils = definePlugin({
  name: 'pencils',
  contract: 1,
  components: [Pencil],
  build: ({ model }) => {
    for (const name of ['seen', 'quick']) model.addField('pencils', name, f32, { fill: 0 });
    model.addPass('integrate', fall);
    model.addPass('observe', look);
  },
});
function pencil(rate: number): Model {
  const scene = createScene([pencils]);
  scene.add(Pencil, { rate });
  return buildModel(scene);
}

const RUN = { frames: 2, frameRate: 1, substeps: 1000 } as const;
const standing = { name: 'lean', field: 'pencils.lean', initial: 0, range: [0, 1], scale: 1 } as const;

/** Problem whose loss is (rate - 10)^2 plus the lean. */
const problem = (rate: number): Problem => ({
  model: pencil(rate),
  ...RUN,
  parameters: [standing, { name: 'rate', field: 'pencils.rate', initial: rate, scale: 1 }],
  losses: [
    {
      name: 'rate and lean',
      recordedFields: { seen: 'pencils.seen', quick: 'pencils.quick' },
      evaluate: ({ seen, quick }) => ({
        value: (quick[1] - 10) ** 2 + seen[1],
        gradient: { seen: [0, 1], quick: [0, 2 * (quick[1] - 10)] },
      }),
    },
  ],
  options: { search: { method: 'l-bfgs', iterations: 20, attainable: 0 } },
});

test('a gradient over 1000 times longer than at the start yields a finding, not critical, with the substeps that it takes; the minimum is kept', async () => {
  const { parameters, verdict, loss } = await estimate(problem(1), { device });
  expect(parameters.rate.estimate).toBeCloseTo(10, 3);
  expect(parameters.lean.estimate).toBe(0);
  expect(loss).toBeLessThan(1e-6);
  const [found] = verdict.findings.filter(({ kind }) => kind === 'exploding gradients');
  expect(found.isCritical).toBe(false);
  // At the start it is (-18, 1.001^1000). That of the lean is (1 + rate / 1000)^n after n substeps; the point at which
  // it exploded is not known beforehand, so the horizon is compared with the reported factor.
  const usual = Math.hypot(18, 1.001 ** 1000);
  const [, times, substeps] = /it is (\S+) times as long .* over (\d+) of 1000 substeps/.exec(found.note)!;
  expect(Number(times)).toBeGreaterThan(1e3);
  const rate = 1000 * ((Number(times) * usual) ** (1 / 1000) - 1);
  const passes = Math.log(1e3 * usual) / Math.log(1 + rate / 1000);
  expect(Math.abs(Number(substeps) - passes)).toBeLessThan(20);
});

test('a gradient that is not finite at the start is refused with the number of substeps after which it overflows', async () => {
  // In single precision numbers end at 3.4e38, which 1.2^n passes after 487 substeps.
  const passes = Math.log(3.4e38) / Math.log(1.2);
  const error = await estimate(problem(200), { device }).then(
    () => new Error('It was not refused.'),
    (thrown: Error) => thrown,
  );
  const [, substeps] = /at the start it is not finite\. It does over (\d+) of 1000 substeps/.exec(error.message)!;
  expect(Math.abs(Number(substeps) - passes)).toBeLessThan(10);
});

test('gradients of a stable search are not reported as exploding', async () => {
  const calm = { ...problem(9), options: { search: { method: 'l-bfgs', iterations: 20, attainable: 0 } } } as const;
  const { verdict } = await estimate(calm, { device });
  expect(verdict.findings.map(({ kind }) => kind)).not.toContain('exploding gradients');
});
