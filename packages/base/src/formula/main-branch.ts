/** Most parameters of which all combinations of signs are tried. */
const MOST = 8;
/** Difference of a residual, in standard errors of the data, up to which two fits are the same. */
const SAME = 1e-4;

/**
 * The same fit by other values of its parameters, if a formula has several that are equally good, as A cos(w t + p) has:
 * phases between -pi and pi, and as few negative values beside them as there can be.
 */
export function mainBranch(
  values: readonly number[],
  residualsAt: (parameters: readonly number[]) => readonly number[],
): readonly number[] {
  if (values.length > MOST) return values;
  const residuals = residualsAt(values);
  const isSame = (others: readonly number[]): boolean =>
    residualsAt(others).every((residual, i) => Math.abs(residual - residuals[i]) < SAME);
  const isPhase = values.map((_, k) => isSame(values.map((v, j) => (j === k ? v + 2 * Math.PI : v))));
  const phases = values.flatMap((_, k) => (isPhase[k] ? [k] : []));
  const wrapped = (v: number): number => v - 2 * Math.PI * Math.ceil(v / (2 * Math.PI) - 0.5);
  const negatives = (of: readonly number[]): number => of.filter((v, k) => v < 0 && !isPhase[k]).length;
  const all = Array.from({ length: 2 ** (values.length + phases.length) }, (_, code) =>
    values.map((v, k) => {
      const isTurned = isPhase[k] && ((code >> (values.length + phases.indexOf(k))) & 1) === 1;
      const signed = ((code >> k) & 1) === 1 ? -v : v;
      return isPhase[k] ? wrapped(signed + (isTurned ? Math.PI : 0)) : signed;
    }),
  );
  return all.sort((a, b) => negatives(a) - negatives(b)).find(isSame) ?? values;
}
