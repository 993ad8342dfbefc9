import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { GradsimError } from '@gradsim/core';
import { callExperiment } from '../experiment/call.ts';
import { DEEPEST, isTooDeep } from '../shape.ts';
import type { EstimatedStage, Summary, TrialContext, TrialEstimateOptions } from '../study/define/index.ts';
import type { LoadedStudy } from '../study/load/source.ts';
import type { RunMessage, TrialProcessOptions } from '../study/processes/messages.ts';
import { DRAFT, type Json, TRIALS } from '../study/trial.ts';
import { describe } from '../terminal/describe.ts';

/** Runs one trial, and stores its files. @throws errors of the trial's function, and if its result is not JSON. */
export async function runTrial(
  loaded: LoadedStudy,
  { id, settings, attempt, device }: RunMessage,
  { out, data, parent }: Pick<TrialProcessOptions, 'out' | 'data' | 'parent'>,
): Promise<{ result: Json; summary: Summary }> {
  const { study } = loaded;
  const draft = join(out, TRIALS, `${DRAFT}${hostname()}-${process.pid}-${id}`);
  const folder = (): string => {
    mkdirSync(draft, { recursive: true });
    return draft;
  };
  let estimates = 0;
  const estimate = async (
    experiment: string,
    options: TrialEstimateOptions = {},
  ): Promise<readonly EstimatedStage[]> => {
    estimates++;
    const to = join(folder(), estimates === 1 ? 'estimate' : `estimate-${estimates}`);
    // Trials without estimates start faster without it.
    const { estimateStages } = await import('./estimate-stages.ts');
    return estimateStages(loaded, experiment, { ...options, device, out: to });
  };
  const context: TrialContext = { id, attempt, data, folder, estimate };
  try {
    const found: unknown = await callExperiment('The function `run` of the study', () =>
      study.run(settings as object, context),
    );
    const result = resultOf(found);
    const summary = study.summary
      ? await callExperiment('The function `summary` of the study', () => study.summary!(found, settings as object))
      : valuesOf(result);
    keep(draft, join(out, TRIALS, id), parent);
    return { result, summary: valuesOf(resultOf(summary)) };
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Maximum number of attempts to move a trial's files to a place where another process does the same. */
const MAX_TRIES = 5;

/**
 * Moves the files of a trial to their final folder, unless the parent process is gone: then another process reruns the
 * trial, and may be moving its files there.
 */
function keep(draft: string, place: string, parent: number): void {
  if (!existsSync(draft)) return;
  mkdirSync(dirname(place), { recursive: true });
  for (let tries = 1; process.ppid === parent; tries++)
    try {
      rmSync(place, { recursive: true, force: true });
      renameSync(draft, place);
      return;
    } catch (error) {
      // A process whose parent has just gone interfered.
      if (tries === MAX_TRIES || !['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? ''))
        throw error;
    }
}

function resultOf(found: unknown): Json {
  if (isTooDeep(found))
    throw new GradsimError(
      'gradsim/study-wrong',
      `The trial returns what holds itself, or is more than ${DEEPEST} deep in itself.`,
    );
  let text: string | undefined;
  try {
    text = JSON.stringify(found);
  } catch (cause) {
    throw new GradsimError('gradsim/study-wrong', `The trial returns what is no JSON: ${(cause as Error).message}`, {
      cause,
    });
  }
  if (text === undefined)
    throw new GradsimError(
      'gradsim/study-wrong',
      `The trial returns ${found === undefined ? 'nothing' : describe(found)}; it must return numbers, texts, lists and objects.`,
    );
  return JSON.parse(text) as Json;
}

/** Summary of a result: its numbers, strings and booleans by name; nested values are left out. */
function valuesOf(result: Json): Summary {
  if (typeof result !== 'object' || result === null) return { result };
  return Object.fromEntries(
    Object.entries(result).filter((entry): entry is [string, Summary[string]] => !(entry[1] instanceof Object)),
  );
}
