import type { Model } from '@gradsim/core';
import { bind, detach, f32, fieldOn, GradsimError, kernel, perWorld } from '@gradsim/core';
import type { Layer } from './dense.ts';

/**
 * Returns the number of outputs of the controller that a teacher names in `teaches`. @throws if that controller does
 * not precede the teacher.
 */
export function outputCountOf(model: Model, label: string, pupil: string): number {
  try {
    return model.domain(`${pupil}Outputs`).size;
  } catch (cause) {
    throw new GradsimError(
      'control/no-such-controller',
      `${label} teaches ${pupil}, and there is no controller of that name before it.`,
      { hint: 'Put it behind the one that learns.', cause },
    );
  }
}

/**
 * Adds the field `world.NAME`: the mean squared difference between the values of two layers, integrated over time, s.
 */
export function addOutputDifference(model: Model, name: string, teacher: Layer, pupil: string): void {
  model.addField('world', name, f32, { fill: 0, unit: 's' });
  const square = kernel(
    `squareOf_${name}`,
    {
      domain: teacher.domain,
      reads: { value: f32, pupil: fieldOn(pupil, f32) },
      adds: { square: perWorld(f32) },
    },
    ({ value, pupil: tried, square: sum }, { element }) => {
      // The teacher's output is a constant target: the backward pass does not change it.
      const off = tried.at(element).sub(detach(value));
      sum.add(off.mul(off).div(teacher.size));
    },
  );
  const integrate = kernel(
    `integralOf_${name}`,
    { domain: 'world', reads: { square: f32, miss: f32 }, writes: { miss: f32 } },
    ({ square: rate, miss }, { dt }) => ({ miss: miss.add(rate.mul(dt)) }),
  );
  model.addPass('control', bind(square, { pupil: 'value', square: `${name}Rate` }));
  model.addPass('control', bind(integrate, { square: `${name}Rate`, miss: name }));
}
