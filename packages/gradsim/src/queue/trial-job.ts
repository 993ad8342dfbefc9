import { createHash } from 'node:crypto';
import type { Job } from 'bullmq';
import type { TrialConditions } from '../study/messages.ts';
import type { Attempt } from '../study/outcome.ts';
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

/** Trial of a job, whose id must be the hash of its settings and of this version of the study; undefined otherwise. */
export function trialOfJob({ id = '', data }: Pick<TrialJob, 'id' | 'data'>, version: string): Trial | undefined {
  const trial = id.slice(id.indexOf('-') + 1);
  const hash = createHash('sha256').update(version).update('\n').update(JSON.stringify(data.settings)).digest('hex');
  return hash.slice(0, 20) === trial ? { id: trial, settings: data.settings } : undefined;
}
