import type { Bounce } from '@gradsim/contact';
import { bounceOf } from '@gradsim/contact';
import type { Estimate, ExperimentContext, NamedValues, Problem, Stage, Strip } from '@gradsim/optim';
import { defineExperiment } from '@gradsim/optim';
import { layoutOf, toRows } from '@gradsim/render';
import { approach } from './ball-drop/approach.ts';
import { type LAST, readFootage } from './ball-drop/footage.ts';
import { dropParameters } from './ball-drop/parameters.ts';
import type { WindowProblem } from './ball-drop/windows.ts';
import { shownFrame, WINDOW, windowProblem } from './ball-drop/windows.ts';
import { rendererOf } from './scenes/renderers.ts';
import { refuseUnknownSettings } from './scenes/settings.ts';

/** How the last and finest estimate draws the ball. */
const FINE = { scale: 4, instants: 4, softness: 0.6 } as const;

interface Settings {
  readonly part: keyof typeof LAST;
  readonly gravity: number;
}

/**
 * Gravity from a phone's video of a ball that falls from the ceiling and bounces, with air drag, the carpet's
 * elasticity, the time of the release and the camera beside it. `--set part=fall` leaves the rebound out,
 * `--set gravity=5` is where the estimate starts, `--set renderer=dibr` draws by another renderer.
 */
export default defineExperiment({
  name: 'ball-drop',
  description: 'Gravity from a real video of a falling and bouncing ball.',
  stages: async (context) => {
    const { part, gravity } = readSettings(context.settings);
    if (context.video === undefined)
      throw new Error('The experiment ball-drop needs its video: --video FILE.');
    const renderer = await rendererOf(context.settings.renderer);
    const hasFloor = part === 'all';
    const footage = await readFootage(context.video, part, context.signal);
    const { starts, areas } = await approach(footage, gravity, { hasFloor, renderer }, context);
    const windows = windowProblem(
      footage,
      dropParameters(gravity, hasFloor, starts),
      { ...FINE, hasFloor, renderer },
      areas,
    );
    const stage: Stage = {
      name: hasFloor ? 'fall and rebound' : 'fall',
      problem: hasFloor ? { ...windows.problem, derived: BOUNCE } : windows.problem,
      strip: (estimate) => strip(windows, estimate),
      notes: (estimate) => (hasFloor ? bounceNotes(estimate) : fallNotes(estimate)),
    };
    return [stage];
  },
});

function readSettings(given: ExperimentContext['settings']): Settings {
  refuseUnknownSettings('ball-drop', given, ['part', 'gravity', 'renderer']);
  const { part = 'all', gravity = '7' } = given;
  if (part !== 'all' && part !== 'fall') throw new Error(`The setting part is "${part}"; it is all or fall.`);
  const start = Number(gravity);
  if (gravity.trim() === '' || !(start > 0 && start <= 30)) {
    throw new Error(`The setting gravity is "${gravity}"; give where to start, above 0 and up to 30 m/s^2.`);
  }
  return { part, gravity: start };
}

/** What the carpet does, of its stiffness and damping, which are those per kilogram of ball. */
const carpet = ({ stiffness, damping }: NamedValues): Bounce => bounceOf({ ke: stiffness, kd: damping }, 1);

const BOUNCE: Problem['derived'] = {
  restitution: { of: (values) => carpet(values).restitution },
  'duration of a bounce': { of: (values) => carpet(values).duration, unit: 's' },
};

function bounceNotes({ derived }: Estimate): string[] {
  return [
    `The carpet gives back ${derived.restitution.estimate.toFixed(3)} of the speed. That and how long a bounce lasts are what the video shows of stiffness and damping, which are those per kilogram of ball.`,
  ];
}

function fallNotes({ parameters, correlation }: Estimate): string[] {
  const names = Object.keys(parameters);
  const between = (a: string, b: string): string =>
    (correlation[names.indexOf(a)][names.indexOf(b)] ?? 0).toFixed(2);
  return [
    `In a fall alone, drag and perspective are hard to tell apart: both slow the ball in the picture ever more towards the floor. Drag and gravity correlate by ${between('drag', 'gravity')}, drag and the camera's distance by ${between('drag', 'distance')}; what is known of the camera's tilt and of balls' drag decides, and the standard error says by how little. The rebound tells them apart.`,
  ];
}

/** Target and estimate of every frame. */
function strip(windows: WindowProblem, estimate: Estimate): Strip {
  const layout = layoutOf(windows.problem.model);
  const frames = [...windows.chosen];
  const grey = (of: (frame: number) => Float64Array): Float32Array => {
    const rows = frames.flatMap((frame) => Array.from(toRows(layout, of(frame), 1)));
    return Float32Array.from({ length: 3 * rows.length }, (_, k) => Math.min(rows[Math.floor(k / 3)], 1));
  };
  return {
    ...WINDOW,
    // Each exposure is several of the problem's frames.
    frames: frames.map((frame) => frame * windows.instants),
    target: grey((frame) => windows.target.slice(frame * layout.pixels, (frame + 1) * layout.pixels)),
    estimate: grey((frame) => shownFrame(windows, estimate, frame)),
  };
}
