import { outlineTargets } from '@gradsim/film';
import type { Estimate, ExperimentContext, ParameterSpec, Problem, Stage } from '@gradsim/optim';
import { defineExperiment, estimate } from '@gradsim/optim';
import { type Footage, FRAME_RATE, type LAST, readFootage } from './ball-drop/footage.ts';
import { dropModel, substepsPerFrame } from './ball-drop/model.ts';
import { dropParameters, LEAD } from './ball-drop/parameters.ts';
import { strip } from './ball-drop/strip.ts';
import { TOUCHDOWN, touchdown } from './ball-drop/touchdown.ts';
import { refuseUnknownSettings } from './scenes/settings.ts';

/** What is left of the camera's movement moves the ball's middle by about so much, pixels of the half-size picture. */
const DOUBT = 0.25;

interface Settings {
  readonly part: keyof typeof LAST;
  readonly gravity: number;
}

/**
 * Gravity from a phone's video of a ball that falls from the ceiling and bounces, with air drag, the carpet's
 * elasticity, the time of the release and the camera beside it. `--set part=fall` leaves the rebound out,
 * `--set gravity=5` is where the estimate starts.
 */
export default defineExperiment({
  name: 'ball-drop',
  description: 'Gravity from a real video of a falling and bouncing ball.',
  stages: async (context) => {
    const { part, gravity } = readSettings(context.settings);
    if (context.video === undefined) throw new Error('The experiment ball-drop needs its video: --video FILE.');
    const hasFloor = part === 'all';
    const footage = await readFootage(context.video, part, context.signal);
    const fall = dropProblem(footage, false, dropParameters(gravity, false));
    const problem = hasFloor ? await withRebound(footage, fall, gravity, context) : fall;
    const stage: Stage = {
      name: hasFloor ? 'fall and rebound' : 'fall',
      problem,
      strip: (estimate) => strip(footage, estimate),
      notes: (estimate) => (hasFloor ? bounceNotes(estimate) : fallNotes(estimate)),
    };
    return [stage];
  },
});

/** The drop until the touch, or the rebound as well. */
function dropProblem({ seen }: Footage, hasFloor: boolean, parameters: readonly ParameterSpec[]): Problem {
  const frames = hasFloor ? LEAD + seen.length : TOUCHDOWN + 1;
  const shown = Array.from({ length: frames }, (_, frame) => seen[frame - LEAD]);
  return {
    model: dropModel(hasFloor),
    frames,
    frameRate: FRAME_RATE,
    substeps: substepsPerFrame(hasFloor),
    parameters,
    observations: [
      // Sizes do not count: how red the ball is depends on the light.
      { ...outlineTargets(shown, { hasSizes: false }), noise: DOUBT },
      ...(hasFloor ? [] : [touchdown()]),
    ],
    options: { iterations: 100 },
  };
}

/** The whole drop, from where the fall alone leads: far from it, the bounce would have to make up for a wrong fall. */
async function withRebound(
  footage: Footage,
  fall: Problem,
  gravity: number,
  { device, log }: Pick<ExperimentContext, 'device' | 'log'>,
): Promise<Problem> {
  const { parameters } = await estimate(fall, { device });
  log(`the fall alone: gravity ${parameters.gravity.estimate.toFixed(2)} m/s^2`);
  const starts = dropParameters(gravity, true).map((spec) =>
    spec.name in parameters ? { ...spec, start: parameters[spec.name].estimate } : spec,
  );
  return dropProblem(footage, true, starts);
}

function readSettings(given: ExperimentContext['settings']): Settings {
  refuseUnknownSettings('ball-drop', given, ['part', 'gravity']);
  const { part = 'all', gravity = '7' } = given;
  if (part !== 'all' && part !== 'fall') throw new Error(`The setting part is "${part}"; it is all or fall.`);
  const start = Number(gravity);
  if (gravity.trim() === '' || !(start > 0 && start <= 30)) {
    throw new Error(`The setting gravity is "${gravity}"; give where to start, above 0 and up to 30 m/s^2.`);
  }
  return { part, gravity: start };
}

function bounceNotes({ parameters }: Estimate): string[] {
  return [
    `The carpet gives back ${parameters.restitution.estimate.toFixed(3)} of the speed. How long it takes for that hardly shows.`,
  ];
}

function fallNotes({ parameters, correlation }: Estimate): string[] {
  const names = Object.keys(parameters);
  const between = (a: string, b: string): string => (correlation[names.indexOf(a)][names.indexOf(b)] ?? 0).toFixed(2);
  return [
    `In a fall alone, drag and perspective are hard to tell apart: both slow the ball in the picture ever more towards the floor. Drag and gravity correlate by ${between('drag', 'gravity')}, drag and the camera's distance by ${between('drag', 'distance')}; what is known of the camera's tilt and of balls' drag decides, and the standard error says by how little. The rebound tells them apart.`,
  ];
}
