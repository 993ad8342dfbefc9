import type { Stage } from '@gradsim/optim';
import { defineExperiment, wholeSetting } from '@gradsim/optim';
import { pictureSettings } from './scenes/renderers.ts';
import { CUE_DEFAULTS, cueStage, descentOf, MAX_FOUND_ERROR } from './shading-cues/descent.ts';
import { LOOKS } from './shading-cues/thrown.ts';

/**
 * Compares the information in shading and texture: the mass of a thrown grey body is estimated by plain gradient
 * descent, with the same start and step size, from films with a uniform colour only, with shading, or with a texture.
 * `--set instance=N` draws another throw; `renderer`, `size` and `iterations` as elsewhere; `npm run -s bench --
 * shading-cues` draws curves over many throws.
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
            return [`By ${look} the mass comes within ${MAX_FOUND_ERROR} of the truth ${when}.`];
          },
        };
      }),
    ),
});
