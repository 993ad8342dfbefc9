import type { Measure } from '@gradsim/kinds';
import { formatUnit } from '../../../../packages/gradsim/src/terminal/numbers.ts';

/** Labels of measures whose names say little to who does not know the program. */
const LABELS: Readonly<Record<string, string>> = {
  frameRate: 'Filmed at, a second',
  clock: 'Slow motion?',
  steady: 'Hand-held camera?',
  eye: 'Camera position',
  target: 'What it points at',
  span: 'Length between the ends',
  world: 'Filmed on the Earth?',
  lengthTolerance: 'How exact lengths are',
  angleTolerance: 'How exact angles are',
  axis: 'Angle of the x axis',
  markError: 'How exact clicks are',
  marksAlone: 'Only my clicks',
  window: 'Points of a window',
};

/** Words to choose from, where those of the command are none for a page. */
const VALUE_WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  clock: { right: 'no', wrong: 'yes: it plays at another rate' },
  world: { earth: 'yes', other: 'no' },
};

/** Descriptions that take the place of the command's. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  frameRate: 'Frames a second at which it was filmed; empty for those that the file states.',
  clock: 'If it plays slower or faster than it was filmed, enter above at how many frames a second that was.',
};

/** Measures that few need to know of. */
export const EXPERT_MEASURES: readonly string[] = [
  ...['chroma', 'lengthTolerance', 'angleTolerance', 'markError', 'marksAlone', 'window'],
];

/** Measure's name as a label. */
export const labelOf = (name: string): string => {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return LABELS[name] ?? words[0].toUpperCase() + words.slice(1);
};

/** A word that may be chosen, as the page shows it. */
export const wordOf = (name: string, word: string): string => VALUE_WORDS[name]?.[word] ?? word;

/** Description of a measure for the page, in which an empty field stands for null. */
export const describe = (name: string, { what }: Measure): string =>
  formatUnit((DESCRIPTIONS[name] ?? what).replace(/\bnull\b/g, 'empty').replace(/\bNull\b/g, 'Empty'));
