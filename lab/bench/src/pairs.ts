// A benchmark in two checkouts in turn, and the ratio of this one's figures to the other's, pair by pair:
// `npm run -s bench -- pairs --other FOLDER --pairs 30 --figures forwardMs,backwardMs -- smoke --runs 3`. Both have to be
// built. Prints for each line of the benchmark and each figure the median ratio, with the interval of 95 % of the median by
// its ranks, which supposes nothing about how times scatter.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from '@gradsim/base';
import { print, wholeNumber } from './support/options.ts';

const { values, positionals } = parseArgs({
  options: {
    other: { type: 'string' },
    pairs: { type: 'string', default: '30' },
    figures: { type: 'string', default: '' },
  },
  allowPositionals: true,
});
const [name, ...args] = positionals;
const { other } = values;
if (!name || !other || !values.figures)
  throw new Error('Give --other FOLDER, --figures NAMES, and behind -- the name of a benchmark and its options.');
const pairs = wholeNumber('pairs', values.pairs, 6);
const figures = values.figures.split(',');

/** Runs the benchmark built in a folder, and returns the requested figures of each output line, in order. */
function measured(folder: string): number[][] {
  const run = spawnSync(process.execPath, [join(folder, 'lab/bench/dist', `${name}.js`), ...args], {
    encoding: 'utf8',
  });
  if (run.status !== 0) throw new Error(`${name} failed in ${folder}: ${run.stderr}`);
  const lines = run.stdout.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => figures.map((figure) => figureOf(JSON.parse(line), figure)));
}

/** Number in an output line by its name; names of nested values are joined by dots. */
function figureOf(line: unknown, figure: string): number {
  const value = figure.split('.').reduce((at, key) => (at as Record<string, unknown>)[key], line);
  if (typeof value !== 'number') throw new Error(`${name} prints no number "${figure}".`);
  return value;
}

const ratios: number[][][] = [];
for (let pair = 0; pair < pairs; pair++) {
  // Whatever goes first is colder: each does so in turn.
  const folders = pair % 2 === 0 ? ['.', other] : [other, '.'];
  const found = new Map(folders.map((folder) => [folder, measured(folder)]));
  found.get('.')!.forEach((line, l) => {
    ratios[l] ??= figures.map(() => []);
    line.forEach((value, f) => {
      ratios[l][f].push(value / found.get(other)![l][f]);
    });
  });
}
ratios.forEach((line, l) => {
  line.forEach((all, f) => {
    const sorted = [...all].sort((a, b) => a - b);
    // Ranks between which the median lies in 95 of 100 samples: binomial, by its normal approximation.
    const rank = Math.max(0, Math.floor(pairs / 2 - 0.98 * Math.sqrt(pairs)) - 1);
    const interval = [sorted[rank], sorted[pairs - 1 - rank]];
    print({
      bench: 'pairs',
      of: name,
      args,
      line: l,
      figure: figures[f],
      pairs,
      ratio: median(all),
      interval,
    });
  });
});
