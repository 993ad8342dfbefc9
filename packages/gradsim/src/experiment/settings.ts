import { GradsimError } from '@gradsim/core';
/**
 * Adds a setting from `--set name=value` to those already collected.
 * @throws for a setting without a name or an equals sign, and for a repeated name.
 */
export function collectSetting(text: string, settings: Record<string, string>): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new GradsimError('gradsim/option-wrong', `--set takes name=value, not "${text}".`);
  const name = text.slice(0, at).trim();
  if (Object.hasOwn(settings, name))
    throw new GradsimError('gradsim/option-twice', `--set ${name} is given twice.`, { hint: 'Give it once.' });
  return { ...settings, [name]: text.slice(at + 1) };
}

/**
 * Parses a whole number given to an option.
 * @throws when it is not one, or below `least`.
 */
export function wholeNumber(option: string, text: string, least: number): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(value) || value < least)
    throw new GradsimError(
      'gradsim/option-wrong',
      `${option} takes a whole number of at least ${least}, not "${text}".`,
      {
        field: option,
      },
    );
  return value;
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
 * Parses a number above 0 given to an option.
 * @throws if it is not a number above 0.
 */
export function positiveNumber(option: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value > 0 && Number.isFinite(value)))
    throw new GradsimError('gradsim/option-wrong', `${option} takes a number above 0, not "${text}".`, {
      field: option,
    });
  return value;
}

/** Checks the name of a file or folder: an empty one would mean the current folder. @throws when it is empty. */
export function notEmpty(option: string, text: string): string {
  if (text.trim() === '') throw new GradsimError('gradsim/option-wrong', `${option} needs a name; it is empty.`);
  return text;
}
