import type { Model } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import { defineExperiment, parametersOf } from '@gradsim/optim';
import { OrbitCamera, render } from '@gradsim/render';
import { rigid } from '@gradsim/rigid';
import { addStillLife } from './appearance/still-life.ts';
import { type PictureSettings, pictureSettings } from './scenes/renderers.ts';
import { seenStills } from './scenes/stills.ts';

const { target, distance, elevation, azimuth, roll, fieldOfView, distortion } = OrbitCamera;
/** Unknowns of the camera: the fields they set, initial values, and ranges of the search. */
const UNKNOWNS = {
  targetX: { field: target, component: 0, initial: 0, range: [-0.2, 0.2], scale: 0.2 },
  targetY: { field: target, component: 1, initial: 0, range: [-0.2, 0.2], scale: 0.2 },
  distance: { field: distance, transform: 'log', initial: 4, range: [2.5, 5], scale: 0.3 },
  elevation: { field: elevation, initial: 0.2, range: [0, 0.8], scale: 0.3 },
  azimuth: { field: azimuth, initial: 0.2, range: [-0.2, 0.8], scale: 0.3 },
  roll: { field: roll, initial: 0, range: [-0.2, 0.2], scale: 0.2 },
  fieldOfView: { field: fieldOfView, transform: 'bounded', initial: 0.9, range: [0.4, 1.2] },
  k1: { field: distortion, component: 0, initial: 0, range: [-0.2, 0.2], scale: 0.2 },
  k2: { field: distortion, component: 1, initial: 0, range: [-0.2, 0.2], scale: 0.2 },
} as const;
type Values = Readonly<Record<keyof typeof UNKNOWNS, number>>;
/** True pose of the camera: `targetX`, `targetY`, `distance` in m, angles in rad. */
const POSE = { targetX: 0.1, targetY: 0.05, distance: 3.2, elevation: 0.45, azimuth: 0.5, roll: 0.08 };
const TRUTH: Values = { ...POSE, fieldOfView: 0.7, k1: -0.12, k2: 0.05 };

function pixelsSeenBy({ targetX, targetY, k1, k2, ...pose }: Values, { size, renderer }: PictureSettings): Model {
  const scene = createScene([
    rigid(),
    render({ width: size, height: size, colors: 'corner' }),
    renderer({ softness: (2 / size) ** 2, depthSoftness: 3e-3, near: 0.5, far: 10 }),
  ]);
  addStillLife(scene, 'painted');
  scene.add(OrbitCamera, { ...pose, target: [targetX, targetY, 0], distortion: [k1, k2] }, 'the camera');
  return buildModel(scene);
}

/**
 * Estimates pose, field of view and distortion of a camera from one picture of known objects: one rendered at known
 * values, or a file given by `--video`. Settings: `size` of the picture, `renderer`.
 */
export default defineExperiment({
  name: 'camera',
  description: 'Pose, field of view and distortion of a camera from one picture of known things.',
  settings: pictureSettings(64, 8),
  stages: async (context) => {
    const parameters = parametersOf(UNKNOWNS, context.video === undefined ? { truth: TRUTH } : {});
    const start = Object.fromEntries(parameters.map(({ name, initial }) => [name, initial]));
    const model = pixelsSeenBy({ ...TRUTH, ...start }, context.settings);
    const picture = await seenStills(model, pixelsSeenBy(TRUTH, context.settings), context);
    const options = { search: { iterations: 60, scan: 255, starts: 3, hops: 2 } };
    return [picture.stage(model, { name: 'camera', parameters, options })];
  },
});
