// How often 95 % intervals hold the truth: random tosses, each filmed with noise of its own, estimated from starts a little
// off. One JSON line an unknown of a toss, one an unknown over all, and a summary.
// `--noise white` is drawn anew for each value; `mixed` (the default) is blurred over pixels too, and has an offset a frame.
import { contactOf } from '@gradsim/contact';
import { recordOf } from '@gradsim/core';
import { OBJECTS, randomToss, TOSS_TIMELINE, tossModel } from '@gradsim/examples';
import type { ParameterSpec } from '@gradsim/optim';
import { estimate, randomNumbers } from '@gradsim/optim';
import { layoutOf, Pixel } from '@gradsim/render';
import { Body } from '@gradsim/rigid';
import { benchOptions, print } from './support/options.ts';
import { pixelNoise } from './support/pixel-noise.ts';

const options = await benchOptions(['runs', 'from', 'size', 'seed', 'noise', 'deviation', 'off']);
const { device } = options;
const runs = options.number('runs', 200);
const from = options.number('from', 0);
const size = options.number('size', 48);
const seed = options.number('seed', 1);
const noise = options.text('noise', 'mixed');
const deviation = Number(options.text('deviation', '0.02'));
/**
 * Half width of the interval of initial values around the truth, in natural logarithm: they are drawn log-uniformly
 * within a factor exp(off).
 */
const off = Number(options.text('off', '0.1'));

const MATERIAL = ['ke', 'kd', 'kf', 'mu'] as const;
const { ke, kd, kf, mu } = contactOf(Body);
const FIELDS = { mass: Body.mass, ke, kd, kf, mu } as const;
const shapes = Object.keys(OBJECTS);

interface Counts {
  held: number;
  infinite: number;
  all: number;
  trusted: number;
  heldTrusted: number;
}
const countsByParameter = new Map<string, Counts>();
for (let run = from; run < from + runs; run++) {
  const random = randomNumbers(seed * 100_000 + run);
  const toss = randomToss(random, shapes[run % shapes.length], size);
  const model = tossModel(toss);
  const clean = await recordOf(model, Pixel.rgba, { device, ...TOSS_TIMELINE });
  const errors = pixelNoise(layoutOf(model), TOSS_TIMELINE.frames, noise, random);
  const truths = { mass: toss.mass, ...toss.material };
  const parameters = (['mass', ...MATERIAL] as const).map((name): ParameterSpec => {
    const initial = truths[name] * Math.exp(off * (2 * random() - 1));
    return {
      name,
      field: FIELDS[name],
      transform: 'log',
      truth: truths[name],
      initial,
      range: [truths[name] / 20, truths[name] * 20],
    };
  });
  const began = performance.now();
  const found = await estimate(
    {
      model,
      ...TOSS_TIMELINE,
      parameters,
      observations: [
        {
          field: Pixel.rgba,
          target: clean.map((value, k) => value + deviation * errors[k]),
          weights: [1, 1, 1, 0],
        },
      ],
      options: { search: { horizons: [0.4, 1], hops: 8, iterations: 40 } },
    },
    { device },
  );
  const seconds = (performance.now() - began) / 1000;
  const { trusted, findings } = found.verdict;
  for (const [parameter, { estimate: value, standardError, interval, truth }] of Object.entries(found.parameters)) {
    const isHeld = interval![0] <= truth! && truth! <= interval![1];
    const counts = countsByParameter.get(parameter) ?? { held: 0, infinite: 0, all: 0, trusted: 0, heldTrusted: 0 };
    countsByParameter.set(parameter, counts);
    counts.all++;
    if (isHeld) counts.held++;
    if (trusted) counts.trusted++;
    if (trusted && isHeld) counts.heldTrusted++;
    if (!Number.isFinite(standardError)) counts.infinite++;
    print({
      bench: 'coverage',
      run,
      shape: shapes[run % shapes.length],
      parameter,
      truth,
      estimate: value,
      standardError,
      interval,
      isHeld,
      trusted,
      findings: findings.map(({ kind }) => kind),
      seconds,
    });
  }
}
const shares = [...countsByParameter].map(([parameter, { held, infinite, all, trusted, heldTrusted }]) => ({
  parameter,
  coverage: held / all,
  coverageOfTrusted: heldTrusted / trusted,
  trusted,
  infinite,
}));
for (const share of shares) print({ bench: 'coverage', device: device.kind, noise, runs, ...share });
print({
  bench: 'coverage',
  summary: true,
  device: device.kind,
  noise,
  deviation,
  size,
  runs,
  least: Math.min(...shares.map(({ coverage }) => coverage)),
  largest: Math.max(...shares.map(({ coverage }) => coverage)),
  met: shares.every(({ coverage }) => coverage >= 0.9 && coverage <= 0.99),
});
