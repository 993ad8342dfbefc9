import { standardNormal } from '@gradsim/base';
import { HalfSpace } from '@gradsim/contact';
import type { Model } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import { filmModel } from '@gradsim/film';
import { addPoints, ElasticPoint, mpm, pointSurface, pointsInBox } from '@gradsim/mpm';
import { defineExperiment, parametersOf, randomNumbers, wholeSetting } from '@gradsim/optim';
import { DirectionalLight, OrbitCamera, render } from '@gradsim/render';
import { softRas } from '@gradsim/render-softras';

const SPACING = 0.02;
const NODES = { size: [12, 10, 12], spacing: SPACING, origin: [-0.11, -0.05, -0.11] } as const;
const TIMELINE = { frames: 10, frameRate: 60, substeps: 24 };
/** Standard deviation of the noise of colours, 0 to 1. */
const NOISE = 0.01;
const TRUTH = { youngsModulus: 8e3, viscosity: 3 };
const UNKNOWNS = {
  youngsModulus: { field: ElasticPoint.youngsModulus, transform: 'log', unit: 'Pa', initial: 2e4, range: [2e3, 1e5] },
  viscosity: { field: ElasticPoint.viscosity, transform: 'log', unit: 'Pa s', initial: 10, range: [0.3, 100] },
} as const;

/** Model of a cube of jelly, 0.08 m wide, that falls on a floor, squashes and rises, and of a camera that sees its surface. */
function puddingModel(material: Readonly<Record<keyof typeof UNKNOWNS, number>>): Model {
  const scene = createScene([
    mpm(NODES),
    pointSurface({ ...NODES, color: [0.9, 0.55, 0.2] }),
    render({ width: 48, height: 36 }),
    softRas({ backgroundColor: [0.1, 0.15, 0.25] }),
  ]);
  scene.add(HalfSpace, {});
  addPoints(scene, ElasticPoint, {
    ...pointsInBox({ from: [-0.04, 0, -0.04], to: [0.04, 0.08, 0.04], spacing: SPACING / 2 }),
    velocity: [0, -0.7, 0],
    density: 1000,
    poissonRatio: 0.35,
    ...material,
  });
  scene.add(OrbitCamera, { target: [0, 0.03, 0], distance: 0.4, elevation: 0.35, azimuth: 0.5, fieldOfView: 0.5 });
  scene.add(DirectionalLight, { direction: [0.3, 1, 0.5], color: [0.7, 0.7, 0.7] });
  return buildModel(scene);
}

/** Estimates stiffness and viscosity of a jelly from noisy 8-bit pictures of its surface: `seed` of the noise. */
export default defineExperiment({
  name: 'pudding',
  description: "Young's modulus and viscosity of a cube of jelly, material points, from pictures of its surface.",
  settings: { seed: wholeSetting(1) },
  film: 'own',
  stages: async ({ settings: { seed }, device }) => {
    const random = randomNumbers(seed);
    const drawn = await filmModel(puddingModel(TRUTH), TIMELINE, { device, hasAlpha: false });
    const noisy = drawn.map((value, channel) => (channel === 3 ? value : value + NOISE * standardNormal(random)));
    const film = await noisy.in8Bits();
    const parameters = parametersOf(UNKNOWNS, { truth: TRUTH });
    const start = { youngsModulus: UNKNOWNS.youngsModulus.initial, viscosity: UNKNOWNS.viscosity.initial };
    return [film.stage(puddingModel(start), { name: 'pudding', parameters, options: { search: { horizons: [1] } } })];
  },
  motion: () => ({ model: puddingModel(TRUTH), ...TIMELINE }),
});
