// The walker, the gear and the thrown cloth, each brought to its goal from one image, from the state, and not at all
// (random weights): a line a run, then medians; and what a network adds to a substep.
//
// --experiments walker,gear,cloth-throw,network, --goals image,state,random, --seeds 6 (cloth: at most 5), --iterations
// and --size of pictures (default: of each experiment). --targets DIR: the goals are the pictures in there,
// target_img_walker.png, target_img_fem_gear.png and target_img_cloth.png.
// --check yes: instead, the gradient of the loss on the picture against central differences in doubles, along --directions
// random ones (default 2), after a sixteenth, a quarter and all of the run.

import { join } from 'node:path';
import { median } from '@gradsim/base';
import { createSimulation } from '@gradsim/core';
import type { ControlName, ControlTask, Reached } from '@gradsim/examples';
import { CONTROL_TASKS, goalOf, reach, targetOf } from '@gradsim/examples';
import { gradientChecks } from './control/gradient-check.ts';
import { networkCost } from './control/network-cost.ts';
import { benchOptions, least, print, timesMs } from './support/options.ts';

const options = await benchOptions([
  'experiments',
  'goals',
  'seeds',
  'iterations',
  'size',
  'targets',
  'check',
  'directions',
]);
const { device } = options;
const names = Object.keys(CONTROL_TASKS) as ControlName[];
const list = (name: string, otherwise: string): string[] => options.text(name, otherwise).split(',');
const experiments = list('experiments', [...names, 'network'].join(','));
const goals = list('goals', 'image,state,random');
const seeds = options.number('seeds', 6);
const bench = 'control';

/** Iterations after which medians are printed, besides the last one. */
const MARKS: Readonly<Record<ControlName, readonly number[]>> = {
  walker: [3],
  gear: [20],
  'cloth-throw': [20, 50],
};

/** File names of the goal pictures in the folder given by `--targets`. */
const TARGETS: Readonly<Record<ControlName, string>> = {
  walker: 'target_img_walker.png',
  gear: 'target_img_fem_gear.png',
  'cloth-throw': 'target_img_cloth.png',
};
const targets = options.text('targets', '');

/** True if only the gradients are checked, in double precision, without any optimisation. */
const isCheck = options.text('check', 'no') === 'yes';

/**
 * Measures a forward and backward run of the simulation alone, s, without rendering or loss: the adjoint of the final
 * positions is given.
 */
async function bareSeconds({ model, timeline, arrays }: ControlTask): Promise<number> {
  const parameters = arrays.map(({ field }) => field);
  const simulation = await createSimulation(model, {
    device,
    ...timeline,
    parameters,
    outputs: ['particles.position'],
    onWarning: () => {},
  });
  const adjoint = new Float64Array(3 * model.domain('particles').size).fill(1);
  const times = await timesMs(3, 1, async () => {
    simulation.forward();
    simulation.backward({ 'particles.position': adjoint });
    await simulation.gradient(parameters[0]);
  });
  simulation.dispose();
  return least(times) / 1000;
}

/** Error after a number of iterations; infinite if unknown. */
const at = (errors: readonly (number | null)[], iteration: number): number =>
  errors[Math.min(iteration, errors.length - 1)] ?? Number.POSITIVE_INFINITY;

for (const experiment of names.filter((name) => experiments.includes(name))) {
  const { make, iterations: usual, size: usualSize } = CONTROL_TASKS[experiment];
  const size = options.number('size', usualSize);
  const iterations = options.number('iterations', usual);
  const count = experiment === 'cloth-throw' ? Math.min(seeds, 5) : seeds;
  const found = new Map<string, Reached[]>();
  let bare = Number.POSITIVE_INFINITY;
  for (let seed = 1; seed <= count; seed++) {
    const usual = make({ seed, size });
    const { task, goal, ...fit } = targets
      ? await targetOf(usual, join(targets, TARGETS[experiment]), device)
      : { task: usual, goal: await goalOf(usual, device) };
    if (isCheck) {
      const along = { directions: options.number('directions', 2), seed };
      for await (const check of gradientChecks(task, goal, along)) print({ bench, experiment, seed, ...check });
      continue;
    }
    if (targets) print({ bench, experiment, seed, target: TARGETS[experiment], centre: goal.centre, ...fit });
    bare = Math.min(bare, await bareSeconds(task));
    for (const by of goals) {
      const supervision = by === 'state' ? 'state' : 'image';
      const reached = await reach(task, goal, supervision, by === 'random' ? 0 : iterations, device);
      found.set(by, [...(found.get(by) ?? []), reached]);
      const { errors, losses, secondsPerIteration } = reached;
      print({
        bench,
        experiment,
        seed,
        goal: by,
        size,
        iterations: errors.length - 1,
        start: errors[0],
        error: errors[errors.length - 1],
        ...(targets ? { startLoss: losses[0], loss: losses[losses.length - 1] } : {}),
        ...Object.fromEntries(MARKS[experiment].map((mark) => [`error${mark}`, at(errors, mark)])),
        ...(by === 'random' ? {} : { secondsPerIteration }),
      });
    }
  }
  for (const [by, all] of found) {
    const seconds = median(all.map(({ secondsPerIteration }) => secondsPerIteration));
    const quickest = least(all.map(({ leastSeconds }) => leastSeconds));
    print({
      bench,
      experiment,
      summary: true,
      goal: by,
      runs: all.length,
      median: median(all.map(({ errors }) => at(errors, errors.length - 1))),
      ...Object.fromEntries(
        MARKS[experiment].map((mark) => [`median${mark}`, median(all.map(({ errors }) => at(errors, mark)))]),
      ),
      ...(experiment === 'walker' && by !== 'random'
        ? { withinAHundredthAfter3: all.filter(({ errors }) => at(errors, 3) <= at(errors, 0) / 100).length }
        : {}),
      ...(by === 'random'
        ? {}
        : {
            secondsPerIteration: seconds,
            leastSeconds: quickest,
            bareSeconds: bare,
            timesBare: quickest / bare,
          }),
    });
  }
}
if (experiments.includes('network')) print({ bench, experiment: 'network', ...(await networkCost(device)) });
device.dispose();
