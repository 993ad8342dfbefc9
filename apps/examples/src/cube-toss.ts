import { contactOf } from '@gradsim/contact';
import { defineExperiment, parametersOf, textSetting } from '@gradsim/optim';
import { observedPoses, startUnknowns, timelineOf } from '@gradsim/recordings/poses';
import { Body } from '@gradsim/rigid';
import { CUBE, cubeModel, SAMPLE_TOSS, SUBSTEPS, TRUTH } from './cube-toss/cube.ts';
import { cubeFrames } from './cube-toss/film.ts';
import { readToss } from './cube-toss/poses.ts';

const { mu, restitution, duration } = contactOf(Body);
/** Unknowns: the field that each sets, its initial value, and the range of the search. */
const UNKNOWNS = {
  mu: { field: mu, transform: 'log', initial: 0.4, range: [0.02, 1], scale: 0.3 },
  restitution: { field: restitution, transform: 'log', initial: 0.6, range: [0.02, 0.95], scale: 0.3 },
  duration: { field: duration, transform: 'log', initial: 0.025, range: [0.006, 0.05], scale: 0.3 },
} as const;
const START = { mu: 0.4, restitution: 0.6, duration: 0.025 };

/**
 * Estimates friction, restitution and duration of contact of a cube of 10 cm and 0.4 kg that is tossed onto a table,
 * from its recorded poses. `--set poses=FILE` reads another table, with the columns `time,x,y,z,qx,qy,qz,qw`, z
 * upwards.
 */
export default defineExperiment({
  name: 'cube-toss',
  description: 'Friction and restitution of a tossed cube, from its poses.',
  settings: { poses: textSetting },
  stages: async ({ settings: { poses }, log }) => {
    const { toss, flight } = await readToss(poses);
    if (flight.contact !== null) log(`It flies freely up to frame ${flight.contact}.`);
    const start = startUnknowns(flight);
    const material = parametersOf(UNKNOWNS, poses === undefined ? { truth: TRUTH } : {});
    return [
      {
        name: 'contact',
        problem: {
          model: cubeModel(start.state, START),
          ...timelineOf(toss, flight.frame),
          substeps: SUBSTEPS,
          parameters: [...material, ...start.parameters],
          arrays: start.arrays,
          observations: observedPoses(toss, { ...SAMPLE_TOSS.noise, first: flight.frame }),
          options: { search: { method: 'levenberg-marquardt', horizons: 'growing' } },
        },
        notes: () => [`The cube is ${CUBE.width} m wide and weighs ${CUBE.mass} kg.`],
      },
    ];
  },
  render: ({ settings: { poses }, device }) => cubeFrames(poses, START, device),
  motion: () => ({
    model: cubeModel(SAMPLE_TOSS.start, TRUTH),
    frames: SAMPLE_TOSS.frames,
    frameRate: SAMPLE_TOSS.frameRate,
    substeps: SUBSTEPS,
  }),
});
