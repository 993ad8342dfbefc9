import type { SettingsContext, SettingValues } from '@gradsim/optim';
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

/** Control problem of the smoke for the given settings: its goal, and numbers of steps, sweeps and iterations. */
async function controlOf({
  settings,
  video,
  signal,
}: SettingsContext<SettingValues<typeof SETTINGS>>): Promise<SmokeControl> {
  const goal = video === undefined ? ringGoal(settings.size) : await goalFrom(video, signal);
  return { goal, ...settings };
}

/**
 * Finds the initial velocity field, both components, with which smoke becomes a picture: that of `--video`, whose
 * brightness is the target density, or a ring. Initially the smoke fills the last third of the rows, at rest. Settings:
 * `size` of the ring's picture, `steps`, `sweeps` of the pressure solver, `iterations`.
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
