import { type BeamSize, beamFrequency } from '@gradsim/articulated';
import type { Check, Posterior } from '@gradsim/optim';

/** Frequency that is found, over that of the heights in the film, above which the model swings between the frames. Judged. */
const MOST_FASTER = 1.5;

/**
 * Check that the beam swings as its heights do: a stiff model, of which frames catch any phase, explains small motions of other things.
 *
 * @param hertz main frequency of the heights in the film.
 */
export const swingCheck = (size: BeamSize, hertz: number): Check<Posterior> => ({
  kind: 'check',
  rank: 80,
  isCritical: true,
  find: ({ names, values }) => {
    const found = beamFrequency(size, values[names.indexOf("Young's modulus")]) / (2 * Math.PI);
    return (
      found > MOST_FASTER * hertz && {
        note: `By the estimate it swings ${found.toFixed(1)} times a second, and in the film ${hertz.toFixed(1)} times: what moves is no beam, or its swing is too small to be seen.`,
      }
    );
  },
});
