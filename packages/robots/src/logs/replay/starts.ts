import { choleskyFactor, solveByFactor } from '@gradsim/base';
import { product } from '../robust-fit.ts';
import type { RecordingPiece } from './pieces.ts';
import type { Replayed, Samples } from './replay.ts';

/** Least squares of the states at the beginning of pieces, which are unknowns of their own. */
export interface Starts {
  /** The part of samples that no state at the beginning of their piece explains. */
  withoutStateEffects(samples: Samples): Float64Array[][];
  /** States by which they are explained best: [piece][state]. */
  change(samples: Samples): number[][];
}

/** Added to the diagonal of a normal matrix of columns of length 1: states of joints that stand still are not told. */
const RIDGE = 1e-9;

/** @param weights of squares, by channel and sample. */
export function startsOf(
  pieces: readonly RecordingPiece[],
  { starts, positions }: Pick<Replayed, 'starts' | 'positions'>,
  weights: readonly Float64Array[],
): Starts {
  const joints = positions[0].length;
  const weighted = starts.map((start) =>
    start.map((of, r) => of.map((x, j) => x.map((value, s) => weights[r * joints + j][s] * value))),
  );
  const own = pieces.map(({ recording: r, first, end }) => {
    const along = (i: number, samples: Samples): number =>
      weighted[i][r].reduce((sum, x, j) => sum + product(x, samples[r][j], first, end), 0);
    const normal = starts.map((_, i) => starts.map((b) => along(i, b)));
    const sizes = normal.map((row, i) => Math.sqrt(row[i]) || 1);
    const factor = choleskyFactor(
      normal.map((row, i) => row.map((x, k) => x / (sizes[i] * sizes[k]) + (i === k ? RIDGE : 0))),
    ) as number[][];
    const solve = (samples: Samples): number[] =>
      solveByFactor(
        factor,
        starts.map((_, i) => along(i, samples) / sizes[i]),
      ).map((x, i) => x / sizes[i]);
    return { r, first, end, solve };
  });
  return {
    withoutStateEffects: (samples) => {
      const left = samples.map((of) => of.map((x) => x.slice()));
      for (const { r, first, end, solve } of own)
        for (const [i, by] of solve(samples).entries())
          for (let j = 0; j < joints; j++) for (let s = first; s < end; s++) left[r][j][s] -= by * starts[i][r][j][s];
      return left;
    },
    change: (samples) => own.map(({ solve }) => solve(samples)),
  };
}
