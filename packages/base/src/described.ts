/** Most characters of a value in a message, and of a text in it. */
const MAX_LENGTHS = { value: 100, text: 60 } as const;
/** Most values of a list, or properties of an object, in a message. */
const MAX_ITEMS = 16;
/** Depth to which lists and objects are shown. */
const MAX_DEPTH = 3;
/** Names of properties that need no quotes. */
const UNQUOTED_KEY = /^[\w$]+$/;

/**
 * A value of any type as a message shows it: texts in quotes, short lists and objects as they are written, others by their
 * kind. It never fails: no `toString`, `toJSON` or getter is run, and what a proxy throws is caught.
 *
 * ```ts
 * described([1, 'a', 10n]); // [1, "a", 10n]
 * ```
 */
export function describeValue(value: unknown): string {
  try {
    const written = literalOf(value, 0);
    if (written !== undefined && (typeof value !== 'object' || written.length <= MAX_LENGTHS.value)) return written;
    if (Array.isArray(value)) return `a list of ${value.length}`;
    if (ArrayBuffer.isView(value)) return `a list of ${'length' in value ? value.length : value.byteLength} numbers`;
  } catch {
    // A proxy whose traps throw, or that is revoked.
  }
  return typeof value === 'function' ? 'a function' : 'an object';
}

/** A value as it is written in a program; undefined for one that is long or deep, or no plain value. */
function literalOf(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return JSON.stringify(truncate(value));
  if (typeof value === 'bigint') return truncate(`${value}n`);
  if (typeof value === 'symbol') return `Symbol(${truncate(value.description ?? '')})`;
  if (typeof value === 'function') return undefined;
  if (typeof value !== 'object' || value === null) return String(value);
  if (depth === MAX_DEPTH) return undefined;
  const isList = Array.isArray(value);
  if (isList ? value.length > MAX_ITEMS : ![Object.prototype, null].includes(Object.getPrototypeOf(value)))
    return undefined;
  const names = Object.keys(value);
  if (names.length > MAX_ITEMS || (isList && names.length !== value.length)) return undefined;
  const parts = names.map((name) => {
    const property = Object.getOwnPropertyDescriptor(value, name);
    const part = property && 'value' in property ? literalOf(property.value, depth + 1) : undefined;
    return part === undefined || isList
      ? part
      : `${UNQUOTED_KEY.test(name) ? name : JSON.stringify(truncate(name))}: ${part}`;
  });
  if (parts.includes(undefined)) return undefined;
  if (isList) return `[${parts.join(', ')}]`;
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}

const truncate = (text: string): string =>
  text.length > MAX_LENGTHS.text ? `${text.slice(0, MAX_LENGTHS.text)}...` : text;
