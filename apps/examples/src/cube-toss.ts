import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { ParameterSpec, RenderedFrames, Stage } from '@gradsim/optim';
import { defineExperiment } from '@gradsim/optim';
import { observedPoses, readPoses, startOfFreeFlight, startUnknowns } from '@gradsim/poses';
import { layoutOf, toRows } from '@gradsim/render';
import { CUBE, cubeModel, GRAVITY, PICTURE, SAMPLE, TRUTH } from './cube-toss/cube.ts';
import { filmOf } from './scenes/film-of.ts';
import { refuseUnknownSettings } from './scenes/settings.ts';

/** Where the search starts, and what the values stay within. */
const START = {
  mu: { initial: 0.4, range: [0.02, 1], unit: '' },
  restitution: { initial: 0.6, range: [0.02, 0.95], unit: '' },
  duration: { initial: 0.025, range: [0.006, 0.05], unit: 's' },
} as const;
type Name = keyof typeof START;
const NAMES = Object.keys(START) as Name[];
const INITIAL = {
  mu: START.mu.initial,
  restitution: START.restitution.initial,
  duration: START.duration.initial,
};
const SUBSTEPS = 60;

/** The toss of a table, default the sample's, and how it flies before it touches anything. */
async function readToss(poses?: string) {
  const path = poses ?? fileURLToPath(new URL('../sample/cube-toss.csv', import.meta.url));
  const [toss] = readPoses(await readFile(path, 'utf8'), { name: path });
  return { toss, flight: startOfFreeFlight(toss, { gravity: GRAVITY }) };
}

/**
 * A cube of 10 cm and 0.4 kg, tossed onto a table, from its poses: friction, restitution and how long a touch lasts.
 * `--set poses=FILE` takes a table of its own, `time,x,y,z,qx,qy,qz,qw`, z up.
 */
export default defineExperiment({
  name: 'cube-toss',
  description: 'Friction and restitution of a tossed cube, from its poses.',
  stages: async ({ settings, log }): Promise<Stage[]> => {
    refuseUnknownSettings('cube-toss', settings, ['poses']);
    const { toss, flight } = await readToss(settings.poses);
    if (flight.contact !== null) log(`It flies freely up to frame ${flight.contact}.`);
    const start = startUnknowns(flight);
    const material = NAMES.map(
      (name): ParameterSpec => ({
        name,
        field: `bodies.${name}`,
        transform: 'log',
        ...START[name],
        scale: 0.3,
        ...(settings.poses === undefined && { truth: TRUTH[name] }),
      }),
    );
    return [
      {
        name: 'contact',
        problem: {
          model: cubeModel(start.state, INITIAL),
          frames: toss.poses.length - flight.frame,
          frameRate: toss.frameRate,
          substeps: SUBSTEPS,
          parameters: [...material, ...start.parameters],
          arrays: start.arrays,
          observations: observedPoses(toss, { ...SAMPLE.noise, first: flight.frame }),
          options: { method: 'levenberg-marquardt', horizons: 'growing' },
        },
        notes: () => [`The cube is ${CUBE.width} m wide and weighs ${CUBE.mass} kg.`],
      },
    ];
  },
  render: async ({ settings, device }): Promise<RenderedFrames> => {
    refuseUnknownSettings('cube-toss', settings, ['poses']);
    const { toss, flight } = await readToss(settings.poses);
    const isSample = settings.poses === undefined;
    // All of the way in the picture.
    const [low, high] = [Math.min, Math.max].map((of) =>
      [0, 1, 2].map((k) => of(...toss.poses.flatMap((pose) => (pose ? [pose.position[k]] : [])))),
    );
    const picture = {
      target: low.map((c, k) => (c + high[k]) / 2),
      distance: 1.6 * (Math.hypot(...low.map((c, k) => high[k] - c)) + 2 * CUBE.width),
    };
    const model = isSample
      ? cubeModel(SAMPLE.start, TRUTH, picture)
      : cubeModel(startUnknowns(flight).state, INITIAL, picture);
    const frames = isSample ? SAMPLE.frames : toss.poses.length - flight.frame;
    const { frameRate } = toss;
    const film = await filmOf(model, { frames, frameRate, substeps: SUBSTEPS }, device);
    const layout = layoutOf(model);
    const data = new Float32Array(frames * PICTURE.width * PICTURE.height * 4);
    for (let f = 0; f < frames; f++) {
      const tiled = Float32Array.from(film.subarray(f * layout.pixels * 4, (f + 1) * layout.pixels * 4));
      data.set(toRows(layout, tiled, 4), f * PICTURE.width * PICTURE.height * 4);
    }
    return { ...PICTURE, channels: 4, frameRate, data };
  },
  motion: () => ({
    model: cubeModel(SAMPLE.start, TRUTH),
    frames: SAMPLE.frames,
    frameRate: SAMPLE.frameRate,
    substeps: SUBSTEPS,
  }),
});
