// Which slow tests `npm test` takes: each by turns, as rarely as it is slow, so that all of them together take minutes.
// `node scripts/vitest/turns.js` writes how long they take, from the last run.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { RunnerTask, RunnerTestFile, RunnerTestSuite } from 'vitest';
import { TestRunner } from 'vitest';
import { randomNumbers } from '../../packages/base/src/statistics/random.ts';
import { root } from '../root.js';
import { seedOf, takesAll } from './draws.ts';

/** Seconds that a test may take on average over many runs: one of four seconds is taken in one run of seven. Nights take all. */
const SHARE = 0.6;

/** Least part of the runs that take a test, however slow it is. */
const LEAST = 1 / 40;

/** Seconds that tests take, by file and by full name. Of others nothing is known, and they are taken. */
const secondsOf: Record<string, Record<string, number>> = JSON.parse(
  readFileSync(new URL('./turns.json', import.meta.url), 'utf8'),
);

/**
 * Leaves tests of a file out. Chances are added up along the file, from a random number on, and a test is taken where the sum
 * passes a whole number: of the slow cases of one subject in one file, some are always taken.
 */
function leaveOut(file: RunnerTestFile): void {
  const path = relative(root, file.filepath).replaceAll('\\', '/');
  const seconds = secondsOf[path];
  if (!seconds) return;
  let sum = randomNumbers(seedOf(path))();
  const isTaken = (task: RunnerTask): boolean => {
    if (task.type === 'suite') return keep(task);
    const before = Math.floor(sum);
    sum += Math.min(1, Math.max(LEAST, SHARE / (seconds[task.fullTestName] ?? 0)));
    return Math.floor(sum) > before;
  };
  /** Returns whether anything of it is left. */
  const keep = (suite: RunnerTestSuite): boolean => {
    suite.tasks = suite.tasks.filter(isTaken);
    return suite.tasks.length > 0;
  };
  // What it prepares for tests that are left out is not needed.
  if (!keep(file)) file.mode = 'skip';
}

type Report = (files: RunnerTestFile[]) => unknown;

export default class extends TestRunner {
  #report: Report | undefined;

  /** Vitest sets here what reports the tests of files. They are left out before that. */
  set onCollected(report: Report) {
    this.#report = (files) => {
      if (!takesAll) files.forEach(leaveOut);
      return report(files);
    };
  }

  get onCollected(): Report | undefined {
    return this.#report;
  }
}
