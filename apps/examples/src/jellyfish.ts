import type { ExperimentContext, Stage } from '@gradsim/optim';
import { defineExperiment } from '@gradsim/optim';
import { filmOf } from './control/film.ts';
import type { JellyfishTask } from './control/jellyfish-task.ts';
import { jellyfishTask } from './control/jellyfish-task.ts';
import { numberSetting, refuseUnknownSettings } from './scenes/settings.ts';

/** See [control](../../../docs/control.md). */
export default defineExperiment({
  name: 'jellyfish',
  description: 'A bell of hinges that are driven swims upwards.',
  stages: ({ settings, device }): Stage[] => {
    const { task, iterations } = given(settings);
    const { model, film, arrays, loss, goal } = task;
    return [
      {
        name: 'jellyfish',
        problem: {
          model,
          ...film,
          arrays,
          losses: [loss],
          goal,
          options: { method: 'adam', iterations, learningRate: 0.03, tolerance: 0 },
        },
        strip: async ({ arrays: found }) => ({
          ...(await filmOf(task, device, found)),
          target: (await filmOf(task, device)).estimate,
        }),
        notes: () => [
          'What is called the target in the frames is the bell with the weights that the search begins with.',
        ],
      },
    ];
  },
  motion: ({ settings }) => {
    const { model, film } = given(settings).task;
    return { model, ...film };
  },
});

function given(settings: ExperimentContext['settings']): { task: JellyfishTask; iterations: number } {
  refuseUnknownSettings('jellyfish', settings, ['seed', 'size', 'iterations']);
  const whole = (name: string, otherwise: number): number =>
    numberSetting(settings, name, { otherwise, least: 1, whole: true });
  const task = jellyfishTask({ seed: whole('seed', 1), size: whole('size', 96) });
  return { task, iterations: whole('iterations', 100) };
}
