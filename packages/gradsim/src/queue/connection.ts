import { setTimeout as after } from 'node:timers/promises';
import { GradsimError } from '@gradsim/core';
import type { Redis } from 'ioredis';
import type { QueueAddress } from './address.ts';
import { replyOf } from './reply.ts';

/** Connection to the server of a queue, which reconnects when it is lost. */
export interface QueueConnection {
  readonly bullmq: typeof import('bullmq');
  readonly client: Redis;
  /** Address without user and password. */
  readonly text: string;
  readonly close: () => void;
}

/** Timeout of the first connection, ms. */
const FIRST_MS = 10_000;
/** Interval at which a connected server is asked for a sign of life, ms. */
const ASKED_MS = 4000;
/** Time after which a server that gives none is reported, ms. */
const SILENT_MS = 4000;
/** Longest pause between attempts to reconnect, ms. */
const LONGEST_PAUSE = 2000;
/**
 * Difference between this machine's clock and the server's above which a warning is printed, s: retry delays depend on
 * clocks.
 */
const MAX_CLOCK_DIFFERENCE = 10;
/** Oldest server version, [major, minor], that has all commands that BullMQ needs. */
const OLDEST_SERVER = [6, 2];

/**
 * Opens a connection, and checks that the server can hold a queue. If it is lost later, commands wait until it is
 * restored.
 * @param say called with a line when the connection is lost, and when it is restored.
 * @throws if packages are missing, the server cannot be reached, refuses the password, is too old, or drops keys when
 * its memory is full.
 */
export async function connectQueue(address: QueueAddress, say: (line: string) => void): Promise<QueueConnection> {
  const { bullmq, Redis } = await packages();
  let isOpen = false;
  let isLost = false;
  let reason: unknown;
  const client = new Redis({
    ...address.options,
    lazyConnect: true,
    connectTimeout: FIRST_MS,
    // A command waits for the connection, however long.
    maxRetriesPerRequest: null,
    retryStrategy: (times) => (isOpen ? Math.min(200 * times, LONGEST_PAUSE) : null),
  });
  client.on('error', (error) => {
    reason = error;
    if (!isOpen || isLost) return;
    isLost = true;
    say(`The queue ${address.text} is lost: ${inWords(error)}. It is tried again until it is back.`);
  });
  client.on('ready', () => {
    if (isLost) say(`The queue ${address.text} is back.`);
    isLost = false;
  });
  try {
    await answered(
      client.connect().then(() => requireServer(client, address, say)),
      FIRST_MS,
    );
  } catch (error) {
    client.disconnect();
    throw error instanceof GradsimError ? error : refusal(reason ?? error, address);
  }
  isOpen = true;
  const stop = watchAnswers(client, address.text, say);
  return {
    bullmq,
    client,
    text: address.text,
    close: () => {
      stop();
      client.disconnect();
    },
  };
}

/** Error of a server that takes connections, and then says nothing. */
class Silent extends Error {
  readonly code = 'ETIMEDOUT';
}

/** Waits for a promise. @throws {@link Silent} if it takes too long. */
async function answered<T>(promise: Promise<T>, milliseconds: number): Promise<T> {
  const stop = new AbortController();
  const late = after(milliseconds, undefined, { signal: stop.signal }).then(
    () => Promise.reject(new Silent()),
    () => new Promise<never>(() => {}),
  );
  try {
    return await Promise.race([promise, late]);
  } finally {
    stop.abort();
    promise.catch(() => {});
  }
}

/** Prints a line when a connected server no longer answers, and when it does again. Returns a function that ends it. */
function watchAnswers(client: Redis, text: string, say: (line: string) => void): () => void {
  let isSilent = false;
  let isAsking = false;
  const timer = setInterval(async () => {
    if (isAsking || client.status !== 'ready') return;
    isAsking = true;
    const pong = client.ping();
    try {
      await answered(pong, SILENT_MS);
    } catch (error) {
      if (error instanceof Silent && client.status === 'ready') {
        isSilent = true;
        say(`The queue ${text} takes connections and does not answer. It is waited for.`);
        await pong.catch(() => {});
      }
    }
    if (isSilent && client.status === 'ready') say(`The queue ${text} answers again.`);
    isSilent = false;
    isAsking = false;
  }, ASKED_MS);
  timer.unref();
  return () => clearInterval(timer);
}

async function packages(): Promise<Pick<QueueConnection, 'bullmq'> & { Redis: typeof Redis }> {
  try {
    return { bullmq: await import('bullmq'), Redis: (await import('ioredis')).Redis };
  } catch (cause) {
    throw new GradsimError(
      'gradsim/queue-packages',
      'For --queue the packages bullmq and ioredis are needed, and one is not installed.',
      {
        hint: 'Install both where gradsim is: npm install bullmq ioredis',
        cause,
      },
    );
  }
}

/**
 * Error for a failed connection. It does not keep the cause, which can hold the password as the argument of a command.
 */
function refusal(error: unknown, { text, options }: QueueAddress): GradsimError {
  const { message } = error as Error;
  if (/WRONGPASS|NOAUTH|NOPERM|invalid password|without any password/i.test(message))
    return new GradsimError(
      'gradsim/queue-refused',
      `The queue ${text} refuses ${options.password ? 'this user and password' : 'those who have no password'}.`,
      {
        hint: 'Set the environment variable GRADSIM_QUEUE_PASSWORD, and GRADSIM_QUEUE_USER where the server knows several users.',
      },
    );
  return new GradsimError('gradsim/queue-unreachable', `The queue ${text} cannot be reached: ${inWords(error)}.`, {
    hint: 'Is redis-server running there, and its port open to this machine?',
  });
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the server ended the connection',
  EHOSTUNREACH: 'there is no way to the machine',
  ENETUNREACH: 'there is no way to the network',
  ENOTFOUND: 'there is no machine of that name',
  EAI_AGAIN: 'its name cannot be looked up',
  ETIMEDOUT: 'it does not answer',
};

function inWords(error: unknown): string {
  if (error instanceof TypeError || error instanceof RangeError) return 'what answers there is no Redis';
  const { code, message } = error as NodeJS.ErrnoException;
  return REASONS[code ?? ''] ?? (message || 'the connection was closed').replace(/\.$/, '');
}

async function requireServer(
  client: Redis,
  { text, options: { db = 0 } }: QueueAddress,
  say: (line: string) => void,
): Promise<void> {
  try {
    await client.select(db);
  } catch (error) {
    if (!/index|SELECT/i.test((error as Error).message)) throw error;
    throw new GradsimError('gradsim/queue-address', `The queue ${text} has no database ${db}: ${replyOf(error)}.`, {
      hint: 'Redis has 16 as a rule, from 0 to 15.',
    });
  }
  const info = await client.info();
  const fact = (name: string): string => new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(info)?.[1] ?? '';
  const version = fact('redis_version');
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (version === '')
    throw new GradsimError('gradsim/queue-old', `The queue ${text} does not say which version of Redis it is.`, {
      hint: 'Is it a Redis server?',
    });
  if (major < OLDEST_SERVER[0] || (major === OLDEST_SERVER[0] && minor < OLDEST_SERVER[1]))
    throw new GradsimError(
      'gradsim/queue-old',
      `The queue ${text} is Redis ${version}, and ${OLDEST_SERVER.join('.')} is needed.`,
    );
  const policy = fact('maxmemory_policy');
  if (policy !== 'noeviction' && policy !== '')
    throw new GradsimError(
      'gradsim/queue-evicts',
      `The queue ${text} drops keys when its memory is full (maxmemory-policy ${policy}), trials and results among them.`,
      {
        hint: 'Set `maxmemory-policy noeviction` in redis.conf, or by `redis-cli config set maxmemory-policy noeviction`.',
      },
    );
  await requireWrites(client, text, say);
  const time: unknown = await client.time();
  const ahead = Math.round(Date.now() / 1000 - Number(Array.isArray(time) ? time[0] : Number.NaN));
  if (Math.abs(ahead) > MAX_CLOCK_DIFFERENCE)
    say(
      `The clock of this machine is ${Math.abs(ahead)} s ${ahead > 0 ? 'ahead of' : 'behind'} that of ${text}. Results do not depend on it; retries of trials may wait up to a minute.`,
    );
}

/**
 * Writes a key that lasts a second. @throws if the server never takes writes. What it refuses for now, as when its memory
 * is full, is printed: a sweep that goes on frees memory there.
 */
async function requireWrites(client: Redis, text: string, say: (line: string) => void): Promise<void> {
  try {
    await client.set('gradsim:probe', '1', 'EX', 1);
  } catch (error) {
    const { message } = error as Error;
    if (/^READONLY/.test(message))
      throw new GradsimError('gradsim/queue-read-only', `The queue ${text} takes no writes: ${replyOf(error)}.`, {
        hint: 'It is a replica: name the server that it copies.',
      });
    if (!/^(?:OOM|MISCONF)/.test(message)) throw error;
    say(`The queue ${text} refuses commands: ${replyOf(error)}. It is tried again.`);
  }
}
