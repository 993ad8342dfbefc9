import type { Answer, Query } from '@gradsim/kernel/internal';
import type { CompiledComparison } from '../compile/compiled-model.ts';
import { COMPARED_REGISTER } from '../compile/layout/registers.ts';
import type { CompiledRun } from './run/compiled-run.ts';

/** Sums of one comparison over its residuals r and their derivatives J with respect to the unknowns. */
export interface ComparisonSums {
  /** Number of compared frames that the run has taken, of parts per frame, of runs, and of columns of J. */
  readonly frames: number;
  readonly parts: number;
  readonly runs: number;
  readonly columns: number;
  /** Index of the first element of each part, then the number of elements. */
  readonly bounds: readonly number[];
  /** Sums r^T r, [frame][part][run]. */
  readonly squares: Float64Array;
  /** Sums J^T r, [frame][part][run][column]; empty without tangents. */
  readonly scores: Float64Array;
  /** Sums J^T J, [frame][part][run][column][column]; empty without tangents. */
  readonly information: Float64Array;
}

/** Compares results of a run with targets stored on the device, and seeds the adjoints of the compared fields. */
export class ComparisonRunner {
  readonly #run: CompiledRun;
  /** Requested number of columns, even if nothing depends on a parameter. */
  readonly #columns: number;
  readonly #rows: ReadonlyMap<CompiledComparison, Uint32Array>;

  constructor(run: CompiledRun, columns: number) {
    this.#run = run;
    this.#columns = columns;
    const { comparisons, registers } = run.compiled;
    for (const comparison of comparisons) this.#write(comparison);
    this.#rows = new Map(comparisons.map((comparison) => [comparison, rowsOf(comparison, registers)]));
  }

  #write({ comparison: { frames }, target, weights }: CompiledComparison): void {
    const { executor } = this.#run.compiled;
    frames.forEach((frame, f) => {
      executor.writeF32(target.offset + f * target.registerStride!, frame.target);
      if (!weights || (f > 0 && !weights.register)) return;
      const words = frame.rootWeights ?? new Float64Array(weights.words).fill(1);
      executor.writeF32(weights.offset + f * (weights.registerStride ?? 0), words);
    });
  }

  /**
   * Computes the sums of all comparisons over the first `taken` frames, and reads them, in the order of the
   * comparisons.
   */
  sums(taken: number): Query<ComparisonSums[]> {
    const { executor, comparisons } = this.#run.compiled;
    for (const comparison of comparisons) executor.run(comparison.sumProgram, this.#rowsOf(comparison, taken));
    const requests = comparisons.flatMap((comparison) => {
      const frames = framesWithin(comparison, taken);
      return comparison.sums.map(({ place }) => ({
        arena: 'f32' as const,
        from: place.offset,
        words: frames === 0 ? 0 : place.registerStride! * (frames - 1) + place.words,
      }));
    });
    const conclude = (answers: readonly Answer[]): ComparisonSums[] => {
      let next = 0;
      return comparisons.map((comparison) => {
        const words = comparison.sums.map(() => answers[next++]);
        return collected(comparison, words, framesWithin(comparison, taken), this.#columns);
      });
    };
    return { requests, conclude };
  }

  /**
   * Adds to the adjoints of the compared fields the derivative of factor times the sum of squared residuals over the
   * first `taken` frames, with the factor of each world.
   */
  seed(factors: ArrayLike<number>, taken: number): void {
    const { executor, comparisons } = this.#run.compiled;
    for (const comparison of comparisons) {
      const { factor, seedProgram } = comparison;
      if (!factor || seedProgram === null) continue;
      executor.writeF32(factor.offset, factors);
      executor.run(seedProgram, this.#rowsOf(comparison, taken));
    }
  }

  #rowsOf(comparison: CompiledComparison, taken: number): Uint32Array {
    const { registers } = this.#run.compiled;
    return this.#rows.get(comparison)!.subarray(0, framesWithin(comparison, taken) * registers.length);
  }
}

/** Returns the number of compared frames all of whose instants are among the first `taken` frames of the run. */
function framesWithin({ comparison: { frames, instants } }: CompiledComparison, taken: number): number {
  const after = frames.findIndex(({ frame }) => (frame + 1) * instants > taken);
  return after < 0 ? frames.length : after;
}

/** Returns the rows of registers, one for each compared frame. */
function rowsOf({ comparison: { frames, instants } }: CompiledComparison, registers: readonly string[]): Uint32Array {
  const table = new Uint32Array(frames.length * registers.length);
  const [frameOfRun, compared] = [registers.indexOf('frameOfRun'), registers.indexOf(COMPARED_REGISTER)];
  frames.forEach(({ frame }, f) => {
    table[f * registers.length + frameOfRun] = frame * instants;
    table[f * registers.length + compared] = f;
  });
  return table;
}

/** Assembles the sums of a comparison from the sums of each kind. */
function collected(
  { sums, runs, columns: own, parts, bounds }: CompiledComparison,
  words: readonly ArrayLike<number>[],
  frames: number,
  columns: number,
): ComparisonSums {
  const count = frames * parts * runs;
  const squares = new Float64Array(count);
  const scores = new Float64Array(count * columns);
  const information = new Float64Array(count * columns ** 2);
  sums.forEach(({ kind, groups, place }, s) => {
    const sets = groups.length * parts;
    for (let f = 0; f < frames; f++)
      for (let set = 0; set < sets; set++)
        for (let run = 0; run < runs; run++) {
          const at = (f * parts + (set % parts)) * runs + run;
          const from = f * place.registerStride! + run * 2 * kind.count * sets + set;
          const sum = (k: number): number => words[s][from + k * sets] + words[s][from + (kind.count + k) * sets];
          const to = {
            columns: own,
            square: (value: number) => {
              squares[at] = value;
            },
            score: (column: number, value: number) => {
              scores[at * columns + column] = value;
            },
            product: (i: number, j: number, value: number) => {
              information[(at * columns + i) * columns + j] = value;
              information[(at * columns + j) * columns + i] = value;
            },
          };
          kind.writeSums(to, groups[Math.floor(set / parts)], sum);
        }
  });
  return { frames, parts, bounds, runs, columns, squares, scores, information };
}
