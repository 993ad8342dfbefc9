import { type FitOfFormula, FormulaFault, fitFormula, parseFormula } from '@gradsim/base/formula';
import { GradsimError } from '@gradsim/core';
import type { PlaneMotion } from '@gradsim/film';
import { formatEstimate, formatNumber } from '../terminal/numbers.ts';

/** A formula that is fitted to a column of a motion. */
export interface MotionFit {
  /** Text as it was typed, with the column before it: `y = a t^2 + b t + c`. */
  readonly text: string;
  readonly column: string;
  /** Variable along which it is drawn: time, or the column that it depends on. */
  readonly over: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly value: number;
    /**
     * Standard error by the noise, and by what residuals and stretches of the film show beyond it; infinite if the data do
     * not determine it.
     */
    readonly standardError: number;
    /** Change by the standard error of the scale; NaN without one. */
    readonly byScale: number;
  }[];
  readonly fitted: readonly number[];
  readonly residuals: readonly number[];
  readonly chiSquare: number;
  readonly degreesOfFreedom: number;
  /** Largest factor by which a bar is larger than the noise of the points makes it. */
  readonly enlarged: number;
  readonly remarks: readonly string[];
}

/** Standard deviations of an autocorrelation or chi-square of mere noise beyond which something shows. */
const MIN_SIGNIFICANCE = 3;
/** Correlation of two parameters above which hardly more than a combination of them is determined. */
const MAX_CORRELATION = 0.995;

/**
 * Fits a formula to a column of a motion.
 *
 * @param text `y = a t^2 + b t + c`; without a column it is y. Variables are t and the other columns.
 * @param motions the motion, and the same with the scale larger by its standard error, if that has one of its own.
 * @param start values at which the search starts, by name.
 * @throws for what is no formula, for a column that is not there, and for a start of another name.
 */
export function fitMotion(
  text: string,
  [motion, larger]: readonly [PlaneMotion, PlaneMotion?],
  start: Readonly<Record<string, number>>,
): MotionFit {
  const { left, right, formula } = formulaOf(text);
  const names = motion.columns.map(({ name }) => name);
  if (!names.includes(left))
    throw new GradsimError('gradsim/formula-wrong', `"${text}": there is no column ${left}.`, {
      field: '--fit',
      hint: `There are ${names.join(', ')}${names.includes('kinetic') ? '' : '; energies need the mass'}.`,
    });
  const used = ['t', ...names].filter((name) => name !== left && formula.names.includes(name));
  const found = fitAt(formula, motion, left, used, start);
  if (!found)
    throw new GradsimError(
      'gradsim/formula-wrong',
      `"${text}" cannot be fitted to ${motion.times.length} points: it has no value there, or more parameters than points.`,
      { field: '--fit', hint: 'Say where to start, as in w=6.' },
    );
  const unknown = Object.keys(start).find((name) => !found.parameters.some((own) => own.name === name));
  if (unknown !== undefined)
    throw new GradsimError(
      'gradsim/formula-wrong',
      `There is a start for ${unknown}, and "${text}" has no parameter ${unknown}.`,
      {
        field: '--start',
      },
    );
  const values = Object.fromEntries(found.parameters.map(({ name, value }) => [name, value]));
  const scaled = larger && fitAt(formula, larger, left, used, values);
  const { chiSquare, degreesOfFreedom, autocorrelation, residuals } = found;
  const column = motion.columns.find(({ name }) => name === left)!;
  // Of residuals that follow each other fewer are independent.
  const isSmooth = autocorrelation > MIN_SIGNIFICANCE / Math.sqrt(residuals.filter(Number.isFinite).length);
  const perFreedom = chiSquare / Math.max(1, degreesOfFreedom);
  const byResiduals = Math.sqrt(
    Math.max(1, perFreedom) * (isSmooth ? (1 + autocorrelation) / Math.max(0.01, 1 - autocorrelation) : 1),
  );
  const errors = found.parameters.map(({ standardError, scatterError }) =>
    Math.max(byResiduals * standardError, scatterError),
  );
  const enlarged = Math.max(
    byResiduals,
    ...found.parameters.map(({ standardError }, k) =>
      standardError > 0 && standardError < Number.POSITIVE_INFINITY ? errors[k] / standardError : 1,
    ),
  );
  return {
    text: `${left} = ${right.trim()}`,
    column: left,
    over: used[0] ?? 't',
    parameters: found.parameters.map(({ name, value }, k) => ({
      name,
      value,
      standardError: degreesOfFreedom > 0 ? errors[k] : Number.POSITIVE_INFINITY,
      byScale: scaled ? Math.abs(scaled.parameters[k].value - value) : Number.NaN,
    })),
    fitted: column.values.map((value, i) => value - residuals[i]),
    residuals,
    chiSquare,
    degreesOfFreedom,
    enlarged,
    remarks: remarksOn(found, perFreedom, isSmooth),
  };
}

/**
 * Column and formula of a text: `y = a t^2 + b t + c`; without a column it is y.
 * @throws for what is no formula.
 */
export function formulaOf(text: string) {
  const [before, ...behind] = text.split('=');
  const [left, right] = behind.length === 0 ? ['y', before] : [before.trim(), behind.join('=')];
  try {
    return { left, right, formula: parseFormula(right) };
  } catch (error) {
    if (!(error instanceof FormulaFault)) throw error;
    throw new GradsimError('gradsim/formula-wrong', `"${text}": ${error.message}.`, {
      field: '--fit',
      hint: 'Write it as in "y = a t^2 + b t + c" or "x = A exp(-g t) cos(w t + p) + c".',
      cause: error,
    });
  }
}

/** Rounds in which errors of the variables are counted as errors of the column, by the slope of the formula. */
const ROUNDS = 2;

/** Fits to a column; errors of other columns in the formula count by its slope along them. */
function fitAt(
  formula: ReturnType<typeof parseFormula>,
  { times, columns }: PlaneMotion,
  column: string,
  used: readonly string[],
  start: Readonly<Record<string, number>>,
): FitOfFormula | undefined {
  const whole = (name: string) => columns.find((own) => own.name === name)!;
  const isKnown = times.map((_, i) =>
    [column, ...used].every((name) => name === 't' || whole(name).errors[i] < Number.POSITIVE_INFINITY),
  );
  const of = (name: string) => {
    const { values, errors } = whole(name);
    return { values: values.filter((_, i) => isKnown[i]), errors: errors.filter((_, i) => isKnown[i]) };
  };
  const moments = times.filter((_, i) => isKnown[i]);
  const variables = Object.fromEntries(used.map((name) => [name, name === 't' ? moments : of(name).values]));
  const { values: target, errors } = of(column);
  const moving = used.filter((name) => name !== 't');
  let found = fitFormula(formula, { variables, target, errors, start });
  for (let round = 0; round < ROUNDS && found && moving.length > 0; round++) {
    const own = Object.fromEntries(found.parameters.map(({ name, value }) => [name, value]));
    const valueAt = (i: number, name: string, change: number): number =>
      formula.value(
        formula.names.map((each) =>
          Object.hasOwn(own, each) ? own[each] : variables[each][i] + (each === name ? change : 0),
        ),
      );
    const together = errors.map((error, i) =>
      Math.hypot(
        error,
        ...moving.map((name) => {
          const step = of(name).errors[i];
          return (valueAt(i, name, step) - valueAt(i, name, -step)) / 2;
        }),
      ),
    );
    found = fitFormula(formula, { variables, target, errors: together, start: own });
  }
  // Where the motion is not known there are gaps.
  let next = 0;
  return found && { ...found, residuals: isKnown.map((known) => (known ? found!.residuals[next++] : Number.NaN)) };
}

function remarksOn(found: FitOfFormula, perFreedom: number, isSmooth: boolean): string[] {
  const { parameters, correlations, undetermined, degreesOfFreedom } = found;
  const together = parameters.flatMap(({ name }, i) =>
    parameters
      .slice(0, i)
      .flatMap((other, j) => (Math.abs(correlations[i][j]) > MAX_CORRELATION ? [`${other.name} and ${name}`] : [])),
  );
  const most = 1 + MIN_SIGNIFICANCE * Math.sqrt(2 / Math.max(1, degreesOfFreedom));
  return [
    ...(degreesOfFreedom === 0 ? ['It has as many parameters as there are points: any data fit it.'] : []),
    ...(undetermined.length > 0
      ? [`The data do not determine ${undetermined.join(', ')}, only a combination of them or nothing.`]
      : []),
    ...(together.length > 0 ? [`The data determine hardly more than a combination of ${together.join('; ')}.`] : []),
    ...(perFreedom > most
      ? [
          `It misses the points by ${formatNumber(Math.sqrt(perFreedom), 2)} times their noise: another formula, or fewer frames.`,
        ]
      : []),
    ...(isSmooth
      ? [
          'What it misses is not random from point to point (as between smoothed values, or where a formula lacks something): bars are enlarged for it.',
        ]
      : []),
  ];
}

/** Rows of a table of fits: a parameter each. */
export const FIT_COLUMNS = ['', 'value', 'standard error', 'by the scale'];

export const fitRows = ({ parameters }: MotionFit): string[][] =>
  parameters.map(({ name, value, standardError, byScale }) => [
    name,
    formatEstimate(value, standardError),
    Number.isFinite(standardError) ? formatNumber(standardError, 2) : 'not determined',
    Number.isFinite(standardError) && Number.isFinite(byScale) ? formatNumber(byScale, 2) : '',
  ]);

/** Sentence on how well a formula fits. */
export const fitSentence = ({ chiSquare, degreesOfFreedom, enlarged }: MotionFit): string =>
  `chi-square ${formatNumber(chiSquare, 3)} for ${degreesOfFreedom} degrees of freedom${degreesOfFreedom > 0 ? `, ${formatNumber(chiSquare / degreesOfFreedom, 3)} each` : ''}${enlarged > 1.05 ? `; bars are up to ${formatNumber(enlarged, 2)} times those by the noise` : ''}`;
