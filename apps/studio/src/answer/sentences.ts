import type { Estimate, ParameterEstimate } from '@gradsim/optim';
import { allRemarks, trust } from '../../../../packages/gradsim/src/experiment/record/remarks.ts';
import { formatEstimate, formatNumber, formatUnit } from '../../../../packages/gradsim/src/terminal/numbers.ts';
import { kindOf } from '../kinds.ts';

/** The answer: the first unknown of the kind's answers that was estimated. */
export function answerOf(kind: string, { parameters }: Estimate): [string, ParameterEstimate] {
  const name = kindOf(kind).answers.find((each) => each in parameters) ?? Object.keys(parameters)[0];
  return [name, parameters[name]];
}

/** Value and standard error with as many digits as the error makes significant. */
export function valueText({ estimate, standardError }: ParameterEstimate): string {
  const value = formatEstimate(estimate, standardError);
  if (standardError === null || !Number.isFinite(standardError)) return value;
  const digits = Math.max(0, 1 - Math.floor(Math.log10(standardError)));
  return digits > 12 ? value : estimate.toFixed(digits);
}

/** Sentence with the 95 % interval. */
export function intervalText({ interval, unit }: ParameterEstimate): string {
  if (!interval?.every(Number.isFinite)) return 'The film does not determine it';
  const digits = Math.max(0, 1 - Math.floor(Math.log10((interval[1] - interval[0]) / 4)));
  const [low, high] = interval.map((end) => (digits > 12 ? formatNumber(end) : end.toFixed(digits)));
  return `95 % sure to be between ${low} and ${high}${unit ? ` ${formatUnit(unit)}` : ''}`;
}

/** Sentences on whether to trust the estimate, and why not. */
export const verdictLines = (estimate: Estimate): string[] =>
  estimate.stopped === 'interrupted'
    ? ['Stopped before the end: the best so far, without a bar. Estimate again for a number to trust.']
    : trust(estimate);

/** Remarks on an estimate; first, which measured quantity dominates the answer's bar. */
export function aboutNumbers(kind: string, estimate: Estimate, notes: readonly string[]): string[] {
  const [name, { ofGiven = {}, standardError }] = answerOf(kind, estimate);
  const [largest] = Object.entries(ofGiven).sort(([, a], [, b]) => b - a);
  const share = largest && standardError ? (largest[1] / standardError) ** 2 : 0;
  const { given } = estimate;
  const dominant =
    share > 0.3
      ? `${Math.round(100 * share)} % of the bar of ${name} (of its square) comes from ${largest[0]}, given as ${formatNumber(given[largest[0]].value)} with a tolerance of ${formatNumber(given[largest[0]].tolerance, 2)} ${formatUnit(given[largest[0]].unit)}: to know ${name} better, measure that better.`
      : `The bar of ${name} comes from the film itself, not from what you measured: a sharper, longer or larger view makes it smaller.`;
  return [...(standardError === null ? [] : [dominant]), ...allRemarks({ ...estimate, notes })];
}
