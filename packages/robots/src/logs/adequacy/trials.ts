import { leaveBlocksOut } from '../covariance.ts';
import type { DelayDirection } from '../delay.ts';
import type { Recording } from '../recording.ts';
import type { Channel, Fit } from '../robust-fit.ts';
import { fitWith } from '../robust-fit.ts';
import type { Term, TermKind } from './terms.ts';

/** What a term would change, if the model had it. */
export interface Trial {
  readonly kind: TermKind;
  readonly joint: string;
  readonly name: string;
  /** Largest coefficient of its columns, in standard errors. */
  readonly significance: number;
  /** Part of the squared errors of foretold blocks that it takes away, each foretold by the fit to the others. */
  readonly gain: number;
  /** Largest change of a parameter that it makes, in standard errors. */
  readonly shift: number;
}

/** Part of a column that others do not explain, squared, below which it says nothing. */
const EXPLAINED = 1e-3;

/**
 * Tries terms one by one beside a fit, with its weights, and whether each foretells blocks of the recordings better that were
 * not fitted. The delay is as free as base parameters are.
 * @param errors standard errors of the base parameters.
 */
export function tryTerms(
  terms: readonly Term[],
  fit: Fit,
  direction: DelayDirection | undefined,
  channels: readonly Channel[],
  recordings: readonly Recording[],
  errors: readonly number[],
): Trial[] {
  const delay = direction ? [direction.slopes.map((slope) => slope.map((x) => -x))] : [];
  const known = fitOf(fit, channels, []);
  const plain = fitOf(fit, channels, delay);
  const before = total(leaveBlocksOut(plain.fit, undefined, plain.channels, recordings).foretold);
  return terms.flatMap(({ columns, ...term }): Trial[] => {
    const kept = columns.filter((column) => isNew(column, known.fit, known.channels));
    if (kept.length === 0) return [];
    const own = fitOf(fit, channels, [...delay, ...kept]);
    if (own.fit.factor.some((row) => row.some((x) => !Number.isFinite(x)))) return [];
    const { covariance, foretold } = leaveBlocksOut(own.fit, undefined, own.channels, recordings);
    const first = plain.fit.values.length;
    const significance = kept.map(
      (_, k) => Math.abs(own.fit.values[first + k]) / Math.sqrt(covariance[first + k][first + k]),
    );
    return [
      {
        ...term,
        significance: Math.max(...significance),
        gain: 1 - total(foretold) / before,
        shift: Math.max(...fit.values.map((_, i) => Math.abs(own.fit.values[i] - plain.fit.values[i]) / errors[i])),
      },
    ];
  });

  /** The fit with columns more, and without those that depend on others. */
  function fitOf(
    { base, weights, curvatures }: Fit,
    all: readonly Channel[],
    more: Term['columns'],
  ): { readonly fit: Fit; readonly channels: Channel[] } {
    const own = all.map((channel, c) => ({
      ...channel,
      columns: [...base.independent.map((p) => channel.columns[p]), ...more.map((one) => one[c])],
    }));
    const free = { independent: [...own[0].columns.keys()], dependent: [], mix: [] };
    return { channels: own, fit: { ...fitWith(own, free, weights), curvatures } };
  }
}

const total = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

/** True if the columns of a fit do not explain a column. */
function isNew(column: readonly Float64Array[], { base, weights }: Fit, channels: readonly Channel[]): boolean {
  const own = channels.map((channel, c) => ({
    ...channel,
    torques: column[c].length > 0 ? column[c] : new Float64Array(channel.torques.length),
  }));
  const size = own.reduce(
    (sum, { torques }, c) => sum + torques.reduce((all, x, s) => all + weights[c][s] * x * x, 0),
    0,
  );
  return size > 0 && fitWith(own, base, weights).squares > EXPLAINED * size;
}
