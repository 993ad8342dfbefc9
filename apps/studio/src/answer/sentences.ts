import type { Estimate } from '@gradsim/optim';
import { limitLines } from '../../../../packages/gradsim/src/components/index.ts';
import { trust } from '../../../../packages/gradsim/src/experiment/record/remarks.ts';
import { kindOf } from '../kinds.ts';

/** Estimated answers of a kind with their meanings, without those that nobody looks for; all of them if none is left. */
export function answersOf(
  kind: string,
  { parameters, derived }: Pick<Estimate, 'parameters' | 'derived'>,
  notWanted: readonly string[] = [],
): Readonly<Record<string, string>> {
  const { answers, meaning } = kindOf(kind);
  const found = answers.filter((name) => name in parameters || name in derived);
  const wanted = found.filter((name) => !notWanted.includes(name));
  return Object.fromEntries((wanted.length > 0 ? wanted : found).map((name) => [name, meaning[name] ?? '']));
}

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
export const aboutNumbers = (
  answers: Readonly<Record<string, string>>,
  estimate: Estimate,
  notes: readonly string[],
): string[] =>
  limitLines({ ...estimate, notes }, answers)
    .map(withoutCommands)
    .filter(Boolean);
