import { sumOfProducts } from '@gradsim/numeric';
import { symmetricEigen } from '@gradsim/numeric/decompositions';
import type { MemberSystem } from './member.ts';

/** A step of the shared unknowns, and of each recording's own. */
export interface Shared {
  readonly shared: readonly number[];
  readonly own: readonly (readonly number[])[];
}

/** Limits of the shared unknowns: coordinates, their ends, and the longest steps. */
interface Room {
  readonly at: readonly number[];
  readonly low: readonly number[];
  readonly high: readonly number[];
  readonly longest: readonly number[];
}

/** Information of a recording about the shared unknowns once its own are eliminated. */
export interface Reduced {
  /** C - B^T A^-1 B, times its weight. */
  readonly information: readonly (readonly number[])[];
  /** g - B^T A^-1 g_own, times its weight: half the decrease of the sum of squares along a step. */
  readonly score: readonly number[];
  /** A^-1 B and A^-1 g_own. */
  readonly along: readonly (readonly number[])[];
  readonly alone: readonly number[];
}

/**
 * Smallest eigenvalue, relative to the largest of A with unit diagonal, that counts as determined; other directions
 * stay.
 */
const LOST = 1e-10;

/**
 * Normal equations of a recording with its own unknowns eliminated (the Schur complement): they appear in no other
 * recording, so recordings interact only through the shared ones.
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

/** Damped step of all recordings together. An unknown at an end of its range that would leave it stays. */
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

/** Solution of a symmetric system; zero along directions that nothing determines. */
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
