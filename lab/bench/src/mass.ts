// Mass from video with a known impulse: five shapes, twenty starts each from 0.1 to 10 times the truth.
// `--renderer softras` (the default), `dibr` or the path of a module draws; `--frames png` takes the frames through 8-bit PNG; the default keeps them as floats, as the paper does.

import { median } from '@gradsim/base';
import { OBJECTS, randomToss, rendererOf, TOSS_TIMELINE, tossModel } from '@gradsim/examples';
import { filmModel } from '@gradsim/film';
import { estimate, randomNumbers } from '@gradsim/optim';
import { Body } from '@gradsim/rigid';
import { benchOptions, print } from './support/options.ts';

const options = await benchOptions(['starts', 'size', 'seed', 'frames', 'shape', 'renderer']);
const { device } = options;
const starts = options.number('starts', 20);
const size = options.number('size', 64);
const seed = options.number('seed', 1);
const isPng = options.text('frames', 'float') === 'png';
const rendererName = options.text('renderer', 'softras');
const renderer = await rendererOf(rendererName);
const only = options.text('shape', '');

const errors: number[] = [];
const times: number[] = [];
for (const [k, shape] of Object.keys(OBJECTS).entries()) {
  if (only && only !== shape) continue;
  const random = randomNumbers(seed * 1000 + k);
  const toss = randomToss(random, shape, size);
  const model = tossModel(toss, { renderer });
  const filmed = await filmModel(model, TOSS_TIMELINE, { device });
  const film = isPng ? await filmed.in8Bits() : filmed;
  for (let start = 0; start < starts; start++) {
    const factor = 10 ** (-1 + 2 * random());
    const initial = toss.mass * factor;
    const began = performance.now();
    const cpu = process.cpuUsage();
    const range = [initial / 30, initial * 30] as const;
    const { problem } = film.stage(model, {
      name: 'mass',
      parameters: [{ name: 'mass', field: Body.mass, transform: 'log', initial, range }],
      options: { search: { horizons: [0.3, 1], scan: 64, hops: 8 } },
    });
    const result = await estimate(problem, { device });
    const seconds = (performance.now() - began) / 1000;
    // What it takes where nothing else runs.
    const cpuSeconds = process.cpuUsage(cpu).user / 1e6;
    const { estimate: mass, standardError } = result.parameters.mass;
    const relativeError = Math.abs(mass / toss.mass - 1);
    errors.push(relativeError);
    times.push(seconds);
    print({
      bench: 'mass',
      device: device.kind,
      renderer: rendererName,
      frames: isPng ? 'png' : 'float',
      shape,
      start,
      factor,
      mass,
      truth: toss.mass,
      standardError,
      relativeError,
      seconds,
      cpuSeconds,
      iterations: result.history.length,
    });
  }
}
print({
  bench: 'mass',
  summary: true,
  device: device.kind,
  renderer: rendererName,
  frames: isPng ? 'png' : 'float',
  runs: errors.length,
  within1e5: errors.filter((e) => e <= 1e-5).length,
  median: median(errors),
  worst: Math.max(...errors),
  medianSeconds: median(times),
  slowestSeconds: Math.max(...times),
});
