import { VideoError } from './errors.ts';

/**
 * Refuses options that a function does not have: a misspelt one would be passed over, and its default used.
 *
 * @param known the names that there are.
 */
export function refuseUnknownOptions(who: string, given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new VideoError(`${who} has no option ${unknown}; its options are ${known.join(', ')}.`);
}
