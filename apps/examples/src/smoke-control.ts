import type { Estimate, ExperimentContext, RenderedFrames, Stage, Strip } from '@gradsim/optim';
import { defineExperiment } from '@gradsim/optim';
import { numberSetting, refuseUnknownSettings } from './scenes/settings.ts';
import type { SmokeControl } from './smoke/control.ts';
import { smokeControlProblem, smokeFilm } from './smoke/control.ts';
import { goalFrom, ringGoal } from './smoke/goal.ts';

/** Pictures in the report's strip. */
const SHOWN = 8;

/**
 * Both initial velocity fields of smoke, so that it becomes a picture: `--video` names the picture (its brightness is the
 * density that is wanted), a ring unless given. The smoke begins in the last third of the rows, at rest. Settings: `size` of
 * the ring's picture, `steps`, `sweeps` of the pressure, `iterations`.
 */
export default defineExperiment({
  name: 'smoke-control',
  description: 'Velocities that make smoke become a picture.',
  stages: async (context): Promise<Stage[]> => {
    const control = await controlOf(context);
    const problem = smokeControlProblem(control);
    return [
      {
        name: 'smoke-control',
        problem,
        strip: (found) => stripOf(control, found, context),
      },
    ];
  },
  // At rest nothing moves: what is shown is the goal that the smoke is to become, after the smoke as it begins.
  render: async (context): Promise<RenderedFrames> => {
    const control = await controlOf(context);
    const { rows, columns, density } = control.goal;
    const film = await smokeFilm({ ...control, steps: 1 }, context.device);
    const start = film.subarray(0, film.length / 2);
    const goal = Float32Array.from(start, (_, k) => density[Math.floor(k / 3)]);
    const data = new Float32Array(film.length);
    data.set(start);
    data.set(goal, start.length);
    return { width: columns, height: rows, channels: 3, frameRate: 1, data };
  },
});

async function controlOf({ settings, video, signal }: ExperimentContext): Promise<SmokeControl> {
  refuseUnknownSettings('smoke-control', settings, ['size', 'steps', 'sweeps', 'iterations']);
  const whole = (name: string, otherwise: number, least = 1): number =>
    numberSetting(settings, name, { otherwise, least, whole: true });
  const size = whole('size', 64, 8);
  return {
    goal: video === undefined ? ringGoal(size) : await goalFrom(video, signal),
    steps: whole('steps', 99),
    sweeps: whole('sweeps', 6),
    iterations: whole('iterations', 150),
  };
}

/** The smoke on its way, above it the goal. */
async function stripOf(control: SmokeControl, found: Estimate, { device }: ExperimentContext): Promise<Strip> {
  const { goal, steps } = control;
  const { rows: height, columns: width } = goal;
  const film = await smokeFilm(control, device, found.arrays.velocity.estimate);
  const frames = Array.from({ length: SHOWN }, (_, k) => Math.round((k * steps) / (SHOWN - 1)));
  const one = width * height * 3;
  const strip = (of: (frame: number, k: number) => number): Float32Array =>
    Float32Array.from({ length: frames.length * one }, (_, k) => of(frames[Math.floor(k / one)], k % one));
  return {
    width,
    height,
    frames,
    target: strip((_, k) => goal.density[Math.floor(k / 3)]),
    estimate: strip((frame, k) => film[frame * one + k]),
  };
}
