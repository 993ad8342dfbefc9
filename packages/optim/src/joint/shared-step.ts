import { sumOfProducts } from '@gradsim/numeric';
import { symmetricEigen } from '@gradsim/numeric/decompositions';
import type { MemberSystem } from './member.ts';

/** A step of what is shared, and of each recording's own unknowns. */
export interface Shared {
  readonly shared: readonly number[];
  readonly own: readonly (readonly number[])[];
}

/** Where what is shared may go: coordinates, their ends, and the longest steps. */
interface Room {
  readonly at: readonly number[];
  readonly low: readonly number[];
  readonly high: readonly number[];
  readonly longest: readonly number[];
}

/** What a recording says of what is shared once its own unknowns have gone along. */
export interface Reduced {
  /** C - B^T A^-1 B, times its weight. */
  readonly information: readonly (readonly number[])[];
  /** g - B^T A^-1 g_own, times its weight: half of what the sum of squares falls by along a step. */
  readonly score: readonly number[];
  /** A^-1 B and A^-1 g_own. */
  readonly along: readonly (readonly number[])[];
  readonly alone: readonly number[];
}

/** Of A's largest eigenvalue, its diagonal brought to 1: with less a direction is not determined, and stays. */
const LOST = 1e-10;

/**
 * A recording's normal equations with its own unknowns eliminated (the Schur complement): its own unknowns are in no other
 * recording, so all that recordings have to say to each other is of what they share.
 */
export function reduced({ hessian, gradient, weight, shared, own }: MemberSystem, damping: number): Reduced {
  const n = gradient.length;
  const h = (i: number, j: number): number => hessian[i * n + j] * (i === j ? 1 + damping : 1);
  const roots = own.map((k) => Math.sqrt(h(k, k)) || 1);
  const scaled = own.flatMap((i, a) => own.map((j, b) => h(i, j) / (roots[a] * roots[b])));
  const { values, vectors } = own.length > 0 ? symmetricEigen(scaled) : { values: [], vectors: [] };
  const largest = values.at(-1) ?? 0;
  const solve = (of: readonly number[]): number[] => {
    const found = own.map(() => 0);
    values.forEach((value, k) => {
      if (!(value > LOST * largest)) return;
      const amount = vectors[k].reduce((sum, v, a) => sum + (v * of[a]) / roots[a], 0) / value;
      vectors[k].forEach((v, a) => {
        found[a] += (amount * v) / roots[a];
      });
    });
    return found;
  };
  const columns = shared.map((s) => own.map((k) => h(k, s)));
  const along = columns.map(solve);
  const alone = solve(own.map((k) => gradient[k]));
  return {
    along,
    alone,
    information: shared.map((s, i) => shared.map((t, j) => weight * (h(s, t) - sumOfProducts(columns[i], along[j])))),
    score: shared.map((s, i) => weight * (gradient[s] - sumOfProducts(columns[i], alone))),
  };
}

/** The damped step of all recordings together. What is at an end of its range and would leave it stays. */
export function sharedStep(systems: readonly MemberSystem[], damping: number, room: Room): Shared {
  const parts = systems.map((system) => reduced(system, damping));
  const count = room.at.length;
  const score = sumOf(parts.map((part) => part.score));
  const isFree = score.map((g, i) => !((g > 0 && room.at[i] <= room.low[i]) || (g < 0 && room.at[i] >= room.high[i])));
  const information = Array.from({ length: count }, (_, i) =>
    Array.from({ length: count }, (__, j) =>
      isFree[i] && isFree[j] ? parts.reduce((sum, part) => sum + part.information[i][j], 0) : 0,
    ),
  );
  const solved = inverseTimes(
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

/** The solution of a symmetric system; directions that nothing determines have none. */
export function inverseTimes(matrix: readonly (readonly number[])[], of: readonly number[]): number[] {
  const roots = matrix.map((row, i) => Math.sqrt(Math.max(row[i], 0)) || 1);
  const { values, vectors } = symmetricEigen(matrix.flatMap((row, i) => row.map((v, j) => v / (roots[i] * roots[j]))));
  const found = of.map(() => 0);
  values.forEach((value, k) => {
    if (!(value > LOST * values.at(-1)!) || !(value > 0)) return;
    const amount = vectors[k].reduce((sum, v, i) => sum + (v * of[i]) / roots[i], 0) / value;
    vectors[k].forEach((v, i) => {
      found[i] += (amount * v) / roots[i];
    });
  });
  return found;
}
