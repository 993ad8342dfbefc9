import { createHash } from 'node:crypto';
import { DEVICE_NAMES } from '@gradsim/core';
import type { Job } from 'bullmq';
import { LONGEST_SECONDS } from '../experiment/settings.ts';
import { json, object, oneOf, problemOf, record, rule, text, whole } from '../shape.ts';
import type { TrialConditions } from '../study/processes/messages.ts';
import { type Attempt, attempt } from '../study/results/outcome.ts';
import type { Json, Trial } from '../study/trial.ts';

/** Data of a job: a trial's settings and conditions. Code is never in it. */
export interface TrialData extends TrialConditions {
  readonly settings: Json;
}

/** Return value of a job: the number of attempts, the last attempt's end, and the machine. */
export interface TrialReturn {
  readonly attempts: number;
  readonly ended: Attempt;
  readonly machine: string;
}

export type TrialJob = Job<TrialData, TrialReturn>;

/** Name of the queue of all sweeps of one version of a study: workers of another version do not see its jobs. */
export const queueName = (version: string): string => `gradsim-${version.slice(0, 20)}`;

/** Id of a job: distinct for sweeps in different folders; one job per trial of a sweep. */
export const jobIdOf = (sweep: string, id: string): string => `${sweep}-${id}`;

/** Id of the trial of a job; undefined if the job belongs to another sweep. */
export const trialIdOf = (sweep: string, job: string): string | undefined =>
  job.startsWith(`${sweep}-`) ? job.slice(sweep.length + 1) : undefined;

// What is on the server can be written by anyone who reaches it. All of it passes one of the three rules below.

const DATA = object({
  settings: record(json),
  device: oneOf(...DEVICE_NAMES),
  seconds: rule(
    `a number above 0, of at most ${LONGEST_SECONDS}`,
    (value) => typeof value === 'number' && value > 0 && value <= LONGEST_SECONDS,
  ),
});
const RETURN = object({ attempts: whole(1), ended: attempt, machine: text });

/** Reason why a job's data are not those of a trial; undefined if they are. */
export const problemOfData = (data: unknown): string | undefined => problemOf(data, DATA);

/** Reason why a job's return value is not that of a worker; undefined if it is. */
export const problemOfReturn = (value: unknown): string | undefined => problemOf(value, RETURN);

/**
 * Trial of a job, or the reason why it has none: its data must be those of a trial, and its id the hash of its settings
 * and of this version of the study.
 */
export function trialOfJob({ id = '', data }: Pick<TrialJob, 'id' | 'data'>, version: string): Trial | string {
  const problem = problemOfData(data);
  if (problem !== undefined) return `its data are not those of a trial: ${problem}`;
  const trial = id.slice(id.indexOf('-') + 1);
  const hash = createHash('sha256').update(version).update('\n').update(JSON.stringify(data.settings)).digest('hex');
  return hash.slice(0, 20) === trial
    ? { id: trial, settings: data.settings }
    : 'its id is not the hash of its settings and of this version of the study';
}
