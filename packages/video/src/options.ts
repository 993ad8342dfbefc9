import { describeValue, GradsimError } from '@gradsim/base';

/**
 * Checks that options are numbers of at least 0.
 *
 * @param options options by name; undefined ones are ignored.
 * @throws GradsimError naming an option that is not.
 */
export function refuseNoNumber(caller: string, options: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && !(typeof value === 'number' && Number.isFinite(value) && value >= 0))
      throw new GradsimError('video/option-out-of-range', `${name} is ${describeValue(value)}.`, {
        field: name,
        element: caller,
        hint: 'It must be a number of at least 0.',
      });
}
