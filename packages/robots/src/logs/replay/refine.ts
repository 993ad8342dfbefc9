import { choleskyFactor, inverseDiagonal, solveByFactor, sumOfSquares } from '@gradsim/base';
import { type DelayDirection, directionOf, gradientOf } from '../delay.ts';
import { isStill } from '../reading/is-still.ts';
import type { Recording } from '../recording/recording.ts';
import type { Channel, Fit } from '../robust-fit.ts';
import { normalOfFactor, residualsOf, robustFit } from '../robust-fit.ts';
import type { RecordingPiece } from './pieces.ts';
import type { Replay, ReplayPoint, Samples } from './replay.ts';
import { type Starts, startsOf } from './starts.ts';
import type { States } from './states.ts';

/** Steps at most, and their dampings (Levenberg and Marquardt), relative to the normal matrix, which are tried in turn. */
const MAX_STEPS = 20;
const DAMPINGS = [0, 0.03, 0.3, 3, 30, 300] as const;
/**
 * Length of a step, in standard deviations if samples were independent, that ends the search, and of one that does where it
 * lowers the squares by less than their own deviation, since single precision and friction leave them uneven.
 */
const [FINAL_STEP, LAST_STEP] = [0.5, 3];
/** Rates over which dry friction may turn around, rad/s or m/s. */
const WIDTHS = [1e-3, 0.1] as const;

/** Recordings whose positions are fitted by those of a replay. */
export interface Replayable {
  readonly recordings: readonly Recording[];
  /** Coordinates as measured: [recording][joint][sample]. */
  readonly measured: Samples;
  readonly pieces: readonly RecordingPiece[];
  readonly replay: Replay;
}

/** Unknowns of a fit of a replay, by their place in {@link valuesOf}. */
export interface AskedColumns {
  readonly unknowns: readonly number[];
  /** Others, known with an error, whose columns a fit is to have. */
  readonly otherParameters: readonly number[];
  readonly hasDelay: boolean;
}

/** Best fit of a replay, linear about it: channels have positions in the place of torques. */
export interface ReplayFit {
  readonly point: ReplayPoint;
  readonly channels: readonly Channel[];
  readonly fit: Fit;
  readonly direction: DelayDirection | undefined;
  /** Standard errors if samples were independent, by unknown, last that of the delay: those of blocks are below by chance alone. */
  readonly leastErrors: readonly number[];
  /** Columns of `otherParameters`: [other][channel]. */
  readonly otherColumns: readonly (readonly Float64Array[])[];
}

/** Values of all unknowns of a point. */
export const valuesOf = ({ parameters, gains, biases, widths }: ReplayPoint): number[] => [
  ...parameters,
  ...gains.map((gain) => Math.log(Math.abs(gain))),
  ...biases,
  ...widths.map(Math.log),
];

/** Places of the widths of friction but those at an end of {@link WIDTHS}, which could only be beyond it. */
const freeWidths = ({ parameters, gains, widths }: ReplayPoint): number[] =>
  widths.flatMap((width, j) =>
    width > WIDTHS[0] && width < WIDTHS[1] ? [parameters.length + 2 * gains.length + j] : [],
  );

/**
 * Fits a replay to the positions of recordings, by Levenberg and Marquardt's steps on robust weighted squares. States at the beginning
 * of pieces are unknowns, too, and have their best values: what follows from them is taken out of the channels.
 *
 * @returns undefined if no minimum is reached.
 */
export async function fitReplay(
  problem: Replayable,
  { unknowns, otherParameters, hasDelay }: AskedColumns,
  begin: ReplayPoint,
): Promise<ReplayFit | undefined> {
  const { replay } = problem;
  let point = begin;
  let weights: readonly Float64Array[] = evenWeights(problem, await replay.positions(point));
  let near: Fit | undefined;
  for (let step = 0; step < MAX_STEPS; step++) {
    const asked = [...freeWidths(point), ...unknowns];
    const replayed = await replay.run(point, [...asked, ...otherParameters]);
    const residuals = residualsAt(problem, replayed.positions);
    const starts = startsOf(problem.pieces, replayed, weights);
    const columns = new Map([...asked, ...otherParameters].map((u, i) => [u, replayed.columns[i]]));
    const at = valuesOf(point);
    const channels = channelsOf(problem, at, asked, columns, starts, residuals);
    const fit = robustFit(channels, asked, near);
    const knownSteps = fit.base.independent;
    if (unknowns.some((u) => !knownSteps.includes(u))) return undefined;
    const slopes = starts.withoutStateEffects(replayed.slopes).flat();
    const direction = hasDelay
      ? directionOf(
          slopes.map((slope) => slope.map((x) => -x)),
          channels,
          fit,
        )
      : undefined;
    const factor = direction?.factor ?? fit.factor;
    const left = channels.map((channel) =>
      residualsOf(channel, { base: fit.base, values: knownSteps.map((u) => at[u]) }),
    );
    const gradient = gradientOf(channels, fit, direction, left);
    weights = fit.weights;
    near = fit;
    const length = lengthOf(solveByFactor(factor, gradient), factor);
    const along = [...knownSteps.map((u) => columns.get(u) as Samples), replayed.slopes];
    const own = startsOf(problem.pieces, replayed, weights);
    const movesBy = (damping: number): Moves => {
      const change = dampedStep(factor, gradient, damping);
      return { knownSteps, change, starts: own.change(lessBy(residuals, change, along)) };
    };
    const before = squaresOf(residuals, weights);
    const next = await lowered(problem, point, movesBy, weights, before);
    if (!next && length > LAST_STEP) return undefined;
    if (length < FINAL_STEP || (length < LAST_STEP && before - (next?.squares ?? before) < 1)) {
      const columnsOf = (u: number): Float64Array[] => starts.withoutStateEffects(columns.get(u) as Samples).flat();
      const leastErrors = inverseDiagonal(normalOfFactor(factor)).map(Math.sqrt);
      return {
        point: next?.point ?? point,
        channels,
        fit,
        direction,
        leastErrors,
        otherColumns: otherParameters.map(columnsOf),
      };
    }
    point = next!.point;
  }
  return undefined;
}

/** Changes of unknowns and of the delay behind them, and of the states that pieces begin with. */
interface Moves {
  readonly knownSteps: readonly number[];
  readonly change: readonly number[];
  readonly starts: readonly (readonly number[])[];
}

/** Step of the normal matrix L L^T whose diagonal grows by a part of itself. */
function dampedStep(factor: readonly (readonly number[])[], gradient: readonly number[], damping: number): number[] {
  if (damping === 0) return solveByFactor(factor, gradient);
  const normal = normalOfFactor(factor).map((row, i) => row.map((x, k) => (i === k ? (1 + damping) * x : x)));
  return solveByFactor(choleskyFactor(normal) as number[][], gradient);
}

/** Point after a step, of more and more damping, at which the weighted squares are less; undefined if there is none. */
async function lowered(
  problem: Replayable,
  point: ReplayPoint,
  movesBy: (damping: number) => Moves,
  weights: readonly Float64Array[],
  before: number,
): Promise<{ readonly point: ReplayPoint; readonly squares: number } | undefined> {
  for (const damping of DAMPINGS) {
    const moved = movedBy(point, movesBy(damping), problem.replay.states);
    const squares = squaresOf(residualsAt(problem, await problem.replay.positions(moved)), weights);
    if (squares < before) return { point: moved, squares };
  }
  return undefined;
}

/** Measured positions less those of a replay: [recording][joint][sample]. */
const residualsAt = ({ measured }: Replayable, positions: Samples): Float64Array[][] =>
  measured.map((of, r) => of.map((own, j) => own.map((x, s) => x - positions[r][j][s])));

/** Residuals less changes times columns. */
const lessBy = (residuals: Samples, change: readonly number[], columns: readonly Samples[]): Float64Array[][] =>
  residuals.map((of, r) =>
    of.map((own, j) => {
      const left = own.slice();
      for (const [i, by] of change.entries()) {
        const column = columns[i][r][j];
        for (let s = 0; s < left.length; s++) left[s] -= by * column[s];
      }
      return left;
    }),
  );

/** Channels of the joints of all recordings, linear about values `at` of all unknowns. */
function channelsOf(
  { recordings, measured, pieces }: Replayable,
  at: readonly number[],
  asked: readonly number[],
  columns: ReadonlyMap<number, Samples>,
  starts: Starts,
  residuals: Samples,
): Channel[] {
  const without = new Map(asked.map((u) => [u, starts.withoutStateEffects(columns.get(u) as Samples)]));
  const left = starts.withoutStateEffects(residuals);
  return recordings.flatMap(({ log, groups }, r) =>
    measured[r].map((_, joint): Channel => {
      const own = at.map((__, u) => without.get(u)?.[r][joint] ?? EMPTY);
      const positions = left[r][joint];
      for (const u of asked) for (let s = 0; s < positions.length; s++) positions[s] += at[u] * own[u][s];
      const counts = new Float64Array(positions.length);
      // A joint that follows others is where they have it.
      if (groups[joint].length > 0 && !isStill(log.positions[joint]))
        for (const { recording, first, end } of pieces) if (recording === r) counts.fill(1, first, end);
      return { joint, columns: own, torques: positions, counts, density: 1 };
    }),
  );
}

const EMPTY = new Float64Array(0);

const squaresOf = (residuals: Samples, weights: readonly Float64Array[]): number => {
  const joints = residuals[0].length;
  let total = 0;
  for (const [r, of] of residuals.entries())
    for (const [j, own] of of.entries())
      for (let s = 0; s < own.length; s++) total += weights[r * joints + j][s] * own[s] * own[s];
  return total;
};

/** Weights of the joints by what a replay leaves of them. */
function evenWeights(problem: Replayable, positions: Samples): Float64Array[] {
  const residuals = residualsAt(problem, positions);
  const sizes = residuals[0].map((_, j) => {
    const own = residuals.map((of) => of[j]);
    return own.reduce((sum, x) => sum + sumOfSquares(x), 0) / own.reduce((sum, x) => sum + x.length, 0);
  });
  return residuals.flatMap((of) => of.map((own, j) => new Float64Array(own.length).fill(1 / (sizes[j] || 1))));
}

/** Length of a change in standard deviations of independent samples: |L^T change|, with the normal matrix L L^T. */
function lengthOf(change: readonly number[], factor: readonly (readonly number[])[]): number {
  const along = change.map((_, i) => factor.reduce((sum, row, k) => (k >= i ? sum + row[i] * change[k] : sum), 0));
  return Math.sqrt(sumOfSquares(along));
}

/** A point after some moves. */
function movedBy(point: ReplayPoint, { knownSteps, change, starts }: Moves, states: States): ReplayPoint {
  const values = valuesOf(point);
  for (const [i, u] of knownSteps.entries()) values[u] += change[i];
  const { parameters, gains, delay } = point;
  const from = (first: number): number[] => values.slice(first, first + gains.length);
  const count = parameters.length;
  return {
    parameters: values.slice(0, count),
    gains: from(count).map((x, j) => Math.sign(gains[j]) * Math.exp(x)),
    biases: from(count + gains.length),
    widths: from(count + 2 * gains.length).map((x) => Math.min(Math.max(Math.exp(x), WIDTHS[0]), WIDTHS[1])),
    delay: delay + (change[knownSteps.length] ?? 0),
    starts: point.starts.map((of, w) => states.afterChange(of, starts[w])),
  };
}
