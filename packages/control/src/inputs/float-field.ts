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
export function resolveElements(what: string, { field, size }: FloatField, elements?: readonly number[]): number[] {
  if (elements === undefined) return [...Array(size).keys()];
  return refuseInvalidChoice(what, `elements of ${field.domain}`, elements, size);
}
/** Returns the given component numbers, or all of the field if none are given. */
export function resolveComponents(what: string, { field }: FloatField, components?: readonly number[]): number[] {
  if (components === undefined) return [...Array(field.components).keys()];
  return refuseInvalidChoice(what, `components of ${field.key}`, components, field.components);
}

function refuseInvalidChoice(what: string, of: string, chosen: readonly number[], count: number): number[] {
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

/** Elements and components of a field that a controller observes, and the domain that lists the elements. */
export interface ObservedElements {
  readonly seen: FloatField;
  readonly elements: readonly number[];
  readonly components: readonly number[];
  /** Name of a domain with one element per observed element, whose index `of` refers to it. */
  readonly places: string;
}

/**
 * Adds the domain of an input, with `each` numbers per observed element and component, and the domain of the observed
 * elements.
 * @throws if the model has no such field, element or component.
 */
export function addObservedElements(
  model: Model,
  domain: string,
  key: FieldKey,
  chosen: { readonly elements?: readonly number[]; readonly components?: readonly number[] },
  each = 1,
): ObservedElements {
  const what = 'What a controller sees';
  const seen = floatField(model, what, key);
  const elements = resolveElements(what, seen, chosen.elements);
  const components = resolveComponents(what, seen, chosen.components);
  const places = `${domain}Places`;
  model.addDomain(domain, each * elements.length * components.length);
  model.addDomain(places, elements.length);
  model.addIndex(places, 'of', seen.field.domain, 1, elements);
  return { seen, elements, components, places };
}
