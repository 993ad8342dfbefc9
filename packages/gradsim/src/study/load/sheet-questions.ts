import { median } from '@gradsim/base';
import { type Measures, numberIn } from '@gradsim/kinds';
import type { SheetLine } from './sheet-lines.ts';

/** Fewest lines of which most can be alike. */
const MIN_LINES = 3;
/** Ratios to what most have that a slip makes, by what is said of them, and how near to one a value is. Judged. */
const SLIP_RATIOS: Readonly<Record<string, number>> = {
  'twice that': 2,
  'half of that': 0.5,
  'ten times that': 10,
  'a tenth of that': 0.1,
  'a hundred times that': 100,
  'a hundredth of that': 0.01,
  'a thousand times that': 1000,
  'a thousandth of that': 0.001,
};
const SLIP_TOLERANCE = 0.1;

/** Questions about measurements of a sheet that are those of most other lines but for a slip: a diameter, another unit. */
export function sheetQuestions(lines: readonly SheetLine[], measures: Measures): string[] {
  return Object.entries(measures).flatMap(([name, { quantity }]) => {
    const measured = lines.flatMap(({ line, group, own }) => {
      const value = own[name] === undefined ? Number.NaN : numberIn(own[name], quantity);
      return value > 0 ? [{ whose: group ?? `line ${line}`, text: own[name], value }] : [];
    });
    if (quantity === undefined || measured.length < MIN_LINES) return [];
    const usual = median(measured.map(({ value }) => value));
    return measured.flatMap(({ whose, text, value }) => {
      const slip = Object.entries(SLIP_RATIOS).find(
        ([, ratio]) => Math.abs(value / usual / ratio - 1) < SLIP_TOLERANCE,
      )?.[0];
      return slip === undefined
        ? []
        : `${whose}: ${name} is ${text}, ${slip} of most others: a diameter for a radius, or another unit?`;
    });
  });
}
