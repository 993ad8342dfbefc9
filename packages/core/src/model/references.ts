import { GradsimError, nearestTo } from '@gradsim/base';
import type { FieldRef } from '@gradsim/kernel';
import type { Field } from './field.ts';

/** A field, given by reference or by its key `domain.name`. */
export type FieldKey = string | FieldRef;

export const keyOfField = (field: FieldKey): string => (typeof field === 'string' ? field : field.key);

/**
 * Returns the key of the field that a reference stands for.
 * @throws when the model's field of that key was declared by another reference: that of another model, or of another
 * copy of the package.
 */
export function resolvedKey(reference: FieldKey, find: (key: string) => Field): string {
  if (typeof reference === 'string') return reference;
  if (typeof reference?.key !== 'string')
    throw new GradsimError(
      'core/not-a-field',
      `A field is given by a reference, such as Body.position, or by its key "bodies.position", not as ${String(reference)}.`,
    );
  const { ref } = find(reference.key);
  if (ref && ref !== reference)
    throw new GradsimError(
      'core/foreign-reference',
      `This reference to ${reference.key} is not the one that this model's field was made from: it is of another model, or of a second copy of the package that declares it (\`npm ls\` shows copies).`,
      { field: reference.key },
    );
  return reference.key;
}

/** Returns the error for an unknown field, which names the nearest one. */
export function noField(key: string, fields: Iterable<string>, domains: Iterable<string>): Error {
  const [domain] = key.split('.');
  const all = [...fields];
  const beside = all.filter((other) => other.startsWith(`${domain}.`));
  const nearest = nearestTo(key, all);
  const known = beside.length > 0 ? `Fields there: ${beside.join(', ')}.` : `Domains: ${[...domains].join(', ')}.`;
  return new GradsimError(
    'core/unknown-field',
    `There is no field "${key}". ${nearest ? `Did you mean ${nearest}? ` : ''}${known}`,
    { field: key },
  );
}
