import { choleskyFactor, solveByFactor } from '@gradsim/base';

/**
 * Combinations of parameters that data determine (base parameters, Gautier 1990). Columns of the regressor that depend
 * on earlier ones are left out, and their parameters join those of the others: base = x[independent] + mix x[dependent].
 */
export interface BaseParameters {
  /** Indices of the parameters whose columns are independent. */
  readonly independent: readonly number[];
  /** Indices of the others. */
  readonly dependent: readonly number[];
  /** Rows by independent parameter, columns by dependent one. */
  readonly mix: readonly (readonly number[])[];
}

/** Squared sine of the angle between a column and the earlier ones below which it counts as dependent. */
const DEPENDENT_SINE = 1e-7;
/** Squared size of a column, relative to the largest, below which it holds rounding errors alone. */
const ROUNDING = 1e-20;
/** Coefficient below which a parameter counts as absent from a combination, relative to the largest. */
const ABSENT = 1e-4;

/**
 * Finds the base parameters from the normal matrix Y^T Y of a regressor.
 * @param order in which columns are tried: those that come first stay.
 */
export function baseParameters(normal: readonly ArrayLike<number>[], order: readonly number[]): BaseParameters {
  const independent: number[] = [];
  const dependent: number[] = [];
  const factor: number[][] = [];
  const least = ROUNDING * order.reduce((most, p) => Math.max(most, normal[p][p]), 0);
  for (const p of order) {
    const row: number[] = [];
    let left = normal[p][p];
    independent.forEach((b, i) => {
      let entry = normal[p][b];
      for (let k = 0; k < i; k++) entry -= factor[i][k] * row[k];
      row.push(entry / factor[i][i]);
      left -= row[i] * row[i];
    });
    if (normal[p][p] > least && left > DEPENDENT_SINE * normal[p][p]) {
      independent.push(p);
      factor.push([...row, Math.sqrt(left)]);
    } else dependent.push(p);
  }
  const columns = dependent.map((d) =>
    normal[d][d] <= least
      ? independent.map(() => 0)
      : solveByFactor(
          factor,
          independent.map((b) => normal[b][d]),
        ),
  );
  return {
    independent,
    dependent,
    mix: independent.map((_, i) => columns.map((column) => withoutRounding(column, i))),
  };
}

const withoutRounding = (column: readonly number[], i: number): number => {
  const largest = column.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  return Math.abs(column[i]) < ABSENT * largest ? 0 : column[i];
};

/** Values of the base parameters for values of all parameters. */
export const baseOf = ({ independent, dependent, mix }: BaseParameters, x: ArrayLike<number>): number[] =>
  independent.map((p, i) => mix[i].reduce((sum, c, k) => sum + c * x[dependent[k]], x[p]));

/** Base parameters by least squares, and Cholesky's factor of their normal matrix. */
export function solveBase(
  { independent }: BaseParameters,
  normal: readonly ArrayLike<number>[],
  right: ArrayLike<number>,
): { readonly values: number[]; readonly factor: number[][] } {
  // Scaled to a unit diagonal, so that parameters of every unit are well conditioned.
  const sizes = independent.map((p) => Math.sqrt(normal[p][p]));
  const scaled = independent.map((p, i) => independent.map((q, j) => normal[p][q] / (sizes[i] * sizes[j])));
  const root = choleskyFactor(scaled) as number[][];
  const solution = solveByFactor(
    root,
    independent.map((p, i) => right[p] / sizes[i]),
  );
  return {
    values: solution.map((x, i) => x / sizes[i]),
    factor: root.map((row, i) => row.map((x) => x * sizes[i])),
  };
}

/** Writes a combination of named terms, as in `m cx of upper + 0.3 m of lower`. */
export const nameOfTerms = (terms: readonly (readonly [string, number])[]): string =>
  terms
    .filter(([, factor]) => factor !== 0)
    .map(([name, factor], k) => {
      const size = Number(Math.abs(factor).toPrecision(3));
      const sign = factor < 0 ? (k === 0 ? '-' : ' - ') : k === 0 ? '' : ' + ';
      return `${sign}${size === 1 ? '' : `${size} `}${name}`;
    })
    .join('');

/** Names of what is dependent, with what acts alike, of the parameters that `isMeant` chooses. */
export const namesOfDependent = (
  { independent, dependent, mix }: BaseParameters,
  names: readonly string[],
  isMeant: (parameter: number) => boolean,
): string[] =>
  dependent.flatMap((p, k) =>
    isMeant(p)
      ? [nameOfTerms([[names[p], 1], ...independent.map((b, i): [string, number] => [names[b], -mix[i][k]])])]
      : [],
  );

/** Names of the base parameters, from those of all parameters, as in `m cx of upper + 0.3 m of lower`. */
export const namesOfBase = ({ independent, dependent, mix }: BaseParameters, names: readonly string[]): string[] =>
  independent.map((p, i) =>
    nameOfTerms([[names[p], 1], ...dependent.map((d, k): [string, number] => [names[d], mix[i][k]])]),
  );
