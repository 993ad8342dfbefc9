import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../src/study/results/outcome.ts';
import { gradsim, temporaryFolder } from '../support.ts';

const ODD = fileURLToPath(new URL('../fixtures/odd-trials.ts', import.meta.url));

const linesOf = (folder: string): Outcome[] =>
  readFileSync(join(folder, 'results.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Outcome);

/** Writes a study into a file, and returns its path. */
function studyFile(text: string): string {
  const file = join(temporaryFolder(), 'study.ts');
  writeFileSync(file, text);
  return file;
}

const TWO = 'export default { trials: [{ x: 1 }, { x: 2 }], run: ({ x }: { x: number }) => ({ square: x * x }) };';

describe('gradsim sweep', () => {
  it('records why a trial throws, crashes or exceeds the time limit, retries after the latter two, and finishes all others', async () => {
    const out = join(temporaryFolder(), 'odd');
    const limits = ['--time-limit', '2', '--workers', '2'];
    const { code, stdout } = await gradsim(['sweep', ODD, '--out', out, '--set', 'count=5', ...limits, '--json']);
    expect(code).toBe(5);
    const ended = Object.fromEntries(
      linesOf(out).map(({ settings, attempts, ended: { status, ...how } }) => {
        const { way, number } = settings as { way: string; number: number };
        const told = 'reason' in how ? `${how.reason}: ${how.message.split('\n')[0]}` : JSON.stringify(how.result);
        return [`${way} ${number}`, `${status} after ${attempts}, ${told}`];
      }),
    );
    expect(ended).toEqual({
      'returns 1': 'done after 1, {"half":0.5,"log":"attempt 1"}',
      'returns 2': 'done after 1, {"half":1,"log":"attempt 1"}',
      'returns 3': 'done after 1, {"half":1.5,"log":"attempt 1"}',
      'returns 4': 'done after 1, {"half":2,"log":"attempt 1"}',
      'returns 5': 'done after 1, {"half":2.5,"log":"attempt 1"}',
      'throws 1': 'failed after 1, error: The lamp went out.',
      'is killed 1': 'failed after 2, crash: The process of the trial ended by SIGSEGV.',
      'exits once 1': 'done after 2, {"half":0.5,"log":"attempt 2"}',
      'hangs 1': 'failed after 2, time limit: The trial took more than 2 s.',
      'returns a function 1': expect.stringMatching(/^failed after 1, error: The trial returns \[Function/),
    });
    expect(JSON.parse(stdout[0])).toMatchObject({
      trials: 10,
      failed: 4,
      reasons: { error: 2, crash: 1, 'time limit': 1 },
      medians: { half: 1.25 },
    });
    // Files of the finished trials, and no others.
    const done = linesOf(out).filter(({ ended: { status } }) => status === 'done');
    expect(readdirSync(join(out, 'trials')).sort()).toEqual(done.map(({ id }) => id).sort());
    expect(readFileSync(join(out, 'trials', done[0].id, 'way.txt'), 'utf8')).toBe('returns');
  });

  it('ends a trial that exceeds the memory limit, and records that', async () => {
    const out = join(temporaryFolder(), 'memory');
    const options = ['--set', 'ways=fills the memory', '--memory-limit', '300', '--attempts', '1', '--workers', '1'];
    expect((await gradsim(['sweep', ODD, '--out', out, ...options])).code).toBe(5);
    const [{ attempts, ended }] = linesOf(out);
    expect(attempts).toBe(1);
    expect(ended).toMatchObject({ reason: 'memory limit', message: 'The trial took more than 300 MB.' });
  });

  it('resumes: runs only trials without a complete result line, or added ones, and refuses a study with fewer', async () => {
    const folder = temporaryFolder();
    const out = join(folder, 'more');
    const log = join(folder, 'log');
    process.env.GRADSIM_TEST_LOG = log;
    const ran = (): string[] => readFileSync(log, 'utf8').trim().split('\n').splice(0);
    const sweep = (count: number) => [
      'sweep',
      ODD,
      '--out',
      out,
      '--workers',
      '1',
      '--set',
      'ways=returns',
      '--set',
      `count=${count}`,
    ];
    try {
      expect((await gradsim(sweep(4))).code).toBe(0);
      const file = join(out, 'results.jsonl');
      const before = readFileSync(file);
      const ids = linesOf(out).map(({ id }) => id);
      expect(ran()).toEqual(ids);
      // A crash in the middle of a line, and of a trial.
      truncateSync(file, before.length - 10);
      mkdirSync(join(out, 'trials', '.draft-of-a-crash'));
      writeFileSync(log, '');
      const again = await gradsim(sweep(4));
      expect(again.code).toBe(0);
      expect(again.stderr[0]).toMatch(/The last line of .* is cut off/);
      expect(ran()).toEqual(ids.slice(-1));
      expect(existsSync(join(out, 'trials', '.draft-of-a-crash'))).toBe(false);
      writeFileSync(log, '');
      expect((await gradsim(sweep(6))).code).toBe(0);
      expect(ran()).toEqual(
        linesOf(out)
          .map(({ id }) => id)
          .slice(4),
      );
      const fewer = await gradsim(sweep(3));
      expect(fewer.code).toBe(1);
      expect(fewer.stderr[0]).toMatch(/has results of 3 trials that this study has not/);
      expect(linesOf(out)).toHaveLength(6);
    } finally {
      delete process.env.GRADSIM_TEST_LOG;
    }
  });

  it.each([
    [
      'throws on load',
      'throw new Error("The lamp went out.");',
      /The study .*study\.ts cannot be loaded: The lamp went out/,
    ],
    ['exports nothing', 'export const x = 3;', /it exports no default/],
    ['has no function', 'export default { trials: [{}], run: 3 };', /`run` is 3, and must be a function/],
    [
      'has trials that are a text',
      'export default { trials: "a", run: () => 1 };',
      /`trials` is 'a', and must be a list/,
    ],
    [
      'returns no list',
      'export default { trials: () => 7, run: () => 1 };',
      /returns 7\. It must return a list of settings/,
    ],
    ['has no trials', 'export default { trials: [], run: () => 1 };', /The study has no trials/],
    ['has a number for settings', 'export default { trials: [3], run: () => 1 };', /settings of trial 1 are 3/],
    ['has NaN', 'export default { trials: [{}, { a: [{ b: NaN }] }], run: () => 1 };', /trial 2\.a\[0\]\.b is NaN/],
    ['has a class', 'export default { trials: [{ a: new Map() }], run: () => 1 };', /trial 1\.a is Map\(0\)/],
    [
      'has a trial twice',
      'export default { trials: [{ a: 1, b: 2 }, { b: 2, a: 1 }], run: () => 1 };',
      /Trials 1 and 2 have the same settings/,
    ],
    [
      'throws in its trials',
      'export default { *trials() { yield { a: 1 }; throw new Error("No more."); }, run: () => 1 };',
      /No more\./,
    ],
  ])('refuses a study that %s, saying so, and creates no folder', async (_, text, message) => {
    const out = join(temporaryFolder(), 'out');
    const { code, stderr } = await gradsim(['sweep', studyFile(text), '--out', out]);
    expect(code).toBe(1);
    expect(stderr.join('\n')).toMatch(message);
    expect(existsSync(out)).toBe(false);
  });

  it('refuses a folder with another version of the study, or with other files, and changes nothing there', async () => {
    const file = studyFile(TWO);
    const out = join(temporaryFolder(), 'out');
    const sweep = ['sweep', file, '--out', out, '--workers', '1'];
    expect((await gradsim(sweep)).code).toBe(0);
    const results = readFileSync(join(out, 'results.jsonl'), 'utf8');
    writeFileSync(file, TWO.replace('x * x', 'x * x * 1'));
    const { code, stderr } = await gradsim(sweep);
    expect(code).toBe(1);
    expect(stderr[0]).toMatch(/has results of another study, or of another version of it: .*study\.ts differ/);
    expect(readFileSync(join(out, 'results.jsonl'), 'utf8')).toBe(results);
    const diary = temporaryFolder();
    writeFileSync(join(diary, 'diary.txt'), 'page 1');
    const other = await gradsim(['sweep', file, '--out', diary, '--workers', '1']);
    expect(other.stderr[0]).toMatch(/holds diary\.txt and no study/);
    expect(readdirSync(diary)).toEqual(['diary.txt']);
  });

  it('refuses a damaged results file, naming the line, and leaves it unchanged', async () => {
    const out = join(temporaryFolder(), 'out');
    const sweep = ['sweep', studyFile(TWO), '--out', out, '--workers', '1'];
    expect((await gradsim(sweep)).code).toBe(0);
    const file = join(out, 'results.jsonl');
    const damaged = `{"id": 3}\n${readFileSync(file, 'utf8')}`;
    writeFileSync(file, damaged);
    expect((await gradsim(sweep)).stderr.join()).toMatch(/Line 1 of .*results\.jsonl is no result of a trial/);
    expect(readFileSync(file, 'utf8')).toBe(damaged);
  });

  it('ends with exit code 1 and the reason if a trial process cannot load the study', async () => {
    const flag = join(temporaryFolder(), 'flag');
    const text = `import { existsSync, writeFileSync } from 'node:fs';
      if (existsSync(${JSON.stringify(flag)})) throw new Error('Only once.');
      writeFileSync(${JSON.stringify(flag)}, '');\n${TWO}`;
    const { code, stderr } = await gradsim(['sweep', studyFile(text), '--out', join(temporaryFolder(), 'out')]);
    expect(code).toBe(1);
    expect(stderr.at(-1)).toMatch(/cannot be loaded: Only once/);
  });
});
