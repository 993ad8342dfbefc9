import { HalfSpace } from '@gradsim/contact';
import type { Model, Plugin } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import { addPoints, LiquidPoint, mpm, pointsInBox, wallOf } from '@gradsim/mpm';
import { defineExperiment, wholeSetting } from '@gradsim/optim';
import type { PointMotion } from './material-points/stage.ts';
import { filmStageOf } from './material-points/stage.ts';

const SPACING = 0.02;
/** Distance between points at first, m. */
const DISTANCE = SPACING / 3;
const GRID = { size: [32, 15], spacing: SPACING, origin: [-0.32, -0.06] } as const;

/** Model of a drop of syrup, 0.14 m wide, that falls on a plate and spreads. */
function dropModel(viscosity: number, more: readonly Plugin[] = [], distance = DISTANCE): Model {
  const scene = createScene([mpm(GRID), ...more]);
  scene.attach(scene.add(HalfSpace, {}), wallOf(HalfSpace), { grip: 'stick' });
  addPoints(scene, LiquidPoint, {
    ...pointsInBox({
      from: [-0.07, 0, 0],
      to: [0.07, 0.14, 0],
      spacing: distance,
      keeps: (x, y) => Math.hypot(x, y - 0.07) < 0.07,
    }),
    velocity: [0, -0.5, 0],
    density: 1000,
    bulkModulus: 2e4,
    viscosity,
  });
  return buildModel(scene);
}

export const MOTION: PointMotion = {
  of: LiquidPoint,
  modelOf: dropModel,
  timeline: { frames: 13, frameRate: 50, substeps: 24 },
  distance: DISTANCE,
  picture: GRID,
  parameter: {
    name: 'viscosity',
    field: LiquidPoint.viscosity,
    transform: 'log',
    unit: 'Pa s',
    initial: 20,
    truth: 8,
    range: [0.5, 60],
  },
};

/** Estimates the viscosity of a drop that spreads on a plate, from a noisy film from the side: `seed` of the noise. */
export default defineExperiment({
  name: 'drop',
  description: 'The viscosity of a drop of syrup, material points, from a film of its fall on a plate.',
  settings: { seed: wholeSetting(1) },
  stages: async ({ settings: { seed }, device }) => [await filmStageOf(MOTION, seed, device)],
  motion: () => ({ model: dropModel(MOTION.parameter.truth), ...MOTION.timeline }),
});
