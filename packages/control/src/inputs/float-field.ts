import type { F32, Field, FieldKey, FieldRef, Model, Value, ValueType } from '@gradsim/core';
import { f32, GradsimError, Scalar } from '@gradsim/core';

/** A field of floats or float vectors, with its value type. */
export interface FloatField {
  readonly field: Field;
  readonly ref: FieldRef<ValueType>;
  readonly type: ValueType;
  /** Number of elements of the field's domain. */
  readonly size: number;
}

/** Looks up a field of floats. @throws if there is no such field, its values are not floats, or its domain is empty. */
export function floatField(model: Model, label: string, key: FieldKey): FloatField {
  const field = model.field(key);
  const ref = field.ref as FieldRef<ValueType> | undefined;
  if (field.scalar !== 'f32' || ref === undefined || 'kind' in ref.type)
    throw new GradsimError(
      'control/wrong-type',
      `${label} is to be ${field.key}, which holds no floats of a field that a plugin has added.`,
      { field: field.key },
    );
  const { size } = model.domain(field.domain);
  if (size === 0)
    throw new GradsimError(
      'control/no-element',
      `${label} is to be ${field.key}, of which this scene has no element.`,
      {
        field: field.key,
      },
    );
  return { field, ref, type: ref.type, size };
}

/** Returns the scalar components of a value of the kernel language. */
export const partsOf = (value: Value): readonly F32[] =>
  value instanceof Scalar ? [value as F32] : (value as { readonly components: readonly F32[] }).components;

/** Composes a value of a type from its scalar components. */
export const valueFromParts = (type: ValueType, parts: readonly F32[]): Value =>
  type.fromNodes(parts.map((part) => f32(part).node));

/**
 * Returns the given element numbers, or all of the field if none are given.
 * @throws for a number out of range or given twice.
 */
export function resolveElements(label: string, { field, size }: FloatField, elements?: readonly number[]): number[] {
  if (elements === undefined) return [...Array(size).keys()];
  return refuseInvalidChoice(label, `elements of ${field.domain}`, elements, size);
}
/** Returns the given component numbers, or all of the field if none are given. */
export function resolveComponents(label: string, { field }: FloatField, components?: readonly number[]): number[] {
  if (components === undefined) return [...Array(field.components).keys()];
  return refuseInvalidChoice(label, `components of ${field.key}`, components, field.components);
}

function refuseInvalidChoice(label: string, of: string, chosen: readonly number[], count: number): number[] {
  if (chosen.length === 0)
    throw new GradsimError('control/no-element', `${label} names no ${of}.`, { hint: 'Leave them out for all.' });
  for (const [k, one] of chosen.entries()) {
    if (!Number.isInteger(one) || one < 0 || one >= count)
      throw new GradsimError(
        'control/no-such-element',
        `${label} names ${one} of the ${of}, which are 0 to ${count - 1}.`,
      );
    if (chosen.indexOf(one) !== k)
      throw new GradsimError('control/named-twice', `${label} names ${one} of the ${of} twice.`);
  }
  return [...chosen];
}

/** Elements and components of a field that a controller observes, and the domain that lists the elements. */
export interface ObservedElements {
  readonly field: FloatField;
  readonly elements: readonly number[];
  readonly components: readonly number[];
  /** Name of a domain with one element per observed element, whose index `of` refers to it. */
  readonly places: string;
}

/**
 * Adds the domain of an input, with `componentsPerElement` numbers per observed element and component, and the domain of the observed
 * elements.
 * @throws if the model has no such field, element or component.
 */
export function addObservedElements(
  model: Model,
  domain: string,
  key: FieldKey,
  chosen: { readonly elements?: readonly number[]; readonly components?: readonly number[] },
  componentsPerElement = 1,
): ObservedElements {
  const label = 'What a controller sees';
  const field = floatField(model, label, key);
  const elements = resolveElements(label, field, chosen.elements);
  const components = resolveComponents(label, field, chosen.components);
  const places = `${domain}Places`;
  model.addDomain(domain, componentsPerElement * elements.length * components.length);
  model.addDomain(places, elements.length);
  model.addIndex(places, 'of', field.field.domain, 1, elements);
  return { field, elements, components, places };
}
