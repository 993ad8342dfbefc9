// Controllers that were trained over many worlds, tried on starts and goals that training has not seen: a line each.
//
// --policies swing-up-angles,swing-up-pixels,reach-any; --train yes trains them anew, as the experiments do by default,
// and keeps what it finds in apps/examples/policies (without, the weights that are there are tried); --seed, --unseen and,
// with --train yes, --iterations.

import { existsSync, writeFileSync } from 'node:fs';
import { median } from '@gradsim/base';
import type { Device } from '@gradsim/core';
import type { PolicyWeights, StoredPolicy } from '@gradsim/examples';
import {
  heldUprightOf,
  packWeights,
  pendulumModel,
  policyFile,
  REACH_DEFAULTS,
  reachTraining,
  SWING_SIGHTS,
  storedWeights,
  unseenErrors,
} from '@gradsim/examples';
import type { Problem } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { benchOptions, print } from './support/options.ts';

const options = await benchOptions(['policies', 'train', 'seed', 'unseen', 'iterations']);
const { device } = options;
const all: readonly StoredPolicy[] = ['swing-up-angles', 'swing-up-pixels', 'reach-any'];
const asked = options.text('policies', all.join(',')).split(',');
const isTrained = options.text('train', 'no') === 'yes';
const seed = options.number('seed', 1);

interface Policy {
  readonly experiment: string;
  readonly problem: (device: Device) => Promise<Problem>;
  readonly tried: (weights: PolicyWeights) => Promise<Readonly<Record<string, unknown>>>;
}

/** Number of iterations from the command line; by default `usual`. */
const iterations = (usual: number): number => options.number('iterations', usual);

const swing = (sees: keyof typeof SWING_SIGHTS): Policy => {
  const { controller, training, iterations: usual, worlds } = SWING_SIGHTS[sees];
  return {
    experiment: 'swing-up',
    problem: (on) => training({ seed, iterations: iterations(usual), worlds }, on),
    tried: async (weights) => {
      const unseen = options.number('unseen', 50);
      const { held, medianDistance } = await heldUprightOf(pendulumModel([controller({})]), weights, {
        device,
        unseen,
        seed,
      });
      return { sees, unseen, held, error: medianDistance };
    },
  };
};

const POLICIES: Readonly<Record<StoredPolicy, Policy>> = {
  'swing-up-angles': swing('angles'),
  'swing-up-pixels': swing('pixels'),
  'reach-any': {
    experiment: 'reach-any',
    problem: (on) => reachTraining({ ...REACH_DEFAULTS, seed, iterations: iterations(REACH_DEFAULTS.iterations) }, on),
    tried: async (weights) => {
      const unseen = options.number('unseen', REACH_DEFAULTS.unseen);
      const errors = await unseenErrors(weights, { device, unseen, seed });
      return { unseen, error: median(errors), worst: Math.max(...errors) };
    },
  },
};

/** Trains a controller, writes its weights to a file, and returns figures of the training. */
async function trained(name: StoredPolicy): Promise<Readonly<Record<string, number>>> {
  const { arrays, history, seconds } = await estimate(await POLICIES[name].problem(device), { device });
  const weights = Object.fromEntries(Object.entries(arrays).map(([key, array]) => [key, array.estimate]));
  writeFileSync(policyFile(name), packWeights(weights));
  return { iterations: history.length - 1, trainingSeconds: seconds.run };
}

for (const name of all.filter((policy) => asked.includes(policy))) {
  const { experiment, tried } = POLICIES[name];
  const training = isTrained ? await trained(name) : {};
  if (!existsSync(policyFile(name))) {
    print({
      bench: 'policies',
      experiment,
      policy: name,
      skipped: 'no weights are kept; train with --train yes',
    });
    continue;
  }
  // What is kept is in single precision, and that is what is tried.
  const found = await tried(storedWeights(name));
  print({ bench: 'policies', experiment, seed, ...training, ...found });
}
device.dispose();
