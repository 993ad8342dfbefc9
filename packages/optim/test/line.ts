import type { Model } from '@gradsim/core';
import {
  buildModel,
  column,
  createScene,
  defineComponent,
  definePlugin,
  exp,
  f32,
  kernel,
  perWorld,
} from '@gradsim/core';
import type { ParameterSpec } from '@gradsim/optim';

// A camera with one row of pixels that a bright spot passes with acceleration: small enough for hundreds of estimates
// in seconds, and its residuals are correlated over pixels and frames like those of pictures.
/**
 * Number of pixels of a camera with a single row, which an accelerating bright spot crosses. It is small enough for
 * hundreds of estimates in seconds; residuals are correlated over pixels and frames like those of pictures.
 */
export const PIXELS = 40;
/** Distance from the centre of the bright spot at which its brightness falls to 1 / e, px. */
const WIDTH = 3;
const TRUTH = { centre: 6, speed: 8, push: 12 } as const;

const Pixel = defineComponent('pixels', { place: column(f32, { unit: 'm' }) });

const move = kernel(
  'move',
  {
    domain: 'world',
    reads: { centre: f32, speed: f32, push: f32 },
    writes: { centre: f32, speed: f32 },
  },
  ({ centre, speed, push }, { dt }) => {
    const v = speed.add(push.mul(dt));
    return { speed: v, centre: centre.add(v.mul(dt)) };
  },
);
const shine = kernel(
  'shine',
  { domain: 'pixels', reads: { place: f32, centre: perWorld(f32) }, writes: { light: f32 } },
  ({ place, centre }) => {
    const d = place.sub(centre).div(WIDTH);
    return { light: exp(d.mul(d).neg()) };
  },
);
const line = definePlugin({
  name: 'line',
  contract: 1,
  components: [Pixel],
  build: ({ model }) => {
    model.addField('world', 'centre', f32, { fill: TRUTH.centre, unit: 'm' });
    model.addField('world', 'speed', f32, { fill: TRUTH.speed, unit: 'm/s' });
    model.addField('world', 'push', f32, { fill: TRUTH.push, unit: 'm/s2' });
    model.addField('pixels', 'light', f32);
    model.addPass('integrate', move);
    model.addPass('observe', shine);
  },
});

export const LINE = { frames: 48, frameRate: 30, substeps: 1 } as const;

export function lineModel(): Model {
  const scene = createScene([line]);
  for (let k = 0; k < PIXELS; k++) scene.add(Pixel, { place: k }, `pixel ${k}`);
  return buildModel(scene);
}

export const lineParameters = (off = 0): ParameterSpec[] => [
  { name: 'centre', field: 'world.centre', initial: TRUTH.centre + 10 * off, truth: TRUTH.centre },
  { name: 'speed', field: 'world.speed', initial: TRUTH.speed + off, truth: TRUTH.speed },
  { name: 'push', field: 'world.push', initial: TRUTH.push - off, truth: TRUTH.push },
];
