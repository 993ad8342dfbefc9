import { describeValue, GradsimError } from '@gradsim/core';
import { callExperiment } from '../../experiment/call.ts';
import { describe } from '../../terminal/describe.ts';
import { type Trial, trialOf } from '../trial.ts';
import type { LoadedStudy } from './source.ts';

/** Maximum number of trials in a study, whose ids are held in memory; it also stops an infinite generator. */
const MAX_TRIALS = 1_000_000;

/**
 * The trials of a study, in order.
 * @param given settings of `--set`, passed to `trials` if that is a function.
 * @throws if `trials` yields no list, for settings that are not JSON, and for a repeated trial.
 */
export async function listTrials(
  { study: { trials }, code }: Pick<LoadedStudy, 'study' | 'code'>,
  given: Readonly<Record<string, string>>,
): Promise<Trial[]> {
  if (typeof trials !== 'function' && Object.keys(given).length > 0)
    throw new GradsimError(
      'gradsim/no-settings',
      `The study takes no --set ${Object.keys(given)[0]}: its \`trials\` is a list, and no function.`,
    );
  const what = 'The function `trials` of the study';
  const list: unknown = typeof trials === 'function' ? await callExperiment(what, () => trials(given)) : trials;
  if (!isIterable(list))
    throw new GradsimError('gradsim/not-a-study', `${what} returns ${describe(list)}.`, {
      hint: 'It must return a list of settings, or a generator of them.',
    });
  const numbers = new Map<string, number>();
  const all: Trial[] = [];
  for await (const settings of list) {
    const trial = trialOf(settings, all.length + 1, code);
    const earlier = numbers.get(trial.id);
    if (earlier !== undefined)
      throw new GradsimError(
        'gradsim/trial-twice',
        `Trials ${earlier} and ${all.length + 1} have the same settings, ${describeValue(trial.settings)}; a trial is run once.`,
      );
    if (all.length === MAX_TRIALS)
      throw new GradsimError(
        'gradsim/too-many-trials',
        `The study has more than ${MAX_TRIALS} trials, or its generator never ends.`,
      );
    all.push(trial);
    numbers.set(trial.id, all.length);
  }
  if (all.length === 0) throw new GradsimError('gradsim/no-trials', 'The study has no trials.');
  return all;
}

/** True for a list or a generator, false for a string. */
export const isIterable = (value: unknown): value is Iterable<unknown> | AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && (Symbol.iterator in value || Symbol.asyncIterator in value);
