import { GradsimError, refuseWrongType } from '@gradsim/core';

/** Reader of one setting of an experiment: converts and checks its text. */
export interface Setting<T> {
  /**
   * Converts the text of a setting to its value, possibly asynchronously, for example by reading a file that it names.
   *
   * @param text value of the option `--set name=value`; undefined if the option is not given.
   * @param what name of the setting in messages: "The setting size".
   */
  readonly read: (text: string | undefined, what: string) => T | Promise<T>;
}

/** Readers of an experiment's settings, by name. */
export type Settings<V> = { readonly [K in keyof V]: Setting<V[K]> };

/** Types of the values that settings are converted to. */
export type SettingValues<S> = { readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never };

/**
 * Reader of a setting that is a number of at least `least`.
 *
 * ```ts
 * settings: { size: wholeSetting(48, { least: 16 }), penalty: numberSetting(0, { least: 0 }) }
 * ```
 * @param defaultValue default value.
 */
export function numberSetting(defaultValue: number, { least }: { readonly least: number }): Setting<number> {
  const fits = (value: number): boolean => Number.isFinite(value) && value >= least;
  return {
    read: (text, what) =>
      numberOf(text, defaultValue, fits, `${what} is "${text}"; it is a number of at least ${least}.`),
  };
}

/** Reader of a setting that is a whole number of at least `least`, 1 by default. */
export function wholeSetting(defaultValue: number, { least = 1 }: { readonly least?: number } = {}): Setting<number> {
  const fits = (value: number): boolean => Number.isSafeInteger(value) && value >= least;
  return {
    read: (text, what) =>
      numberOf(text, defaultValue, fits, `${what} is "${text}"; it is a whole number of at least ${least}.`),
  };
}

function numberOf(text: string | undefined, otherwise: number, fits: (value: number) => boolean, refusal: string) {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (text.trim() === '' || !fits(value)) throw new GradsimError('optim/setting-value', refusal);
  return value;
}

/**
 * Reader of a setting that is one of some words; the first word is its default.
 *
 * ```ts
 * settings: { steps: choiceSetting(['implicit', 'explicit']) }
 * ```
 */
export function choiceSetting<const W extends string>(words: readonly [W, ...W[]]): Setting<W> {
  return {
    read: (text = words[0], what) => {
      const word = words.find((one) => one === text);
      if (word === undefined)
        throw new GradsimError('optim/setting-value', `${what} is "${text}"; it is one of ${words.join(', ')}.`);
      return word;
    },
  };
}

/** Reader of a setting that is any text, such as a file name; undefined if it is not given. */
export const textSetting: Setting<string | undefined> = { read: (text) => text };

/**
 * Reads the settings of an experiment from their texts.
 * @throws for a setting that the experiment does not have, naming those that it has, and for an invalid value, which
 * a number in place of its text is too.
 */
export async function readSettings<V>(
  experiment: string,
  given: Readonly<Record<string, string>>,
  settings: Settings<V>,
): Promise<V> {
  const names = Object.keys(settings) as (keyof V & string)[];
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(settings, name));
  if (unknown !== undefined) {
    const known = `${names.slice(0, -1).join(', ')}${names.length > 1 ? ' and ' : ''}${names.at(-1)}`;
    throw new GradsimError(
      'optim/unknown-setting',
      `The experiment ${experiment} has no setting "${unknown}"; it has ${known}.`,
    );
  }
  for (const [name, text] of Object.entries<unknown>(given))
    refuseWrongType(
      `The setting ${name}`,
      text,
      'a text, as `--set` takes it',
      text === undefined || typeof text === 'string',
    );
  const values: Partial<V> = {};
  for (const name of names) values[name] = await settings[name].read(given[name], `The setting ${name}`);
  return values as V;
}
