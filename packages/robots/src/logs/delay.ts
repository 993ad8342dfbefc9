import { solveByFactor } from '@gradsim/base';
import { seenInBand, withDelay } from './recording/channels.ts';
import type { Recording } from './recording/recording.ts';
import { torquesOf } from './recording/recording.ts';
import type { Channel, Fit } from './robust-fit.ts';
import { fitWith, residualsOf, robustFit, squaresLeft } from './robust-fit.ts';

/** Step of the delays tried, and of the difference quotient of torques, s. */
const STEP = 2.5e-3;
/** Gauss-Newton steps from the best of the delays tried. */
const ROUNDS = 3;

/** Delay as an unknown of a least squares fit beside base parameters: residuals grow by `slopes` with it. */
export interface DelayDirection {
  /** Derivatives of the torques by the delay: [channel][sample]. */
  readonly slopes: readonly Float64Array[];
  /** Cholesky's factor of the weighted normal matrix with the delay as last unknown. */
  readonly factor: readonly (readonly number[])[];
}

/** Delay of torques, and the fit with it. */
export interface DelayFit {
  readonly delay: number;
  readonly channels: readonly Channel[];
  readonly fit: Fit;
}

/** Recordings, the channels of each, the order in which columns are tried, and the band of torques. */
export interface DelayData {
  readonly recordings: readonly Recording[];
  readonly channels: readonly Channel[];
  readonly order: readonly number[];
  readonly band: number;
}

/**
 * The delay of torques against positions, s, among those up to `range` either way, that leaves the smallest residuals.
 *
 * @returns `isWithin`: false if it is the greatest or least of those tried.
 */
export function fitDelay(data: DelayData, range: number): DelayFit & { readonly isWithin: boolean } {
  const { channels, order } = data;
  const steps = Math.floor(range / STEP);
  const fit = robustFit(channels, order);
  if (steps < 1) return { delay: 0, isWithin: true, channels, fit };
  // Weights are kept, so that sums of squares can be compared.
  const tried = Array.from({ length: 2 * steps + 1 }, (_, k) => (k - steps) * STEP);
  const first = fitWith(channels, fit.base, fit.weights);
  const squares = tried.map((by) => squaresLeft(first, delayed(data, by)));
  const best = squares.indexOf(Math.min(...squares));
  const isWithin = best > 0 && best < 2 * steps;
  const moved = delayed(data, tried[best]);
  // Weights of a wrong delay leave out what is fast, which says most about it.
  const begin = { delay: tried[best], channels: moved, fit: robustFit(moved, order) };
  return { ...(isWithin ? refineDelay(data, begin) : begin), isWithin };
}

/** Improves a delay and its fit by steps of Gauss-Newton. */
export function refineDelay(data: DelayData, begin: DelayFit): DelayFit {
  let { delay, channels, fit } = begin;
  for (let round = 0; round < ROUNDS; round++) {
    const direction = delayDirection(data.recordings, channels, fit, { delay, band: data.band });
    delay += solveByFactor(direction.factor, gradientOf(channels, fit, direction))[fit.values.length];
    channels = delayed(data, delay);
    fit = robustFit(channels, data.order, fit);
  }
  return { delay, channels, fit };
}

const delayed = ({ recordings, channels, band }: DelayData, by: number): Channel[] => {
  const joints = channels.length / recordings.length;
  return recordings.flatMap((recording, r) =>
    withDelay(channels.slice(r * joints, (r + 1) * joints), recording, by, band),
  );
};

/** Adds the delay to the unknowns of a fit. */
export function delayDirection(
  recordings: readonly Recording[],
  channels: readonly Channel[],
  { base, factor, weights }: Fit,
  { delay, band }: { readonly delay: number; readonly band: number },
): DelayDirection {
  const slopes = recordings.flatMap((recording) => {
    const [after, before] = [torquesOf(recording, delay + STEP), torquesOf(recording, delay - STEP)];
    return after.map((torque, j) =>
      seenInBand(
        torque.map((x, s) => (x - before[j][s]) / (2 * STEP)),
        recording,
        band,
      ),
    );
  });
  return directionOf(slopes, channels, { base, factor, weights });
}

/** Adds an unknown with which residuals grow by `slopes` to those of a fit. */
export function directionOf(
  slopes: readonly Float64Array[],
  channels: readonly Channel[],
  { base, factor, weights }: Pick<Fit, 'base' | 'factor' | 'weights'>,
): DelayDirection {
  let left = 0;
  const right = new Array<number>(base.independent.length).fill(0);
  for (const [c, slope] of slopes.entries())
    for (const [s, x] of slope.entries()) {
      const weighted = weights[c][s] * x;
      left += weighted * x;
      base.independent.forEach((p, i) => {
        if (channels[c].columns[p].length > 0) right[i] -= weighted * channels[c].columns[p][s];
      });
    }
  const row: number[] = [];
  for (const [i, own] of factor.entries()) {
    let entry = right[i];
    for (let k = 0; k < i; k++) entry -= own[k] * row[k];
    row.push(entry / own[i]);
    left -= row[i] * row[i];
  }
  return { slopes, factor: [...factor, [...row, Math.sqrt(Math.max(left, 0))]] };
}

/** Descent direction Y^T W r of base parameters and of the delay, over samples from `first` to before `end` of some channels. */
export function gradientOf(
  channels: readonly Channel[],
  fit: Fit,
  direction: DelayDirection | undefined,
  residuals: readonly Float64Array[] = channels.map((channel) => residualsOf(channel, fit)),
  part: { readonly channels: readonly number[]; readonly first: number; readonly end: number } = {
    channels: channels.map((_, c) => c),
    first: 0,
    end: Number.POSITIVE_INFINITY,
  },
): number[] {
  const columns = fit.base.independent;
  const g = new Array<number>(columns.length + (direction ? 1 : 0)).fill(0);
  for (const c of part.channels)
    for (let s = part.first; s < Math.min(part.end, residuals[c].length); s++) {
      const weighted = fit.weights[c][s] * residuals[c][s];
      columns.forEach((p, i) => {
        if (channels[c].columns[p].length > 0) g[i] += weighted * channels[c].columns[p][s];
      });
      if (direction) g[columns.length] -= weighted * direction.slopes[c][s];
    }
  return g;
}
