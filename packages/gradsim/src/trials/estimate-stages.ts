import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { readTextSync } from '@gradsim/base/files';
import { GradsimError } from '@gradsim/core';
import { estimateCommand } from '../commands/estimate/estimate.ts';
import type { EstimatedStage, TrialEstimateOptions } from '../study/define/index.ts';
import type { LoadedStudy } from '../study/load/source.ts';

/** Estimates an experiment of a study, and writes its results and report into a folder. @throws if it has no result. */
export async function estimateStages(
  { study, folder }: LoadedStudy,
  experiment: string,
  { settings: set = {}, ...options }: TrialEstimateOptions & { readonly device: string; readonly out: string },
): Promise<readonly EstimatedStage[]> {
  // What a trial writes itself follows from its settings and the study's version.
  const isOwn = !relative(dirname(options.out), resolve(folder, experiment)).startsWith('..');
  if (!isOwn && !study.experiments?.includes(experiment))
    throw new GradsimError(
      'gradsim/study-wrong',
      `The study estimates ${experiment}, which is not among its \`experiments\`: name it there, so that its version counts.`,
    );
  const lines: string[] = [];
  const add = (line: string): unknown => lines.push(line);
  const terminal = { print: add, say: add, isInteractive: false } as const;
  // Trials run side by side, so each has one thread; results do not depend on it.
  await estimateCommand(
    resolve(folder, experiment),
    { ...options, threads: 1, set, fit: [], start: {}, quiet: true },
    terminal,
  );
  const file = join(options.out, 'result.json');
  if (!existsSync(file))
    throw new GradsimError(
      'gradsim/no-result',
      `The estimate of ${experiment} has no result: ${lines.at(-1) ?? 'it has no stage'}.`,
    );
  const { stages } = JSON.parse(readTextSync(file)) as { stages: readonly EstimatedStage[] };
  return stages.map(({ stage, parameters, verdict, loss, iterations, stopped }) => ({
    stage,
    parameters,
    verdict,
    loss,
    iterations,
    stopped,
  }));
}
