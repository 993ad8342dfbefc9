import { HalfSpace } from '@gradsim/contact';
import { buildModel, createScene, type Model, type Plugin } from '@gradsim/core';
import { addPoints, ElasticPoint, mpm, pointsInBox } from '@gradsim/mpm';
import { defineExperiment, wholeSetting } from '@gradsim/optim';
import { type PointMotion, stageOf } from './material-points/stage.ts';

const SPACING = 0.02;
/** Distance between points at first, m. */
const DISTANCE = SPACING / 2;
const GRID = { size: [20, 16], spacing: SPACING, origin: [-0.14, -0.06] } as const;

/** Model of a square of jelly, 0.1 m wide, that falls on a floor, turned by a little. */
function jellyModel(youngsModulus: number, more: readonly Plugin[] = [], distance = DISTANCE): Model {
  const scene = createScene([mpm(GRID), ...more]);
  scene.add(HalfSpace, {});
  const square = pointsInBox({ from: [-0.05, -0.05, 0], to: [0.05, 0.05, 0], spacing: distance });
  const [cos, sin] = [Math.cos(0.3), Math.sin(0.3)];
  const positions = square.positions.slice();
  for (let k = 0; k < positions.length; k += 3) {
    const [x, y] = square.positions.subarray(k, k + 2);
    positions.set([cos * x - sin * y + 0.02, sin * x + cos * y + 0.09], k);
  }
  addPoints(scene, ElasticPoint, {
    positions,
    volume: square.volume,
    velocity: [0.2, -0.8, 0],
    density: 1000,
    youngsModulus,
    poissonRatio: 0.35,
    viscosity: 2,
  });
  return buildModel(scene);
}

export const MOTION: PointMotion = {
  of: ElasticPoint,
  modelOf: jellyModel,
  timeline: { frames: 13, frameRate: 60, substeps: 24 },
  distance: DISTANCE,
  picture: GRID,
  parameter: {
    name: 'youngsModulus',
    field: ElasticPoint.youngsModulus,
    transform: 'log',
    unit: 'Pa',
    initial: 3e4,
    truth: 1.2e4,
    range: [3e3, 1e5],
  },
};

/** Estimates Young's modulus of a jelly that falls and wobbles, from noisy positions of its points: `seed` of the noise. */
export default defineExperiment({
  name: 'jelly',
  description: "Young's modulus of a square of jelly, material points, from its motion.",
  settings: { seed: wholeSetting(1) },
  stages: async ({ settings: { seed }, device }) => [await stageOf(MOTION, seed, device)],
  motion: () => ({ model: jellyModel(MOTION.parameter.truth), ...MOTION.timeline }),
});
