import { median } from '@gradsim/base';
import { shareOf } from '@gradsim/baselines';
import { defineTable, percent } from '../table.ts';
import { FACTORS, SEARCHES } from './searches.ts';

/** Settings of a trial. */
interface Settings {
  readonly instance: number;
  readonly factor: number;
  readonly search: string;
}

/** Result of a trial. */
export interface Found {
  /** Relative error of the mass. */
  readonly error: number;
  readonly found: boolean;
  readonly trusted: boolean;
  /** Processor time, s. */
  readonly seconds: number;
}

interface Row {
  readonly table: 'starts';
  readonly row: string;
  readonly factor: number;
  readonly search: string;
  readonly n: number;
  /** Fraction of the initial values from which the mass is found; failed trials count as not found. */
  readonly measured: number | null;
  /** Fraction of the estimates that missed the true mass but are trusted. */
  readonly trustedOfMissed: number | null;
  readonly seconds: number | null;
}

/** Table of the fraction of tossed objects whose mass is found, by the factor between initial and true value. */
export const starts = defineTable<Settings, Found, Row>({
  name: 'starts',
  study: new URL('../../src/starts/study.ts', import.meta.url),
  count: 20,
  quickCount: 5,
  rowsOf: (trials) =>
    FACTORS.flatMap((factor) =>
      Object.keys(SEARCHES).map((search): Row => {
        const own = trials.filter(({ settings }) => settings.factor === factor && settings.search === search);
        const ended = own.flatMap(({ found }) => found ?? []);
        return {
          table: 'starts',
          row: `${factor} times off, ${search}`,
          factor,
          search,
          n: own.length,
          measured: shareOf(own.map(({ found }) => found?.found === true)),
          trustedOfMissed: shareOf(ended.filter(({ found }) => !found).map(({ trusted }) => trusted)),
          seconds: ended.length === 0 ? null : median(ended.map(({ seconds }) => seconds)),
        };
      }),
    ),
  columns: [
    { head: 'times off', cell: ({ factor }) => String(factor) },
    { head: 'search', cell: ({ search }) => search },
    { head: 'n', cell: ({ n }) => String(n) },
    { head: 'found', cell: ({ measured }) => percent(measured) },
    { head: 'trusted of missed', cell: ({ trustedOfMissed }) => percent(trustedOfMissed) },
    { head: 'seconds', cell: ({ seconds }) => (seconds === null ? '-' : seconds.toFixed(1)) },
  ],
});
