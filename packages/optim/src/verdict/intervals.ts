import type { Finding } from '../problem/finding.ts';
import { MAX_NAMED } from '../problem/finding.ts';
import { betterPoint } from './better-point.ts';
import type { Case } from './case.ts';

/** Ratio of the lengths of two intervals above which they are reported as different. */
const MUCH_LONGER = 2;

/** Makes findings about profile or bootstrap intervals that differ from those of the curvature. */
export function intervalsOf({ unknowns, ends, uncertainty, others }: Case): Finding[] {
  if (!uncertainty || !others) return [];
  const { by, of, better } = others;
  const found: Finding[] = [];
  if (!of) return [{ kind: 'intervals', isCritical: false, note: 'There are too few frames for bootstrap intervals.' }];
  if (better) found.push(betterPoint(unknowns, better));
  const values = unknowns.values(ends[0].x);
  const apart = unknowns.names.flatMap((name, i) => {
    const own = uncertainty.intervals[i];
    if (!own.every(Number.isFinite)) return [];
    const times = own.map((end, side) => (of[i][side] - values[i]) / (end - values[i]));
    return times.some((t) => !(t > 1 / MUCH_LONGER && t < MUCH_LONGER)) ? [{ name, own, other: of[i] }] : [];
  });
  if (apart.length > 0) {
    const range = ([low, high]: readonly [number, number]): string =>
      `${Number(low.toPrecision(4))} to ${Number(high.toPrecision(4))}`;
    const each = apart
      .slice(0, MAX_NAMED)
      .map(({ name, own, other }) => `${name} ${range(other)} (by the curvature ${range(own)})`);
    const note = `The 95 % intervals by ${by} differ from those by the curvature of the loss: ${each.join('; ')}.`;
    found.push({ kind: 'intervals', isCritical: false, unknowns: apart.map(({ name }) => name), note });
  }
  return found;
}
