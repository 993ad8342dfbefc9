import { GradsimError } from '@gradsim/kernel';
import { randomNumbers } from '@gradsim/numeric';

/** A range of settings; with `log: true` drawn evenly in the logarithm. */
export interface Range {
  readonly range: readonly [number, number];
  readonly log?: boolean;
}

/**
 * Settings drawn so that each range, cut into `count` equal parts, has one value in every part: fewer trials than
 * independent draws need for the same coverage. Source: M. D. McKay, R. J. Beckman and W. J. Conover, 1979.
 *
 * ```ts
 * latinHypercube({ mass: { range: [0.1, 10], log: true }, mu: { range: [0, 1] } }, 200, 7);
 * ```
 * @throws for a range that does not rise, and for one in the logarithm that does not begin above 0.
 */
export function latinHypercube<N extends string>(
  ranges: Readonly<Record<N, Range>>,
  count: number,
  seed = 1,
): Record<N, number>[] {
  const random = randomNumbers(seed);
  const columns = Object.entries<Range>(ranges).map(([name, range]) => {
    requireRange(name, range);
    return shuffled(count, random).map((part) => [name, valueAt(range, (part + random()) / count)] as const);
  });
  return Array.from(
    { length: count },
    (_, k) => Object.fromEntries(columns.map((column) => column[k])) as Record<N, number>,
  );
}

function valueAt({ range: [low, high], log = false }: Range, share: number): number {
  return log ? low * (high / low) ** share : low + (high - low) * share;
}

/** 0 to `count` - 1 in random order. Source: R. Durstenfeld, 1964. */
function shuffled(count: number, random: () => number): number[] {
  const order = Array.from({ length: count }, (_, k) => k);
  for (let k = count - 1; k > 0; k--) {
    const other = Math.floor(random() * (k + 1));
    [order[k], order[other]] = [order[other], order[k]];
  }
  return order;
}

function requireRange(name: string, { range: [low, high], log = false }: Range): void {
  if (!(low < high))
    throw new GradsimError('study/range-not-rising', `The range of "${name}" goes from ${low} to ${high}.`, {
      field: name,
      hint: 'It must rise.',
    });
  if (log && low <= 0)
    throw new GradsimError('study/log-range-not-positive', `The range of "${name}" begins at ${low}.`, {
      field: name,
      hint: 'In the logarithm it must begin above 0.',
    });
}
