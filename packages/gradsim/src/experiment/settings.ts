import { GradsimError } from '@gradsim/core';
import { numberIn, type Quantity, unitsRead } from '@gradsim/kinds';

/**
 * Adds a setting from `--set name=value`, or from another such option, to those already collected.
 * @throws for a setting without a name or an equals sign, and for a repeated name.
 */
export function collectSetting(
  text: string,
  settings: Record<string, string>,
  option = '--set',
): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new GradsimError('gradsim/option-wrong', `${option} takes name=value, not "${text}".`);
  const name = text.slice(0, at).trim();
  if (Object.hasOwn(settings, name))
    throw new GradsimError('gradsim/option-twice', `${option} ${name} is given twice.`, { hint: 'Give it once.' });
  return { ...settings, [name]: text.slice(at + 1) };
}

/**
 * Parses a whole number given to an option.
 * @throws when it is not one, or outside of the range.
 */
export function wholeNumber(option: string, text: string, least: number, most = Number.MAX_SAFE_INTEGER): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isSafeInteger(value) && value >= least && value <= most) return value;
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  throw new GradsimError('gradsim/option-wrong', `${option} takes a whole number ${range}, not "${text}".`, {
    field: option,
  });
}

/** Longest duration that an option takes, s: timers count milliseconds in 32 bits, of which one is the sign. */
export const LONGEST_SECONDS = 24 * 86_400;

const UNITS: Readonly<Record<string, number>> = { ms: 1e-3, s: 1, min: 60, m: 60, h: 3600, d: 86_400 };

/**
 * Parses a duration given to an option, in seconds or with a unit, as in `90`, `90s`, `1.5h`. Returns seconds.
 * @throws when it is not one, below `least`, or above {@link LONGEST_SECONDS}.
 */
export function duration(option: string, text: string, least = 1e-3): number {
  const [, number = '', unit = 's'] = /^\s*([\d.]+(?:e[+-]?\d+)?)\s*([a-z]+)?\s*$/i.exec(text) ?? [];
  const seconds = Object.hasOwn(UNITS, unit) && number !== '' ? Number(number) * UNITS[unit] : Number.NaN;
  if (seconds >= least && seconds <= LONGEST_SECONDS) return seconds;
  throw new GradsimError(
    'gradsim/option-wrong',
    `${option} takes a duration from ${least} s to ${LONGEST_SECONDS / 86_400} days, not "${text}".`,
    { field: option, hint: 'Write seconds, or a unit behind the number: 90s, 15min, 2h, 1d.' },
  );
}

/**
 * Checks that an option's value is one of the allowed words.
 * @throws if it is another.
 */
export function oneOf<W extends string>(option: string, text: string, words: readonly W[]): W {
  const word = words.find((each) => each === text);
  if (word === undefined)
    throw new GradsimError('gradsim/option-wrong', `${option} takes ${words.join(' or ')}, not "${text}".`, {
      field: option,
    });
  return word;
}

/**
 * Parses a number above 0 given to an option; of a length (m) or an angle (degrees) with a unit or without, `9,8 cm`.
 * @throws if it is not a number above 0.
 */
export function positiveNumber(option: string, text: string, quantity?: Quantity): number {
  const value = numberIn(text, quantity);
  if (value > 0 && Number.isFinite(value)) return value;
  throw new GradsimError(
    'gradsim/option-wrong',
    `${option} takes a number above 0${unitsOf(quantity)}, not "${text}".`,
    {
      field: option,
    },
  );
}

/** Parses a number given to an option, of any sign. @throws if it is none. */
export function anyNumber(option: string, text: string, quantity?: Quantity): number {
  const value = numberIn(text, quantity);
  if (Number.isFinite(value)) return value;
  throw new GradsimError('gradsim/option-wrong', `${option} takes a number${unitsOf(quantity)}, not "${text}".`, {
    field: option,
  });
}

const unitsOf = (quantity: Quantity | undefined): string =>
  quantity === undefined ? '' : `, with a unit (${unitsRead(quantity).join(', ')}) or without`;

/** Checks the name of a file or folder: an empty one would mean the current folder. @throws when it is empty. */
export function notEmpty(option: string, text: string): string {
  if (text.trim() === '') throw new GradsimError('gradsim/option-wrong', `${option} needs a name; it is empty.`);
  return text;
}
