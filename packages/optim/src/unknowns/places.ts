import type { Field, Model } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import type { ArraySpec } from '../problem/parameter.ts';
import type { Timeline } from '../problem/run.ts';
import { momentsOf } from '../problem/run.ts';

/**
 * Indices in a field's values, flat [moment][element][component] (`places`), and for each the index of the unknown's
 * value that is written there (`owners`).
 */
export interface Places {
  readonly places: Uint32Array;
  readonly owners: Uint32Array;
  /** For modes: change of the field's value at each place per unit of the unknown's value. */
  readonly weights?: Float64Array;
  /** Lengths of the axes of the unknown's values: windows of time, elements, components. */
  readonly shape: readonly [number, number, number];
}

/** Returns the given element numbers, or all of the field. @throws for one that does not exist, or an empty field. */
export function elementsOf(model: Model, field: Field, label: string, elements?: readonly number[]): readonly number[] {
  const { size } = model.domain(field.domain);
  if (size === 0)
    throw new GradsimError('optim/no-element', `${label} goes to no element: ${field.key} has none.`, {
      field: field.key,
    });
  return chosenIndices(label, field.key, 'elements', elements ?? [...Array(size).keys()], size);
}

/** Checks chosen element or component numbers. @throws for one that is not from 0 to `size` - 1, or an empty list. */
export function chosenIndices(
  label: string,
  key: string,
  axis: 'elements' | 'components',
  numbers: readonly number[],
  size: number,
): readonly number[] {
  if (numbers.length === 0)
    throw new GradsimError('optim/no-element', `${label} names no ${axis} of ${key}.`, {
      field: key,
      hint: 'Leave it out for all.',
    });
  for (const k of numbers)
    if (!Number.isInteger(k) || k < 0 || k >= size)
      throw new GradsimError('optim/no-such-element', `${label}: ${key} has ${size} ${axis}, there is no ${k}.`, {
        field: key,
      });
  return numbers;
}

/** Places of an array's values in its field, and the lengths of the axes of these values. */
export function placesOf(
  label: string,
  model: Model,
  field: Field,
  timeline: Timeline,
  elements: readonly number[],
  components: readonly number[],
  { tied = [], window = 1 }: Pick<ArraySpec, 'tied' | 'window'>,
): Places {
  const moments = momentsOf(field, timeline);
  if (moments === 0)
    throw new GradsimError(
      'optim/no-value-there',
      `${label}: ${field.key} has a value for every substep, and a run of one frame has none.`,
      { field: field.key },
    );
  const perMoment = model.domain(field.domain).size * field.components;
  const [ownElements, ownComponents] = [
    tied.includes('elements') ? 1 : elements.length,
    tied.includes('components') ? 1 : components.length,
  ];
  const places = new Uint32Array(moments * elements.length * components.length);
  const owners = new Uint32Array(places.length);
  let at = 0;
  for (let moment = 0; moment < moments; moment++) {
    const first = Math.floor(moment / window) * ownElements * ownComponents;
    for (let e = 0; e < elements.length; e++) {
      for (let c = 0; c < components.length; c++) {
        places[at] = moment * perMoment + elements[e] * field.components + components[c];
        owners[at++] = first + (ownElements > 1 ? e : 0) * ownComponents + (ownComponents > 1 ? c : 0);
      }
    }
  }
  return { places, owners, shape: [Math.ceil(moments / window), ownElements, ownComponents] };
}
