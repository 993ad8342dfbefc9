import type { Estimate, ParameterEstimate } from '@gradsim/optim';
import { allRemarks, trust } from '../../../../packages/gradsim/src/experiment/record/remarks.ts';
import { formatNumber, formatUnit } from '../../../../packages/gradsim/src/terminal/numbers.ts';
import { kindOf } from '../kinds.ts';

/** The answer: the first unknown of the kind's answers that was estimated. */
export function answerOf(kind: string, { parameters }: Estimate): [string, ParameterEstimate] {
  const name = kindOf(kind).answers.find((each) => each in parameters) ?? Object.keys(parameters)[0];
  return [name, parameters[name]];
}

/** Unknowns that are the answer of a kind, with their meaning. */
export const answersOf = (kind: string): Readonly<Record<string, string>> => {
  const { answers, meaning } = kindOf(kind);
  return Object.fromEntries(answers.map((name) => [name, meaning[name] ?? '']));
};

/** Sentences on whether to trust the estimate, and why not. */
export const verdictLines = (estimate: Estimate): string[] =>
  estimate.stopped === 'interrupted'
    ? ['Stopped before the end: the best so far, without a bar. Estimate again for a number to trust.']
    : trust(estimate).map(forPages).filter(Boolean);

/** A sentence without advice for options that a page does not have. */
export const forPages = (text: string): string =>
  text
    .replace(/,? by gradsim new [\w-]+/g, '')
    .replace(': allow more `iterations`.', ': take fewer frames of the film, or enter more that is known.')
    .split(/(?<=[.!?]) +(?=[A-Z])/)
    .filter((sentence) => !/`|(?:^| )--\w|gradsim (?:plan|look|new|estimate)/.test(sentence))
    .join(' ');

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
  return [...(standardError === null ? [] : [dominant]), ...allRemarks({ ...estimate, notes }).map(forPages)].filter(
    Boolean,
  );
}
