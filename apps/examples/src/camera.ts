import type { Model } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import type { ExperimentContext, ParameterSpec, Stage } from '@gradsim/optim';
import { defineExperiment } from '@gradsim/optim';
import { OrbitCamera, render } from '@gradsim/render';
import { rigid } from '@gradsim/rigid';
import { addStillLife } from './appearance/still-life.ts';
import type { SceneRenderer } from './scenes/renderers.ts';
import { rendererOf } from './scenes/renderers.ts';
import { numberSetting, refuseUnknownSettings } from './scenes/settings.ts';
import { observeStills, STILL, stillsStrip } from './scenes/stills.ts';

/** Where the camera is that takes the picture. */
const TRUTH = {
  targetX: 0.1,
  targetY: 0.05,
  distance: 3.2,
  elevation: 0.45,
  azimuth: 0.5,
  roll: 0.08,
  fieldOfView: 0.7,
  k1: -0.12,
  k2: 0.05,
};
type Name = keyof typeof TRUTH;
/** Where the estimate starts, and the ranges that it looks through. */
const UNKNOWNS: Readonly<Record<Name, Omit<ParameterSpec, 'name' | 'truth'>>> = {
  targetX: { field: 'cameras.target', component: 0, initial: 0, range: [-0.2, 0.2], scale: 0.2 },
  targetY: { field: 'cameras.target', component: 1, initial: 0, range: [-0.2, 0.2], scale: 0.2 },
  distance: { field: 'cameras.distance', transform: 'log', initial: 4, range: [2.5, 5], scale: 0.3 },
  elevation: { field: 'cameras.elevation', initial: 0.2, range: [0, 0.8], scale: 0.3 },
  azimuth: { field: 'cameras.azimuth', initial: 0.2, range: [-0.2, 0.8], scale: 0.3 },
  roll: { field: 'cameras.roll', initial: 0, range: [-0.2, 0.2], scale: 0.2 },
  fieldOfView: { field: 'cameras.fieldOfView', transform: 'bounded', initial: 0.9, range: [0.4, 1.2] },
  k1: { field: 'cameras.distortion', component: 0, initial: 0, range: [-0.2, 0.2], scale: 0.2 },
  k2: { field: 'cameras.distortion', component: 1, initial: 0, range: [-0.2, 0.2], scale: 0.2 },
};

/**
 * Pose, field of view and distortion of a camera from one picture of known things. Settings: `size` of the picture,
 * `renderer`; the picture is one of its own at known values, or with `--video` a file.
 */
export default defineExperiment({
  name: 'camera',
  description: 'Pose, field of view and distortion of a camera from one picture of known things.',
  stages: async (context) => [await stage(context)],
});

async function stage({ settings, device, video, signal }: ExperimentContext): Promise<Stage> {
  refuseUnknownSettings('camera', settings, ['renderer', 'size']);
  const size = numberSetting(settings, 'size', { otherwise: 64, least: 8, whole: true });
  const renderer = await rendererOf(settings.renderer);
  const [model, truth] = [startOf(), TRUTH].map((values) => seenBy(values, renderer, size));
  const observation = await observeStills(model, truth, { device, video, signal });
  return {
    name: 'camera',
    problem: {
      model,
      ...STILL,
      observations: [observation],
      parameters: (Object.keys(UNKNOWNS) as Name[]).map((name) => ({
        name,
        ...UNKNOWNS[name],
        ...(video === undefined ? { truth: TRUTH[name] } : {}),
      })),
      options: { iterations: 60, scan: 255, starts: 3, hops: 2 },
    },
    strip: (found) => stillsStrip(model, observation, found),
  };
}

const startOf = (): typeof TRUTH => {
  const values = Object.entries(UNKNOWNS).map(([name, { initial }]) => [name, initial] as const);
  return { ...TRUTH, ...Object.fromEntries(values) };
};

function seenBy(values: typeof TRUTH, renderer: SceneRenderer, size: number): Model {
  const { targetX, targetY, k1, k2, ...pose } = values;
  const scene = createScene([
    rigid(),
    render({ width: size, height: size, colors: 'corner' }),
    renderer({ softness: (2 / size) ** 2, depthSoftness: 3e-3, near: 0.5, far: 10 }),
  ]);
  addStillLife(scene, 'painted');
  scene.add(OrbitCamera, { ...pose, target: [targetX, targetY, 0], distortion: [k1, k2] }, 'the camera');
  return buildModel(scene);
}
