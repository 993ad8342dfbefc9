import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { RedisServer } from '../../sweep/redis.ts';
import type { Draw } from '../draw.ts';
import type { Case, CaseOutcome, Kind } from '../kind.ts';
import { replaceWord } from '../mutate.ts';
import { gradsim, inFolder } from '../write/in-process.ts';

/** Jobs and results that others write into the queue of a sweep; its lines must be those of its own trials. */
export const forgeries: Kind = { name: 'forgeries', limit: 90, draw };

const TRIALS = 3;
const STUDY = `export default { trials: Array.from({ length: ${TRIALS} }, (_, k) => ({ x: k + 1 })), run: ({ x }) => ({ value: 1 / x }) };`;

let server: Promise<RedisServer> | undefined;
/** A server that goes on for all cases of this process. */
function started(): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'gradsim-fuzz-redis-'));
  server ??= RedisServer.start(folder);
  process.once('exit', () => {
    void server?.then((running) => running.stop());
    rmSync(folder, { recursive: true, force: true });
  });
  return server;
}
const redis = (url: string, ...args: string[]): string =>
  execFileSync('redis-cli', ['-u', url, '--raw', ...args], { encoding: 'utf8' }).trimEnd();

/** A result as a worker gives it, for the trial x = 7, which there is none of. */
const FORGED_RESULT = JSON.stringify({
  attempts: 1,
  ended: {
    status: 'done',
    result: { value: 7 },
    summary: { value: 7 },
    cost: { seconds: 1, cpuSeconds: 1, megabytes: 1 },
  },
  machine: 'forger',
});
const ODD_CONTENTS = [
  '',
  '{',
  'null',
  '[]',
  '7',
  '"x"',
  '{"a":'.repeat(3000),
  '[]'.repeat(2),
  '\u0000',
  '{"__proto__":{}}',
  'é',
];

const hasServer = spawnSync('redis-server', ['--version']).status === 0;

async function draw(random: Draw): Promise<Case> {
  if (!hasServer) {
    console.error('redis-server is not installed, so nothing is forged.');
    return { about: 'no redis-server', expected: 'valid', read: async () => ({ what: 'accepted', isSame: true }) };
  }
  const field = random.pick([
    'data',
    'opts',
    'name',
    'atm',
    'ats',
    'stc',
    'priority',
    'timestamp',
    'returnvalue',
    'failedReason',
  ]);
  const odd = random.chance(0.5) ? random.pick(ODD_CONTENTS) : undefined;
  const isEnd = field === 'returnvalue' || field === 'failedReason';
  const from = field === 'returnvalue' ? FORGED_RESULT : field === 'failedReason' ? 'refused: no' : '';
  return {
    about: `${field}: ${odd === undefined ? 'changed' : JSON.stringify(odd.slice(0, 30))}`,
    expected: 'valid',
    read: () =>
      outcomeOfForgery(field, isEnd, (text) =>
        (odd ?? replaceWord(text || from || '{"a":1}', random).text).replaceAll('\0', '?'),
      ),
  };
}

async function outcomeOfForgery(field: string, isEnd: boolean, change: (text: string) => string): Promise<CaseOutcome> {
  const { url } = await started();
  redis(url, 'flushall');
  return inFolder({ 'study.mjs': STUDY }, async (folder) => {
    const sweep = gradsim([
      'sweep',
      join(folder, 'study.mjs'),
      '--out',
      join(folder, 'out'),
      '--quiet',
      '--queue',
      url,
    ]);
    const jobs = (): string[] =>
      redis(url, 'keys', 'bull:*')
        .split('\n')
        .filter((key) => /:[0-9a-f]{12}-[0-9a-f]{20}$/.test(key));
    while (jobs().length < TRIALS) await after(30);
    const [key] = jobs().sort();
    const [queue, id] = [key.slice(0, key.lastIndexOf(':')), key.slice(key.lastIndexOf(':') + 1)];
    const forged = change(isEnd ? '' : redis(url, 'hget', key, field));
    if (isEnd) redis(url, 'lrem', `${queue}:wait`, '0', id);
    redis(url, 'hset', key, field, forged);
    if (isEnd)
      redis(url, 'zadd', `${queue}:${field === 'returnvalue' ? 'completed' : 'failed'}`, String(Date.now()), id);
    const worker = gradsim([
      'worker',
      join(folder, 'study.mjs'),
      '--out',
      join(folder, 'w'),
      '--queue',
      url,
      '--lease',
      '1s',
      '--memory-limit',
      '4000',
      '--concurrency',
      '1',
    ]);
    const { code, err } = await sweep;
    process.emit('SIGTERM');
    await worker;
    if (/\bat .*:\d+:\d+\)?$/m.test(err)) return { what: 'broke', message: `a stack is printed: ${err}` };
    if (code !== 0) return { what: 'broke', message: `exit code ${code}: ${err}` };
    const lines = readFileSync(join(folder, 'out/results.jsonl'), 'utf8').trim().split('\n');
    const isOwn = (line: string): boolean => {
      const { settings, ended } = JSON.parse(line);
      return ended.status === 'done' && ended.result.value === 1 / settings.x;
    };
    // A result in the right form is one, whoever wrote it: then it is the forger's, and that may be.
    const isForgers = isEnd && lines.some((line) => line.includes('"forger"'));
    if (lines.length === TRIALS && (isForgers || lines.every(isOwn))) return { what: 'accepted', isSame: true };
    return { what: 'broke', isSilent: true, message: `the lines are ${lines.join(' ')}; ${err}` };
  });
}
