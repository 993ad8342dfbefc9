import { symmetricEigen } from '../decompositions.ts';
import { choleskyFactor, solveByFactor } from '../statistics/least-squares.ts';
import { levenbergMarquardt } from '../statistics/levenberg-marquardt.ts';
import { randomNumbers } from '../statistics/random.ts';
import { sumOfProducts, sumOfSquares } from '../statistics/statistics.ts';
import type { Formula } from './formula.ts';
import { canonicalParameters } from './main-branch.ts';

/** Result of {@link fitFormula}. */
export interface FitOfFormula {
  readonly parameters: readonly {
    readonly name: string;
    readonly value: number;
    /** Standard error by the errors that were given; infinite if the data do not determine it. */
    readonly standardError: number;
    /**
     * Standard error by what stretches of neighbouring points add to it: larger than the other where points share errors.
     */
    readonly scatterError: number;
  }[];
  /** Correlations of the parameters' errors; 0 for those that are not determined. */
  readonly correlations: readonly (readonly number[])[];
  /** Differences of the data from the formula, in the unit of the data. */
  readonly residuals: readonly number[];
  /** Sum of squares of the residuals over their errors. */
  readonly chiSquare: number;
  readonly degreesOfFreedom: number;
  /** Correlation of each residual, over its error, with the next one. */
  readonly autocorrelation: number;
  /** Names of parameters of which the data determine a combination at most. */
  readonly undetermined: readonly string[];
}

/** Data that a formula is fitted to. */
interface Data {
  /** Values of the variables, by name, at each point. Other names of the formula are its parameters. */
  readonly variables: Readonly<Record<string, ArrayLike<number>>>;
  readonly target: ArrayLike<number>;
  /** Standard errors of the target. */
  readonly errors: ArrayLike<number>;
  /** Values at which the search for parameters starts, by name. */
  readonly start?: Readonly<Record<string, number>>;
}

/** Number of drawn starts of the parameters that are in the formula by other than a factor, and of those refined. */
const [DRAWN, REFINED] = [3000, 12];
/** Ratio of an eigenvalue of the correlations to the largest below which a combination is not determined. */
const MIN_EIGENVALUE_RATIO = 1e-11;
/** Part of a direction that is not determined above which a parameter counts as concerned. */
const MIN_DIRECTION_SHARE = 0.05;

/**
 * Fits a formula by least squares. Parameters in which it is linear are solved for; others are started from values drawn
 * over the orders of magnitude that the variables suggest, the same each time, and the best are refined together.
 *
 * ```ts
 * fitFormula(parseFormula('a t^2 + b'), { variables: { t }, target: y, errors });
 * ```
 * @returns undefined if the formula has no finite value at any start, or has more parameters than there are points.
 */
export function fitFormula(formula: Formula, data: Data): FitOfFormula | undefined {
  const { variables, target, errors, start = {} } = data;
  const names = formula.names.filter((name) => !Object.hasOwn(variables, name));
  const count = target.length;
  if (names.length > count) return undefined;
  const inputs = formula.names.map((name) => variables[name]);
  const places = names.map((name) => formula.names.indexOf(name));
  const row = new Float64Array(formula.names.length);
  const valuesAt = (parameters: readonly number[]): number[] => {
    places.forEach((place, k) => {
      row[place] = parameters[k];
    });
    return Array.from({ length: count }, (_, i) => {
      inputs.forEach((input, place) => {
        if (input) row[place] = input[i];
      });
      return formula.value(row);
    });
  };
  const residualsAt = (parameters: readonly number[]): number[] =>
    valuesAt(parameters).map((value, i) => (value - target[i]) / errors[i]);

  const random = randomNumbers(1);
  const draw = startSampler(variables, random);
  const linear = linearParameters(names.length, valuesAt, draw);
  const fixed = names.map((name) => start[name]);
  const solved = (parameters: readonly number[]): number[] =>
    solveLinearParameters(parameters, linear, valuesAt, target, errors) ?? [...parameters];
  const squaresOf = (parameters: readonly number[]): number => {
    const squares = sumOfSquares(residualsAt(parameters));
    return Number.isFinite(squares) ? squares : Number.POSITIVE_INFINITY;
  };
  const isOpen = names.some((_, k) => !linear.includes(k) && fixed[k] === undefined);
  const starts = Array.from({ length: isOpen ? DRAWN : 1 }, (_, k) =>
    solved(names.map((_, j) => fixed[j] ?? (k === 0 ? 1 : draw()))),
  )
    .map((parameters) => ({ parameters, squares: squaresOf(parameters) }))
    .filter(({ squares }) => squares < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.squares - b.squares)
    .slice(0, REFINED);
  if (starts.length === 0) return undefined;
  const block = { unknowns: names.map((_, k) => k), residuals: residualsAt };
  const minima = starts.map(({ parameters }) =>
    levenbergMarquardt([block], parameters, parameterScales(parameters, residualsAt)),
  );
  const best = minima.reduce((a, b) => (b.squares < a.squares ? b : a));
  // Once more, in steps of the size of the parameters' errors there.
  const main = canonicalParameters(best.values, residualsAt);
  const scales = parameterScales(main, residualsAt);
  const { values, normal } = levenbergMarquardt([block], main, scales);
  const { covariance, ...known } = standardErrorsOf(names, values, normal, scales);
  const scatter = blockStandardErrors(values, covariance, scales, residualsAt);
  return {
    ...known,
    parameters: known.parameters.map((own, k) => ({ ...own, scatterError: Math.max(own.standardError, scatter[k]) })),
    ...residualStatistics(residualsAt(values), errors, names.length),
  };
}

/** Number of stretches by which errors that neighbouring points share are seen. */
const BLOCKS = 10;
/** Part of a parameter's scale by which it is changed for derivatives. */
const DERIVATIVE_STEP = 1e-3;

/**
 * Standard errors from the scatter of what stretches of neighbouring points add to the parameters, whatever the points of
 * one have in common: the sandwich estimator with clusters. Source: K.-Y. Liang and S. L. Zeger, Biometrika
 * 73, 1986.
 */
function blockStandardErrors(
  values: readonly number[],
  covariance: readonly (readonly number[])[],
  scales: readonly number[],
  residualsAt: (parameters: readonly number[]) => readonly number[],
): number[] {
  const residuals = residualsAt(values);
  const slopes = values.map((_, k) => {
    const [above, below] = [DERIVATIVE_STEP, -DERIVATIVE_STEP].map((step) =>
      residualsAt(values.map((v, j) => (j === k ? v + step * scales[k] : v))),
    );
    return above.map((r, i) => (r - below[i]) / (2 * DERIVATIVE_STEP * scales[k]));
  });
  const stretches = Math.min(BLOCKS, residuals.length);
  const added = Array.from({ length: stretches }, () => values.map(() => 0));
  residuals.forEach((residual, i) => {
    const own = added[Math.floor((i * stretches) / residuals.length)];
    covariance.forEach((row, k) => {
      own[k] += residual * row.reduce((sum, v, j) => sum + v * slopes[j][i], 0);
    });
  });
  // So few squares scatter themselves: with the variance of Student's distribution, errors are as large as bars on average.
  const few = stretches / Math.max(1, stretches - 3);
  return values.map((_, k) => Math.sqrt(few * sumOfSquares(added.map((own) => own[k]))));
}

/** Draws values of a parameter: of a phase, or of a rate or a factor of the variables, of either sign. */
function startSampler(variables: Data['variables'], random: () => number): () => number {
  const lengths = Object.values(variables).flatMap((of) => {
    const sorted = Float64Array.from(of).sort();
    const span = sorted[sorted.length - 1] - sorted[0];
    return span > 0 ? [[0.1 / span, (Math.PI * sorted.length) / span]] : [];
  });
  const [low, high] = lengths.length === 0 ? [0.1, 10] : lengths[0];
  return () => {
    const part = random();
    if (random() < 0.4) return Math.PI * (2 * part - 1);
    return (random() < 0.3 ? -1 : 1) * low * (high / low) ** part;
  };
}

/** Indices of parameters in which the values are linear, all others given: tested at drawn ones. */
function linearParameters(
  count: number,
  valuesAt: (parameters: readonly number[]) => readonly number[],
  draw: () => number,
): number[] {
  const linear: number[] = [];
  for (let k = 0; k < count; k++) {
    const together = [...linear, k];
    const isLinear = [1, 2, 3].every(() => {
      const at = Array.from({ length: count }, draw);
      const [from, to] = [at, at.map((v, j) => (together.includes(j) ? v + draw() : v))];
      const [a, b, middle] = [from, to, from.map((v, j) => (v + to[j]) / 2)].map(valuesAt);
      return a.every((v, i) => {
        const off = Math.abs((v + b[i]) / 2 - middle[i]);
        return off <= 1e-9 * (Math.abs(v) + Math.abs(b[i])) || !Number.isFinite(off);
      });
    });
    if (isLinear) linear.push(k);
  }
  return linear;
}

/** Parameters with those in which the values are linear solved for; undefined if these are not determined. */
function solveLinearParameters(
  parameters: readonly number[],
  linear: readonly number[],
  valuesAt: (parameters: readonly number[]) => readonly number[],
  target: ArrayLike<number>,
  errors: ArrayLike<number>,
): number[] | undefined {
  if (linear.length === 0) return undefined;
  const at = (one?: number): readonly number[] =>
    valuesAt(parameters.map((v, k) => (linear.includes(k) ? Number(k === one) : v)));
  const base = at();
  const columns = linear.map((k) => at(k).map((v, i) => (v - base[i]) / errors[i]));
  const right = base.map((v, i) => (target[i] - v) / errors[i]);
  const lengths = columns.map((column) => Math.sqrt(sumOfSquares(column)) || 1);
  // A trace of damping, for a start where two columns are alike.
  const normal = columns.map((a, i) =>
    columns.map((b, j) => sumOfProducts(a, b) / (lengths[i] * lengths[j]) + (i === j ? 1e-10 : 0)),
  );
  const root = choleskyFactor(normal);
  if (!root) return undefined;
  const slope = columns.map((column, i) => sumOfProducts(column, right) / lengths[i]);
  const found = solveByFactor(root, slope).map((v, i) => v / lengths[i]);
  return parameters.map((v, k) => (linear.includes(k) ? found[linear.indexOf(k)] : v));
}

/** Changes of the parameters, each alone, that change the residuals by 1 together. */
function parameterScales(
  parameters: readonly number[],
  residualsAt: (parameters: readonly number[]) => readonly number[],
) {
  return parameters.map((value, k) => {
    const step = 1e-5 * (Math.abs(value) || 1);
    const [above, below] = [1, -1].map((sign) =>
      residualsAt(parameters.map((v, j) => (j === k ? v + sign * step : v))),
    );
    const slope = Math.sqrt(sumOfSquares(above.map((r, i) => (r - below[i]) / (2 * step))));
    return slope > 0 && Number.isFinite(slope) ? 1 / slope : Math.abs(value) || 1;
  });
}

/** Standard errors and correlations by the eigenvectors of J^T J, and the covariance of what is determined. */
function standardErrorsOf(
  names: readonly string[],
  values: readonly number[],
  normal: readonly (readonly number[])[],
  scales: readonly number[],
) {
  const lengths = normal.map((own, k) => Math.sqrt(own[k]) || 1);
  const scaled = normal.flatMap((own, i) => own.map((v, j) => v / (lengths[i] * lengths[j])));
  const { values: sizes, vectors } = symmetricEigen(scaled);
  const largest = Math.max(...sizes, 0);
  const isNothing = sizes.map((size) => !(size > MIN_EIGENVALUE_RATIO * largest));
  const covariance = names.map((_, i) =>
    names.map((__, j) =>
      sizes.reduce((sum, size, m) => sum + (isNothing[m] ? 0 : (vectors[m][i] * vectors[m][j]) / size), 0),
    ),
  );
  const isConcerned = names.map((_, k) =>
    sizes.some((__, m) => isNothing[m] && Math.abs(vectors[m][k]) > MIN_DIRECTION_SHARE),
  );
  return {
    parameters: names.map((name, k) => ({
      name,
      value: values[k],
      standardError: isConcerned[k] ? Number.POSITIVE_INFINITY : (Math.sqrt(covariance[k][k]) / lengths[k]) * scales[k],
    })),
    correlations: covariance.map((own, i) =>
      own.map((v, j) => (isConcerned[i] || isConcerned[j] ? 0 : v / Math.sqrt(own[i] * covariance[j][j]))),
    ),
    undetermined: names.filter((_, k) => isConcerned[k]),
    covariance: covariance.map((own, i) => own.map((v, j) => (v / (lengths[i] * lengths[j])) * scales[i] * scales[j])),
  };
}

/** Residuals of the data. */
function residualStatistics(
  weighted: readonly number[],
  errors: ArrayLike<number>,
  parameters: number,
): Pick<FitOfFormula, 'residuals' | 'chiSquare' | 'degreesOfFreedom' | 'autocorrelation'> {
  const chiSquare = sumOfSquares(weighted);
  const products = weighted.slice(1).reduce((sum, r, i) => sum + r * weighted[i], 0);
  return {
    residuals: weighted.map((r, i) => -r * errors[i]),
    chiSquare,
    degreesOfFreedom: weighted.length - parameters,
    autocorrelation: chiSquare > 0 ? products / chiSquare : 0,
  };
}
