/**
 * Finds the first part of a value that cannot be sent between threads; returns its path and kind, such as
 * `settings.film.decode, a Function`, or null if all can be sent.
 */
export function uncloneable(value: unknown, path: string, seen = new Set<unknown>()): string | null {
  if (seen.has(value) || isCloneable(value)) return null;
  seen.add(value);
  if (isPlain(value))
    for (const [key, part] of Object.entries(value)) {
      const found = uncloneable(part, `${path}.${key}`, seen);
      if (found) return found;
    }
  return `${path}, a ${kindOf(value)},`;
}

function isCloneable(value: unknown): boolean {
  try {
    structuredClone(value);
    return true;
  } catch {
    return false;
  }
}

const isPlain = (value: unknown): value is object =>
  Array.isArray(value) ||
  (typeof value === 'object' && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value)));

const kindOf = (value: unknown): string =>
  typeof value === 'object' ? (value?.constructor?.name ?? 'object') : typeof value;
