import { sumOfProducts } from '@gradsim/base';
import type { JointRecordingSystem } from './member.ts';
import { solveSymmetric, symmetricSolver } from './solve-symmetric.ts';

/** A step of the shared unknowns, and the matching steps of each recording's own unknowns, in coordinates. */
export interface Shared {
  readonly shared: readonly number[];
  readonly own: readonly (readonly number[])[];
}

/**
 * Constraints on a step of the shared unknowns: their coordinates, lower and upper limits, and maximum step lengths.
 */
interface StepBounds {
  readonly values: readonly number[];
  readonly low: readonly number[];
  readonly high: readonly number[];
  readonly longest: readonly number[];
}

/** Normal equations of a recording for the shared unknowns alone, with its own ones eliminated (Schur complement). */
export interface Reduced {
  /** C - B^T A^-1 B, times the recording's weight: A is J^T J of its own unknowns, C of the shared ones, B mixed. */
  readonly information: readonly (readonly number[])[];
  /**
   * g - B^T A^-1 g_own, times the recording's weight, with the gradients g of the shared and g_own of its own unknowns.
   */
  readonly score: readonly number[];
  /** A^-1 B; `alone`: A^-1 g_own. */
  readonly along: readonly (readonly number[])[];
  readonly alone: readonly number[];
}

/**
 * Eliminates a recording's own unknowns from its normal equations (Schur complement). They appear in no other
 * recording, so recordings are coupled only through the shared unknowns.
 */
export function eliminateOwn(
  { hessian, gradient, weight, shared, ownUnknowns }: JointRecordingSystem,
  damping: number,
): Reduced {
  const n = gradient.length;
  const h = (i: number, j: number): number => hessian[i * n + j] * (i === j ? 1 + damping : 1);
  const solve = symmetricSolver(ownUnknowns.map((i) => ownUnknowns.map((j) => h(i, j))));
  const columns = shared.map((s) => ownUnknowns.map((k) => h(k, s)));
  const along = columns.map(solve);
  const alone = solve(ownUnknowns.map((k) => gradient[k]));
  return {
    along,
    alone,
    information: shared.map((s, i) => shared.map((t, j) => weight * (h(s, t) - sumOfProducts(columns[i], along[j])))),
    score: shared.map((s, i) => weight * (gradient[s] - sumOfProducts(columns[i], alone))),
  };
}

/**
 * Damped Gauss-Newton step of the unknowns of all recordings. A shared unknown at an end of its range stays if the step
 * would leave the range.
 */
export function sharedStep(systems: readonly JointRecordingSystem[], damping: number, room: StepBounds): Shared {
  const parts = systems.map((system) => eliminateOwn(system, damping));
  const count = room.values.length;
  const score = sumOf(parts.map((part) => part.score));
  const isFree = score.map(
    (g, i) => !((g > 0 && room.values[i] <= room.low[i]) || (g < 0 && room.values[i] >= room.high[i])),
  );
  const information = Array.from({ length: count }, (_, i) =>
    Array.from({ length: count }, (__, j) =>
      isFree[i] && isFree[j] ? parts.reduce((sum, part) => sum + part.information[i][j], 0) : 0,
    ),
  );
  const solved = solveSymmetric(
    information,
    score.map((g, i) => (isFree[i] ? g : 0)),
  );
  const shrink = Math.min(1, ...solved.map((s, i) => room.longest[i] / Math.max(Math.abs(s), 1e-300)));
  const shared = solved.map((s) => -s * shrink);
  return {
    shared,
    own: parts.map(({ along, alone }) =>
      alone.map((a, k) => -shrink * a - shared.reduce((sum, s, i) => sum + along[i][k] * s, 0)),
    ),
  };
}

const sumOf = (all: readonly (readonly number[])[]): number[] =>
  all[0].map((_, i) => all.reduce((sum, one) => sum + one[i], 0));
