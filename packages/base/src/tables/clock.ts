import { GradsimError } from '../error.ts';
import { type Heading, withUnitAtEnd, wordsOf } from './headings.ts';
import { isAbsent, numberOf } from './numbers.ts';
import type { Row } from './rows.ts';
import type { Table } from './table.ts';
import { looksLikeTime, secondsOfText } from './time-texts.ts';

/** Times of the rows of a table. */
export interface Clock {
  /** s of each row; from the first row on if the file counts from 1970. */
  readonly seconds: Float64Array;
  /** Resolution with which times are written, s. */
  readonly resolution: number;
  /** What was decided, as in `time in ms`. */
  readonly remark: string;
}

/** Options of {@link readClock}. */
export interface ReadClockOptions {
  /** Rows whose times are read. Default all. */
  readonly rows?: readonly Row[];
  /** Rows a second below which a unit that nothing names is asked for. Default 0.5. */
  readonly minRowsPerSecond?: number;
}

/** Rates of rows, 1/s, between which a unit of time that nothing names is believed. */
const PLAUSIBLE_RATES = { least: 0.5, most: 100_000 } as const;
/** Rate below which times in whole numbers are rather milliseconds or frames, 1/s. */
const MIN_WHOLE_RATE = 5;
/** Digits that a number in double precision keeps. */
const DOUBLE_DIGITS = 15;
/** Numbers from which differences lose digits. */
const LARGE_TIME = 1e5;
/** Number of rows from which whole numbers are no coincidence. */
const MIN_WHOLE_ROWS = 10;
const UNITS = { s: 1, ms: 1e-3, us: 1e-6, ns: 1e-9 } as const;
/** Seconds since 1970 from 2001 to 2096. */
const UNIX_SECONDS = { least: 1e9, most: 4e9 } as const;

/**
 * Reads a column of times: in the unit that its heading names, as dates (ISO 8601), or as times of day. If nothing names
 * the unit, times are in seconds, or count since 1970 in the one unit by which they are dates of this century.
 * @throws naming the line of what is no time, and for times without a unit whose rate says that they are not in seconds.
 */
export function readClock(table: Table, heading: Heading, options: ReadClockOptions = {}): Clock {
  const { rows = table.rows, minRowsPerSecond = PLAUSIBLE_RATES.least } = options;
  const cells = rows.map((row) => row.cells[heading.column] ?? '');
  if (cells.some(looksLikeTime)) return clockOfTexts(table, heading, rows, cells);
  const values = cells.map((cell, k) => {
    const value = isAbsent(cell) ? Number.NaN : numberOf(cell, table.decimalComma);
    if (Number.isFinite(value)) return value;
    throw notATime(table, heading, rows[k], cell);
  });
  const digits = cells.reduce((most, cell) => Math.max(most, decimalsOf(cell)), 0);
  const first = values[0] ?? 0;
  const unit = heading.unit?.quantity === 'time' ? heading.unit : undefined;
  if (heading.unitText !== undefined && !unit)
    throw new GradsimError(
      'tables/unit-unknown',
      `${table.name}: the column "${heading.title}" is in "${heading.unitText}", which is no unit of time.`,
      {
        field: heading.title,
        hint: 'Units of time are s, ms, us, ns and min.',
      },
    );
  const since = differences(cells, values);
  const named = unit ? unit.factor : undefined;
  const rate = rateOf(since);
  const factor =
    named ??
    timeUnitOf(table, heading, {
      first,
      rate,
      least: minRowsPerSecond,
      isWhole: values.length >= MIN_WHOLE_ROWS && values.every(Number.isInteger),
    });
  const isDate = Math.abs(first) * factor >= UNIX_SECONDS.least;
  const name = unit ? unit.name : Object.entries(UNITS).find(([, own]) => own === factor)![0];
  return {
    seconds: Float64Array.from(values, (value, k) => (isDate ? since[k] : value) * factor),
    resolution: 10 ** -digits * factor,
    remark: `time in ${name}${isDate ? ' since 1970' : ''}`,
  };
}

/** Differences to the first number, exact for whole numbers of any length. */
function differences(cells: readonly string[], values: readonly number[]): Float64Array {
  const first = values[0] ?? 0;
  if (Math.abs(first) < LARGE_TIME && !cells.some((cell) => cell.length > DOUBLE_DIGITS))
    return Float64Array.from(values, (value) => value - first);
  const parts = cells.map((cell, k) => {
    const [, whole, rest = ''] = /^\+?(\d+)[.,]?(\d*)$/.exec(cell) ?? [];
    return whole === undefined
      ? { whole: 0n, rest: values[k] }
      : { whole: BigInt(whole.slice(0, 40)), rest: Number(`0.${rest || 0}`) };
  });
  return Float64Array.from(parts, ({ whole, rest }) => Number(whole - parts[0].whole) + (rest - parts[0].rest));
}

/** Rows per unit of time: by the median step between different times. */
function rateOf(times: Float64Array): number {
  const steps: number[] = [];
  for (let k = 1; k < times.length; k++) if (times[k] !== times[k - 1]) steps.push(Math.abs(times[k] - times[k - 1]));
  if (steps.length === 0) return Number.NaN;
  steps.sort((a, b) => a - b);
  // Of two steps one that is far too long or short does not count.
  const [lower, upper] = [(steps.length - 1) >> 1, steps.length >> 1].map((k) => 1 / steps[k]);
  return lower > PLAUSIBLE_RATES.most ? upper : lower;
}

function timeUnitOf(
  table: Table,
  heading: Heading,
  times: { readonly first: number; readonly rate: number; readonly least: number; readonly isWhole: boolean },
): number {
  const { first, rate, least, isWhole } = times;
  const isUsual = (of: number): boolean => of >= least && of <= PLAUSIBLE_RATES.most;
  const units = Object.entries(UNITS);
  const dated = units.find(([, factor]) => {
    const seconds = Math.abs(first) * factor;
    return seconds >= UNIX_SECONDS.least && seconds <= UNIX_SECONDS.most;
  });
  if (dated && (!Number.isFinite(rate) || isUsual(rate / dated[1]))) return dated[1];
  if (!Number.isFinite(rate) || (isUsual(rate) && !(isWhole && rate < MIN_WHOLE_RATE))) return 1;
  const fitting = units.filter(
    ([name, factor]) => name !== 's' && isUsual(rate / factor) && rate / factor >= MIN_WHOLE_RATE,
  );
  const bare = heading.title.replace(/^[#%]/, '');
  const options = fitting.map(
    ([name, factor]) => `"${bare} [${name}]" (${Number((rate / factor).toPrecision(3))} rows a second)`,
  );
  throw new GradsimError(
    'tables/time-unit',
    `${table.name}: ${heading.title} advances by ${Number((1 / rate).toPrecision(4))} from row to row, which in seconds would be ${Number(rate.toPrecision(3))} rows a second.`,
    {
      field: heading.title,
      hint: `Name its unit in the heading: ${[...options, `"${bare} [s]"`].join(' or ')}.`,
    },
  );
}

function clockOfTexts(table: Table, heading: Heading, rows: readonly Row[], cells: readonly string[]): Clock {
  const moments = cells.map((cell, k) => {
    const found = secondsOfText(cell);
    if (!found) throw notATime(table, heading, rows[k], cell);
    return found;
  });
  const [{ whole, rest }] = moments;
  const seconds = Float64Array.from(moments, (own) => own.whole - whole + (own.rest - rest));
  // A time of day goes on after midnight.
  const isOfDay = Math.abs(whole) <= 2 * 86_400;
  for (let k = 1; isOfDay && k < seconds.length; k++) while (seconds[k] < seconds[k - 1] - 43_200) seconds[k] += 86_400;
  const digits = cells.reduce(
    (most, cell) => Math.max(most, decimalsOf(cell.replace(/[Z+].*$|-\d{2}:?\d{2}$/i, ''))),
    0,
  );
  return { seconds, resolution: 10 ** -digits, remark: isOfDay ? 'time of day' : 'time as dates' };
}

const notATime = (table: Table, heading: Heading, row: Row, cell: string): GradsimError =>
  new GradsimError('tables/not-a-number', `${table.name}, line ${row.line}: ${heading.title} is "${cell}".`, {
    field: heading.title,
    hint: 'It must be a number or a date, in every line.',
  });

/** Number of decimals of a number as it is written; 15 with an exponent. */
function decimalsOf(cell: string): number {
  if (/e/i.test(cell)) return DOUBLE_DIGITS;
  const mark = Math.max(cell.lastIndexOf('.'), cell.lastIndexOf(','));
  return mark < 0 ? 0 : Math.min(cell.length - mark - 1, DOUBLE_DIGITS);
}

/** Words at the end of a name that say that a column holds times, those first that are nearest to the measurement. */
const TIME_WORDS = ['stamp', 'timestamp', 'timestamps', 'time', 't', 'seconds'];

/** Finds the column of times: stamps of the measurement before those of its recording. */
export function timeHeading(table: Table): Heading | undefined {
  const rank = ({ name }: Heading): number => {
    const words = wordsOf(name);
    const at = TIME_WORDS.indexOf(words.at(-1) ?? '');
    return at < 0 ? -1 : at + (words.length > 1 && at > 0 ? TIME_WORDS.length : 0);
  };
  const headings = table.headings.map((heading) => withUnitAtEnd(heading, ({ quantity }) => quantity === 'time'));
  const ranked = headings.map((heading) => ({ heading, rank: rank(heading) })).filter((one) => one.rank >= 0);
  return ranked.reduce<(typeof ranked)[number] | undefined>(
    (best, one) => (best && best.rank <= one.rank ? best : one),
    undefined,
  )?.heading;
}
