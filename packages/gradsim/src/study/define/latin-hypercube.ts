import { GradsimError, randomNumbers } from '@gradsim/base';

/** Range of a setting; with `log: true`, its logarithm is drawn uniformly instead of the value. */
export interface SettingRange {
  readonly range: readonly [number, number];
  readonly log?: boolean;
}

/**
 * Settings of `count` trials (Latin hypercube sampling): each range is cut into `count` equal parts, and one value is
 * drawn in every part. Fewer trials are needed than with independent draws for the same coverage. Source: M. D. McKay,
 * R. J. Beckman and W. J. Conover, 1979.
 *
 * ```ts
 * latinHypercube({ mass: { range: [0.1, 10], log: true }, mu: { range: [0, 1] } }, 200, 7);
 * ```
 * @throws for a range that does not rise, and for one in the logarithm that does not begin above 0.
 */
export function latinHypercube<N extends string>(
  ranges: Readonly<Record<N, SettingRange>>,
  count: number,
  seed = 1,
): Record<N, number>[] {
  const random = randomNumbers(seed);
  const columns = Object.entries<SettingRange>(ranges).map(([name, range]) => {
    requireRange(name, range);
    return shuffled(count, random).map((part) => [name, valueAt(range, (part + random()) / count)] as const);
  });
  return Array.from(
    { length: count },
    (_, k) => Object.fromEntries(columns.map((column) => column[k])) as Record<N, number>,
  );
}

function valueAt({ range: [low, high], log = false }: SettingRange, share: number): number {
  return log ? low * (high / low) ** share : low + (high - low) * share;
}

/** Numbers 0 to `count` - 1 in random order. Source: R. Durstenfeld, 1964. */
function shuffled(count: number, random: () => number): number[] {
  const order = Array.from({ length: count }, (_, k) => k);
  for (let k = count - 1; k > 0; k--) {
    const other = Math.floor(random() * (k + 1));
    [order[k], order[other]] = [order[other], order[k]];
  }
  return order;
}

function requireRange(name: string, { range: [low, high], log = false }: SettingRange): void {
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
