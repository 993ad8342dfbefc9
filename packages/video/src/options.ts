import { VideoError } from './errors.ts';

/**
 * Refuses options that are no numbers of at least 0.
 *
 * @param given by name; those that are not given are passed over.
 */
export function refuseNoNumber(who: string, given: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(given))
    if (value !== undefined && !(typeof value === 'number' && Number.isFinite(value) && value >= 0))
      throw new VideoError(`${who}: ${name} is ${JSON.stringify(value)}; it must be a number of at least 0.`);
}

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
