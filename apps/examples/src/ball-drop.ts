import type { Estimate } from '@gradsim/optim';
import { choiceSetting, defineExperiment } from '@gradsim/optim';
import { readFootage } from './ball-drop/footage.ts';
import { fallProblem, reboundProblem } from './ball-drop/problem.ts';
import { strip } from './ball-drop/strip.ts';

/**
 * Estimates gravity from a phone's video of a ball that falls from the ceiling and bounces, together with air drag, the
 * carpet's elasticity, the time of release, and the camera's pose. `--set part=fall` leaves the rebound out, `--set
 * gravity=5` sets where the estimate starts.
 */
export default defineExperiment({
  name: 'ball-drop',
  description: 'Gravity from a real video of a falling and bouncing ball.',
  settings: { part: choiceSetting(['all', 'fall']), gravity: { read: startOf } },
  stages: async ({ video, settings: { part, gravity }, device, log, signal }) => {
    if (video === undefined) throw new Error('The experiment ball-drop needs its video: --video FILE.');
    const footage = await readFootage(video, part, signal);
    const isWhole = part === 'all';
    return [
      {
        name: isWhole ? 'fall and rebound' : 'fall',
        problem: isWhole ? await reboundProblem(footage, gravity, { device, log }) : fallProblem(footage, gravity),
        strip: (estimate) => strip(footage, estimate),
        notes: isWhole ? bounceNotes : fallNotes,
      },
    ];
  },
});

function startOf(text = '7', what: string): number {
  const start = Number(text);
  if (text.trim() === '' || !(start > 0 && start <= 30))
    throw new Error(`${what} is "${text}"; give where to start, above 0 and up to 30 m/s^2.`);
  return start;
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
