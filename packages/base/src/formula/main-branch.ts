import { sumOfSquares } from '../statistics/statistics.ts';

/** Difference of a residual, in standard errors of the data, up to which two fits are the same. */
const MAX_RESIDUAL_DIFFERENCE = 1e-4;

/**
 * The same fit by other values of its parameters, if a formula has several that are equally good, as A cos(w t + p) has:
 * phases between -pi and pi, and as few negative values beside them as there can be.
 */
export function canonicalParameters(
  values: readonly number[],
  residualsAt: (parameters: readonly number[]) => readonly number[],
): readonly number[] {
  const residuals = residualsAt(values);
  const differences = (others: readonly number[]): number[] => residualsAt(others).map((r, i) => r - residuals[i]);
  const isSame = (others: readonly number[]): boolean =>
    differences(others).every((d) => Math.abs(d) < MAX_RESIDUAL_DIFFERENCE);
  const isPhase = values.map((v, k) => isSame(values.with(k, v + 2 * Math.PI)));
  const wrapped = (v: number): number => v - 2 * Math.PI * Math.ceil(v / (2 * Math.PI) - 0.5);
  const negatives = (of: readonly number[]): number => of.filter((v, k) => v < 0 && !isPhase[k]).length;
  let main = values.map((v, k) => (isPhase[k] ? wrapped(v) : v));
  for (const [k, value] of values.entries()) {
    if (isPhase[k] || main[k] >= 0) continue;
    // Its sign turned, each of the others is changed if that makes up for it: as for A, p by pi, and for w, the sign of p.
    let turned = main.with(k, -value);
    for (const [j, v] of main.entries()) {
      if (j === k) continue;
      const changed = isPhase[j] ? [v, wrapped(v + Math.PI), wrapped(-v), wrapped(Math.PI - v)] : [v, -v];
      const [nearest] = changed
        .map((own) => turned.with(j, own))
        .map((others) => ({ others, squares: sumOfSquares(differences(others)) }))
        .sort((a, b) => a.squares - b.squares);
      turned = nearest.others;
    }
    if (isSame(turned) && negatives(turned) < negatives(main)) main = turned;
  }
  return main;
}
