import type { Stage } from '@gradsim/optim';
import { defineExperiment, wholeSetting } from '@gradsim/optim';
import { pictureSettings } from './scenes/renderers.ts';
import { CUE_DEFAULTS, cueStage, descentOf, FOUND } from './shading-cues/descent.ts';
import { LOOKS } from './shading-cues/thrown.ts';

/**
 * Information in shading and texture: the mass of a thrown body of one grey, by plain gradient descent from the same start with
 * the same step size, from films that show its colour alone, light on it, or a texture. `--set instance=N` draws another
 * throw, `renderer`, `size` and `iterations` as elsewhere; `npm run -s bench -- shading-cues` draws curves over many.
 */
export default defineExperiment({
  name: 'shading-cues',
  description: 'The mass of a thrown body by colour only, by shading, and by texture, by plain gradient descent.',
  settings: {
    ...pictureSettings(CUE_DEFAULTS.size, 1),
    instance: wholeSetting(1, { least: 0 }),
    iterations: wholeSetting(CUE_DEFAULTS.iterations),
  },
  film: 'own',
  stages: ({ settings: { instance, ...settings }, device }) =>
    Promise.all(
      LOOKS.map(async (look): Promise<Stage> => {
        const stage = await cueStage(instance, look, { ...CUE_DEFAULTS, ...settings }, device);
        return {
          ...stage,
          notes: (found) => {
            const { iterations } = descentOf(found);
            const when = iterations === null ? 'never' : `after ${iterations} iterations`;
            return [`By ${look} the mass comes within ${FOUND} of the truth ${when}.`];
          },
        };
      }),
    ),
});
