import type { Field, Model } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import type { ArraySpec, Coordinate, ParameterSpec, ScalarPrior, Usual } from '../problem/parameter.ts';
import { checkedArray, checkedParameter, refusePrior, refuseStart, transformOf } from '../problem/parameter.ts';
import type { Timeline } from '../problem/run.ts';
import { modesOf } from './modes.ts';
import { chosenIndices, elementsOf, placesOf } from './places.ts';

/** A single unknown or an array: its range in the vector of all coordinates, and the places in a field that it sets. */
export interface Block {
  readonly name: string;
  /** Key of the field that it sets; null if only ties use the unknown. */
  readonly field: string | null;
  readonly isArray: boolean;
  /** True for a given quantity, which is fitted with its tolerance as a prior. */
  readonly isGiven: boolean;
  /** True if it is found by values alone, so that derivatives with respect to it are not requested. */
  readonly isByValues: boolean;
  /** Index of its first coordinate in the vector of all coordinates. */
  readonly first: number;
  readonly count: number;
  readonly initial: Float64Array;
  readonly start: Float64Array;
  readonly truth?: Float64Array;
  readonly prior?: Omit<ScalarPrior, 'mean'> & { readonly mean: Float64Array };
  readonly usual?: Usual;
  readonly coordinate: Coordinate;
  readonly transform: ParameterSpec['transform'];
  readonly range?: readonly [number, number];
  readonly scale: number;
  readonly unit: string;
  /** Reason, stated by the field, why observations may not depend on the unknown. */
  readonly unseen?: string;
  /**
   * Indices in the field's values, flat [moment][element][component]; the unknown's value `owners[p]` is written to
   * index `places[p]`.
   */
  readonly places: Uint32Array;
  readonly owners: Uint32Array;
  /**
   * For modes: the unknown's value `owners[p]`, times `weights[p]`, is added at index `places[p]`, which may occur
   * often.
   */
  readonly weights?: ArrayLike<number>;
  /** Lengths of the axes of its values: windows of time, elements, components. */
  readonly shape: readonly [number, number, number];
  /** Returns the display name of its k-th value, with the element's name in the scene: `v (vertex 7 of cloth flag)`. */
  readonly label: (value: number) => string;
}

/**
 * Makes the block of a single unknown. @throws for a field, element or component that does not exist, or invalid
 * values.
 */
export function numberBlock(
  model: Model,
  spec: ParameterSpec,
  first: number,
  timeline: Timeline,
  isGiven = false,
): Block {
  const what = checkedParameter(spec);
  const field = spec.field === undefined ? null : model.field(spec.field);
  const { name, transform, range, initial, start = initial, prior, usual, truth } = spec;
  const coordinate = transformOf({ what, transform, range });
  const must = { what, transform, range, field: field ?? undefined };
  refuseStart(must, initial);
  refuseStart(must, start);
  refusePrior(name, prior);
  const places = field ? placesOfNumber(what, model, field, timeline, spec) : new Uint32Array();
  return {
    name,
    field: field?.key ?? null,
    isArray: false,
    isGiven,
    isByValues: spec.derivative === 'none',
    first,
    count: 1,
    coordinate,
    transform,
    range,
    places,
    initial: Float64Array.of(initial),
    start: Float64Array.of(start),
    ...(truth === undefined ? {} : { truth: Float64Array.of(truth) }),
    ...(prior ? { prior: { ...prior, mean: Float64Array.of(prior.mean) } } : {}),
    ...(usual ? { usual } : {}),
    scale: spec.scale ?? naturalStep(transform, [initial]),
    unit: spec.unit ?? field?.unit ?? '',
    unseen: field?.unseen,
    owners: new Uint32Array(places.length),
    shape: [1, 1, 1],
    label: () => name,
  };
}

/**
 * Places in the field that a single unknown sets. @throws for an element or component that does not exist, and for a
 * vector field if no component is chosen.
 */
function placesOfNumber(
  what: string,
  model: Model,
  field: Field,
  timeline: Timeline,
  { component, elements, name, initial }: ParameterSpec,
): Uint32Array {
  if (component === undefined && field.components > 1)
    throw new GradsimError(
      'optim/component-missing',
      `${what} goes to ${field.key}, which has ${field.components} components, and names none of them. One number goes to one component.`,
      {
        field: field.key,
        hint: `Write \`component: 0\` (of 0 to ${field.components - 1}). For all of them, write an array in the problem's \`arrays\`, { name: '${name}', field: '${field.key}', initial: ${initial} }, with \`tied: ['components']\` if they are to have one value.`,
      },
    );
  const components = chosenIndices(what, field.key, 'components', [component ?? 0], field.components);
  const named = elementsOf(model, field, what, elements);
  return placesOf(what, model, field, timeline, named, components, {}).places;
}

/**
 * Makes the block of an array. @throws for a field, element or component that does not exist, or for values that are
 * invalid or wrong in number.
 */
export function arrayBlock(model: Model, spec: ArraySpec, first: number, timeline: Timeline): Block {
  const what = checkedArray(spec);
  const field = model.field(spec.field);
  const { name, transform, range, prior, truth, tied = [], window = 1 } = spec;
  const coordinate = transformOf({ what, transform, range });
  const all = [...Array(field.components).keys()];
  const components = chosenIndices(what, field.key, 'components', spec.components ?? all, field.components);
  const elements = elementsOf(model, field, what, spec.elements);
  refuseTies(what, field, spec);
  const { places, owners, shape, weights } = spec.modes
    ? modesOf(what, field, elements, components, { ...spec, modes: spec.modes })
    : placesOf(what, model, field, timeline, elements, components, { tied, window });
  const count = shape[0] * shape[1] * shape[2];
  const sizes = spec.modes ? 'modes' : describeShape(field, shape, window);
  const filled = (values: number | ArrayLike<number>, role: string): Float64Array => {
    if (typeof values === 'number') return new Float64Array(count).fill(values);
    if (values?.length !== count)
      throw new GradsimError(
        'optim/wrong-size',
        `${what} has ${values?.length ?? values} ${role}, but ${sizes} are ${count}.`,
      );
    return Float64Array.from(values);
  };
  const initial = filled(spec.initial, 'initial values');
  const start = filled(spec.start ?? initial, 'values to start from');
  // Amplitudes of modes are no values of the field.
  const own = spec.modes ? undefined : field;
  for (const value of initial) refuseStart({ what, transform, range, field: own }, value);
  for (const value of start) refuseStart({ what, transform, range, field: own }, value);
  refusePrior(name, prior);
  const label = (value: number): string => {
    if (spec.modes) return `${name} (mode ${value})`;
    const [w, e, c] = positionIn(shape, value);
    const parts = [
      ...(field.variesBy ? [window > 1 ? `window ${w}` : `${field.variesBy} ${w}`] : []),
      ...(tied.includes('elements') ? [] : [model.describe(field.domain, elements[e])]),
      ...(tied.includes('components') || components.length === 1 ? [] : [`component ${components[c]}`]),
    ];
    return parts.length > 0 ? `${name} (${parts.join(', ')})` : name;
  };
  return {
    name,
    field: field.key,
    isArray: true,
    isGiven: false,
    isByValues: false,
    first,
    count,
    coordinate,
    transform,
    range,
    initial,
    start,
    places,
    owners,
    shape,
    label,
    weights,
    ...(truth === undefined ? {} : { truth: filled(truth, 'true values') }),
    ...(prior ? { prior: { ...prior, mean: filled(prior.mean, 'means of its prior') } } : {}),
    scale: spec.scale ?? naturalStep(transform, initial),
    unit: spec.unit ?? (spec.modes ? '' : (field.unit ?? '')),
  };
}

/**
 * Checks `tied` and `window` of an array. @throws for an unknown axis, or for a window if the field is not over time.
 */
function refuseTies(what: string, field: Field, { tied = [], window = 1 }: ArraySpec): void {
  for (const axis of tied)
    if (axis !== 'elements' && axis !== 'components')
      throw new GradsimError(
        'optim/unknown-choice',
        `${what} ties "${axis}"; what can be tied are elements and components.`,
      );
  if (!(Number.isInteger(window) && window >= 1))
    throw new GradsimError('optim/window-wrong', `${what} has the window ${window}.`, {
      hint: 'It must be a whole number of at least 1.',
    });
  if (window > 1 && !field.variesBy)
    throw new GradsimError(
      'optim/window-wrong',
      `${what} has a window of ${window}, but ${field.key} has one value for all times.`,
      { field: field.key },
    );
}

function naturalStep(transform: ParameterSpec['transform'], initial: ArrayLike<number>): number {
  if (transform === 'log' || transform === 'bounded') return 1;
  let largest = 1;
  for (let k = 0; k < initial.length; k++) largest = Math.max(largest, Math.abs(initial[k]));
  return largest;
}

function positionIn(
  [, elements, components]: readonly [number, number, number],
  value: number,
): [number, number, number] {
  const within = value % (elements * components);
  return [Math.floor(value / (elements * components)), Math.floor(within / components), within % components];
}

function describeShape(
  { variesBy }: Field,
  [windows, elements, components]: readonly [number, number, number],
  window: number,
): string {
  const times = variesBy ? `${windows} ${window > 1 ? `windows of ${window} ${variesBy}s` : `${variesBy}s`} x ` : '';
  return `${times}${elements} elements x ${components} components`;
}
