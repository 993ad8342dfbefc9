import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { randomNumbers } from '@gradsim/base';
import { ROOT } from '../support/root.ts';

/** Called for each failure, with the command that repeats it. */
export type OnFailure = (line: Readonly<Record<string, unknown>>) => void;

/** Folders of the workspace that have tests, in an order drawn by a seed. */
export function testedFolders(seed: number): string[] {
  const folders = ['packages', 'apps', 'lab'].flatMap((group) =>
    readdirSync(join(ROOT, group))
      .map((name) => `${group}/${name}`)
      .filter((folder) => existsSync(join(ROOT, folder, 'test'))),
  );
  const random = randomNumbers(seed);
  return ['scripts', ...folders]
    .map((folder) => ({ folder, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ folder }) => folder);
}

/** Ends a program of its own after so many seconds. Returns whether it was ended. */
async function within(seconds: number, child: ChildProcess): Promise<boolean> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill('SIGTERM');
  }, seconds * 1000);
  await once(child, 'close');
  clearTimeout(timer);
  return isLate;
}

interface TestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** Runs the tests of a folder with their many draws, and returns their counts; null if `seconds` were too few for them. */
export async function runTests(
  folder: string,
  seed: number,
  seconds: number,
  onFailure: OnFailure,
): Promise<{ passed: number; failed: number; skipped: number } | null> {
  const place = mkdtempSync(join(tmpdir(), 'gradsim-nightly-'));
  const report = join(place, 'tests.json');
  try {
    const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
    const args = ['run', '--silent', '--reporter=json', `--outputFile=${report}`, `${folder}/test/`];
    const env = { ...process.env, GRADSIM_NIGHTLY: '1', SEED: `${seed}` };
    const child = spawn(process.execPath, [vitest, ...args], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (await within(seconds, child)) return null;
    const again = `GRADSIM_NIGHTLY=1 SEED=${seed} npx vitest run`;
    if (!existsSync(report)) {
      onFailure({ tests: folder, message: 'The tests gave no report.', again: `${again} ${folder}/test/` });
      return { passed: 0, failed: 1, skipped: 0 };
    }
    const found = JSON.parse(readFileSync(report, 'utf8')) as TestReport;
    let failed = 0;
    for (const { name, status, message, assertionResults } of found.testResults) {
      if (status !== 'failed') continue;
      const file = relative(ROOT, name);
      const wrong = assertionResults.filter((test) => test.status === 'failed');
      failed += Math.max(wrong.length, 1);
      for (const { title, failureMessages } of wrong)
        onFailure({ file, test: title, message: failureMessages[0]?.split('\n')[0], again: `${again} ${file}` });
      if (wrong.length === 0) onFailure({ file, message, again: `${again} ${file}` });
    }
    if (child.exitCode !== 0 && failed === 0) {
      failed++;
      onFailure({ tests: folder, message: 'An error outside of tests.', again: `${again} ${folder}/test/` });
    }
    return { passed: found.numPassedTests, failed, skipped: found.numPendingTests };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Cases of a benchmark: `count` of the series of a seed, from one on. */
export interface Cases {
  readonly seed: number;
  readonly from: number;
  readonly count: number;
}

/** Runs cases of a benchmark of this folder, and returns their number; 0 if `seconds` were too few for them. */
export async function runCases(name: string, cases: Cases, seconds: number, onFailure: OnFailure): Promise<number> {
  const args = Object.entries(cases).flatMap(([option, value]) => [`--${option}`, `${value}`]);
  const program = fileURLToPath(new URL(`../${name}.js`, import.meta.url));
  const child = spawn(process.execPath, [program, ...args], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  const [isLate, printed] = await Promise.all([within(seconds, child), text(child.stdout!)]);
  const lines = printed.split('\n').filter((line) => line.startsWith('{'));
  const findings = lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ again, verdict }) => again !== undefined && verdict !== 'undecided');
  for (const finding of findings) onFailure({ ...finding, of: name });
  if (isLate) return 0;
  if (child.exitCode !== 0 && findings.length === 0)
    onFailure({ of: name, exitCode: child.exitCode, again: `npm run -s bench -- ${name} ${args.join(' ')}` });
  return cases.count;
}

/** Runs all programs of outsiders, and returns their number; 0 if `seconds` were too few for them. */
export async function runOutsiders(seconds: number, onFailure: OnFailure): Promise<number> {
  const program = join(ROOT, 'scripts/outsiders.js');
  const child = spawn(process.execPath, [program], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  const [isLate, printed] = await Promise.all([within(seconds, child), text(child.stdout!)]);
  if (isLate) return 0;
  if (child.exitCode !== 0) onFailure({ of: 'outsiders', exitCode: child.exitCode, again: 'npm run -s outsiders' });
  return printed.split('\n').filter((line) => line.startsWith('{')).length;
}
