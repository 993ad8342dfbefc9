import { setTimeout as after } from 'node:timers/promises';
import { GradsimError } from '@gradsim/core';
import type { JobType } from 'bullmq';
import type { StudyRecord } from '../study/load/study-record.ts';
import type { TrialConditions } from '../study/processes/messages.ts';
import type { Outcome } from '../study/results/outcome.ts';
import type { Trial } from '../study/trial.ts';
import type { TrialQueue } from '../study/trial-queue.ts';
import { announce, withdraw } from './announcement.ts';
import type { QueueConnection } from './connection.ts';
import { COUNT_FIELDS, outcomeOfJob, problemOfJob } from './outcome-of-job.ts';
import { isOfContent, replyOf } from './reply.ts';
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
const TRIALS_PER_REQUEST = 200;
/** Shortest pause between two checks for outcomes, ms. */
const SHORTEST_PAUSE = 50;
/** Longest pause between two checks for outcomes, ms. */
const LONGEST_PAUSE = 1000;
/** Interval of checks that the server still has the queued trials, ms. */
const CHECK_INTERVAL_MS = 5000;
/**
 * Time after which a trial's delay before its next attempt is ended by the coordinator, ms: the clocks of workers may
 * differ.
 */
const LONGEST_DELAY = 30_000;
/** Timeout of the last commands on closing, ms: the server may be gone. */
const LAST_MS = 5000;

/** Number of jobs or outcomes of one trial that are not used, after which it is left without a result. */
const MOST_UNUSED = 3;
/** Number of unused jobs and outcomes that are named, one line each. */
const MOST_NAMED = 10;

/** Delay before a trial's second attempt, doubled for each further attempt, ms. */
const BACKOFF_MS = 1000;

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
  const known = new Map<string, Trial>();
  /** Trials not queued yet, in order; and the queued trials without an outcome. */
  const waiting: Trial[] = [];
  const queued = new Map<string, Trial>();
  /** Ids of trials whose outcomes were returned, but not yet released by the caller. */
  const given = new Set<string>();
  /** Ids of all trials whose outcomes were returned. */
  const over = new Set<string>();
  /** Number of jobs and outcomes of a trial that were not used. */
  const unused = new Map<string, number>();
  let unusedInAll = 0;
  let leftAlone = 0;
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
    for (let k = 0; k < trials.length && !stop.signal.aborted; k += TRIALS_PER_REQUEST)
      await queue.addBulk(
        trials.slice(k, k + TRIALS_PER_REQUEST).map(({ id, settings }) => ({
          name: 'trial',
          data: { settings, ...conditions },
          opts: {
            jobId: jobIdOf(sweep, id),
            attempts,
            backoff: { type: 'exponential', delay: BACKOFF_MS },
            stackTraceLimit: 0,
          },
        })),
      );
  };
  const fill = async (): Promise<void> => {
    const next = waiting.splice(0, MOST_QUEUED - queued.size).filter(({ id }) => !over.has(id));
    for (const trial of next) queued.set(trial.id, trial);
    await put(next);
  };

  /** Announces the study again, and queues the trials that the server has lost; existing jobs are not added twice. */
  const restore = async (): Promise<void> => {
    await announce(client, record);
    await put([...queued.values()]);
  };
  const check = async (): Promise<void> => {
    await announce(client, record);
    await audit();
    const held = new Set(await idsOf('waiting', 'prioritized', 'active', 'delayed', 'completed', 'failed'));
    const lost = [...queued.values()].filter(({ id }) => !held.has(id));
    if (lost.length > 0) {
      await Promise.all(lost.map(({ id }) => purge(id)));
      await restore();
    }
    await promote();
  };
  /** Queues trials anew whose jobs no worker can read: these stay among the active ones. */
  const audit = async (): Promise<void> => {
    const active = (await idsOf('active')).filter((id) => queued.has(id));
    for (const [id, job] of await Promise.all(active.map(async (id) => [id, await read(id)] as const))) {
      const problem = typeof job === 'object' ? problemOfJob(job, record.code) : job;
      if (problem !== undefined || job === undefined) {
        if (problem !== undefined) await refuse(id, problem);
        continue;
      }
      // The server counts in these, and a count that is none stops every command on the job.
      const counts = await client.hmget(queue.toKey(jobIdOf(sweep, id)), ...COUNT_FIELDS);
      if (!counts.every((count) => count === null || /^\d{1,15}$/.test(count)))
        await refuse(id, 'one of its counts is no whole number');
    }
  };
  /** Reads a job; undefined if there is none, and the reason if it is damaged. */
  const read = async (id: string): Promise<TrialJob | string | undefined> => {
    try {
      return (await queue.getJob(jobIdOf(sweep, id))) as TrialJob | undefined;
    } catch (error) {
      if (!isOfContent(error)) throw error;
      return error instanceof SyntaxError ? 'it is no JSON' : 'its values are of other types';
    }
  };
  /** Deletes all that the server has of a job, whatever has become of it there. */
  const purge = async (id: string): Promise<void> => {
    const job = jobIdOf(sweep, id);
    const pipeline = client.pipeline().del(queue.toKey(job), `${queue.toKey(job)}:lock`);
    for (const list of ['wait', 'paused', 'active']) pipeline.lrem(queue.toKey(list), 0, job);
    for (const set of ['completed', 'failed', 'delayed', 'prioritized']) pipeline.zrem(queue.toKey(set), job);
    await pipeline.srem(queue.toKey('stalled'), job).exec();
  };
  /** Drops what the server has of a trial, which is queued anew, up to {@link MOST_UNUSED} times. */
  const refuse = async (id: string, problem: string): Promise<void> => {
    const trial = over.has(id) ? undefined : known.get(id);
    const times = (unused.get(id) ?? 0) + 1;
    const isLast = times === MOST_UNUSED;
    const follows = trial ? (isLast ? ' It is left without a result.' : ' It is queued anew.') : '';
    unusedInAll++;
    if (unusedInAll <= MOST_NAMED) say(`What the queue has of trial ${id} is not used: ${problem}.${follows}`);
    await purge(id);
    given.delete(id);
    if (!trial) return;
    unused.set(id, times);
    if (isLast) {
      leftAlone++;
      over.add(id);
      queued.delete(id);
      return;
    }
    queued.set(id, trial);
    await put([trial]);
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

  const idsOf = async (...types: JobType[]): Promise<string[]> =>
    (await queue.getRanges(types, 0, -1, true)).flatMap((id) => trialIdOf(sweep, id) ?? []);
  const collect = async (): Promise<Outcome[]> => {
    const completed = (await idsOf('completed')).filter((id) => !given.has(id)).slice(0, TRIALS_PER_REQUEST);
    const failed = (await idsOf('failed')).filter((id) => !given.has(id)).slice(0, TRIALS_PER_REQUEST);
    const jobs = await Promise.all([...completed, ...failed].map(async (id) => [id, await read(id)] as const));
    const arrived = new Date().toISOString();
    const outcomes: Outcome[] = [];
    for (const [id, job] of jobs) {
      // Removed meanwhile, as its server was emptied.
      if (job === undefined) continue;
      const trial = known.get(id);
      const outcome = !trial
        ? 'this study has no such trial'
        : typeof job === 'string'
          ? job
          : outcomeOfJob(trial, job, arrived);
      if (typeof outcome === 'string') {
        refusals.set(id, outcome);
        continue;
      }
      given.add(id);
      over.add(id);
      queued.delete(id);
      outcomes.push(outcome);
    }
    return outcomes;
  };
  const refusals = new Map<string, string>();
  const refuseAll = async (): Promise<void> => {
    for (const [id, problem] of refusals) {
      await refuse(id, problem);
      refusals.delete(id);
    }
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
      const message = replyOf(error);
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
        known.set(trial.id, trial);
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
        const collected = await attempt(collect);
        const outcomes = collected ?? [];
        yield* outcomes;
        // Both reading and writing work.
        if (collected && complaint !== undefined && !isEmptied) {
          say(`The queue ${connection.text} takes commands again.`);
          complaint = undefined;
        }
        if (refusals.size > 0) await attempt(refuseAll);
        if (leftAlone > 0 && queued.size + waiting.length === 0)
          throw new GradsimError(
            'gradsim/queue-foreign',
            `${leftAlone} trials have no result: ${unusedInAll} times the queue ${connection.text} had something of trials that no sweep or worker wrote. All other results are there.`,
            { hint: 'Others write to this queue: give Redis a password.' },
          );
        if (isEmptied) {
          isEmptied = false;
          await attempt(restore);
        } else if (performance.now() - checked > CHECK_INTERVAL_MS) {
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
      if (unusedInAll > MOST_NAMED) say(`In all, ${unusedInAll} times something of the queue was not used.`);
      if (queued.size + waiting.length === 0) lastWords = lastWords.then(() => withdraw(client, record));
      await Promise.race([lastWords.catch(() => {}), after(LAST_MS, undefined, { ref: false })]);
      connection.close();
    },
  };
}
