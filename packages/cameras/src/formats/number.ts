import { describeValue, GradsimError } from '@gradsim/base';

/**
 * Pattern of a decimal number as text. No two alternatives begin with the same character, so matching takes linear
 * time.
 */
const DECIMAL_PATTERN = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Parses a number read from a file, or a string that holds one. NaN for null, true, "" and everything else. */
export function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  const text = typeof value === 'string' ? value.trim() : '';
  return DECIMAL_PATTERN.test(text) ? Number(text) : Number.NaN;
}

/**
 * Parses a value read from a file that must be a finite number.
 * @throws for any other value, naming the entry and the value.
 */
export function finiteNumber(value: unknown, name: string, label: string): number {
  const number = numberOf(value);
  if (!Number.isFinite(number))
    throw new GradsimError('cameras/file-invalid', `${label}: ${name} is ${describeValue(value)}.`, {
      hint: 'It must be a finite number.',
    });
  return number;
}
