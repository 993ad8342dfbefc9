import type { Measures } from '@gradsim/kinds';
import type { PageKind } from '../kinds.ts';
import { defaultText, type FormTexts } from './texts.ts';

/** Field, beside the measures, that lists the answers whose tick a user has turned. */
export const TURNED = 'turned';

/** An answer that a form offers to find. */
export interface Tick {
  readonly answer: string;
  /** Name of the measure that gives its value if it is known. */
  readonly measure?: string;
  readonly isTicked: boolean;
  /** True if a user has turned it. */
  readonly isTurned: boolean;
}

const turnedIn = (fields: FormTexts): string[] => (fields[TURNED] ?? '').split(', ').filter(Boolean);

const measureOf = (measures: Measures, answer: string): string | undefined =>
  Object.keys(measures).find((name) => (measures[name].unknown ?? name) === answer);

/**
 * Answers of a kind, each ticked if it is to be found: at first those that nothing measured gives, and measures that are
 * unknown by default, but those that a form asks for first.
 */
export function ticksOf({ answers, measures }: Pick<PageKind, 'answers' | 'measures'>, fields: FormTexts): Tick[] {
  const turned = turnedIn(fields);
  return answers.map((answer) => {
    const measure = measureOf(measures, answer);
    const isTurned = turned.includes(answer);
    if (measure === undefined) return { answer, isTicked: !isTurned, isTurned };
    const isUnknown = defaultText(measures[measure]) === '' && !measures[measure].isFirst;
    const isEmpty = (fields[measure] ?? '').trim() === '';
    return { answer, measure, isTicked: isEmpty && isUnknown !== isTurned, isTurned };
  });
}

/** Texts of the fields that turning a tick changes: a measure that is to be found is emptied, another has its default again. */
export function turn(
  { measures }: Pick<PageKind, 'measures'>,
  fields: FormTexts,
  { answer, measure, isTicked }: Tick,
): FormTexts {
  const turned = turnedIn(fields);
  const next = turned.includes(answer) ? turned.filter((each) => each !== answer) : [...turned, answer];
  return {
    [TURNED]: next.join(', '),
    ...(measure === undefined ? {} : { [measure]: isTicked ? defaultText(measures[measure]) : '' }),
  };
}

/** Ticks of answers that a user does not look for. */
export const untickedOf = (kind: Pick<PageKind, 'answers' | 'measures'>, fields: FormTexts): Tick[] =>
  ticksOf(kind, fields).filter(({ isTicked, isTurned }) => isTurned && !isTicked);

/** Names of those answers. */
export const notWanted = (kind: Pick<PageKind, 'answers' | 'measures'>, fields: FormTexts): string[] =>
  untickedOf(kind, fields).map(({ answer }) => answer);
