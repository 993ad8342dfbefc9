import type { FieldRef } from '@gradsim/kernel';
import type { Field } from './field.ts';

/** A field by reference, or by its key `domain.name`, as a person types it. */
export type FieldKey = string | FieldRef;

export const keyOfField = (field: FieldKey): string => (typeof field === 'string' ? field : field.key);

/**
 * The key of the field that a reference means.
 * @throws when the model's field of that key came from another reference: one of another model, or of another copy of
 * the package that declares it.
 */
export function resolved(given: FieldKey, find: (key: string) => Field): string {
  if (typeof given === 'string') return given;
  const { ref } = find(given.key);
  if (ref && ref !== given)
    throw new Error(
      `This reference to ${given.key} is not the one that this model's field was made from: it is of another model, or of a second copy of the package that declares it (\`npm ls\` shows copies).`,
    );
  return given.key;
}

/** The error for a field that is not there, with the name that is nearest. */
export function noField(key: string, fields: Iterable<string>, domains: Iterable<string>): Error {
  const [domain] = key.split('.');
  const all = [...fields];
  const beside = all.filter((other) => other.startsWith(`${domain}.`));
  const nearest = nearestTo(key, all);
  const known =
    beside.length > 0 ? `Fields there: ${beside.join(', ')}.` : `Domains: ${[...domains].join(', ')}.`;
  return new Error(`There is no field "${key}". ${nearest ? `Did you mean ${nearest}? ` : ''}${known}`);
}

/** Letters that may differ, of each three. */
const ALLOWED = 1 / 3;

/** The name that takes the fewest changes of a letter, if those are few. */
export function nearestTo(name: string, names: readonly string[]): string | undefined {
  const ranked = names
    .map((other) => ({ other, changes: changesBetween(name, other) }))
    .sort((a, b) => a.changes - b.changes);
  return ranked[0]?.changes <= name.length * ALLOWED ? ranked[0].other : undefined;
}

/** Levenshtein's distance: letters to add, leave out or replace. */
function changesBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, k) => k);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length];
}
