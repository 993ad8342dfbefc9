// All tests with their many draws, random programs, random scenes, wrong inputs, and the programs of outsiders: until
// `--hours` (default 6) are over, with a new seed, or that of `--seed`. Folders are tested in an order that the seed draws,
// so that short nights come to all of them. What fails is a line with the command that repeats it. The last line has the
// count of each; the exit status is 1 if anything failed.
import { parseArgs } from 'node:util';
import { runCases, runOutsiders, runTests, testedFolders } from './nightly/parts.ts';
import { print, wholeNumber } from './support/options.ts';

const { values } = parseArgs({ options: { hours: { type: 'string', default: '6' }, seed: { type: 'string' } } });
const hours = Number(values.hours);
if (!(hours > 0)) throw new Error(`--hours takes a number above 0, not ${values.hours}.`);
const seed = wholeNumber('seed', values.seed ?? `${Math.floor(Math.random() * 2 ** 31)}`, 0);
const began = performance.now();
/** Seconds that are left. */
const left = (): number => hours * 3600 - (performance.now() - began) / 1000;

/** Benchmarks of random cases, and the number of cases that each has a turn. */
const CASES = { programs: 100, scenes: 10, fuzz: 300 } as const;
const counts = { outsiders: 0, programs: 0, scenes: 0, fuzz: 0 };
const tests = { passed: 0, failed: 0, skipped: 0 };
let failures = 0;
const onFailure = (line: Readonly<Record<string, unknown>>): void => {
  failures++;
  print({ bench: 'nightly', ...line });
};

async function takeTurns(turn: number): Promise<void> {
  for (const name of ['programs', 'scenes', 'fuzz'] as const) {
    const count = CASES[name];
    if (left() > 0) counts[name] += await runCases(name, { seed, from: turn * count, count }, left(), onFailure);
  }
}

counts.outsiders = await runOutsiders(left(), onFailure);
await takeTurns(0);
/** Folders for which no time was left. */
const notTested: string[] = [];
for (const folder of testedFolders(seed)) {
  const found = left() > 0 ? await runTests(folder, seed, left(), onFailure) : null;
  if (found) for (const key of ['passed', 'failed', 'skipped'] as const) tests[key] += found[key];
  else notTested.push(folder);
}
for (let turn = 1; left() > 0; turn++) await takeTurns(turn);
const seconds = Math.round((performance.now() - began) / 1000);
print({ bench: 'nightly', seed, tests, notTested, ...counts, failures, seconds });
process.exit(failures > 0 ? 1 : 0);
