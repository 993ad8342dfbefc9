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
  const count = channels[0].columns.length;
  const delay = direction ? [direction.slopes.map((slope) => slope.map((x) => -x))] : [];
  const plain = fitOf(fit, channels, delay);
  const before = total(leaveBlocksOut(plain.fit, undefined, plain.channels, recordings).foretold);
  return terms.flatMap(({ columns, ...term }): Trial[] => {
    const kept = columns.filter((column) => isNew(column, plain, channels));
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

  function fitOf(
    of: Fit,
    all: readonly Channel[],
    more: Term['columns'],
  ): { readonly fit: Fit; readonly channels: Channel[] } {
    const extended = all.map((channel, c) => ({
      ...channel,
      columns: [...channel.columns, ...more.map((one) => one[c])],
    }));
    const base = {
      independent: [...of.base.independent, ...more.map((_, k) => count + k)],
      dependent: [],
      mix: [],
    };
    return { channels: extended, fit: { ...fitWith(extended, base, of.weights), curvatures: of.curvatures } };
  }
}

const total = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

/** True if the columns of a fit do not explain a column. */
function isNew(column: readonly Float64Array[], { fit }: { readonly fit: Fit }, channels: readonly Channel[]): boolean {
  const torques = channels.map(({ torques: own }, c) =>
    column[c].length > 0 ? column[c] : new Float64Array(own.length),
  );
  const size = torques.reduce((sum, of, c) => sum + of.reduce((s, x, k) => s + fit.weights[c][k] * x * x, 0), 0);
  if (!(size > 0)) return false;
  const own = channels.map((channel, c) => ({ ...channel, torques: torques[c] }));
  const base = { ...fit.base, independent: fit.base.independent.filter((p) => p < channels[0].columns.length) };
  return fitWith(own, base, fit.weights).squares > EXPLAINED * size;
}
