// Materials found from films of known truth: the modulus of a jelly, the friction angle of a heap, the viscosity of a
// drop, of material points in two dimensions. Films are drawn as metaballs with noise, estimates compare areas. A line a
// case, and the number within two standard errors: `--count 6` of each, `--seed 1` of truths and noise, `--of jelly`.
import { MOTION as drop } from '@gradsim/examples/drop';
import { MOTION as heap } from '@gradsim/examples/heap';
import { MOTION as jelly } from '@gradsim/examples/jelly';
import { filmStageOf } from '@gradsim/examples/material-points/stage';
import { estimate } from '@gradsim/optim';
import { Random, seedOf } from '@gradsim/random-programs';
import { benchOptions, chosenNames, print } from './support/options.ts';

/** Motions, and the range of their truths. */
const MOTIONS = { jelly: [jelly, 8e3, 2.4e4], heap: [heap, 0.35, 0.75], drop: [drop, 4, 16] } as const;

const options = await benchOptions(['count', 'seed', 'of']);
const { device } = options;
const [count, seed] = [options.number('count', 6), options.number('seed', 1)];
const names = Object.keys(MOTIONS) as (keyof typeof MOTIONS)[];
const of = options.text('of', '');
let [within, all] = [0, 0];
for (const name of of ? chosenNames('of', of, names) : names) {
  const [motion, low, high] = MOTIONS[name];
  for (let k = 0; k < count; k++) {
    const own = seedOf(seed, k);
    const truth = new Random(own).between(low, high);
    const began = performance.now();
    const parameter = { ...motion.parameter, truth };
    const { problem } = await filmStageOf({ ...motion, parameter }, own, device);
    const { parameters, verdict } = await estimate(problem, { device });
    const { estimate: value, standardError } = parameters[parameter.name];
    const errors = standardError ? (value - truth) / standardError : null;
    all++;
    if (errors !== null && Math.abs(errors) <= 2) within++;
    print({
      bench: 'mpm-films',
      case: name,
      seed: own,
      truth,
      estimate: value,
      standardError,
      errors,
      trusted: verdict.trusted,
      findings: verdict.findings.filter(({ isCritical }) => isCritical).map(({ note }) => note),
      seconds: Math.round(performance.now() - began) / 1000,
    });
  }
}
print({ bench: 'mpm-films', seed, cases: all, within });
device.dispose();
