import { choleskyFactor, multiplySquare, multiplyVector, sum } from '@gradsim/base';
import { mapEigenvalues, symmetricEigen } from '@gradsim/base/decompositions';
import type { DelayDirection } from './delay.ts';
import { gradientOf } from './delay.ts';
import type { Recording } from './recording/recording.ts';
import type { Channel, Fit } from './robust-fit.ts';
import { product, residualsOf } from './robust-fit.ts';

/** Least length of the blocks whose residuals count as independent, s. */
const BLOCK = 0.5;
/**
 * Least number of blocks in a recording: bars of ten arms were 1.24 times
 * their errors with 8, 1.08 times with 16, and held as often.
 */
const LEAST_BLOCKS = 16;

/** Coefficients of the growth of Student's quantile of 97.5 % over the normal one in powers of 1 / freedom (Fisher and Cornish 1960). */
const STUDENT = [1.21, 1.44] as const;
/** Least part of what is known of a combination that other blocks must know, for its residuals to be enlarged. */
const LEAST_OTHERS = 0.01;

/** Samples of some channels, of one recording. */
export interface Block {
  readonly channels: readonly number[];
  readonly first: number;
  readonly end: number;
}

/**
 * Splits recordings into blocks longer than the period of the motion, over which residuals of a model repeat: the mean time
 * between every second passage through the mean, of the slowest joint.
 * @param minBlocks number of blocks in a recording, longer ones than that period or not.
 */
export function blocksOf(recordings: readonly Recording[], minBlocks = LEAST_BLOCKS): Block[] {
  return recordings.flatMap((recording, r) => {
    const { step, stride, time, columns } = recording;
    const count = Math.ceil(time.length / stride);
    const most = Math.max(Math.floor(count / minBlocks), 1);
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

/** Factor of a standard error by which two of them hold 95 % by Student's distribution of so many degrees of freedom. */
export const studentGrowth = (freedom: number): number => 1 + STUDENT[0] / freedom + STUDENT[1] / freedom ** 2;

/**
 * Covariance of base parameters, and of the delay if it is unknown, from the sums of residuals over blocks of time: it holds
 * for residuals that are correlated within a block, whatever their cause. A fit takes a part of the residuals of a block with
 * it, which grows with how much of a parameter the block alone determines: they are enlarged by (1 - part)^-1/2, which is
 * right on average (R. M. Bell and D. F. McCaffrey 2002, Bias reduction in standard errors for linear regression with
 * multi-stage samples). Leaving blocks out one by one would enlarge by 1 / (1 - part): bars of logs of 6 s were twice too wide.
 */
export function covarianceOfBlocks(
  fit: Fit,
  direction: DelayDirection | undefined,
  channels: readonly Channel[],
  recordings: readonly Recording[],
): number[][] {
  const residuals = channels.map((channel) => residualsOf(channel, fit));
  const blocks = blocksOf(recordings);
  const partsBy = (by: readonly Float64Array[]): number[][][] =>
    blocks.map((block) => normalOf(channels, fit, direction, block, by));
  const curved = partsBy(fit.curvatures);
  const parts = choleskyFactor(total(curved)) ? curved : partsBy(fit.weights);
  const whole = total(parts);
  const size = whole.length;
  // Unknowns in units in which the normal matrix has ones along its diagonal.
  const units = whole.map((row, i) => 1 / Math.sqrt(row[i]));
  const scaled = (of: readonly (readonly number[])[]): Float64Array =>
    Float64Array.from(of.flatMap((row, i) => row.map((x, k) => x * units[i] * units[k])));
  const root = mapEigenvalues(symmetricEigen(scaled(whole)), (x) => 1 / Math.sqrt(x));
  const spread = whole.map(() => new Array<number>(size).fill(0));
  for (const [b, block] of blocks.entries()) {
    const gradient = gradientOf(channels, fit, direction, residuals, block).map((x, i) => x * units[i]);
    const part = multiplySquare(root, multiplySquare(scaled(parts[b]), root, size), size);
    const enlarged = mapEigenvalues(symmetricEigen(part), (x) => 1 / Math.sqrt(Math.max(1 - x, LEAST_OTHERS)));
    const change = multiplyVector(root, multiplyVector(enlarged, multiplyVector(root, gradient)));
    for (const [i, row] of spread.entries())
      for (let k = 0; k < size; k++) row[k] += change[i] * units[i] * change[k] * units[k];
  }
  const grown = studentGrowth(Math.max(blocks.length - 1, 1));
  return spread.map((row) => row.map((x) => x * grown ** 2));
}

/** Sum of matrices. */
export const total = (parts: readonly (readonly (readonly number[])[])[]): number[][] =>
  parts[0].map((row, i) => row.map((_, k) => sum(parts.map((part) => part[i][k]))));

/** Normal matrix of the unknowns of a fit over a block, of samples weighted by its weights or curvatures. */
export function normalOf(
  channels: readonly Channel[],
  fit: Fit,
  direction: DelayDirection | undefined,
  { channels: own, first, end: last }: Block,
  delayDirection: readonly Float64Array[],
): number[][] {
  const size = fit.values.length + (direction ? 1 : 0);
  const normal = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  for (const c of own) {
    const columns = fit.base.independent.flatMap((p, i) =>
      channels[c].columns[p].length > 0 ? [{ i, sign: 1, of: channels[c].columns[p] }] : [],
    );
    if (direction) columns.push({ i: size - 1, sign: -1, of: direction.slopes[c] });
    const weights = delayDirection[c];
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
