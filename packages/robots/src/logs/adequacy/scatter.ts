import { choleskyFactor, inverseDiagonal, solveByFactor } from '@gradsim/base';
import { type Block, normalOf, total } from '../covariance.ts';
import { type DelayDirection, gradientOf } from '../delay.ts';
import type { Recording } from '../recording/recording.ts';
import type { Channel, Fit } from '../robust-fit.ts';
import { residualsOf } from '../robust-fit.ts';

/** Parts that a recording is split into. */
const PARTS = 4;
/** Standard deviations beyond which a scatter contradicts standard errors. */
const CONTRADICTS = 2.33;

/** Standard errors of the unknowns of a fit as the estimates of its parts scatter, beside those of blocks. */
export interface Scatter {
  /** From quarters of each recording. */
  readonly quarters: readonly number[];
  /** From whole recordings; undefined of one recording. */
  readonly recordings?: readonly number[];
  /** The larger one of all, where a scatter contradicts the standard error of blocks; else the latter. */
  readonly widenedErrors: readonly number[];
}

/**
 * Compares estimates of quarters of recordings, and of recordings, with those of all. Differences count by what a part
 * determines, so that a quarter in which a joint hardly moves counts little.
 * @param errors standard errors by blocks.
 */
export function scatterOf(
  fit: Fit,
  direction: DelayDirection | undefined,
  channels: readonly Channel[],
  recordings: readonly Recording[],
  errors: readonly number[],
): Scatter {
  const residuals = channels.map((channel) => residualsOf(channel, fit));
  const joints = channels.length / recordings.length;
  const split = (parts: number): Block[] =>
    recordings.flatMap((_, r) => {
      const own = Array.from({ length: joints }, (__, j) => r * joints + j);
      const count = residuals[own[0]].length;
      return Array.from({ length: parts }, (__, k) => ({
        channels: own,
        first: Math.round((k * count) / parts),
        end: Math.round(((k + 1) * count) / parts),
      }));
    });
  const quarters = scaled(split(PARTS));
  const whole = recordings.length > 1 ? scaled(split(1)) : undefined;
  const of = (ratios: readonly Ratio[]): number[] => errors.map((error, i) => error * ratios[i].ratio);
  return {
    quarters: of(quarters),
    ...(whole && { recordings: of(whole) }),
    widenedErrors: errors.map((error, i) =>
      [quarters[i], ...(whole ? [whole[i]] : [])].reduce(
        (most, { ratio, isApart }) => (isApart ? Math.max(most, error * ratio) : most),
        error,
      ),
    ),
  };

  /** Scatter of the estimates of some blocks over the one that standard errors make expect, by unknown. */
  function scaled(blocks: readonly Block[]): Ratio[] {
    const normals = blocks.map((block) => normalOf(channels, fit, direction, block, fit.weights));
    const whole = inverseDiagonal(total(normals));
    const sums = errors.map(() => ({ squares: 0, count: 0 }));
    for (const [b, block] of blocks.entries()) {
      const own = choleskyFactor(normals[b]);
      if (!own) continue;
      const apart = solveByFactor(own, gradientOf(channels, fit, direction, residuals, block));
      inverseDiagonal(normals[b]).forEach((variance, i) => {
        const expected = errors[i] ** 2 * (variance / whole[i] - 1);
        if (!(expected > 0)) return;
        sums[i].squares += apart[i] ** 2 / expected;
        sums[i].count++;
      });
    }
    return sums.map(({ squares, count }) => ({
      ratio: count > 1 ? Math.sqrt(squares / count) : 1,
      isApart: count > 1 && squares > chiSquared(count - 1, CONTRADICTS) * (count / (count - 1)),
    }));
  }
}

interface Ratio {
  readonly ratio: number;
  readonly isApart: boolean;
}

/** Quantile of chi squared (Wilson and Hilferty 1931). */
const chiSquared = (degrees: number, deviations: number): number =>
  degrees * (1 - 2 / (9 * degrees) + deviations * Math.sqrt(2 / (9 * degrees))) ** 3;
