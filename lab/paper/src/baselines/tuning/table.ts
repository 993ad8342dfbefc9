import { mean } from '@gradsim/base';
import { REINFORCE_OF_THE_PAPER } from '@gradsim/baselines';
import { defineTable, figure } from '../../table.ts';
import { CHOICES, type Choice, type Found, type Settings } from './study.ts';

/** A row: a choice of settings, and its error. */
interface Row extends Choice {
  readonly table: 'reinforce';
  readonly row: 'the paper' | 'grid';
  readonly unknown: 'mass';
  /** Number of training objects. */
  readonly n: number;
  /** Mean relative error over objects and starts. */
  readonly measured: number;
}

/** Number of the best choices that are shown, beside that of the paper. */
const BEST = 10;

/** Settings of REINFORCE on training objects, the best first. */
export const tuning = defineTable<Settings, Found, Row>({
  name: 'reinforce',
  study: new URL('../../../src/baselines/tuning/study.ts', import.meta.url),
  count: 8,
  quickCount: 2,
  rowsOf: (trials) => {
    const found = trials.flatMap(({ found }) => found ?? []);
    const rows = CHOICES.map((choice, k): Row => {
      const row = isOfThePaper(choice) ? 'the paper' : 'grid';
      const errors = found.map(({ errors }) => errors[k]);
      return { table: 'reinforce', row, unknown: 'mass', ...choice, n: errors.length, measured: mean(errors) };
    });
    const ordered = rows.sort((a, b) => a.measured - b.measured);
    return ordered.filter(({ row }, k) => k < BEST || row === 'the paper');
  },
  columns: [
    { head: 'row', cell: ({ row }) => row },
    { head: 'unknown', cell: ({ unknown }) => unknown },
    { head: 'noise', cell: ({ noise }) => String(noise) },
    { head: 'noise decay', cell: ({ noiseDecay }) => String(noiseDecay) },
    { head: 'rate', cell: ({ rate }) => String(rate) },
    { head: 'rate decay', cell: ({ rateDecay }) => String(rateDecay) },
    { head: 'n', cell: ({ n }) => String(n) },
    { head: 'measured', cell: ({ measured }) => figure(measured) },
  ],
});

const isOfThePaper = (choice: Choice): boolean =>
  (['noise', 'noiseDecay', 'rate', 'rateDecay'] as const).every(
    (name) => choice[name] === REINFORCE_OF_THE_PAPER[name],
  );
