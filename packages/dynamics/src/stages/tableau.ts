import type { F32, Surroundings, U32 } from '@gradsim/core';
import { describeValue, f32, GradsimError, select } from '@gradsim/core';

/**
 * Coefficients of an explicit Runge-Kutta method: stage i evaluates its rates k_i at y + dt sum_j a_ij k_j, over earlier
 * stages j, and the substep ends at y + dt sum_i b_i k_i.
 */
export interface Tableau {
  /** Rows of a, one a stage, each as long as the number of stages before it: the first is empty. */
  readonly a: readonly (readonly number[])[];
  /** Weights b of the stages, whose sum is 1. */
  readonly b: readonly number[];
}

/** Explicit midpoint method, of second order. */
export const midpoint: Tableau = { a: [[], [1 / 2]], b: [0, 1] };
/** Heun's method, of second order. */
export const heun: Tableau = { a: [[], [1]], b: [1 / 2, 1 / 2] };
/** Third-order method that preserves strong stability. Source: Shu and Osher, 1988. */
export const strongStability3: Tableau = { a: [[], [1], [1 / 4, 1 / 4]], b: [1 / 6, 1 / 6, 2 / 3] };
/** Classical Runge-Kutta method, of fourth order. */
export const classical: Tableau = {
  a: [[], [1 / 2], [0, 1 / 2], [0, 0, 1]],
  b: [1 / 6, 1 / 3, 1 / 3, 1 / 6],
};

/** Error of a sum of coefficients that rounding explains. */
const SUM_TOLERANCE = 1e-12;
export const sumOfCoefficients = (parts: readonly number[]): number => parts.reduce((sum, part) => sum + part, 0);
/** True for a sum of coefficients that is 1 but for rounding. */
export const isOne = (sum: number): boolean => Math.abs(sum - 1) < SUM_TOLERANCE;

/** @throws when the rows of a tableau are not those of an explicit method, or its weights do not add up to 1. */
export function checkTableau({ a, b }: Tableau): void {
  const refuse = (what: string, hint: string): never => {
    throw new GradsimError('dynamics/wrong-tableau', `rungeKutta: ${what}`, { field: 'tableau', hint });
  };
  a.forEach((row, stage) => {
    if (row.length !== stage || !row.every(Number.isFinite))
      refuse(
        `row ${stage} of the tableau's a is ${describeValue(row)}, and has to be ${stage} numbers.`,
        'An explicit stage uses the rates of the stages before it.',
      );
  });
  if (b.length !== a.length || b.length < 1)
    refuse(`the tableau has ${a.length} rows of a and ${b.length} weights b.`, 'Both are one a stage.');
  const sum = sumOfCoefficients(b);
  if (!isOne(sum))
    refuse(`the weights b of the tableau add up to ${sum}, not 1.`, 'Write them as fractions, 1 / 6 say.');
}

/** Returns one of some numbers, by a stage's number. */
export const coefficientOfStage = (stage: U32, values: readonly number[]): F32 =>
  values.slice(1).reduce((chosen, value, k) => select(stage.eq(k + 1), f32(value), chosen), f32(values[0]));

/** Returns the time of the current stage, s: `time` in all stages is that at the start of the substep. */
export const timeOfStage = ({ a }: Tableau, { time, dt, round }: Pick<Surroundings, 'time' | 'dt' | 'round'>): F32 =>
  time.add(
    dt.mul(
      coefficientOfStage(
        round,
        a.map((row) => sumOfCoefficients(row)),
      ),
    ),
  );
