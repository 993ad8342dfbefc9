import type { Estimate, ExperimentContext, ParameterSpec, Problem, Stage } from '@gradsim/optim';
import { defineExperiment } from '@gradsim/optim';
import { through8Bit } from './scenes/eight-bit.ts';
import { filmOf } from './scenes/film-of.ts';
import { rendererOf } from './scenes/renderers.ts';
import { numberSetting, refuseUnknownSettings } from './scenes/settings.ts';
import { filmStrip } from './soft/film.ts';
import type { StackUnknowns } from './stack/scene.ts';
import { BOX_MASS, BOXES, STACK_TIMELINE, stackModel } from './stack/scene.ts';

const TRUTH: StackUnknowns = { massRatio: 1.5, mu: 0.8 };
const START: StackUnknowns = { massRatio: 0.5, mu: 0.3 };

/**
 * A ball hits the top of a stack of three boxes, which topples. From the film: what the ball weighs over a box, and the friction
 * of all that touches. Settings: `size` of the pictures, `renderer`, and `observe`: `film` (the default), or `png` for
 * a film through 8-bit files.
 *
 * What a film shows are ratios: the boxes weigh 1 kg, and stiffness and damping of the contact are known. How fast the ball goes
 * on after the blow says its mass, how far boxes slide on each other their friction.
 */
export default defineExperiment({
  name: 'stack',
  description: 'Friction, and the mass of a ball over that of a box, from the film of a stack that it topples.',
  stages: async (context) => [await stage(context)],
  motion: async ({ settings }) => ({ model: stackModel(TRUTH, await pictures(settings)), ...STACK_TIMELINE }),
});

async function pictures(settings: ExperimentContext['settings']) {
  refuseUnknownSettings('stack', settings, ['renderer', 'size', 'observe']);
  const { observe = 'film' } = settings;
  if (!['film', 'png'].includes(observe))
    throw new Error(`The setting observe is "${observe}"; it is one of film, png.`);
  const size = numberSetting(settings, 'size', { otherwise: 64, least: 16, whole: true });
  return { size, renderer: await rendererOf(settings.renderer) };
}

async function stage({ settings, device, log }: ExperimentContext): Promise<Stage> {
  const picture = await pictures(settings);
  log(`Filming the stack: ${STACK_TIMELINE.frames} frames of ${picture.size} x ${picture.size} pixels.`);
  const filmed = stackModel(TRUTH, picture);
  const film = await filmOf(filmed, STACK_TIMELINE, device);
  const target = settings.observe === 'png' ? await through8Bit(filmed, film, STACK_TIMELINE.frames) : film;
  const model = stackModel(START, picture);
  const problem: Problem = {
    model,
    ...STACK_TIMELINE,
    parameters: [
      {
        name: 'mass ratio',
        field: 'bodies.mass',
        elements: [BOXES],
        transform: 'log',
        initial: START.massRatio * BOX_MASS,
        truth: TRUTH.massRatio * BOX_MASS,
        range: [0.1, 5],
      } satisfies ParameterSpec,
      {
        name: 'mu',
        transform: 'log',
        initial: START.mu,
        truth: TRUTH.mu,
        range: [0.05, 1.5],
      } satisfies ParameterSpec,
    ],
    ties: ['boxes.mu', 'spheres.mu'].map((field) => ({
      field,
      of: ({ mu }: Readonly<Record<string, number>>) => mu,
    })),
    observations: [{ field: 'pixels.rgba', target }],
    options: { horizons: [0.5, 0.75, 1], scan: 32, iterations: 20 },
  };
  return {
    name: 'stack',
    problem,
    strip: (found: Estimate) => filmStrip(model, STACK_TIMELINE.frames, target, found.predicted['pixels.rgba']),
    notes: () => [
      'The mass ratio is that of the ball over a box of 1 kg; stiffness and damping of the contact are known.',
    ],
  };
}
