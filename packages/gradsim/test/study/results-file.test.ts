import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { ResultsFile, readResults } from '../../src/study/results/results-file.ts';
import { temporaryFolder } from '../support.ts';

const JITI = fileURLToPath(new URL('../../node_modules/jiti/lib/jiti-cli.mjs', import.meta.url));
const FIXTURE = fileURLToPath(new URL('../fixtures/results-file.ts', import.meta.url));
const ignore = (): void => {};
const outcome = (id: string) =>
  ({ id, settings: {}, attempts: 1, ended: { status: 'failed', reason: 'error', message: 'é', cost: {} } }) as const;

/** Writes a number of result lines with a file size limit of 16 kB. */
const writeLimited = (path: string, count: number): string =>
  spawnSync('bash', ['-c', `ulimit -f 16; exec "$@"`, 'bash', process.execPath, JITI, FIXTURE, path, String(count)], {
    encoding: 'utf8',
  }).stdout;

it.skipIf(process.platform === 'win32')('a results file keeps all lines before a write that fails', async () => {
  const path = join(temporaryFolder(), 'results.jsonl');
  expect(writeLimited(path, 20)).toBe('');
  const before = readFileSync(path, 'utf8');
  expect(writeLimited(path, 20 + 2000)).toMatch(/results\.jsonl cannot be written to: .*lines up to there are kept/);
  expect(readFileSync(path, 'utf8')).toBe(before);
  const results = new ResultsFile(path, ignore);
  expect(results.ids.size).toBe(20);
  results.add(outcome('another'));
  await results.close();
  const ids: string[] = [];
  readResults(path, ({ id }) => ids.push(id));
  expect(ids).toHaveLength(21);
});

it('a results file drops a truncated last line, within a character too, and refuses a repeated id', async () => {
  const path = join(temporaryFolder(), 'results.jsonl');
  const first = new ResultsFile(path, ignore);
  first.add(outcome('a'));
  await first.close();
  const whole = readFileSync(path);
  const line = Buffer.from(`${JSON.stringify(outcome('b'))}\n`);
  for (let length = 1; length < line.length; length++) {
    appendFileSync(path, line.subarray(0, length));
    const results = new ResultsFile(path, ignore);
    expect(results.remark).toMatch(/is cut off/);
    expect([...results.ids]).toEqual(['a']);
    await results.close();
    expect(readFileSync(path).equals(whole)).toBe(true);
  }
  appendFileSync(path, whole);
  expect(() => new ResultsFile(path, ignore)).toThrowCode('gradsim/results-damaged');
});

it.each(['../../elsewhere', 'a/b', 'a\\b', '', '.'])(
  'a results file with the id "%s", which names a folder, is refused',
  (id) => {
    const path = join(temporaryFolder(), 'results.jsonl');
    appendFileSync(path, `${JSON.stringify(outcome(id))}\n`);
    expect(() => readResults(path, ignore)).toThrowCode({
      code: 'gradsim/results-damaged',
      values: ['letters and digits'],
    });
  },
);

it('a results file is refused if it is a folder or a pipe', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'folder'));
  expect(() => new ResultsFile(join(folder, 'folder'), ignore)).toThrowCode({
    code: 'gradsim/file-unwritable',
    values: ['it is a folder'],
  });
  if (process.platform === 'win32') return;
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  expect(() => new ResultsFile(join(folder, 'pipe'), ignore)).toThrowCode('gradsim/not-a-file');
});
