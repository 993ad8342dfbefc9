import { GradsimError } from '@gradsim/kernel';

/**
 * Refuses options that are no numbers of at least 0.
 *
 * @param given by name; those that are not given are ignored.
 */
export function refuseNoNumber(who: string, given: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(given))
    if (value !== undefined && !(typeof value === 'number' && Number.isFinite(value) && value >= 0))
      throw new GradsimError('video/option-out-of-range', `${name} is ${JSON.stringify(value)}.`, {
        field: name,
        element: who,
        hint: 'It must be a number of at least 0.',
      });
}
