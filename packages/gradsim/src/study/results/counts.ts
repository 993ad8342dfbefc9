import { join } from 'node:path';
import { median } from '@gradsim/base';
import type { Reason } from './outcome.ts';
import { RESULTS, readResults } from './results-file.ts';

/** Summary of a study: a line of `gradsim sweep --json`. */
export interface StudyCounts {
  /** Number of trials that have a result line. */
  readonly trials: number;
  readonly failed: number;
  readonly reasons: Partial<Record<Reason, number>>;
  /**
   * Medians over all finished trials: duration, s, processor time, s, memory, MB, and each number of their summaries.
   */
  readonly medians: Readonly<Record<string, number>>;
}

/** Counts the results in the folder of a study. */
export function countResults(folder: string): StudyCounts {
  const reasons: Partial<Record<Reason, number>> = {};
  const values = new Map<string, number[]>();
  const add = (name: string, value: number): void => {
    const all = values.get(name);
    if (all) all.push(value);
    else values.set(name, [value]);
  };
  let [trials, failed] = [0, 0];
  readResults(join(folder, RESULTS), ({ ended }) => {
    trials++;
    if (ended.status === 'failed') {
      failed++;
      reasons[ended.reason] = (reasons[ended.reason] ?? 0) + 1;
      return;
    }
    for (const [name, value] of Object.entries(ended.cost)) add(name, value);
    for (const [name, value] of Object.entries(ended.summary)) if (typeof value === 'number') add(name, value);
  });
  return {
    trials,
    failed,
    reasons,
    medians: Object.fromEntries([...values].map(([name, all]) => [name, median(all)])),
  };
}
