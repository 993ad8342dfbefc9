import { HalfSpace } from '@gradsim/contact';
import type { Model, Plugin } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import { addPoints, mpm, pointsInBox, SandPoint, wallOf } from '@gradsim/mpm';
import { defineExperiment, wholeSetting } from '@gradsim/optim';
import type { PointMotion } from './material-points/stage.ts';
import { stageOf } from './material-points/stage.ts';

const SPACING = 0.02;
/** Distance between points at first, m. */
const DISTANCE = SPACING / 5;
const GRID = { size: [32, 15], spacing: SPACING, origin: [-0.32, -0.06] } as const;

/** Model of a column of sand, 0.12 m wide and high, that collapses into a heap. */
function heapModel(frictionAngle: number, more: readonly Plugin[] = [], distance = DISTANCE): Model {
  const scene = createScene([mpm(GRID), ...more]);
  scene.attach(scene.add(HalfSpace, {}), wallOf(HalfSpace), { grip: 'stick' });
  addPoints(scene, SandPoint, {
    ...pointsInBox({ from: [-0.06, 0, 0], to: [0.06, 0.12, 0], spacing: distance }),
    // As pressed as at half its depth, away from the tip of the yield surface.
    strain: [-0.002, 0, 0, 0, -0.002, 0, 0, 0, -0.002],
    density: 1600,
    youngsModulus: 1e5,
    poissonRatio: 0.25,
    frictionAngle,
  });
  return buildModel(scene);
}

export const MOTION: PointMotion = {
  of: SandPoint,
  modelOf: heapModel,
  timeline: { frames: 13, frameRate: 40, substeps: 32 },
  distance: DISTANCE,
  picture: GRID,
  parameter: {
    name: 'frictionAngle',
    field: SandPoint.frictionAngle,
    transform: 'bounded',
    unit: 'rad',
    initial: 0.35,
    truth: 0.6,
    range: [0.1, 1.2],
  },
};

/** Estimates the friction angle of sand from the noisy motion of a column that collapses: `seed` of the noise. */
export default defineExperiment({
  name: 'heap',
  description: 'The friction angle of sand, material points, from the collapse of a column.',
  settings: { seed: wholeSetting(1) },
  stages: async ({ settings: { seed }, device }) => [await stageOf(MOTION, seed, device)],
  motion: () => ({ model: heapModel(MOTION.parameter.truth), ...MOTION.timeline }),
});
