// Mass and contact material together, from video: random tosses of five shapes, each with starting values drawn anew from
// the whole range.

import { median } from '@gradsim/base';
import { contactOf } from '@gradsim/contact';
import { OBJECTS, randomToss, TOSS_TIMELINE, tossModel } from '@gradsim/examples';
import { filmModel } from '@gradsim/film';
import type { ParameterSpec } from '@gradsim/optim';
import { estimate, randomNumbers } from '@gradsim/optim';
import { Body } from '@gradsim/rigid';
import { benchOptions, print } from './support/options.ts';

const options = await benchOptions(['tosses', 'first', 'size', 'seed', 'scan', 'starts', 'hops', 'iterations']);
const { device } = options;
const tosses = options.number('tosses', 20);
const first = options.number('first', 0);
const size = options.number('size', 64);
const seed = options.number('seed', 1);

/** Unknowns, with the ranges from which initial values are drawn log-uniformly. */
const RANGES = { mass: [0.5, 12], ke: [1, 500], kd: [1, 500], kf: [1, 500], mu: [0.2, 1] } as const;
type Name = keyof typeof RANGES;
const { ke, kd, kf, mu } = contactOf(Body);
const FIELDS = { mass: Body.mass, ke, kd, kf, mu } as const;
/**
 * Growing horizons of the fit, as fractions of the film: the flight, the first contact, then more and more of the rest.
 */
const HORIZONS = [0.2, 0.3, 0.45, 0.7, 1];
const names = Object.keys(RANGES) as Name[];
const errors: Record<Name, number[]> = { mass: [], ke: [], kd: [], kf: [], mu: [] };
let kdLeast = 0;

for (let k = first; k < first + tosses; k++) {
  const random = randomNumbers(seed * 1000 + k);
  const shape = Object.keys(OBJECTS)[k % Object.keys(OBJECTS).length];
  const toss = randomToss(random, shape, size);
  const model = tossModel(toss);
  const film = await filmModel(model, TOSS_TIMELINE, { device });
  const truth: Record<Name, number> = { mass: toss.mass, ...toss.material };
  const parameters = names.map((name): ParameterSpec => {
    const [low, high] = RANGES[name];
    return {
      name,
      field: FIELDS[name],
      transform: 'log',
      range: [low, high],
      initial: low * (high / low) ** random(),
    };
  });
  const began = performance.now();
  const cpu = process.cpuUsage();
  const result = await estimate(
    {
      model,
      ...TOSS_TIMELINE,
      parameters,
      observations: [film.observation],
      options: {
        search: {
          horizons: HORIZONS,
          iterations: options.number('iterations', 40),
          scan: options.number('scan', 32),
          starts: options.number('starts', 1),
          hops: options.number('hops', 1),
          seed: k + 1,
        },
      },
    },
    { device },
  );
  const seconds = (performance.now() - began) / 1000;
  // What it takes where nothing else runs.
  const cpuSeconds = process.cpuUsage(cpu).user / 1e6;
  const relativeError = Object.fromEntries(
    names.map((name) => [name, Math.abs(result.parameters[name].estimate / truth[name] - 1)]),
  ) as Record<Name, number>;
  for (const name of names) errors[name].push(relativeError[name]);
  if (result.leastDetermined === 'kd') kdLeast++;
  print({
    bench: 'contact',
    device: device.kind,
    toss: k,
    shape,
    truth,
    initial: Object.fromEntries(parameters.map((p) => [p.name, p.initial])),
    relativeError,
    loss: result.loss,
    leastDetermined: result.leastDetermined,
    undetermined: result.undetermined.map((u) => u.note),
    seconds,
    cpuSeconds,
    iterations: result.history.length,
  });
}
print({
  bench: 'contact',
  summary: true,
  device: device.kind,
  tosses,
  ...Object.fromEntries(names.map((name) => [name, median(errors[name])])),
  kdLeastDetermined: kdLeast,
});
