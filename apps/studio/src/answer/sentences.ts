import type { Estimate, ParameterEstimate } from '@gradsim/optim';
import { limitLines } from '../../../../packages/gradsim/src/components/index.ts';
import { trust } from '../../../../packages/gradsim/src/experiment/record/remarks.ts';
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
    : trust(estimate).map(withoutCommands).filter(Boolean);

/** A sentence without advice for options that a page does not have. */
export const withoutCommands = (text: string): string =>
  text
    .replace(/,? by gradsim new [\w-]+/g, '')
    .replace(/: allow more `iterations`[^.]*\./, ': take fewer frames of the film, or enter more that is known.')
    .split(/(?<=[.!?]) +(?=[A-Z])/)
    .filter((sentence) => !/`|(?:^| )--\w|gradsim (?:plan|look|new|estimate)/.test(sentence))
    .join(' ');

/** Remarks on an estimate; first, which measured quantity dominates the answer's bar. */
export const aboutNumbers = (kind: string, estimate: Estimate, notes: readonly string[]): string[] =>
  limitLines({ ...estimate, notes }, answersOf(kind))
    .map(withoutCommands)
    .filter(Boolean);
