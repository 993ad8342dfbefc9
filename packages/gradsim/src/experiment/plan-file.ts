import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { nullIfInfinite } from '@gradsim/base';
import { isFolder } from '@gradsim/base/files';
import { GradsimError, isGradsimError } from '@gradsim/core';
import type { Estimate, ExperimentPlan, PlannedExperiment } from '@gradsim/optim';
import { textOfFile } from '../files/file-content.ts';
import { formatNumber } from '../terminal/numbers.ts';

/** A plan as `gradsim plan` stores it. */
export interface StoredPlan {
  readonly plan: string;
  readonly stage: string;
  readonly wanted: readonly string[];
  /** Words of the experiment that was chosen. */
  readonly chosen: string;
  readonly experiments: readonly StoredExperiment[];
}

/** Standard errors are null where they are infinite. */
type StoredExperiment = Omit<PlannedExperiment, 'standardErrors' | 'ratio'> & {
  readonly standardErrors: Readonly<Record<string, number | null>>;
  readonly ratio: number | null;
};

/** Record of a plan. */
export const storedPlan = (
  names: Pick<StoredPlan, 'plan' | 'stage' | 'wanted' | 'chosen'>,
  { now, planned }: ExperimentPlan,
): StoredPlan => ({
  ...names,
  experiments: [now, ...planned].map(({ standardErrors, ratio, ...rest }) => ({
    ...rest,
    standardErrors: Object.fromEntries(
      Object.entries(standardErrors).map(([name, error]) => [name, nullIfInfinite(error)]),
    ),
    ratio: nullIfInfinite(ratio),
  })),
});

/** Reads a stored plan. @throws if there is none. */
export function readPlan(from: string): StoredPlan {
  const file = isFolder(from) ? join(from, 'plan.json') : from;
  const refuse = (reason: string, cause?: unknown): never => {
    throw new GradsimError('gradsim/not-a-plan', `${file} is no plan of gradsim plan, which --plan takes: ${reason}.`, {
      field: '--plan',
      cause,
    });
  };
  if (!existsSync(file)) return refuse('it is not there');
  let read: StoredPlan;
  try {
    read = JSON.parse(textOfFile(file, 'plan')) as StoredPlan;
  } catch (cause) {
    if (isGradsimError(cause)) throw cause;
    return refuse('it is no JSON', cause);
  }
  const { experiments, chosen, wanted } = read ?? {};
  if (!Array.isArray(experiments) || !Array.isArray(wanted) || typeof chosen !== 'string')
    return refuse('it lacks experiments, wanted or chosen');
  if (!experiments.some(({ words }) => words === chosen)) return refuse(`it has no experiment "${chosen}"`);
  return read;
}

/** Factor within which a standard error counts as foretold. */
const MAX_PLAN_RATIO = 1.5;

/** Sentences that say whether an estimate kept what a plan foretold. */
export function planKept(
  { wanted, chosen, experiments }: StoredPlan,
  { parameters }: Pick<Estimate, 'parameters'>,
): string[] {
  const { standardErrors } = experiments.find(({ words }) => words === chosen)!;
  return wanted.flatMap((name) => {
    const [foretold, found] = [standardErrors[name], parameters[name]?.standardError];
    if (foretold === null || foretold === undefined) return [];
    const plan = `The plan "${chosen}" foretold ${name} to ± ${formatNumber(foretold, 2)}`;
    if (found === null || found === undefined || !Number.isFinite(found))
      return [`${plan}; it is not determined here: the plan was not kept.`];
    const ratio = found / foretold;
    const isKept = ratio < MAX_PLAN_RATIO && ratio > 1 / MAX_PLAN_RATIO;
    return [
      `${plan}; found: ± ${formatNumber(found, 2)}, ${formatNumber(ratio, 2)} times that. ${isKept ? 'Kept.' : ratio > 1 ? 'Not kept: something is noisier than the plan took it, or another thing was done.' : 'Better than foretold.'}`,
    ];
  });
}
