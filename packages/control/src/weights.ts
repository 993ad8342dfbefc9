import type { Model } from '@gradsim/core';
import { f32, GradsimError } from '@gradsim/core';
import type { ArraySpec } from '@gradsim/optim';
import { randomNumbers } from '@gradsim/optim';
import type { Layer } from './dense.ts';

/** Options of a controller's weights and biases: name, initial values, and whether all worlds share them. */
interface WeightOptions {
  readonly name: string;
  readonly bias: boolean;
  readonly weightDeviation: number;
  readonly seed: number;
  readonly shared: boolean;
  readonly weights: Readonly<Record<string, ArrayLike<number>>>;
}

/** A layer, and the layers that feed it, each with the domain of its weights. */
interface LayerInputs {
  readonly to: Layer;
  readonly from: readonly (Layer & { readonly weights: string })[];
}

/** Field keys of all weights and biases, by model and by name of the controller. */
const WEIGHT_FIELD_KEYS = new WeakMap<Model, Map<string, readonly string[]>>();

/**
 * Adds the fields of weights and biases. @throws for initial values of another size, or for a field that does not
 * exist.
 */
export function addWeights(
  model: Model,
  { name, bias, weightDeviation, seed, shared, weights }: WeightOptions,
  inputs: readonly LayerInputs[],
): void {
  const random = randomNumbers(seed);
  const keys: string[] = [];
  const add = (domain: string, field: string, shape: string, drawn: () => number): void => {
    const key = `${domain}.${field}`;
    const { size } = model.domain(domain);
    const values = weights[key] ?? Float64Array.from({ length: size }, drawn);
    if (values.length !== size)
      throw new GradsimError(
        'control/wrong-size',
        `The controller ${name} is given ${values.length} values of ${key}, which has ${size}: ${shape}. Are they those of another controller?`,
        { field: key },
      );
    model.addField(domain, field, f32, { values, shared });
    keys.push(key);
  };
  for (const { to, from } of inputs) {
    const taken = from.reduce((sum, { size }) => sum + size, 0);
    // Uniform within +-r has the standard deviation r / sqrt(3).
    const reach = weightDeviation * Math.sqrt(3 / taken);
    for (const { domain, size, weights: own } of from) {
      model.addDomain(own, size * to.size);
      add(own, 'weight', `${size} of ${domain} x ${to.size} of ${to.domain}`, () => reach * (2 * random() - 1));
    }
    if (bias) add(to.domain, 'bias', `one for each of ${to.domain}`, () => 0);
  }
  const other = Object.keys(weights).find((key) => !keys.includes(key));
  if (other !== undefined)
    throw new GradsimError(
      'control/no-such-weights',
      `The controller ${name} has no weights ${other}; it has ${keys.join(', ')}.`,
    );
  const ofModel = WEIGHT_FIELD_KEYS.get(model) ?? new Map<string, readonly string[]>();
  WEIGHT_FIELD_KEYS.set(model, ofModel.set(name, keys));
}

/**
 * Returns the weights and biases of a controller as unknowns, for the `arrays` of a problem. Their initial values are
 * those of the model.
 *
 * ```ts
 * const problem = { model, ...timeline, arrays: weightsOf(model, 'gait'), observations };
 * ```
 * @param name name of the controller; optional if the model has only one.
 * @throws if there is no such controller, or several and no name.
 */
export function weightsOf(model: Model, name?: string, more: Partial<ArraySpec> = {}): ArraySpec[] {
  const all = WEIGHT_FIELD_KEYS.get(model) ?? new Map<string, readonly string[]>();
  const names = [...all.keys()];
  const keys = all.get(name ?? (names.length === 1 ? names[0] : ''));
  if (!keys)
    throw new GradsimError(
      'control/no-such-controller',
      name === undefined
        ? `The model has ${names.length === 0 ? 'no controllers' : `the controllers ${names.join(', ')}`}; name one.`
        : `The model has no controller "${name}"; there ${names.length === 0 ? 'is none' : `are ${names.join(', ')}`}.`,
    );
  return keys.map((key) => ({ name: key, field: key, initial: model.field(key).values!, ...more }));
}
