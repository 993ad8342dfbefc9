import { readFile } from 'node:fs/promises';
import { median } from '@gradsim/base';
import type { GoalCurve } from '@gradsim/optim';

/** Names of the experiments in the file of published curves, by gradsim's names. */
const NAMES: Readonly<Record<string, string>> = { gear: 'control_fem', 'cloth-throw': 'control_cloth' };

/** Published runs with one kind of supervision. */
export interface PublishedRuns {
  readonly supervision: string;
  /** Error of each run after every iteration, m^2. */
  readonly runs: readonly (readonly number[])[];
}

/**
 * Reads the published runs of an experiment from a JSON file, which has, by experiment, supervision and run, the error
 * after every iteration, m^2.
 *
 * @throws if the file has no curves of this experiment, or invalid ones.
 */
export async function publishedRuns(file: string, experiment: string): Promise<PublishedRuns[]> {
  const name = NAMES[experiment];
  if (name === undefined)
    throw new Error(
      `There are no published curves of ${experiment}; there are of ${Object.keys(NAMES).join(' and ')}.`,
    );
  let read: unknown;
  try {
    read = JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new Error(`${file} is no file of published curves: ${(cause as Error).message}`, { cause });
  }
  const found = Object.entries((read as Record<string, object> | null)?.[name] ?? {});
  const isRuns = (runs: unknown): runs is number[][] =>
    Array.isArray(runs) && runs.length > 0 && runs.every((run) => Array.isArray(run) && run.every(Number.isFinite));
  const wrong = found.find(([, runs]) => !isRuns(runs));
  if (found.length === 0 || wrong)
    throw new Error(
      `${file} has no published curves of ${experiment}: it needs "${name}", with lists of numbers by supervision${wrong ? `, and "${wrong[0]}" has none` : ''}.`,
    );
  return found.map(([supervision, runs]) => ({ supervision, runs: runs as number[][] }));
}

/**
 * Medians over the published runs of an experiment, for each supervision: see {@link publishedRuns}.
 */
export async function publishedCurves(file: string, experiment: string): Promise<GoalCurve[]> {
  return (await publishedRuns(file, experiment)).map(({ supervision, runs }) => ({
    name: `published, ${supervision}: median of ${runs.length}`,
    distances: medianCurves(runs),
  }));
}

/** Median over runs after each iteration, for the iterations that all runs have. */
const medianCurves = (runs: readonly (readonly number[])[]): number[] =>
  Array.from({ length: Math.min(...runs.map((run) => run.length)) }, (_, k) => median(runs.map((run) => run[k])));
