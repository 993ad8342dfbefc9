import { GradsimError } from '@gradsim/base';

/**
 * Pattern of a decimal number as text. No two alternatives begin with the same character, so matching takes linear
 * time.
 */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Parses a number read from a file, or a string that holds one. NaN for null, true, "" and everything else. */
export function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  const text = typeof value === 'string' ? value.trim() : '';
  return DECIMAL.test(text) ? Number(text) : Number.NaN;
}

/**
 * Parses a value read from a file that must be a finite number.
 * @throws for any other value, naming the entry and the value.
 */
export function finiteNumber(value: unknown, name: string, what: string): number {
  const number = numberOf(value);
  if (!Number.isFinite(number))
    throw new GradsimError('cameras/file-invalid', `${what}: ${name} is ${shown(value)}.`, {
      hint: 'It must be a finite number.',
    });
  return number;
}

/** Maximum characters of a value quoted in a message. */
const LONGEST = 60;

/** Formats a value for a message. Lists and mappings may be cyclic, so only their size is shown. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length} entries`;
  if (typeof value === 'object' && value !== null) return 'a mapping';
  if (typeof value !== 'string') return String(value);
  return JSON.stringify(value.length > LONGEST ? `${value.slice(0, LONGEST)}...` : value);
}
