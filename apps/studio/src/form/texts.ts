import type { Measure } from '@gradsim/kinds';

/** Texts of the fields, by the names of measures. */
export type FormTexts = Readonly<Record<string, string>>;

/** Text of a field before anything is entered: the measure's default. */
export function defaultText({ default: own }: Measure): string {
  if (own === undefined || own === null) return '';
  return typeof own === 'object' ? own.join(', ') : String(own);
}
