import type { Field, Model } from '@gradsim/core';
import type { ArraySpec, Coordinate, ParameterSpec } from './parameter.ts';
import { checkedArray, checkedParameter, refusePrior, refuseStart, transformOf } from './parameter.ts';

/** How often a run goes through frames and substeps. */
export interface Timeline {
  readonly frames: number;
  readonly substeps: number;
}

/** An unknown, of one number or many: its part of the vector of all coordinates, and where its values go. */
export interface Block {
  readonly name: string;
  /** The key of the field that it sets. */
  readonly field: string;
  readonly isArray: boolean;
  /** Where its coordinates begin in the vector of all. */
  readonly first: number;
  readonly count: number;
  readonly initial: Float64Array;
  readonly start: Float64Array;
  readonly truth?: Float64Array;
  readonly prior?: { readonly mean: Float64Array; readonly standardDeviation: number };
  readonly coordinate: Coordinate;
  readonly transform: ParameterSpec['transform'];
  readonly range?: readonly [number, number];
  readonly scale: number;
  readonly unit: string;
  /** Positions in the field's values, [moment][element][component]; value `owners[p]` goes to `places[p]`. */
  readonly places: Uint32Array;
  readonly owners: Uint32Array;
  /** How many windows of time, elements and components its values have. */
  readonly shape: readonly [number, number, number];
  /** Names one of its values. */
  readonly label: (value: number) => string;
}

/** How many values over time a field has in a run. */
export function momentsOf({ over }: Pick<Field, 'over'>, { frames, substeps }: Timeline): number {
  if (over === 'frame') return frames;
  return over === 'substep' ? (frames - 1) * substeps : 1;
}

/** @throws when it names no field, element or component, or its values do not fit. */
export function numberBlock(model: Model, spec: ParameterSpec, first: number, timeline: Timeline): Block {
  const what = checkedParameter(spec);
  const field = model.field(spec.field);
  const { name, transform, range, initial, start = initial, prior, truth } = spec;
  const coordinate = transformOf({ what, transform, range });
  refuseStart({ what, transform, range, field }, initial);
  refuseLaterStart({ what, transform, range, field }, start);
  refusePrior(name, prior);
  const components = chosen(what, field.key, 'components', [spec.component ?? 0], field.components);
  const elements = elementsOf(model, field, what, spec.elements);
  const { places } = placesOf(what, model, field, timeline, elements, components, {});
  return {
    ...{ name, field: field.key, isArray: false, first, count: 1, coordinate, transform, range, places },
    initial: Float64Array.of(initial),
    start: Float64Array.of(start),
    ...(truth === undefined ? {} : { truth: Float64Array.of(truth) }),
    ...(prior ? { prior: { ...prior, mean: Float64Array.of(prior.mean) } } : {}),
    scale: spec.scale ?? naturalStep(transform, [initial]),
    unit: spec.unit ?? field.unit ?? '',
    owners: new Uint32Array(places.length),
    shape: [1, 1, 1],
    label: () => name,
  };
}

/** @throws when it names no field, element or component, or its values do not fit, in number or by themselves. */
export function arrayBlock(model: Model, spec: ArraySpec, first: number, timeline: Timeline): Block {
  const what = checkedArray(spec);
  const field = model.field(spec.field);
  const { name, transform, range, prior, truth, tied = [], window = 1 } = spec;
  const coordinate = transformOf({ what, transform, range });
  const all = [...Array(field.components).keys()];
  const components = chosen(what, field.key, 'components', spec.components ?? all, field.components);
  const elements = elementsOf(model, field, what, spec.elements);
  for (const axis of tied)
    if (axis !== 'elements' && axis !== 'components')
      throw new Error(`${what} ties "${axis}"; what can be tied are elements and components.`);
  if (!(Number.isInteger(window) && window >= 1))
    throw new Error(`${what} has the window ${window}; it must be a whole number of at least 1.`);
  if (window > 1 && !field.over)
    throw new Error(`${what} has a window of ${window}, but ${field.key} has one value for all times.`);
  const sharing = { tied, window };
  const { places, owners, shape } = placesOf(what, model, field, timeline, elements, components, sharing);
  const count = shape[0] * shape[1] * shape[2];
  const sizes = describeShape(field, shape, window);
  const filled = (values: number | ArrayLike<number>, role: string): Float64Array => {
    if (typeof values === 'number') return new Float64Array(count).fill(values);
    if (values?.length !== count)
      throw new Error(`${what} has ${values?.length ?? values} ${role}, but ${sizes} are ${count}.`);
    return Float64Array.from(values);
  };
  const initial = filled(spec.initial, 'initial values');
  const start = filled(spec.start ?? initial, 'values to start from');
  for (const value of initial) refuseStart({ what, transform, range, field }, value);
  for (const value of start) refuseLaterStart({ what, transform, range, field }, value);
  refusePrior(name, prior);
  const label = (value: number): string => {
    const [w, e, c] = positionIn(shape, value);
    const parts = [
      ...(field.over ? [window > 1 ? `window ${w}` : `${field.over} ${w}`] : []),
      ...(tied.includes('elements') ? [] : [`element ${elements[e]}`]),
      ...(tied.includes('components') || components.length === 1 ? [] : [`component ${components[c]}`]),
    ];
    return parts.length > 0 ? `${name} (${parts.join(', ')})` : name;
  };
  return {
    ...{ name, field: field.key, isArray: true, first, count, coordinate, transform, range },
    ...{ initial, start, places, owners, shape, label },
    ...(truth === undefined ? {} : { truth: filled(truth, 'true values') }),
    ...(prior ? { prior: { ...prior, mean: filled(prior.mean, 'means of its prior') } } : {}),
    scale: spec.scale ?? naturalStep(transform, initial),
    unit: spec.unit ?? field.unit ?? '',
  };
}

/** Where a search goes on may lie outside of the range from which starts are drawn, but not of what values can be. */
const refuseLaterStart = (given: Parameters<typeof refuseStart>[0], value: number): void =>
  refuseStart(given.transform === 'bounded' ? given : { ...given, range: undefined }, value);

function naturalStep(transform: ParameterSpec['transform'], initial: ArrayLike<number>): number {
  if (transform === 'log' || transform === 'bounded') return 1;
  let largest = 1;
  for (let k = 0; k < initial.length; k++) largest = Math.max(largest, Math.abs(initial[k]));
  return largest;
}

function elementsOf(model: Model, field: Field, what: string, given?: readonly number[]): readonly number[] {
  const { size } = model.domain(field.domain);
  const elements = given ?? [...Array(size).keys()];
  if (size === 0) throw new Error(`${what} goes to no element: ${field.key} has none.`);
  return chosen(what, field.key, 'elements', elements, size);
}

function chosen(
  what: string,
  key: string,
  axis: 'elements' | 'components',
  numbers: readonly number[],
  size: number,
): readonly number[] {
  if (numbers.length === 0) throw new Error(`${what} names no ${axis} of ${key}; leave it out for all.`);
  for (const k of numbers)
    if (!Number.isInteger(k) || k < 0 || k >= size)
      throw new Error(`${what}: ${key} has ${size} ${axis}, there is no ${k}.`);
  return numbers;
}

function placesOf(
  what: string,
  model: Model,
  field: Field,
  timeline: Timeline,
  elements: readonly number[],
  components: readonly number[],
  { tied = [], window = 1 }: Pick<ArraySpec, 'tied' | 'window'>,
): { places: Uint32Array; owners: Uint32Array; shape: [number, number, number] } {
  const moments = momentsOf(field, timeline);
  if (moments === 0)
    throw new Error(`${what}: ${field.key} has a value for every substep, and a run of one frame has none.`);
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

function positionIn(
  [, elements, components]: readonly [number, number, number],
  value: number,
): [number, number, number] {
  const within = value % (elements * components);
  return [Math.floor(value / (elements * components)), Math.floor(within / components), within % components];
}

function describeShape(
  { over }: Field,
  [windows, elements, components]: readonly [number, number, number],
  window: number,
): string {
  const times = over ? `${windows} ${window > 1 ? `windows of ${window} ${over}s` : `${over}s`} x ` : '';
  return `${times}${elements} elements x ${components} components`;
}
