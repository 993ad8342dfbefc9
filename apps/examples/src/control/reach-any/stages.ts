import type { Device } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import { median } from '@gradsim/numeric';
import type { ExperimentContext, Run, Stage, Strip } from '@gradsim/optim';
import { layoutOf, toRows } from '@gradsim/render';
import { numberSetting, refuseUnknownSettings } from '../../scenes/settings.ts';
import { timelines } from '../task.ts';
import type { GoalWorld } from './goals.ts';
import { IMAGE, reachingGear, SIZE } from './policy.ts';
import { REACH_DEFAULTS, reachTraining, unseenErrors, unseenGoals } from './train.ts';

const SETTINGS = ['seed', 'iterations', 'worlds', 'batch', 'unseen'] as const;
/** Pixels of the film for each of the goal's image. */
const FINER = 2;

type Weights = Readonly<Record<string, ArrayLike<number>>>;

function settingsOf(settings: ExperimentContext['settings']) {
  refuseUnknownSettings('reach-any', settings, SETTINGS);
  const whole = (name: (typeof SETTINGS)[number]): number =>
    numberSetting(settings, name, { otherwise: REACH_DEFAULTS[name], least: 1, whole: true });
  const found = {
    seed: whole('seed'),
    iterations: whole('iterations'),
    worlds: whole('worlds'),
    batch: whole('batch'),
    unseen: whole('unseen'),
  };
  if (found.batch > found.worlds)
    throw new Error(
      `The setting batch is ${found.batch}, and there are ${found.worlds} worlds: an iteration runs at most all of them.`,
    );
  return found;
}

/** The stage of the experiment: `--set seed=2`, `iterations=40`, `worlds=64`, `batch=8`, `unseen=20`. */
export async function reachStages({
  settings,
  device,
}: Pick<ExperimentContext, 'settings' | 'device'>): Promise<Stage[]> {
  const { unseen, ...training } = settingsOf(settings);
  const { seed } = training;
  const weightsOf = (arrays: Readonly<Record<string, { readonly estimate: Float64Array }>>): Weights =>
    Object.fromEntries(Object.entries(arrays).map(([key, { estimate }]) => [key, estimate]));
  return [
    {
      name: 'many goals',
      problem: await reachTraining(training, device),
      notes: async ({ arrays }) => {
        const errors = await unseenErrors(weightsOf(arrays), { device, unseen, seed });
        return [
          `On ${unseen} goals that training has not seen it ends ${median(errors).toPrecision(2)} m^2 off (median; mean over x, y and z of the squared distance of the centre of mass), at worst ${Math.max(...errors).toPrecision(2)} m^2.`,
        ];
      },
      strip: async ({ arrays }) => {
        const [goal] = await unseenGoals({ device, unseen: 1, seed });
        return filmOf(weightsOf(arrays), goal, device);
      },
    },
  ];
}

/** The whole run to a goal, with the image of it that the controller sees beside every frame. */
async function filmOf(weights: Weights, goal: GoalWorld, device: Device): Promise<Strip> {
  const { model } = reachingGear(1, weights, FINER * SIZE);
  const { film } = timelines(3, 1920);
  const simulation = await createSimulation(model, {
    device,
    ...film,
    record: ['pixels.rgba'],
    onWarning: () => {},
  });
  try {
    for (const [key, values] of Object.entries(goal)) simulation.set(key, values);
    simulation.forward();
    const layout = layoutOf(model);
    const { width, height, pixels } = layout;
    const rows = toRows(layout, await simulation.readFrames('pixels.rgba'), 4);
    const shown = Float32Array.from(
      { length: 3 * pixels * film.frames },
      (_, k) => rows[4 * Math.floor(k / 3) + (k % 3)],
    );
    const target = Float32Array.from({ length: shown.length }, (_, k) => {
      const pixel = Math.floor(k / 3) % pixels;
      const [x, y] = [pixel % width, Math.floor(pixel / width)].map((at) => Math.floor(at / FINER));
      return goal[IMAGE][SIZE * y + x];
    });
    return { width, height, frames: [...Array(film.frames).keys()], target, estimate: shown };
  } finally {
    simulation.dispose();
  }
}

/** What moves at the weights to begin with. */
export function reachMotion({ settings }: Pick<ExperimentContext, 'settings'>): Run {
  return { model: reachingGear(settingsOf(settings).seed).model, ...timelines(3, 1920).film };
}
