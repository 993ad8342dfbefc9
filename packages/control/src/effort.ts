import type { Model } from '@gradsim/core';
import { bind, f32, kernel, perWorld } from '@gradsim/core';
import type { Layer } from './dense.ts';

/**
 * Adds the field `world.NAME`: the mean of a layer's squared values, integrated over time from the start of the run, s.
 */
export function addEffort(model: Model, name: string, layer: Layer): void {
  model.addField('world', name, f32, { fill: 0, unit: 's' });
  const square = kernel(
    `squareOf_${name}`,
    { domain: layer.domain, reads: { value: f32 }, adds: { square: perWorld(f32) } },
    ({ value, square: sum }) => sum.add(value.mul(value).div(layer.size)),
  );
  const integrate = kernel(
    `integralOf_${name}`,
    { domain: 'world', reads: { square: f32, effort: f32 }, writes: { effort: f32 } },
    ({ square: rate, effort }, { dt }) => ({ effort: effort.add(rate.mul(dt)) }),
  );
  model.addPass('control', bind(square, { square: `${name}Rate` }));
  model.addPass('control', bind(integrate, { square: `${name}Rate`, effort: name }));
}
