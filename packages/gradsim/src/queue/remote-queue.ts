import { setTimeout as after } from 'node:timers/promises';
import { GradsimError } from '@gradsim/core';
import type { TrialConditions } from '../study/messages.ts';
import type { Outcome } from '../study/outcome.ts';
import type { StudyRecord } from '../study/study-record.ts';
import type { Trial } from '../study/trial.ts';
import type { TrialQueue } from '../study/trial-queue.ts';
import { announce, withdraw } from './announcement.ts';
import type { QueueConnection } from './connection.ts';
import { jobIdOf, queueName, type TrialData, type TrialJob, type TrialReturn, trialIdOf } from './trial-job.ts';

/** Options of a queue for workers of other processes. */
export interface RemoteQueueOptions {
  readonly connection: QueueConnection;
  readonly record: StudyRecord;
  /** Id of the sweep, stored in its folder. */
  readonly sweep: string;
  readonly conditions: TrialConditions;
  readonly attempts: number;
  readonly say: (line: string) => void;
}

/** Maximum number of trials queued at a time, so that a study of a million trials does not fill the server's memory. */
const MOST_QUEUED = 5000;
/** Number of trials added, and of outcomes read, in one request. */
const BATCH = 200;
/** Shortest pause between two checks for outcomes, ms. */
const SHORTEST_PAUSE = 50;
/** Longest pause between two checks for outcomes, ms. */
const LONGEST_PAUSE = 1000;
/** Interval of checks that the server still has the queued trials, ms. */
const CHECKED = 5000;
/**
 * Time after which a trial's delay before its next attempt is ended by the coordinator, ms: the clocks of workers may
 * differ.
 */
const LONGEST_DELAY = 30_000;
/** Timeout of the last commands on closing, ms: the server may be gone. */
const LAST_MS = 5000;

/** Delay before a trial's second attempt, doubled for each further attempt, ms. */
const BACKOFF = 1000;

/** Queue of trials on a server, for workers on any machine. */
export function remoteQueue(options: RemoteQueueOptions): TrialQueue {
  const { connection, record, sweep, conditions, attempts, say } = options;
  const { client } = connection;
  const queue = new connection.bullmq.Queue<TrialData, TrialReturn>(queueName(record.code), {
    connection: client,
    // Few events are kept, since nothing reads them.
    streams: { events: { maxLen: 10 } },
  });
  // The connection reports its own errors.
  queue.on('error', () => {});
  const known = new Set<string>();
  /** Trials not queued yet, in order; and the queued trials without an outcome. */
  const waiting: Trial[] = [];
  const queued = new Map<string, Trial>();
  /** Ids of trials whose outcomes were returned, but not yet released by the caller. */
  const given = new Set<string>();
  const delayedSince = new Map<string, number>();
  const stop = new AbortController();
  /** True after a reconnection or a refused command: the server may lack some of the queued trials. */
  let isEmptied = false;
  let complaint: string | undefined;
  let lastWords: Promise<unknown> = Promise.resolve();
  let wake = new AbortController();
  const onReady = (): void => {
    isEmptied = true;
    wake.abort();
  };
  client.on('ready', onReady);

  const put = async (trials: readonly Trial[]): Promise<void> => {
    for (let k = 0; k < trials.length && !stop.signal.aborted; k += BATCH)
      await queue.addBulk(
        trials.slice(k, k + BATCH).map(({ id, settings }) => ({
          name: 'trial',
          data: { settings, ...conditions },
          opts: {
            jobId: jobIdOf(sweep, id),
            attempts,
            backoff: { type: 'exponential', delay: BACKOFF },
            stackTraceLimit: 0,
          },
        })),
      );
  };
  const fill = async (): Promise<void> => {
    const next = waiting.splice(0, MOST_QUEUED - queued.size);
    for (const trial of next) queued.set(trial.id, trial);
    await put(next);
  };

  /** Announces the study again, and queues the trials that the server has lost; existing jobs are not added twice. */
  const restore = async (): Promise<void> => {
    await announce(client, record);
    await put([...queued.values()]);
    if (complaint !== undefined) say(`The queue ${connection.text} takes commands again.`);
    complaint = undefined;
  };
  const check = async (): Promise<void> => {
    const counts = await queue.getJobCounts();
    const held = Object.values(counts).reduce((sum, count) => sum + count, 0);
    await announce(client, record);
    if (held < queued.size) await restore();
    if (counts.delayed > 0) await promote();
    else delayedSince.clear();
  };
  /** Ends delays of trials that have lasted too long by this machine's clock: the clocks of workers may differ. */
  const promote = async (): Promise<void> => {
    const ids = await idsOf('delayed');
    for (const id of delayedSince.keys()) if (!ids.includes(id)) delayedSince.delete(id);
    for (const id of ids) {
      const since = delayedSince.get(id) ?? performance.now();
      delayedSince.set(id, since);
      if (performance.now() - since < LONGEST_DELAY) continue;
      const job = await queue.getJob(jobIdOf(sweep, id));
      await job?.promote().catch(() => {});
    }
  };

  const idsOf = async (type: 'completed' | 'failed' | 'delayed'): Promise<string[]> =>
    (await queue.getRanges([type], 0, -1, true)).flatMap((id) => trialIdOf(sweep, id) ?? []);
  const collect = async (): Promise<Outcome[]> => {
    const completed = (await idsOf('completed')).filter((id) => !given.has(id)).slice(0, BATCH);
    const failed = (await idsOf('failed')).filter((id) => !given.has(id)).slice(0, BATCH);
    const jobs = await Promise.all(
      [...completed, ...failed].map(async (id) => [id, await queue.getJob(jobIdOf(sweep, id))] as const),
    );
    const arrived = new Date().toISOString();
    return jobs.flatMap(([id, job]) => {
      // Removed meanwhile, as its server was emptied.
      if (!job) return [];
      given.add(id);
      queued.delete(id);
      return [outcomeOf(id, job as TrialJob, arrived)];
    });
  };

  const remove = async (ids: readonly string[]): Promise<void> => {
    await Promise.all(ids.map((id) => queue.remove(jobIdOf(sweep, id)).catch(() => 0)));
    for (const id of ids) given.delete(id);
  };

  const stopped = new Promise<undefined>((settle) => {
    stop.signal.addEventListener('abort', () => settle(undefined));
  });
  /**
   * Runs a step, and returns its result; undefined if the server refuses it for now, as when its memory is full, which
   * is printed once, or if the queue is drained or closed meanwhile: without a server a step never ends.
   */
  const attempt = async <T>(step: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await Promise.race([step(), stopped]);
    } catch (error) {
      if (error instanceof GradsimError) throw error;
      // After the first sentence, the message is about the script that BullMQ runs on the server.
      const message = (error as Error).message.split(/\. /)[0].replace(/\.$/, '');
      if (message !== complaint) say(`The queue ${connection.text} refuses commands: ${message}. It is tried again.`);
      complaint = message;
      isEmptied = true;
      return undefined;
    }
  };

  return {
    add: async (trials) => {
      for (const trial of trials) {
        if (known.has(trial.id)) continue;
        known.add(trial.id);
        waiting.push(trial);
      }
      await attempt(async () => {
        await announce(client, record);
        await fill();
      });
      // Servers of some providers do not list their clients.
      if ((await attempt(() => queue.getWorkersCount().catch(() => 1))) === 0)
        say(`No worker takes trials of this version yet: gradsim worker --queue ${connection.text} ${record.study}`);
    },
    outcomes: async function* () {
      let pause = SHORTEST_PAUSE;
      let checked = performance.now();
      while (!stop.signal.aborted) {
        const outcomes = (await attempt(collect)) ?? [];
        yield* outcomes;
        if (isEmptied) {
          isEmptied = false;
          await attempt(restore);
        } else if (performance.now() - checked > CHECKED) {
          await attempt(check);
          checked = performance.now();
        }
        if (waiting.length > 0 && queued.size < MOST_QUEUED / 2) await attempt(fill);
        pause = outcomes.length > 0 ? SHORTEST_PAUSE : Math.min(LONGEST_PAUSE, 1.5 * pause);
        wake = new AbortController();
        await after(pause, undefined, { signal: AbortSignal.any([stop.signal, wake.signal]) }).catch(() => {});
      }
    },
    release: (ids) => {
      lastWords = lastWords.then(() => remove(ids));
    },
    drain: () => stop.abort(),
    close: async () => {
      stop.abort();
      client.off('ready', onReady);
      if (queued.size + waiting.length === 0) lastWords = lastWords.then(() => withdraw(client, record));
      await Promise.race([lastWords.catch(() => {}), after(LAST_MS, undefined, { ref: false })]);
      connection.close();
    },
  };
}

/** Outcome of a job that has ended. @throws for a job that a worker refused to run. */
function outcomeOf(id: string, { data, returnvalue, failedReason, attemptsMade }: TrialJob, arrived: string): Outcome {
  if (returnvalue) {
    const { attempts, ended, machine } = returnvalue;
    return { id, settings: data.settings, attempts, ended, from: { machine, arrived } };
  }
  if (failedReason?.startsWith(REFUSED))
    throw new GradsimError('gradsim/queue-foreign', failedReason.slice(REFUSED.length), {
      hint: 'Others write to this queue: give Redis a password.',
    });
  // The job failed without a result: its workers ended with it, repeatedly.
  const ended = {
    status: 'failed',
    reason: 'crash',
    message: `Its workers ended: ${failedReason}.`,
    cost: {},
  } as const;
  return { id, settings: data.settings, attempts: Math.max(1, attemptsMade), ended };
}

/** Prefix of the failure message of a job that a worker refused to run. */
export const REFUSED = 'refused: ';
