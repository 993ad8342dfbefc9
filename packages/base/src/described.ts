/** Most characters of a value in a message, and of a text in it. */
const LONGEST = { value: 100, text: 60 } as const;
/** Most values of a list, or properties of an object, in a message. */
const MOST = 16;
/** Depth to which lists and objects are shown. */
const DEEPEST = 3;
/** Names of properties that need no quotes. */
const PLAIN = /^[\w$]+$/;

/**
 * A value of any type as a message shows it: texts in quotes, short lists and objects as they are written, others by their
 * kind. It never fails: no `toString`, `toJSON` or getter is run, and what a proxy throws is caught.
 *
 * ```ts
 * described([1, 'a', 10n]); // [1, "a", 10n]
 * ```
 */
export function described(value: unknown): string {
  try {
    const written = writtenOf(value, 0);
    if (written !== undefined && (typeof value !== 'object' || written.length <= LONGEST.value)) return written;
    if (Array.isArray(value)) return `a list of ${value.length}`;
    if (ArrayBuffer.isView(value)) return `a list of ${'length' in value ? value.length : value.byteLength} numbers`;
  } catch {
    // A proxy whose traps throw, or that is revoked.
  }
  return typeof value === 'function' ? 'a function' : 'an object';
}

/** A value as it is written in a program; undefined for one that is long or deep, or no plain value. */
function writtenOf(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return JSON.stringify(cut(value));
  if (typeof value === 'bigint') return cut(`${value}n`);
  if (typeof value === 'symbol') return `Symbol(${cut(value.description ?? '')})`;
  if (typeof value === 'function') return undefined;
  if (typeof value !== 'object' || value === null) return String(value);
  if (depth === DEEPEST) return undefined;
  const isList = Array.isArray(value);
  if (isList ? value.length > MOST : ![Object.prototype, null].includes(Object.getPrototypeOf(value))) return undefined;
  const names = Object.keys(value);
  if (names.length > MOST || (isList && names.length !== value.length)) return undefined;
  const parts = names.map((name) => {
    const property = Object.getOwnPropertyDescriptor(value, name);
    const part = property && 'value' in property ? writtenOf(property.value, depth + 1) : undefined;
    return part === undefined || isList ? part : `${PLAIN.test(name) ? name : JSON.stringify(cut(name))}: ${part}`;
  });
  if (parts.includes(undefined)) return undefined;
  if (isList) return `[${parts.join(', ')}]`;
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}

const cut = (text: string): string => (text.length > LONGEST.text ? `${text.slice(0, LONGEST.text)}...` : text);
