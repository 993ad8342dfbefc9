import type { FieldKey } from '@gradsim/core';
import type { ArraySpec, ParameterSpec } from '@gradsim/optim';
import { choiceSetting, defineExperiment, parametersOf, wholeSetting } from '@gradsim/optim';
import { ambientLight, DirectionalLight, radianceHarmonics } from '@gradsim/render';
import { LIGHTS, litModel, START, TRUE_LIGHT } from './appearance/lit.ts';
import { pictureSettings } from './scenes/renderers.ts';
import { seenStills } from './scenes/stills.ts';

const { direction, color, specular, shininess } = DirectionalLight;
type Unknown = Omit<ParameterSpec, 'name'>;
const rgb = (name: 'color' | 'ambient' | 'specular', field: FieldKey): Record<string, Unknown> =>
  Object.fromEntries(
    ['red', 'green', 'blue'].map((channel, component) => {
      const [initial, truth] = [START[name][component], TRUE_LIGHT[name][component]];
      return [`${name} ${channel}`, { field, component, initial, truth, scale: 0.3 }];
    }),
  );
/** Unknowns of the kind `lambert`. The y component of the light's direction stays 1, since its length has no effect. */
const LAMBERT: Record<string, Unknown> = {
  x: { field: direction, component: 0, initial: START.x, truth: TRUE_LIGHT.x },
  z: { field: direction, component: 2, initial: START.z, truth: TRUE_LIGHT.z },
  ...rgb('color', color),
  ...rgb('ambient', ambientLight),
};
const PHONG: Record<string, Unknown> = {
  ...LAMBERT,
  ...rgb('specular', specular),
  shininess: { field: shininess, transform: 'log', initial: START.shininess, truth: TRUE_LIGHT.shininess },
};
const [initial, truth] = [START.harmonics.flat(), TRUE_LIGHT.harmonics.flat()];
const RADIANCE: ArraySpec = { name: 'radiance', field: radianceHarmonics, initial, truth };

/**
 * Estimates the light from a picture of known white objects. Settings: `light`, the kind: `lambert`, a directional
 * light and an ambient one, of which direction and colours are unknown; `phong`, where colour and sharpness of
 * highlights are unknown too; `harmonics`, environment light, 27 coefficients; `views`, `size` of the pictures,
 * `renderer`. `--video` reads pictures, one per camera, instead of rendering them.
 */
export default defineExperiment({
  name: 'light',
  description: 'Direction and colours of the light, or its harmonics, from pictures of known things.',
  settings: { ...pictureSettings(64, 8), light: choiceSetting(LIGHTS), views: wholeSetting(0) },
  stages: async (context) => {
    const { settings } = context;
    const [model, filmed] = [START, TRUE_LIGHT].map((light) => litModel(light, settings));
    const pictures = await seenStills(model, filmed, context);
    // Of other pictures than its own the truth is not known.
    const known = <T extends object>(spec: T): T =>
      context.video === undefined ? spec : { ...spec, truth: undefined };
    const unknowns = {
      lambert: { parameters: parametersOf(LAMBERT).map(known) },
      phong: { parameters: parametersOf(PHONG).map(known) },
      harmonics: { arrays: [known(RADIANCE)] },
    };
    const options = { search: { method: 'levenberg-marquardt', iterations: 60, tolerance: 1e-9 } } as const;
    return [pictures.stage(model, { name: settings.light, ...unknowns[settings.light], options })];
  },
});
