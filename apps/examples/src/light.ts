import type { Model } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import type { ExperimentContext, ParameterSpec, Problem, Stage } from '@gradsim/optim';
import { defineExperiment } from '@gradsim/optim';
import { DirectionalLight, OrbitCamera, render } from '@gradsim/render';
import { rigid } from '@gradsim/rigid';
import { addStillLife } from './appearance/still-life.ts';
import type { SceneRenderer } from './scenes/renderers.ts';
import { rendererOf } from './scenes/renderers.ts';
import { numberSetting, refuseUnknownSettings } from './scenes/settings.ts';
import { observeStills, STILL, stillsStrip } from './scenes/stills.ts';

/** What lights the picture, and what the estimate begins with. */
interface Light {
  /** Towards the light, in units of its height. */
  readonly x: number;
  readonly z: number;
  readonly color: readonly [number, number, number];
  readonly ambient: readonly [number, number, number];
  readonly specular: readonly [number, number, number];
  readonly shininess: number;
  readonly harmonics: readonly (readonly number[])[];
}
const TRUTH: Light = {
  x: 0.6,
  z: 0.9,
  color: [0.7, 0.6, 0.4],
  ambient: [0.15, 0.2, 0.3],
  specular: [0.3, 0.35, 0.4],
  shininess: 12,
  harmonics: Array.from({ length: 9 }, (_, k) => [0, 1, 2].map((c) => (k === 0 ? 1.5 : 0.25 * Math.sin(3 * k + c)))),
};
const START: Light = {
  x: -0.5,
  z: 0.2,
  color: [0.4, 0.4, 0.4],
  ambient: [0.4, 0.4, 0.4],
  specular: [0.1, 0.1, 0.1],
  shininess: 5,
  harmonics: Array.from({ length: 9 }, (_, k) => (k === 0 ? [1, 1, 1] : [0, 0, 0])),
};
const KINDS = ['lambert', 'phong', 'harmonics'] as const;
type Kind = (typeof KINDS)[number];

/**
 * The light from one picture of known white things. Settings: `light`, what kind: `lambert`, one directional light and an
 * ambient one, of which direction and colours are unknown; `phong`, with the colour and sharpness of highlights as well;
 * `harmonics`, light from all around, 27 coefficients. `views`, `size` of the pictures, `renderer`; `--video` has pictures
 * in place of those of its own, one a camera. Of the direction, height stays 1, since its length says nothing.
 */
export default defineExperiment({
  name: 'light',
  description: 'Direction and colours of the light, or its harmonics, from pictures of known things.',
  stages: async (context) => [await stage(context)],
});

async function stage({ settings, device, video, signal }: ExperimentContext): Promise<Stage> {
  refuseUnknownSettings('light', settings, ['renderer', 'size', 'light', 'views']);
  const size = numberSetting(settings, 'size', { otherwise: 64, least: 8, whole: true });
  const { light = 'lambert' } = settings;
  const kind = KINDS.find((name) => name === light);
  if (!kind) throw new Error(`The setting light is "${light}"; it is one of ${KINDS.join(', ')}.`);
  // One picture shows no side that is turned away, and harmonics need those.
  const views = numberSetting(settings, 'views', {
    otherwise: kind === 'harmonics' ? 4 : 1,
    least: 1,
    whole: true,
  });
  const picture = { kind, size, views, renderer: await rendererOf(settings.renderer) };
  const [model, truth] = [START, TRUTH].map((values) => litModel(values, picture));
  const observation = await observeStills(model, truth, { device, video, signal });
  return {
    name: kind,
    problem: {
      model,
      ...STILL,
      observations: [observation],
      ...unknowns(kind, video === undefined),
      options: { method: 'levenberg-marquardt', iterations: 60, tolerance: 1e-9 },
    },
    strip: (found) => stillsStrip(model, observation, found),
  };
}

function unknowns(kind: Kind, isKnown: boolean): Pick<Problem, 'parameters' | 'arrays'> {
  if (kind === 'harmonics') {
    const truth = isKnown ? { truth: TRUTH.harmonics.flat() } : {};
    const initial = START.harmonics.flat();
    return { arrays: [{ name: 'radiance', field: 'harmonics.radiance', initial, ...truth }] };
  }
  const one = (name: 'x' | 'z' | 'shininess', spec: Omit<ParameterSpec, 'name' | 'initial'>): ParameterSpec => ({
    name,
    initial: START[name],
    ...spec,
    ...(isKnown ? { truth: TRUTH[name] } : {}),
  });
  const color = (name: 'color' | 'ambient' | 'specular', field: string): ParameterSpec[] =>
    ['red', 'green', 'blue'].map((channel, component) => ({
      name: `${name} ${channel}`,
      field,
      component,
      initial: START[name][component],
      scale: 0.3,
      ...(isKnown ? { truth: TRUTH[name][component] } : {}),
    }));
  return {
    parameters: [
      one('x', { field: 'lights.direction', component: 0 }),
      one('z', { field: 'lights.direction', component: 2 }),
      ...color('color', 'lights.color'),
      ...color('ambient', 'world.ambient'),
      ...(kind === 'phong'
        ? [...color('specular', 'lights.specular'), one('shininess', { field: 'lights.shininess', transform: 'log' })]
        : []),
    ],
  };
}

function litModel(
  { x, z, color, ambient, specular, shininess, harmonics }: Light,
  picture: {
    readonly kind: Kind;
    readonly size: number;
    readonly views: number;
    readonly renderer: SceneRenderer;
  },
): Model {
  const { kind, size, views, renderer } = picture;
  const lit = { lambert: {}, phong: { shading: 'phong' }, harmonics: { harmonics } } as const;
  const scene = createScene([
    rigid(),
    render({
      width: size,
      height: size,
      normals: 'vertex',
      ...lit[kind],
      ...(kind === 'harmonics' ? {} : { ambient }),
    }),
    renderer({ softness: 1e-5, depthSoftness: 1e-4, near: 0.5, far: 10 }),
  ]);
  addStillLife(scene, 'white');
  for (let k = 0; k < views; k++)
    scene.add(OrbitCamera, {
      distance: 3.4,
      elevation: k % 2 ? -0.5 : 0.5,
      azimuth: 0.4 + (2 * Math.PI * k) / views,
      fieldOfView: 0.7,
    });
  if (kind !== 'harmonics')
    scene.add(
      DirectionalLight,
      { direction: [x, 1, z], color, ...(kind === 'phong' ? { specular, shininess } : {}) },
      'the light',
    );
  return buildModel(scene);
}
