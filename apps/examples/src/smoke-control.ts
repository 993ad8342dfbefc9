import type { SettingValues, SettledContext } from '@gradsim/optim';
import { defineExperiment, wholeSetting } from '@gradsim/optim';
import type { SmokeControl } from './smoke/control.ts';
import { smokeControlProblem } from './smoke/control.ts';
import { smokeGoalFrames, smokeStrip } from './smoke/film.ts';
import { goalFrom, ringGoal } from './smoke/goal.ts';

const SETTINGS = {
  size: wholeSetting(64, { least: 8 }),
  steps: wholeSetting(99),
  sweeps: wholeSetting(6),
  iterations: wholeSetting(150),
};

/** The smoke, and the picture that it is to become. */
async function controlOf({
  settings,
  video,
  signal,
}: SettledContext<SettingValues<typeof SETTINGS>>): Promise<SmokeControl> {
  const goal = video === undefined ? ringGoal(settings.size) : await goalFrom(video, signal);
  return { goal, ...settings };
}

/**
 * Both initial velocity fields of smoke, so that it becomes a picture: `--video` names the picture (its brightness is the
 * density that is wanted), a ring unless given. The smoke begins in the last third of the rows, at rest. Settings: `size` of
 * the ring's picture, `steps`, `sweeps` of the pressure, `iterations`.
 */
export default defineExperiment({
  name: 'smoke-control',
  description: 'Velocities that make smoke become a picture.',
  settings: SETTINGS,
  stages: async (context) => {
    const control = await controlOf(context);
    return [
      {
        name: 'smoke-control',
        problem: smokeControlProblem(control),
        strip: ({ arrays }) => smokeStrip(control, arrays.velocity.estimate, context.device),
      },
    ];
  },
  // At rest nothing moves: what is shown is the goal that the smoke is to become, after the smoke as it begins.
  render: async (context) => smokeGoalFrames(await controlOf(context), context.device),
});
