import type { Outcome } from '../study/results/outcome.ts';
import type { Trial } from '../study/trial.ts';
import { problemOfReturn, type TrialJob, trialOfJob } from './trial-job.ts';

/** Fields of a job in which BullMQ counts: attempts made and started, stalls, and the time of its queueing. */
export const COUNT_FIELDS = ['atm', 'ats', 'stc', 'timestamp', 'delay', 'priority'];

/** Failure message that BullMQ gives a job whose workers ended too often. */
const STALLED_MESSAGE = 'job stalled more than allowable limit';

/** Prefix of the failure message of a job that a worker refused to run. */
export const REFUSED_PREFIX = 'refused: ';

/** Reason why a queued job is not that of a trial; undefined if it is. */
export function problemOfJob(job: TrialJob, version: string): string | undefined {
  const trial = trialOfJob(job, version);
  if (typeof trial === 'string') return trial;
  if (!Number.isSafeInteger(job.opts?.attempts)) return 'its options are not those of a trial';
  return undefined;
}

/** Outcome of a job that has ended, or the reason why it is not one that a worker gave. */
export function outcomeOfJob(
  { id, settings }: Trial,
  { returnvalue, failedReason, attemptsMade }: TrialJob,
  arrived: string,
): Outcome | string {
  if (returnvalue !== undefined && returnvalue !== null) {
    const problem = problemOfReturn(returnvalue);
    if (problem !== undefined) return `its result is not that of a worker: ${problem}`;
    const { attempts, ended, machine } = returnvalue;
    return { id, settings, attempts, ended, from: { machine, arrived } };
  }
  if (failedReason?.startsWith(REFUSED_PREFIX)) return failedReason.slice(REFUSED_PREFIX.length).replace(/\.$/, '');
  if (!failedReason?.startsWith(STALLED_MESSAGE))
    return 'it ended without a result, and without a reason that a worker gives';
  // Its workers ended with it, repeatedly.
  const ended = {
    status: 'failed',
    reason: 'crash',
    message: `Its workers ended: ${STALLED_MESSAGE}.`,
    cost: {},
  } as const;
  return { id, settings, attempts: Math.max(1, attemptsMade || 0), ended };
}
