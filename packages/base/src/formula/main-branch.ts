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
  let main: readonly number[] = values.map((v, k) => (isPhase[k] ? wrapped(v) : v));
  for (const [k, value] of values.entries()) {
    if (isPhase[k] || main[k] >= 0) continue;
    // Its sign turned, one of the others makes up for it, as for A, p by pi, and for w, the sign of p; or several do.
    const changesOf = (j: number, v: number): readonly number[] =>
      isPhase[j] ? [wrapped(v + Math.PI), wrapped(-v), wrapped(Math.PI - v)] : [-v];
    const opposite = main.with(k, -value);
    const others = [...main.keys()].filter((j) => j !== k);
    const byOne = others.flatMap((j) => changesOf(j, main[j]).map((own) => opposite.with(j, own))).find(isSame);
    const bySeveral = (): number[] =>
      others.reduce((turned, j) => {
        const tried = [main[j], ...changesOf(j, main[j])].map((own) => turned.with(j, own));
        return tried.reduce((a, b) => (sumOfSquares(differences(b)) < sumOfSquares(differences(a)) ? b : a));
      }, opposite);
    const turned = byOne ?? bySeveral();
    if (isSame(turned) && negatives(turned) < negatives(main)) main = turned;
  }
  return main;
}
