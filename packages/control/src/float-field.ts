import type { F32, Field, FieldKey, FieldRef, Model, Value, ValueType } from '@gradsim/core';
import { f32, GradsimError, Scalar } from '@gradsim/core';

/** A field of floats, with the type of its values. */
export interface FloatField {
  readonly field: Field;
  readonly ref: FieldRef<ValueType>;
  readonly type: ValueType;
  /** Number of elements of its domain. */
  readonly size: number;
}

/** @throws where there is no such field, it holds no floats, or no element has it. */
export function floatField(model: Model, what: string, key: FieldKey): FloatField {
  const field = model.field(key);
  const ref = field.ref as FieldRef<ValueType> | undefined;
  if (field.scalar !== 'f32' || ref === undefined || 'kind' in ref.type)
    throw new GradsimError(
      'control/wrong-type',
      `${what} is to be ${field.key}, which holds no floats of a field that a plugin has added.`,
      { field: field.key },
    );
  const { size } = model.domain(field.domain);
  if (size === 0)
    throw new GradsimError('control/no-element', `${what} is to be ${field.key}, of which this scene has no element.`, {
      field: field.key,
    });
  return { field, ref, type: ref.type, size };
}

/** Returns the scalars of a value. */
export const partsOf = (value: Value): readonly F32[] =>
  value instanceof Scalar ? [value as F32] : (value as { readonly components: readonly F32[] }).components;

/** Composes a value from scalars. */
export const ofParts = (type: ValueType, parts: readonly F32[]): Value =>
  type.fromNodes(parts.map((part) => f32(part).node));

/**
 * The elements that are meant, all where none are named.
 * @throws for an element that is not there, or is named twice.
 */
export function chosenElements(what: string, { field, size }: FloatField, elements?: readonly number[]): number[] {
  if (elements === undefined) return [...Array(size).keys()];
  return refuseOthers(what, `elements of ${field.domain}`, elements, size);
}
/** Returns the chosen components, all if none are named. */
export function chosenComponents(what: string, { field }: FloatField, components?: readonly number[]): number[] {
  if (components === undefined) return [...Array(field.components).keys()];
  return refuseOthers(what, `components of ${field.key}`, components, field.components);
}

function refuseOthers(what: string, of: string, chosen: readonly number[], count: number): number[] {
  if (chosen.length === 0)
    throw new GradsimError('control/no-element', `${what} names no ${of}.`, { hint: 'Leave them out for all.' });
  for (const [k, one] of chosen.entries()) {
    if (!Number.isInteger(one) || one < 0 || one >= count)
      throw new GradsimError(
        'control/no-such-element',
        `${what} names ${one} of the ${of}, which are 0 to ${count - 1}.`,
      );
    if (chosen.indexOf(one) !== k)
      throw new GradsimError('control/named-twice', `${what} names ${one} of the ${of} twice.`);
  }
  return [...chosen];
}

/** Elements and components of a field that a controller observes, with the domain of the observed elements. */
export interface SeenPlaces {
  readonly seen: FloatField;
  readonly elements: readonly number[];
  readonly components: readonly number[];
  /** Domain with one element for each observed element, and the index `of` to it. */
  readonly places: string;
}

/**
 * Adds the domain of a sight, `each` numbers for each component that is seen, and that of the elements.
 * @throws where there is no such field, element or component.
 */
export function addPlaces(
  model: Model,
  domain: string,
  key: FieldKey,
  chosen: { readonly elements?: readonly number[]; readonly components?: readonly number[] },
  each = 1,
): SeenPlaces {
  const what = 'What a controller sees';
  const seen = floatField(model, what, key);
  const elements = chosenElements(what, seen, chosen.elements);
  const components = chosenComponents(what, seen, chosen.components);
  const places = `${domain}Places`;
  model.addDomain(domain, each * elements.length * components.length);
  model.addDomain(places, elements.length);
  model.addIndex(places, 'of', seen.field.domain, 1, elements);
  return { seen, elements, components, places };
}
