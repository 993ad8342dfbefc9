import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { ParameterSpec, Stage } from '@gradsim/optim';
import { defineExperiment } from '@gradsim/optim';
import { observedPoses, readPoses, startOfFreeFlight, startUnknowns } from '@gradsim/poses';
import { CUBE, cubeModel, GRAVITY, SAMPLE, TRUTH } from './cube-toss/cube.ts';
import { refuseUnknownSettings } from './scenes/settings.ts';

/** Where the search starts, and what the values stay within. */
const START = {
  mu: { initial: 0.4, range: [0.02, 1], unit: '' },
  restitution: { initial: 0.6, range: [0.02, 0.95], unit: '' },
  duration: { initial: 0.025, range: [0.006, 0.05], unit: 's' },
} as const;
type Name = keyof typeof START;
const NAMES = Object.keys(START) as Name[];
const SUBSTEPS = 60;

/**
 * A cube of 10 cm and 0.4 kg, tossed onto a table, from its poses: friction, restitution and how long a touch lasts.
 * `--set poses=FILE` takes a table of its own, `time,x,y,z,qx,qy,qz,qw`, z up.
 */
export default defineExperiment({
  name: 'cube-toss',
  description: 'Friction and restitution of a tossed cube, from its poses.',
  stages: async ({ settings, log }): Promise<Stage[]> => {
    refuseUnknownSettings('cube-toss', settings, ['poses']);
    const path = settings.poses ?? fileURLToPath(new URL('../sample/cube-toss.csv', import.meta.url));
    const [toss] = readPoses(await readFile(path, 'utf8'), { name: path });
    const flight = startOfFreeFlight(toss, { gravity: GRAVITY });
    if (flight.contact !== null) log(`It flies freely up to frame ${flight.contact}.`);
    const start = startUnknowns(flight);
    const initial = {
      mu: START.mu.initial,
      restitution: START.restitution.initial,
      duration: START.duration.initial,
    };
    const material = NAMES.map(
      (name): ParameterSpec => ({
        ...{ name, field: `bodies.${name}`, transform: 'log', ...START[name], scale: 0.3 },
        ...(settings.poses === undefined && { truth: TRUTH[name] }),
      }),
    );
    return [
      {
        name: 'contact',
        problem: {
          model: cubeModel(start.state, initial),
          frames: toss.poses.length - flight.frame,
          ...{ frameRate: toss.frameRate, substeps: SUBSTEPS },
          parameters: [...material, ...start.parameters],
          arrays: start.arrays,
          observations: observedPoses(toss, { ...SAMPLE.noise, first: flight.frame }),
          options: { method: 'levenberg-marquardt', horizons: 'growing' },
        },
        notes: () => [`The cube is ${CUBE.width} m wide and weighs ${CUBE.mass} kg.`],
      },
    ];
  },
  motion: () => ({
    ...{
      model: cubeModel(SAMPLE.start, TRUTH),
      frames: SAMPLE.frames,
      frameRate: SAMPLE.frameRate,
      substeps: SUBSTEPS,
    },
  }),
});
