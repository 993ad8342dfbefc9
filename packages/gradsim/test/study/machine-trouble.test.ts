import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ResultsFile } from '../../src/study/results/results-file.ts';
import { isMachineTrouble } from '../../src/trials/machine-trouble.ts';
import { gradsim, temporaryFolder } from '../support.ts';

/** Ways in which a machine fails a trial, as code of its `run`. */
const TROUBLES: Readonly<Record<string, string>> = {
  'a full disk': "throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })",
  'a full disk behind another error':
    "throw new Error('lost', { cause: Object.assign(new Error('x'), { code: 'ENOSPC' }) })",
  'too little memory': "throw Object.assign(new Error('x'), { code: 'ENOMEM' })",
  'an allocation that fails': "throw new RangeError('Array buffer allocation failed')",
  'a kill': "process.kill(process.pid, 'SIGKILL')",
};

for (const [name, code] of Object.entries(TROUBLES))
  it(`${name} is no result, and the trial runs again when the study is continued`, async () => {
    const folder = temporaryFolder();
    const [file, flag, out] = ['study.mjs', 'trouble', 'out'].map((each) => join(folder, each));
    writeFileSync(
      file,
      `import { existsSync } from 'node:fs';
export default { trials: [1, 2, 3].map((x) => ({ x })), run: ({ x }) => {
  if (x === 2 && existsSync(${JSON.stringify(flag)})) ${code};
  return { x };
} };`,
    );
    writeFileSync(flag, '');
    const sweep = () => gradsim(['sweep', file, '--out', out, '--workers', '1', '--quiet']);
    const linesOf = () =>
      readFileSync(join(out, 'results.jsonl'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).settings.x);
    const first = await sweep();
    expect(first.code).toBe(5);
    expect(linesOf()).toEqual([1, 3]);
    expect(first.stderr.join('\n')).toMatch(
      /1 trials have no result, since their machine failed them: .*The same command tries/,
    );
    rmSync(flag);
    expect((await sweep()).code).toBe(0);
    expect(linesOf().sort()).toEqual([1, 2, 3]);
  });

it('no more trials begin after twenty that the machine fails', async () => {
  const folder = temporaryFolder();
  const [file, out, log] = ['study.mjs', 'out', 'log'].map((each) => join(folder, each));
  writeFileSync(
    file,
    `import { appendFileSync } from 'node:fs';
export default { trials: Array.from({ length: 60 }, (_, x) => ({ x })), run: ({ x }) => {
  appendFileSync(${JSON.stringify(log)}, '.');
  throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
} };`,
  );
  const { code, stderr } = await gradsim(['sweep', file, '--out', out, '--workers', '1', '--attempts', '1', '--quiet']);
  expect(code).toBe(5);
  expect(readFileSync(log, 'utf8').length).toBeLessThan(25);
  expect(stderr.join('\n')).toMatch(/60 trials are left/);
});

it('a file that is not there is the fault of the machine where a folder of the study is gone, and else of the trial', () => {
  const folder = temporaryFolder();
  const missing = Object.assign(new Error('x'), { code: 'ENOENT' });
  expect(isMachineTrouble(missing, [folder])).toBe(false);
  expect(isMachineTrouble(missing, [folder, join(folder, 'data')])).toBe(true);
  for (const other of [new Error('x'), undefined, null, 'ENOSPC', Object.assign(new Error('x'), { code: 28 })])
    expect(isMachineTrouble(other, [])).toBe(false);
  const loop: { cause?: unknown } = {};
  loop.cause = loop;
  expect(isMachineTrouble(loop, [])).toBe(false);
});

it('results whose folder is removed while a study runs are not lost in silence', async () => {
  const folder = join(temporaryFolder(), 'out');
  mkdirSync(folder);
  const path = join(folder, 'results.jsonl');
  let failure: Error | undefined;
  const results = new ResultsFile(path, (error) => {
    failure = error;
  });
  const ended = { status: 'failed', reason: 'error', message: '', cost: {} } as const;
  results.add({ id: 'a', settings: {}, attempts: 1, ended });
  rmSync(folder, { recursive: true });
  await expect(results.close()).rejects.toThrowCode('gradsim/file-unwritable');
  expect(failure).toBeDefined();
  expect(existsSync(path)).toBe(false);
});
