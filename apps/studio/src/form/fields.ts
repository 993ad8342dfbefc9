import type { Measures, Value } from '@gradsim/kinds';
import { askAboutUnit, readValue } from '@gradsim/kinds';
import { MIN_CORNERS } from '../camera/box-settings.ts';
import type { PageKind } from '../kinds.ts';
import { sentenceOf } from '../work/sentence.ts';
import { defaultText, type FormTexts } from './texts.ts';
import { untickedOf } from './ticks.ts';
import { labelOf } from './words.ts';

/** Values of all fields, and a sentence for each field that has none. */
export interface Checked {
  readonly values: Readonly<Record<string, Value>>;
  readonly errors: Readonly<Record<string, string>>;
  /** Questions on values in unusual ranges, by field. */
  readonly questions: Readonly<Record<string, string>>;
}

/** Parses the fields of a kind. */
export function checkFields(kind: PageKind, fields: FormTexts): Checked {
  const { measures } = kind;
  const unticked = untickedOf(kind, fields);
  const values: Record<string, Value> = {};
  const errors: Record<string, string> = {};
  const questions: Record<string, string> = {};
  for (const [name, measure] of Object.entries(measures)) {
    if (name === 'video') continue;
    const text = (fields[name] ?? defaultText(measure)).trim();
    if (text === '') {
      values[name] = null;
      if (measure.default === undefined) errors[name] = 'Measure this, and enter it here.';
      else if (unticked.some((tick) => tick.measure === name))
        errors[name] = 'Enter this, or tick above that you look for it.';
      continue;
    }
    try {
      values[name] = readValue(labelOf(name), measure, text);
      const question = askAboutUnit(labelOf(name), measure, values[name]);
      if (question !== undefined) questions[name] = question;
    } catch (error) {
      errors[name] = sentenceOf(error).message;
    }
  }
  // Of those that trimming left, of which reading knows.
  const without = values.without as readonly number[] | null;
  const [first, last] = [values.first ?? 0, values.last ?? Number.POSITIVE_INFINITY] as readonly number[];
  const left = without?.filter((frame) => frame >= first && frame <= last) ?? [];
  if (without) values.without = left.length > 0 ? left : null;
  if (Number(values.fieldOfView) >= 180) errors.fieldOfView = 'It must be below 180 degrees.';
  for (const [name, other] of [
    ['eye', 'target'],
    ['target', 'eye'],
  ])
    if (values[name] === null && (values[other] ?? null) !== null && !errors[name])
      errors[name] = `Enter this as well, or empty "${labelOf(other)}": the camera's place takes both.`;
  if ('corners' in measures) {
    checkSides(values, errors);
    checkPlace(values, errors);
  }
  if ('ends' in measures) checkMark(measures, values, errors);
  return { values, errors, questions };
}

/** Checks the sides of a box: all above 0, but the height of another thing on the incline, which may be a sheet. */
function checkSides(values: Record<string, Value>, errors: Record<string, string>): void {
  for (const [name, least] of [
    ['size', Number.MIN_VALUE],
    ['reference', 0],
  ] as const) {
    const sides = values[name] as readonly number[] | null;
    if (!sides || sides.every((side, k) => side >= (k === 1 ? least : Number.MIN_VALUE))) continue;
    // Nothing is drawn of such a box.
    values[name] = null;
    errors[name] = 'Each side must be above 0.';
  }
}

/** Checks what says where the camera is: marked corners of a box, or its place in numbers. */
function checkPlace(values: Record<string, Value>, errors: Record<string, string>): void {
  const marks = ((values.corners as readonly number[] | null)?.length ?? 0) / 3;
  const isTyped = values.eye !== null || values.target !== null;
  if (marks > 0 && isTyped) {
    errors.corners = 'The camera has its place twice: by corners, and by its position below. Empty one of them.';
    return;
  }
  if (isTyped) return;
  for (const name of ['eye', 'target', 'fieldOfView']) if (values[name] === null) delete errors[name];
  if (marks < MIN_CORNERS)
    errors.corners = `Drag at least ${MIN_CORNERS} corners of the box over the film to where they are.`;
}

/** Checks the length that is marked in the plane of the motion. */
function checkMark(measures: Measures, values: Record<string, Value>, errors: Record<string, string>): void {
  const { ends, span } = values;
  // Sizes that a marked length takes the place of.
  for (const name of Object.keys(measures).filter((each) => measures[each].unless?.includes('ends')))
    if (errors[name] && values[name] === null) {
      if (ends !== null || span !== null) delete errors[name];
      else errors[name] = 'Measure this, and enter it here; or mark something of known length in the film, below.';
    }
  if (ends === null && (errors.ends || span !== null)) errors.ends = 'Click the two ends of this length in the film.';
  if ('marks' in measures && ends !== null && values.size !== null)
    errors.size = 'The marked length says how large things are already: empty one of them.';
  if (errors.span || errors.ends) return;
  if (ends !== null && span === null) errors.span = 'Enter the distance between the two ends.';
  if (ends !== null && ['eye', 'target', 'pivot'].some((name) => (values[name] ?? null) !== null))
    errors.ends =
      'The camera has its place twice: by the two ends, and by its position or that of the pivot below. Empty one of them.';
}
