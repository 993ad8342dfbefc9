import { hostname } from 'node:os';
import { setTimeout as after } from 'node:timers/promises';
import { GradsimError } from '@gradsim/core';
import type { StudyRecord } from '../study/load/study-record.ts';
import { type RunnerOptions, TrialRunner } from '../study/processes/runner.ts';
import { type Attempt, mayDiffer } from '../study/results/outcome.ts';
import { DRAFT, removeDrafts } from '../study/trial.ts';
import { otherVersions } from './announcement.ts';
import type { QueueConnection } from './connection.ts';
import { REFUSED_PREFIX } from './outcome-of-job.ts';
import { isOfContent, isReply, replyOf } from './reply.ts';
import { queueName, type TrialData, type TrialJob, type TrialReturn, trialOfJob } from './trial-job.ts';

/** Options of a worker. */
export interface QueueWorkerOptions extends RunnerOptions {
  readonly connection: QueueConnection;
  readonly record: StudyRecord;
  /** Number of trials that run concurrently. */
  readonly concurrency: number;
  /** Time without a sign of life of a worker after which its trial is given to another, s. */
  readonly lease: number;
  readonly say: (line: string) => void;
  /** Aborted to stop: no more trials begin. */
  readonly signal: AbortSignal;
}

/**
 * Maximum number of times that a trial is lost with its worker: a trial that crashes its machine must not be retried
 * forever.
 */
const MOST_STALLS = 100;
/** Interval at which a worker checks for queued studies of the same name in another version, ms. */
const LOOK_MS = 10_000;
/** Interval at which a worker that ends checks whether its trials have ended, ms. */
const IDLE_MS = 20;
/** Time that the server then has to take their results, and the connection to close, ms. */
const LAST_MS = 2000;
/** Maximum number of remarks on what is on the server: others may write there. */
const MOST_SAID = 100;

/** Number of trials that a worker ran. */
export interface WorkerCounts {
  readonly trials: number;
  readonly failed: number;
}

/**
 * Runs trials from a queue until the signal is aborted and the running trials have ended. Each trial runs in a child
 * process, so that this process can renew the trial's lock meanwhile.
 * @throws if only another version of the study is queued there, and if the study can no longer be run; its trials are
 * then returned to the queue.
 */
export async function runWorker(options: QueueWorkerOptions): Promise<WorkerCounts> {
  const { connection, record, concurrency, lease, say, signal, out } = options;
  const { bullmq, client } = connection;
  const said = new Set<string>();
  const sayOnce = (line: string): void => {
    if (said.has(line) || said.size === MOST_SAID) return;
    said.add(line);
    say(line);
  };
  // A server that is none may answer without end.
  const looked = await Promise.race([otherVersions(client, record), aborted(signal)]);
  if (!looked) {
    connection.close();
    return { trials: 0, failed: 0 };
  }
  const {
    differences: [other],
    remarks,
  } = looked;
  for (const remark of remarks) sayOnce(remark);
  if (other !== undefined)
    throw new GradsimError('gradsim/study-changed', `${other} This worker takes none of them.`, {
      hint: 'Bring the same files and packages to both machines, then start the worker again.',
    });
  removeDrafts(out, isOfEnded);
  const free = Array.from({ length: concurrency }, () => new TrialRunner(options));
  const all = [...free];
  const endAll = (): unknown => Promise.all(all.map((runner) => runner.end()));
  process.on('exit', endAll);
  const machine = hostname();
  let [trials, failed] = [0, 0];
  let failure: Error | undefined;
  const stop = new AbortController();

  const run = async (job: TrialJob, token?: string): Promise<TrialReturn> => {
    const trial = trialOfJob(job, record.code);
    if (typeof trial === 'string')
      throw new bullmq.UnrecoverableError(
        `${REFUSED_PREFIX}The worker on ${machine} refuses the job ${job.id}: ${trial}.`,
      );
    const { device, seconds } = job.data;
    const attempt = job.attemptsMade + 1;
    const ended = await runOrGiveBack(job, token, (runner) => runner.run(trial, attempt, { device, seconds }));
    if (ended.status === 'failed' && mayDiffer(ended) && attempt < (job.opts.attempts ?? 1))
      // BullMQ tries a job again if it throws.
      throw new Error(ended.message);
    trials++;
    if (ended.status === 'failed') failed++;
    return { attempts: attempt, ended, machine };
  };
  /** Runs a job; if no process here can run trials, returns it to the queue and stops the worker. */
  const runOrGiveBack = async (
    job: TrialJob,
    token: string | undefined,
    how: (runner: TrialRunner) => Promise<Attempt>,
  ): Promise<Attempt> => {
    const runner = free.pop()!;
    try {
      return await how(runner);
    } catch (error) {
      failure ??= error as Error;
      stop.abort();
      await job.moveToWait(token);
      throw new bullmq.WaitingError();
    } finally {
      free.push(runner);
    }
  };
  /** Its timers hold the process until its closing is done, which may wait for a server for ever: they can be ended. */
  class Worker extends bullmq.Worker<TrialData, TrialReturn> {
    endTimers = (): Promise<void> => this.lockManager.close();
  }
  const worker = new Worker(queueName(record.code), run, {
    connection: client,
    // The server takes whole milliseconds.
    lockDuration: Math.round(1000 * lease),
    stalledInterval: Math.round(1000 * lease),
    name: machine,
    concurrency,
    maxStalledCount: MOST_STALLS,
    // Delay before commands that failed with a lost connection are repeated, ms.
    runRetryDelay: 1000,
  });
  worker.on('error', (error) => {
    // Others, such as a lost lock, after which another worker has the trial too, need nothing; a lost connection is
    // reported elsewhere.
    if (isOfContent(error)) sayOnce(`A job on ${connection.text} cannot be read. Its sweep queues the trial anew.`);
    else if (isReply(error))
      sayOnce(`The queue ${connection.text} refuses commands: ${replyOf(error)}. It is tried again.`);
  });
  const look = setInterval(() => {
    void otherVersions(client, record).then(
      ({ differences, remarks: more }) => {
        for (const line of differences) sayOnce(`${line} This worker takes none of them.`);
        for (const line of more) sayOnce(line);
      },
      () => {},
    );
  }, LOOK_MS);
  try {
    await aborted(AbortSignal.any([signal, stop.signal]));
    const closed = worker.close();
    const idle = async (): Promise<void> => {
      while (free.length < all.length) await after(IDLE_MS);
      await after(LAST_MS);
    };
    // A server that does not answer would be waited for.
    await Promise.race([closed, idle()]);
    connection.close();
    await Promise.race([closed, after(LAST_MS)]).catch(() => {});
    await worker.endTimers();
  } finally {
    clearInterval(look);
    await endAll();
    removeDrafts(out, isOfEnded);
    process.off('exit', endAll);
    connection.close();
  }
  if (failure) throw failure;
  return { trials, failed };
}

/** True if a name is that of an unfinished attempt's files whose process on this machine has ended. */
function isOfEnded(name: string): boolean {
  const own = `${DRAFT}${hostname()}-`;
  const pid = Number(/^\d+/.exec(name.slice(own.length))?.[0]);
  if (!name.startsWith(own) || !(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((settle) => {
    if (signal.aborted) settle();
    signal.addEventListener('abort', () => settle(), { once: true });
  });
