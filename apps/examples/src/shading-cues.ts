import type { ExperimentContext, Stage } from '@gradsim/optim';
import { defineExperiment } from '@gradsim/optim';
import { rendererOf } from './scenes/renderers.ts';
import { numberSetting, refuseUnknownSettings } from './scenes/settings.ts';
import { CUE_DEFAULTS, cueProblem, descentOf, FOUND } from './shading-cues/descent.ts';
import { LOOKS, THROW } from './shading-cues/thrown.ts';
import { filmStrip } from './soft/film.ts';

/**
 * What shading and texture tell: the mass of a thrown body of one grey, by plain gradient descent from the same start with
 * the same step size, from films that show its colour alone, light on it, or a texture. `--set instance=N` draws another
 * throw, `renderer`, `size` and `iterations` as elsewhere; `npm run -s bench -- shading-cues` draws curves over many.
 */
export default defineExperiment({
  name: 'shading-cues',
  description: 'The mass of a thrown body by colour only, by shading, and by texture, by plain gradient descent.',
  stages: async ({ settings, device }: ExperimentContext): Promise<Stage[]> => {
    refuseUnknownSettings('shading-cues', settings, ['instance', 'renderer', 'size', 'iterations']);
    const whole = (name: string, otherwise: number, least = 1): number =>
      numberSetting(settings, name, { otherwise, least, whole: true });
    const options = {
      ...CUE_DEFAULTS,
      renderer: await rendererOf(settings.renderer),
      size: whole('size', CUE_DEFAULTS.size),
      iterations: whole('iterations', CUE_DEFAULTS.iterations),
    };
    const instance = whole('instance', 1, 0);
    return Promise.all(
      LOOKS.map(async (look): Promise<Stage> => {
        const problem = await cueProblem(instance, look, options, device);
        return {
          name: look,
          problem,
          strip: ({ predicted }) =>
            filmStrip(problem.model, THROW.frames, problem.observations![0].target, predicted['pixels.rgba']),
          notes: (found) => {
            const { iterations } = descentOf(found);
            const when = iterations === null ? 'never' : `after ${iterations} iterations`;
            return [`By ${look} the mass comes within ${FOUND} of the truth ${when}.`];
          },
        };
      }),
    );
  },
});
