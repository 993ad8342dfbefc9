import { defineExperiment, wholeSetting } from '@gradsim/optim';
import { filmOf } from './control/film.ts';
import { jellyfishTask } from './control/jellyfish-task.ts';

/** The experiment `jellyfish` of [control](../../../docs/guide/control.md). */
export default defineExperiment({
  name: 'jellyfish',
  description: 'A bell of hinges that are driven swims upwards.',
  settings: { seed: wholeSetting(1), size: wholeSetting(96), iterations: wholeSetting(100) },
  film: 'own',
  stages: ({ settings, device }) => {
    const task = jellyfishTask(settings);
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
          options: { search: { method: 'adam', iterations: settings.iterations, learningRate: 0.03, tolerance: 0 } },
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
    const { model, film } = jellyfishTask(settings);
    return { model, ...film };
  },
});
