// Plans of motions for logs of an arm: standard errors foretold beside those found from logs of the motion by a simulator
// that shares no code with the packages, and those of a chirp. A JSON line an arm, and a summary. `--count 20`, `--seed 1`.
import { median } from '@gradsim/base';
import { drawFrom } from './robots/draw.ts';
import { planTrial } from './robots/plan.ts';
import { benchOptions, print } from './support/options.ts';

const options = await benchOptions(['count', 'seed']);
options.device.dispose();
const [count, seed] = [options.number('count', 20), options.number('seed', 1)];
/** Factor within which a standard error counts as foretold. */
const KEPT = 1.5;
const all: {
  readonly ratios: number[];
  readonly chirp: number;
  readonly taken: number;
  readonly determined: number;
}[] = [];
for (let k = 0; k < count; k++) {
  const { bars, trusted, taken } = await planTrial(drawFrom(1000 * seed + k));
  const ratios = bars.map(({ foretold, found }) => found / foretold);
  const logs = bars.flatMap(({ chirp, found }) => (chirp === null ? [] : [Math.log(chirp / found)]));
  const chirp = Math.exp(logs.reduce((sum, x) => sum + x, 0) / logs.length);
  all.push({ ratios, chirp, taken, determined: logs.length / bars.length });
  print({
    bench: 'robot-plans',
    arm: k,
    trusted,
    taken,
    foundOverForetold: median(ratios),
    chirpOverPlan: chirp,
    bars,
  });
}
const isKept = (ratio: number): boolean => ratio < KEPT && ratio > 1 / KEPT;
print({
  bench: 'robot-plans',
  summary: true,
  seed,
  count,
  keptInMedian: all.filter(({ ratios }) => isKept(median(ratios))).length,
  barsKept: all.flatMap(({ ratios }) => ratios).filter(isKept).length / all.flatMap(({ ratios }) => ratios).length,
  chirpTwiceAsLarge: all.filter(({ chirp }) => chirp >= 2).length,
  chirpOverPlan: median(all.map(({ chirp }) => chirp)),
  determinedByChirp: median(all.map(({ determined }) => determined)),
  withinBounds: all.filter(({ taken }) => taken <= 1).length,
});
