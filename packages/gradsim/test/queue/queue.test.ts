import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD } from '../../src/study/processes/secrets.ts';
import type { Outcome } from '../../src/study/results/outcome.ts';
import { gradsim, type Run, temporaryFolder } from '../support.ts';
import { freePort, noServer, TestServer } from './server.ts';

const ODD = fileURLToPath(new URL('../fixtures/odd-trials.ts', import.meta.url));
const SECRET = 'not-for-anyone';

const linesOf = (folder: string): Outcome[] =>
  readFileSync(join(folder, 'results.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Outcome);

/** Results of a folder by trial id, without the cost, which differs between runs. */
const resultsOf = (folder: string): object =>
  Object.fromEntries(
    linesOf(folder).map(({ id, settings, attempts, ended: { cost: _, ...ended } }) => [
      id,
      { settings, attempts, ended },
    ]),
  );

/** Writes a study with this number of trials into a file, and returns its path. */
function studyFile(trials: number, run = '({ value: 1 / x })', folder = temporaryFolder()): string {
  const file = join(folder, 'study.ts');
  const text = `const trials = Array.from({ length: ${trials} }, (_, k) => ({ x: k + 1 }));`;
  writeFileSync(file, `${text}\nexport default { trials, run: async ({ x }, context) => ${run} };`);
  return file;
}

if (noServer) console.warn(noServer);

describe.skipIf(noServer !== undefined)('gradsim sweep --queue', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.start(SECRET);
  });
  afterAll(() => server.stop());

  const withPassword = (args: readonly string[], onSay?: (line: string) => void): Promise<Run> => {
    process.env[PASSWORD] = SECRET;
    return gradsim([...args, '--queue', server.url], onSay);
  };
  const sweep = (file: string, out: string, ...more: string[]): Promise<Run> =>
    withPassword(['sweep', file, '--out', out, ...more]);
  /** Starts a worker; `end` sends SIGTERM to this process, in which only the worker may then listen for it. */
  async function startWorker(...args: string[]): Promise<{ run: Promise<Run>; end: () => Promise<Run> }> {
    let isReady = (): void => {};
    const ready = new Promise<void>((settle) => {
      isReady = settle;
    });
    const out = args.includes('--out') ? [] : ['--out', temporaryFolder()];
    const options = ['--concurrency', '2', '--lease', '2', '--memory-limit', '4000'];
    const run = withPassword(['worker', ...args, ...out, ...options], (line) => line.startsWith('Taking') && isReady());
    await Promise.race([ready, run]);
    return {
      run,
      end: () => {
        process.emit('SIGTERM');
        return run;
      },
    };
  }

  it('gives the results, files, retries and failures of a sweep without a queue, and writes no password', async () => {
    const [pool, out] = [join(temporaryFolder(), 'pool'), join(temporaryFolder(), 'queue')];
    const given = ['--set', 'count=5', '--set', 'ways=returns,throws,is killed,exits once', '--quiet'];
    expect((await gradsim(['sweep', ODD, '--out', pool, '--workers', '2', ...given])).code).toBe(5);
    const worker = await startWorker(ODD, '--out', out);
    const { code, stdout, stderr } = await sweep(ODD, out, ...given, '--json');
    expect(code).toBe(5);
    const ended = await worker.end();
    expect(ended.code).toBe(0);
    expect(ended.stderr.at(-1)).toMatch(/^Ran 8 trials, 2 of which failed/);
    expect(JSON.parse(stdout[0])).toMatchObject({ trials: 8, failed: 2 });
    expect(resultsOf(out)).toEqual(resultsOf(pool));
    expect(new Set(linesOf(out).map(({ from }) => from?.machine))).toEqual(new Set([hostname()]));
    const filesIn = (folder: string): string[] => readdirSync(join(folder, 'trials')).sort();
    expect(filesIn(out)).toEqual(filesIn(pool));
    const written = readdirSync(out, { withFileTypes: true }).filter((entry) => entry.isFile());
    const texts = written.map(({ name }) => readFileSync(join(out, name), 'utf8'));
    expect([...texts, ...stderr, ...stdout, ...ended.stderr].join('\n')).not.toContain(SECRET);
    expect(process.env[PASSWORD]).toBeUndefined();
  });

  it('resumes after SIGINT, and queues trials again that an emptied server lost', async () => {
    const file = studyFile(40, 'new Promise((settle) => setTimeout(settle, 50, { value: Math.sin(x) }))');
    const out = join(temporaryFolder(), 'out');
    const first = withPassword(['sweep', file, '--out', out], (line) => {
      // No worker is there yet.
      if (line.startsWith('No worker takes')) process.emit('SIGINT');
    });
    const { code, stderr } = await first;
    expect(code).toBe(130);
    expect(stderr.join('\n')).toMatch(/Workers go on with what is queued.*\n40 trials are left/s);
    const worker = await startWorker(file);
    const again = sweep(file, out, '--quiet');
    while (!existsSync(join(out, 'results.jsonl')) || readFileSync(join(out, 'results.jsonl')).length === 0)
      await after(20);
    await server.client.flushall();
    expect((await again).code).toBe(0);
    await worker.end();
    const lines = linesOf(out);
    expect(lines.map(({ settings }) => (settings as { x: number }).x).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 40 }, (_, k) => k + 1),
    );
    for (const { settings, ended } of lines)
      expect(ended).toMatchObject({ status: 'done', result: { value: Math.sin((settings as { x: number }).x) } });
    // Nothing of a finished study waits.
    const keys = await server.client.keys('*');
    expect(keys.filter((key) => /:study:|completed|failed|wait$|-[0-9a-f]{20}$/.test(key))).toEqual([]);
  });

  it('lets a worker end on SIGTERM after its running trials, and keeps their results for the next sweep', async () => {
    const log = join(temporaryFolder(), 'log');
    const write = (what: string): string => `(await import("node:fs")).appendFileSync("${log}", "${what}\\n")`;
    const wait = 'await new Promise((settle) => setTimeout(settle, 700))';
    const file = studyFile(6, `{ ${write('begin')}; ${wait}; ${write('end')}; return { x }; }`);
    const out = join(temporaryFolder(), 'out');
    const count = (what: string): number => readFileSync(log, 'utf8').split(what).length - 1;
    const worker = await startWorker(file);
    const first = sweep(file, out, '--quiet');
    while (!existsSync(log)) await after(20);
    // This process is the sweep's, too.
    const { code, stderr } = await worker.end();
    expect(code).toBe(0);
    expect(count('begin')).toBe(count('end'));
    expect(stderr.at(-1)).toBe(`Ran ${count('end')} trials, 0 of which failed.`);
    expect((await first).code).toBe(143);
    const again = await startWorker(file);
    expect((await sweep(file, out, '--quiet')).code).toBe(0);
    await again.end();
    expect(linesOf(out)).toHaveLength(6);
  });

  it('refuses a worker with other code or data, naming what differs, and a second sweep into the same folder', async () => {
    const file = studyFile(2, '({ text: (await import("node:fs")).readFileSync(context.data + "/a.txt", "utf8"), x })');
    const [data, other] = [temporaryFolder(), temporaryFolder()];
    for (const folder of [data, other]) mkdirSync(join(folder, 'below'));
    for (const folder of [data, other]) writeFileSync(join(folder, 'a.txt'), 'salt');
    writeFileSync(join(other, 'below', 'b.txt'), 'more');
    const out = join(temporaryFolder(), 'out');
    const running = sweep(file, out, '--data', data, '--quiet');
    while ((await server.client.keys('gradsim:study:*')).length === 0) await after(20);
    const wrongData = await withPassword(['worker', file, '--data', other]);
    expect(wrongData.code).toBe(1);
    expect(wrongData.stderr.at(-1)).toMatch(/in another version: files in the folder of --data differ/);
    const changed = studyFile(3);
    const wrongCode = await withPassword(['worker', changed, '--data', data]);
    expect(wrongCode.code).toBe(1);
    expect(wrongCode.stderr.at(-1)).toMatch(/in another version: study\.ts differ.*\[gradsim\/study-changed\]/);
    // Two coordinators, one folder.
    const second = await sweep(file, out, '--data', data, '--quiet');
    expect(second.stderr.at(-1)).toMatch(/is in use by another run.*folder-locked/);
    const worker = await startWorker(file, '--data', data);
    expect((await running).code).toBe(0);
    await worker.end();
    expect(linesOf(out)[0].ended).toMatchObject({ result: { text: 'salt' } });
  });

  it('returns trials to the queue if the processes of their worker cannot load the study', async () => {
    const folder = temporaryFolder();
    const flag = join(folder, 'flag');
    const file = studyFile(6);
    const load = `import { existsSync } from 'node:fs';\nif (existsSync('${flag}')) throw new Error('The lamp went out.');`;
    writeFileSync(file, `${load}\n${readFileSync(file, 'utf8')}`);
    const out = join(folder, 'out');
    const running = sweep(file, out, '--quiet');
    while ((await server.client.keys('gradsim:study:*')).length === 0) await after(20);
    const broken = await withPassword(
      ['worker', file, '--out', folder, '--concurrency', '2'],
      (line) => line.startsWith('Taking') && writeFileSync(flag, ''),
    );
    expect(broken.code).toBe(1);
    expect(broken.stderr.at(-1)).toMatch(/study\.ts cannot be loaded: The lamp went out/);
    const atStart = await withPassword(['worker', file]);
    expect(atStart.stderr.at(-1)).toMatch(/study\.ts cannot be loaded: The lamp went out/);
    rmSync(flag);
    const worker = await startWorker(file);
    expect((await running).code).toBe(0);
    await worker.end();
    expect(linesOf(out).map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('refuses a server that is unreachable, refuses the password or drops keys, and invalid addresses, with the reason', async () => {
    const file = studyFile(1);
    const out = join(temporaryFolder(), 'out');
    const refused = async (url: string): Promise<string> => {
      const { code, stderr } = await gradsim(['sweep', file, '--out', out, '--queue', url]);
      expect(code).toBe(1);
      expect(existsSync(out)).toBe(false);
      return stderr.join('\n');
    };
    const address = `127.0.0.1:${server.port}`;
    expect(await refused(`redis://127.0.0.1:${await freePort()}`)).toMatch(/cannot be reached: nothing listens there/);
    expect(await refused(server.url)).toMatch(/refuses those who have no password.*queue-refused/s);
    const wrong = await refused(`redis://:wrong-secret@${address}`);
    expect(wrong).toMatch(/refuses this user and password.*queue-refused/s);
    expect(wrong).not.toContain('wrong-secret');
    expect(await refused(`redis://:${SECRET}@${address}/x`)).toMatch(/--queue has more behind the port/);
    expect(await refused(`http://${address}`)).toMatch(/--queue begins with http:\/\//);
    await server.client.config('SET', 'maxmemory-policy', 'allkeys-lru');
    try {
      expect(await refused(`redis://:${SECRET}@${address}`)).toMatch(/maxmemory-policy allkeys-lru.*queue-evicts/s);
    } finally {
      await server.client.config('SET', 'maxmemory-policy', 'noeviction');
    }
  });
});
