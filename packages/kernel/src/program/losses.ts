import type { Question } from '../devices/asking.ts';
import type { Executor } from '../devices/device.ts';
import { wordOf } from './places.ts';
import type { Loss } from './sums.ts';

/** What went wrong in a run first. */
export interface Failure {
  readonly substep: number;
  readonly error: Error;
}

/**
 * The error for the first addition of a run that went to no element; null where there was none.
 * @param nameOf names an element of a domain.
 */
export const firstLoss = (
  losses: readonly Loss[],
  nameOf: (domain: string, element: number) => string,
): Question<Failure | null> => ({
  asks: losses.map(({ place: { offset, words } }) => ({ arena: 'u32', from: offset, words })),
  conclude: (records) => firstOf(losses, records, nameOf),
});

function firstOf(
  losses: readonly Loss[],
  records: readonly ArrayLike<number>[],
  nameOf: (domain: string, element: number) => string,
): Failure | null {
  let first: Failure | null = null;
  for (const [k, { place, isBack, describe }] of losses.entries()) {
    const { shape } = place;
    const record = records[k];
    for (let one = 0; one < shape.elements * shape.worlds; one++) {
      const [element, world] = [Math.floor(one / shape.worlds), one % shape.worlds];
      const [after, slot, target] = [0, 1, 2].map((c) => record[wordOf(shape, c, element, world)]);
      const substep = after - 1;
      if (after === 0 || (first && first.substep <= substep)) continue;
      const lost = describe(slot, target);
      const { kernel, domain, field, elements, index } = lost;
      const does = `${isBack ? 'reads' : 'adds to'} ${field}`;
      const what =
        `${does} at index ${index}, and there are ${elements} of ${field.split('.')[0]}; ` +
        (isBack
          ? 'a derivative goes through it, so it must be one of them'
          : 'leave out what has no place there');
      const where = `substep ${substep}${shape.worlds > 1 ? `, world ${world}` : ''}`;
      first = {
        substep,
        error: new Error(
          `kernel ${kernel}, for ${nameOf(domain, lost.element)} of ${domain}: ${what} (${where}).`,
        ),
      };
    }
  }
  return first;
}

/** Clears the records of runs forward, or of those back. */
export function forgetLosses(executor: Executor, losses: readonly Loss[], isBack: boolean): void {
  for (const { place } of losses.filter((loss) => loss.isBack === isBack))
    executor.clear(place.buffer, place.offset, place.words);
}
