import { ContactBox, ContactSphere } from '@gradsim/contact';
import { filmModel } from '@gradsim/film';
import type { TieSpec } from '@gradsim/optim';
import { choiceSetting, defineExperiment, parametersOf } from '@gradsim/optim';
import { Body } from '@gradsim/rigid';
import { pictureSettings } from './scenes/renderers.ts';
import { BOXES, STACK_TIMELINE, stackModel } from './stack/scene.ts';

const TRUTH = { mass: 1.5, mu: 0.8 };
const START = { mass: 0.5, mu: 0.3 };
const UNKNOWNS = {
  // The ball is added after the boxes.
  'mass ratio': { field: Body.mass, elements: [BOXES], transform: 'log', initial: START.mass, range: [0.1, 5] },
  // Of all that touches: see the ties.
  mu: { transform: 'log', initial: START.mu, range: [0.05, 1.5] },
} as const;
const parameters = parametersOf(UNKNOWNS, { truth: { 'mass ratio': TRUTH.mass, mu: TRUTH.mu } });
const ties: TieSpec[] = [ContactBox.mu, ContactSphere.mu].map((field) => ({ field, compute: ({ mu }) => mu }));

/**
 * A ball hits the top of a stack of three boxes, which topples. Estimated from the film are the ratio of the ball's
 * mass to that of a box, and the coefficient of friction of all contacts. Settings: `size` of the pictures, `renderer`,
 * and `observe`: `film` (the default), or `png` for a film quantised to 8 bits.
 *
 * A film determines ratios only: the mass of a box is 1 kg, and stiffness and damping of the contacts are known. The
 * speed of the ball after the impact determines its mass, the sliding of the boxes on each other their friction.
 */
export default defineExperiment({
  name: 'stack',
  description: 'Friction, and the mass of a ball over that of a box, from the film of a stack that it topples.',
  settings: { ...pictureSettings(64), observe: choiceSetting(['film', 'png']) },
  film: 'own',
  stages: async ({ settings: { observe, ...picture }, device, log }) => {
    log(`Filming the stack: ${STACK_TIMELINE.frames} frames of ${picture.size} x ${picture.size} pixels.`);
    const film = await filmModel(stackModel(TRUTH, picture), STACK_TIMELINE, { device });
    const seen = observe === 'png' ? await film.in8Bits() : film;
    return [
      seen.stage(stackModel(START, picture), {
        name: 'stack',
        parameters,
        ties,
        options: { search: { horizons: [0.5, 0.75, 1], scan: 32, iterations: 20 } },
        notes: () => [
          'The mass ratio is that of the ball over a box of 1 kg; stiffness and damping of the contact are known.',
        ],
      }),
    ];
  },
  motion: ({ settings }) => ({ model: stackModel(TRUTH, settings), ...STACK_TIMELINE }),
});
