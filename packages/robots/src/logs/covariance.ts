import { choleskyFactor, solveByFactor } from '@gradsim/base';
import type { DelayDirection } from './delay.ts';
import { gradientOf } from './delay.ts';
import type { Recording } from './recording.ts';
import type { Channel, Fit } from './robust-fit.ts';
import { product, residualsOf } from './robust-fit.ts';

/** Least length of the blocks whose residuals count as independent, s. */
const BLOCK = 0.5;
/** Least number of blocks in a recording, longer ones than a period of the motion or not. */
const LEAST_BLOCKS = 8;

/** Growth of Student's quantile of 97.5 % over the normal one, z: (z^2 + 1) / 4 over the degrees of freedom. */
const STUDENT = 1.21;

/** Samples of some channels, of one recording. */
export interface Block {
  readonly channels: readonly number[];
  readonly first: number;
  readonly end: number;
}

/**
 * Splits recordings into blocks longer than the period of the motion, over which residuals of a model repeat: the mean time
 * between every second passage through the mean, of the slowest joint.
 */
export function blocksOf(recordings: readonly Recording[]): Block[] {
  return recordings.flatMap((recording, r) => {
    const { step, stride, time, columns } = recording;
    const count = Math.ceil(time.length / stride);
    const most = Math.max(Math.floor(count / LEAST_BLOCKS), 1);
    const length = Math.min(Math.max(Math.round(Math.max(BLOCK, periodOf(recording)) / (step * stride)), 1), most);
    const channels = columns.map((_, j) => r * columns.length + j);
    const number = Math.max(Math.floor(count / length), 1);
    return Array.from({ length: number }, (_, b) => ({
      channels,
      first: Math.round((b * count) / number),
      end: Math.round(((b + 1) * count) / number),
    }));
  });
}

function periodOf({ positions, time }: Recording): number {
  const seconds = time[time.length - 1] - time[0];
  const periods = positions.map((q) => {
    const middle = q.reduce((sum, x) => sum + x, 0) / q.length;
    let passages = 0;
    for (let s = 1; s < q.length; s++) if (q[s - 1] < middle !== q[s] < middle) passages++;
    return (2 * seconds) / Math.max(passages, 1);
  });
  return Math.max(...periods);
}

/** Factor of the squared changes that leaving out one of so many blocks makes, in their sum, for a variance. */
export function jackknifeFactor(blocks: number): number {
  const freedom = Math.max(blocks - 1, 1);
  // Two standard errors hold 95 % by Student's distribution, whose quantile grows about so with few blocks.
  return (freedom / blocks) * (1 + STUDENT / freedom) ** 2;
}

/**
 * Covariance of base parameters, and of the delay if it is unknown, by leaving out one block of time after another (the
 * jackknife): it holds for residuals that are correlated within a block, whatever their cause, and counts what a block
 * itself draws a fit to it, so that few blocks do not make errors small.
 */
export function leaveBlocksOut(
  fit: Fit,
  direction: DelayDirection | undefined,
  channels: readonly Channel[],
  recordings: readonly Recording[],
): number[][] {
  const size = fit.values.length + (direction ? 1 : 0);
  const residuals = channels.map((channel) => residualsOf(channel, fit));
  const blocks = blocksOf(recordings);
  const parts = blocks.map((block) => normalOf(channels, fit, direction, block, fit.curvatures));
  const normal = parts[0].map((row, i) => row.map((_, k) => parts.reduce((sum, part) => sum + part[i][k], 0)));
  const whole = choleskyFactor(normal) ?? direction?.factor ?? fit.factor;
  const spread = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  for (const [b, block] of blocks.entries()) {
    const without = choleskyFactor(normal.map((row, i) => row.map((x, k) => x - parts[b][i][k])));
    // What one block alone determines has no other to be compared with.
    const x = solveByFactor(without ?? whole, gradientOf(channels, fit, direction, residuals, block));
    spread.forEach((row, i) => {
      for (let k = 0; k < row.length; k++) row[k] += x[i] * x[k];
    });
  }
  return spread.map((row) => row.map((x) => x * jackknifeFactor(blocks.length)));
}

/** Normal matrix of the unknowns of a fit over a block, of samples weighted by its weights or curvatures. */
export function normalOf(
  channels: readonly Channel[],
  fit: Fit,
  direction: DelayDirection | undefined,
  { channels: own, first, end: last }: Block,
  by: readonly Float64Array[],
): number[][] {
  const size = fit.values.length + (direction ? 1 : 0);
  const normal = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  for (const c of own) {
    const columns = fit.base.independent.flatMap((p, i) =>
      channels[c].columns[p].length > 0 ? [{ i, sign: 1, of: channels[c].columns[p] }] : [],
    );
    if (direction) columns.push({ i: size - 1, sign: -1, of: direction.slopes[c] });
    const weights = by[c];
    const end = Math.min(last, weights.length);
    const weighted = new Float64Array(weights.length);
    for (const a of columns) {
      for (let s = first; s < end; s++) weighted[s] = weights[s] * a.of[s];
      for (const b of columns) {
        if (b.i > a.i) break;
        normal[a.i][b.i] += a.sign * b.sign * product(weighted, b.of, first, end);
      }
    }
  }
  for (let i = 0; i < size; i++) for (let k = i + 1; k < size; k++) normal[i][k] = normal[k][i];
  return normal;
}
