import { createHook } from 'node:async_hooks';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, USER } from '../../src/study/processes/secrets.ts';
import { environmentOfTrials } from '../../src/study/processes/trial-process.ts';
import type { Outcome } from '../../src/study/results/outcome.ts';
import { gradsim, type Run, temporaryFolder } from '../support.ts';
import { bulk, fakeRedis, type Reply } from './fake-server.ts';
import { noServer, TestServer } from './server.ts';

/** Writes a study with this number of trials, and returns its path. */
function studyFile(trials: number): string {
  const file = join(temporaryFolder(), 'study.mjs');
  const text = `const trials = Array.from({ length: ${trials} }, (_, k) => ({ x: k + 1 }));`;
  writeFileSync(file, `${text}\nexport default { trials, run: ({ x }) => ({ value: 1 / x }) };`);
  return file;
}

const linesOf = (folder: string): Outcome[] =>
  readFileSync(join(folder, 'results.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Outcome);

describe.skipIf(noServer !== undefined)('what others write to a queue', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.start('');
  });
  afterAll(() => server.stop());

  /** Starts a sweep, and returns its trials' jobs once they are queued: key, id, and name of the list of the queue. */
  async function queued(trials: number): Promise<{ file: string; out: string; run: Promise<Run>; keys: string[] }> {
    const [file, out] = [studyFile(trials), join(temporaryFolder(), 'out')];
    await server.client.flushall();
    const run = gradsim(['sweep', file, '--out', out, '--quiet', '--queue', server.url]);
    const find = async (): Promise<string[]> =>
      (await server.client.keys('bull:*')).filter((key) => /-[0-9a-f]{20}$/.test(key) && /:[0-9a-f]{12}-/.test(key));
    while ((await find()).length < trials) await after(20);
    return { file, out, run, keys: (await find()).sort() };
  }
  const worker = (file: string, onSay?: (line: string) => void): Promise<Run> => {
    const limits = ['--concurrency', '2', '--lease', '2s', '--memory-limit', '4000'];
    return gradsim(['worker', file, '--out', temporaryFolder(), '--queue', server.url, ...limits], onSay);
  };
  const endWorker = async (run: Promise<Run>): Promise<Run> => {
    process.emit('SIGTERM');
    return run;
  };
  /** Gives a job an end that no worker gave it. */
  async function end(key: string, how: 'completed' | 'failed', fields: Record<string, string>): Promise<void> {
    const [queue, id] = [key.slice(0, key.lastIndexOf(':')), key.slice(key.lastIndexOf(':') + 1)];
    await server.client.lrem(`${queue}:wait`, 0, id);
    if (Object.keys(fields).length > 0) await server.client.hset(key, fields);
    await server.client.zadd(`${queue}:${how}`, Date.now(), id);
  }
  const edit = async (key: string, change: (data: Record<string, unknown>) => object): Promise<unknown> =>
    server.client.hset(key, 'data', JSON.stringify(change(JSON.parse((await server.client.hget(key, 'data'))!))));
  const done = (ended: object, more: object = {}): Record<string, string> => ({
    returnvalue: JSON.stringify({ attempts: 1, machine: 'forger', ended: { status: 'done', ...ended }, ...more }),
  });
  const cost = { seconds: 1, cpuSeconds: 1, megabytes: 1 };

  /** Ways to forge a job or its outcome. */
  const FORGERIES: Readonly<Record<string, (key: string) => Promise<unknown>>> = {
    'other settings': (key) => edit(key, (data) => ({ ...data, settings: { x: 99 } })),
    'settings that are a list': (key) => edit(key, (data) => ({ ...data, settings: [1] })),
    'a device that there is none of': (key) => edit(key, (data) => ({ ...data, device: '__proto__' })),
    'a time that no timer holds': (key) => edit(key, (data) => ({ ...data, seconds: 1e12 })),
    'a time that is a text': (key) => edit(key, (data) => ({ ...data, seconds: '1' })),
    'a word more': (key) => edit(key, (data) => ({ ...data, code: 'process.exit()' })),
    'data that are no JSON': (key) => server.client.hset(key, 'data', '{"settings":'),
    'data that are null': (key) => server.client.hset(key, 'data', 'null'),
    'no data': (key) => server.client.hdel(key, 'data'),
    'options that are no JSON': (key) => server.client.hset(key, 'opts', '{'),
    'options that are null': (key) => server.client.hset(key, 'opts', 'null'),
    'no job': (key) => server.client.del(key),
    'a text in place of a job': async (key) => {
      await server.client.del(key);
      await server.client.set(key, 'x');
    },
    'a result without cost': (key) => end(key, 'completed', done({ result: { value: 7 }, summary: {} })),
    'a cost without numbers': (key) =>
      end(key, 'completed', done({ result: { value: 7 }, summary: {}, cost: { ...cost, seconds: 'none' } })),
    'a summary that is nested': (key) => end(key, 'completed', done({ result: 7, summary: { a: {} }, cost })),
    'no result': (key) => end(key, 'completed', done({ summary: {}, cost })),
    'a machine that is a number': (key) =>
      end(key, 'completed', done({ result: { value: 7 }, summary: {}, cost }, { machine: 7 })),
    'attempts below one': (key) =>
      end(key, 'completed', done({ result: { value: 7 }, summary: {}, cost }, { attempts: 0 })),
    'a result that is no JSON': (key) => end(key, 'completed', { returnvalue: '{"attempts":1' }),
    'a result that is a text': (key) => end(key, 'completed', { returnvalue: '"done"' }),
    'no end': (key) => end(key, 'completed', {}),
    'a reason that there is none of': (key) =>
      end(key, 'completed', {
        returnvalue: JSON.stringify({
          attempts: 1,
          machine: 'forger',
          ended: { status: 'failed', reason: 'boredom', message: 'x', cost: {} },
        }),
      }),
    'a failure that no worker reported': (key) => end(key, 'failed', { failedReason: 'It was too late.' }),
    'a failure without a reason': (key) => end(key, 'failed', {}),
    'a refusal that no worker reported': (key) => end(key, 'failed', { failedReason: 'refused: no' }),
  };

  it('is named and never a line, and every trial has its own result', async () => {
    const names = Object.keys(FORGERIES);
    const { file, out, run, keys } = await queued(names.length + 4);
    for (const [k, name] of names.entries()) await FORGERIES[name](keys[k]);
    const queue = keys[0].slice(0, keys[0].lastIndexOf(':'));
    const sweep = keys[0].slice(queue.length + 1, queue.length + 13);
    // A trial that the study has not, and one of another sweep.
    for (const id of [`${sweep}-00000000000000000000`, '000000000000-00000000000000000000'])
      await end(`${queue}:${id}`, 'completed', done({ result: { value: 7 }, summary: {}, cost }));
    // Announcements of nobody.
    await server.client.set('gradsim:study:a', '{"study":');
    await server.client.set('gradsim:study:b', 'null');
    const working = worker(file);
    const { code, stderr } = await run;
    await endWorker(working);
    expect(stderr.join('\n')).not.toContain('gradsim/');
    expect(code).toBe(0);
    const lines = linesOf(out);
    expect(lines).toHaveLength(keys.length);
    for (const { settings, ended, from } of lines) {
      expect(ended).toMatchObject({ status: 'done', result: { value: 1 / (settings as { x: number }).x } });
      expect(from?.machine).not.toBe('forger');
    }
    // Ten are named, and all are counted: those above and the trial that the study has not. A job that was deleted may be
    // queued again before anyone looks.
    expect(
      stderr.filter((line) => /^What the queue has of trial .* is not used: .*\. It is queued anew\.$/.test(line))
        .length,
    ).toBeGreaterThan(8);
    const all = Number(/In all, (\d+) times/.exec(stderr.join('\n'))?.[1]);
    expect(all).toBeGreaterThanOrEqual(names.length);
    expect(all).toBeLessThanOrEqual(names.length + 1);
  });

  it('ends a sweep when it is written again and again, with all other results', async () => {
    const { file, out, run, keys } = await queued(4);
    const [queue, id] = [keys[0].slice(0, keys[0].lastIndexOf(':')), keys[0].slice(keys[0].lastIndexOf(':') + 1)];
    for (let times = 0; times < 3; times++) {
      // Its sweep has queued it anew.
      while (!(await server.client.lrange(`${queue}:wait`, 0, -1)).includes(id)) await after(10);
      await end(keys[0], 'completed', { returnvalue: '7' });
    }
    const working = worker(file);
    const { code, stderr } = await run;
    await endWorker(working);
    expect(code).toBe(1);
    expect(stderr.at(-1)).toMatch(/^1 trials have no result: .*give Redis a password.*queue-foreign/);
    expect(linesOf(out)).toHaveLength(3);
  });

  it('does not end a worker by announcements', async () => {
    await server.client.flushall();
    await server.client.set('gradsim:study:a', '{"study":');
    await server.client.set('gradsim:study:b', JSON.stringify({ format: 1, study: 'study.mjs', modules: 7 }));
    await server.client.hset('gradsim:study:c', { a: 1 });
    const named = new Set<string>();
    const working = worker(studyFile(1), (line) => {
      const [, study] = /^The announcement gradsim:study:([ab]) there is of no sweep: /.exec(line) ?? [];
      if (study) named.add(study);
    });
    while (named.size < 2) await after(20);
    expect((await endWorker(working)).code).toBe(0);
  });

  it('names a database that there is none of, and uses no other', async () => {
    await server.client.flushall();
    const out = join(temporaryFolder(), 'out');
    const { code, stderr } = await gradsim(['sweep', studyFile(1), '--out', out, '--queue', `${server.url}/99`]);
    expect(code).toBe(1);
    expect(stderr.join()).toMatch(/has no database 99: ERR DB index is out of range.*queue-address/);
    expect(await server.client.dbsize()).toBe(0);
    expect(existsSync(out)).toBe(false);
  });

  it('names a replica, which takes no writes', async () => {
    await server.client.replicaof('127.0.0.1', '1');
    try {
      const { code, stderr } = await gradsim(['worker', studyFile(1), '--queue', server.url]);
      expect(code).toBe(1);
      expect(stderr.join()).toMatch(/takes no writes: READONLY.*It is a replica.*queue-read-only/);
    } finally {
      await server.client.replicaof('NO', 'ONE');
    }
  });

  it('names a server whose memory is full within ten seconds, and goes on when there is room', async () => {
    await server.client.flushall();
    await server.client.config('SET', 'maxmemory', '1');
    const file = studyFile(2);
    const out = join(temporaryFolder(), 'out');
    const began = performance.now();
    let isNamed = 0;
    const run = gradsim(['sweep', file, '--out', out, '--quiet', '--queue', server.url], (line) => {
      if (/refuses commands: OOM/.test(line)) isNamed ||= performance.now() - began;
    });
    while (isNamed === 0) await after(20);
    expect(isNamed).toBeLessThan(10_000);
    await server.client.config('SET', 'maxmemory', '0');
    const working = worker(file);
    expect((await run).code).toBe(0);
    await endWorker(working);
    expect(linesOf(out)).toHaveLength(2);
  });
});

describe('a port that is no queue', () => {
  /** Servers that are none, and what is said of them. */
  const SERVERS: Readonly<Record<string, readonly [Readonly<Record<string, Reply>>, RegExp]>> = {
    'never answers': [{ '*': undefined, info: undefined }, /cannot be reached: it does not answer/],
    'answers the first commands alone': [{ set: undefined }, /cannot be reached: it does not answer/],
    'ends every connection': [{ '*': 'end', info: 'end' }, /cannot be reached: /],
    'speaks HTTP': [
      { '*': 'HTTP/1.1 400 Bad Request\r\n\r\n', info: 'HTTP/1.1 400\r\n\r\n' },
      /cannot be reached|queue/,
    ],
    'says which version it has not': [{ info: bulk('nothing') }, /does not say which version of Redis it is/],
    'is old': [{ info: bulk('redis_version:5.0.1\r\n') }, /is Redis 5\.0\.1, and 6\.2 is needed/],
    'drops keys': [
      { info: bulk('redis_version:7.0.0\r\nmaxmemory_policy:allkeys-lru\r\n') },
      /drops keys when its memory is full/,
    ],
    'has no such database': [{ select: '-ERR invalid DB index\r\n' }, /has no database 0: ERR invalid DB index/],
    'takes no writes': [{ set: "-READONLY You can't write against a read only replica.\r\n" }, /takes no writes/],
    'permits nothing': [{ set: '-NOPERM this user has no permissions\r\n' }, /refuses/],
  };
  /** Programs that use a queue, with their options. */
  const PROGRAMS = { worker: () => [], sweep: () => ['--out', join(temporaryFolder(), 'out')] };
  for (const [what, [replies, said]] of Object.entries(SERVERS))
    it(`is named within ten seconds by a worker and by a sweep if it ${what}`, async () => {
      const { url, stop } = await fakeRedis(replies);
      const began = performance.now();
      try {
        const runs = Object.entries(PROGRAMS).map(([program, options]) =>
          gradsim([program, studyFile(1), ...options(), '--queue', url]),
        );
        for (const { code, stderr } of await Promise.all(runs)) {
          expect(code).toBe(1);
          expect(stderr.at(-1)).toMatch(said);
          expect(stderr.at(-1)).toMatch(/\[gradsim\/queue-/);
        }
        expect(performance.now() - began).toBeLessThan(15_000);
      } finally {
        stop();
      }
    });
});

it('is named once by a sweep, in a sentence, if its replies are no replies of Redis', async () => {
  const { url, stop } = await fakeRedis({});
  try {
    const run = gradsim(['sweep', studyFile(1), '--out', join(temporaryFolder(), 'out'), '--queue', url], (line) => {
      if (/^The queue /.test(line)) setTimeout(() => process.emit('SIGTERM'), 3000);
    });
    const { stderr } = await run;
    expect(stderr.filter((line) => /^The queue /.test(line))).toEqual([
      `The queue ${url} refuses commands: its replies are not those of Redis. It is tried again.`,
    ]);
    expect(stderr.at(-2)).toMatch(/^1 trials are left/);
  } finally {
    stop();
  }
});

it('leaves no timer that would hold the process of a worker whose server ends connections', async () => {
  const timers = new Map<number, NodeJS.Timeout>();
  const hook = createHook({
    init: (id, type, _, timer) => void (type === 'Timeout' && timers.set(id, timer as NodeJS.Timeout)),
    destroy: (id) => void timers.delete(id),
  }).enable();
  const { url, stop } = await fakeRedis({ evalsha: 'end' });
  try {
    const run = gradsim(['worker', studyFile(1), '--out', temporaryFolder(), '--queue', url], (line) => {
      if (/^Taking trials/.test(line)) setTimeout(() => process.emit('SIGTERM'), 1500);
    });
    expect((await run).code).toBe(0);
    const holding = (): number => [...timers.values()].filter((timer) => timer.hasRef()).length;
    for (let k = 0; k < 100 && holding() > 0; k++) await after(50, undefined, { ref: false });
    expect(holding()).toBe(0);
  } finally {
    hook.disable();
    stop();
  }
});

it('takes all that opens a queue out of the environment of trials', () => {
  const environment = {
    [USER]: 'me',
    [PASSWORD]: 'secret',
    npm_lifecycle_script: 'gradsim sweep a.ts --queue rediss://me:secret@10.0.0.5:6379 --out out',
    PATH: '/bin',
    QUEUE: 'redis://10.0.0.5',
  };
  expect(environmentOfTrials(environment)).toEqual({ PATH: '/bin', QUEUE: 'redis://10.0.0.5' });
});
