import { median } from '@gradsim/base';
import type { Device } from '@gradsim/core';
import { recordOf } from '@gradsim/core';
import type { Run, SettingsContext, SettingValues, Stage, Strip } from '@gradsim/optim';
import { picturesOf, wholeSetting } from '@gradsim/optim';
import { colorRows, layoutOf, Pixel } from '@gradsim/render';
import { timelines } from '../task.ts';
import type { GoalWorld } from './goals.ts';
import { IMAGE, reachingGear, SIZE } from './policy.ts';
import { REACH_DEFAULTS, reachTraining, unseenErrors, unseenGoals } from './train.ts';

/** Settings of the experiment, by `--set seed=2`: `seed`, `iterations`, `worlds`, `batch`, `unseen`. */
export const REACH_SETTINGS = {
  seed: wholeSetting(REACH_DEFAULTS.seed),
  iterations: wholeSetting(REACH_DEFAULTS.iterations),
  worlds: wholeSetting(REACH_DEFAULTS.worlds),
  batch: wholeSetting(REACH_DEFAULTS.batch),
  unseen: wholeSetting(REACH_DEFAULTS.unseen),
};
type ReachContext = SettingsContext<SettingValues<typeof REACH_SETTINGS>>;
/** Ratio of the film's resolution to that of the goal's image, across and down. */
const DRAWING_FACTOR = 2;

type Weights = Readonly<Record<string, ArrayLike<number>>>;

/** Returns the only stage of the experiment. */
export async function reachStages({ settings, device }: ReachContext): Promise<Stage[]> {
  const { unseen, ...training } = settings;
  if (training.batch > training.worlds)
    throw new Error(
      `The setting batch is ${training.batch}, and there are ${training.worlds} worlds: an iteration runs at most all of them.`,
    );
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

/** Renders the whole run to a goal, with the goal's image beside every frame. */
async function filmOf(weights: Weights, goal: GoalWorld, device: Device): Promise<Strip> {
  const { model } = reachingGear(1, weights, DRAWING_FACTOR * SIZE);
  const { film } = timelines(3, 1920);
  const rgba = await recordOf(model, Pixel.rgba, { device, ...film, values: goal, onWarning: () => {} });
  const layout = layoutOf(model);
  const { width, height, pixels } = layout;
  const target = Float32Array.from({ length: 3 * pixels }, (_, k) => {
    const pixel = Math.floor(k / 3);
    const [x, y] = [pixel % width, Math.floor(pixel / width)].map((at) => Math.floor(at / DRAWING_FACTOR));
    return goal[IMAGE][SIZE * y + x];
  });
  const frames = [...Array(film.frames).keys()];
  const estimate = picturesOf(colorRows(layout, rgba), film.frames);
  return { width, height, frames, target: () => target, estimate };
}

/** The run with the initial, untrained weights. */
export const reachMotion = ({ settings }: ReachContext): Run => ({
  model: reachingGear(settings.seed).model,
  ...timelines(3, 1920).film,
});
