import { solveByFactor } from '@gradsim/base';
import type { DelayDirection } from './delay.ts';
import { gradientOf } from './delay.ts';
import type { Recording } from './recording.ts';
import type { Channel, Fit } from './robust-fit.ts';
import { residualsOf } from './robust-fit.ts';

/** Length of the blocks whose residuals count as independent, s. */
const BLOCK = 0.5;

/**
 * Covariance of base parameters, and of the delay if it is unknown, H^-1 (sum over blocks of g g^T) H^-1, with g = Y^T W r of
 * all joints in a block of time: it holds for residuals that are correlated within a block, whatever their cause.
 */
export function covarianceOf(
  fit: Fit,
  direction: DelayDirection | undefined,
  channels: readonly Channel[],
  recordings: readonly Recording[],
): number[][] {
  const factor = direction?.factor ?? fit.factor;
  const spread = factor.map(() => new Array<number>(factor.length).fill(0));
  const residuals = channels.map((channel) => residualsOf(channel, fit));
  const joints = channels.length / recordings.length;
  let blocks = 0;
  recordings.forEach(({ step, time }, r) => {
    const length = Math.max(Math.round(BLOCK / step), 1);
    const own = Array.from({ length: joints }, (_, j) => r * joints + j);
    for (let first = 0; first < time.length; first += length) {
      const part = { channels: own, first, end: first + length };
      const x = solveByFactor(factor, gradientOf(channels, fit, direction, residuals, part));
      spread.forEach((row, i) => {
        for (let k = 0; k < row.length; k++) row[k] += x[i] * x[k];
      });
      blocks++;
    }
  });
  const correction = blocks / Math.max(blocks - 1, 1);
  return spread.map((row) => row.map((x) => x * correction));
}
