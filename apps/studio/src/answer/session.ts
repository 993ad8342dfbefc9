import { describeValue } from '@gradsim/base';
import { strokesOf } from '../../../../packages/film/src/reading/stroke.ts';
import { TURNED } from '../form/ticks.ts';
import { KINDS, kindOf, MARKED_FRAME, MEASURES_NOT_ON_PAGES } from '../kinds.ts';

/** Entries of a user for a film, as text. */
export interface Session {
  /** Name of the film's file, which a session does not hold. */
  readonly film: string;
  readonly kind: string;
  /** Texts of the fields, by the names of the kind's measures. */
  readonly fields: Readonly<Record<string, string>>;
}

const FORMAT = 'gradsim studio session 1';

/** Session as text of a file. */
export const sessionText = (session: Session): string => `${JSON.stringify({ format: FORMAT, ...session }, null, 2)}\n`;

/** Parses a session file. @throws an error with a sentence for the page if it is not one. */
export function readSession(text: string): Session {
  const refuse = (why: string): never => {
    throw new Error(`This is no session of the studio: ${why}.`);
  };
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return refuse('it is not JSON');
  }
  if (typeof parsed !== 'object' || parsed === null) return refuse('it holds no object');
  const { format, film, kind, fields } = parsed as Record<string, unknown>;
  if (format === undefined) return refuse('it does not say its format');
  if (format !== FORMAT) return refuse(`its format is ${describeValue(format)}, not "${FORMAT}"`);
  if (!KINDS.some(({ name }) => name === kind)) return refuse(`it has the kind ${describeValue(kind)}`);
  if (typeof film !== 'string') return refuse('it names no film');
  const isText = (value: unknown): boolean => typeof value === 'string';
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields) || !Object.values(fields).every(isText))
    return refuse('its fields are not texts');
  const names = [...Object.keys(kindOf(kind as string).measures), MARKED_FRAME, TURNED];
  const own = Object.entries(fields as Record<string, string>).filter(
    ([name]) => names.includes(name) && !MEASURES_NOT_ON_PAGES.includes(name),
  );
  const wrong = own.find(([name, text]) => text !== '' && PAGE_SETTINGS[name]?.test(text) === false);
  if (wrong) return refuse(`its ${wrong[0]} is ${describeValue(wrong[1])}`);
  return { film, kind: kind as string, fields: Object.fromEntries(own) };
}

/** Strokes of a brush, by `strokesOf` of `@gradsim/film`. */
const STROKES_VALUE = {
  test: (text: string): boolean => {
    try {
      return strokesOf(text).length > 0;
    } catch {
      return false;
    }
  },
};

const [WHOLE, LIST] = [/^\d{1,9}$/, /^-?[\d.]+(, *-?[\d.]+)*$/];

/** Texts of fields that the page sets by itself, which a user could not put right there. */
const PAGE_SETTINGS: Readonly<Record<string, Pick<RegExp, 'test'>>> = {
  ...{ first: WHOLE, last: WHOLE, track: WHOLE, [MARKED_FRAME]: WHOLE },
  upright: /^(?:0|90|180|270)$/,
  corners: LIST,
  ends: LIST,
  origin: LIST,
  marks: LIST,
  without: LIST,
  retouch: STROKES_VALUE,
};
