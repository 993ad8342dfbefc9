import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { ROOT } from './root.ts';

/** Called for each failure, with the command that repeats it. */
export type OnFailure = (line: Readonly<Record<string, unknown>>) => void;

/** Waits for a program to end, and ends it after so many seconds. Returns whether it was ended. */
export async function endsWithin(seconds: number, child: ChildProcess): Promise<boolean> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill('SIGTERM');
  }, seconds * 1000);
  await once(child, 'close');
  clearTimeout(timer);
  return isLate;
}

interface Report {
  readonly numPassedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Options of {@link runTestFiles}. */
export interface TestOptions {
  /** Variables of the environment beside those of this program. */
  readonly env: Readonly<Record<string, string>>;
  /** Time limit, s. */
  readonly seconds: number;
  readonly onFailure: OnFailure;
}

/** Runs the tests of files and folders, and returns their counts; null if `seconds` were too few for them. */
export async function runTestFiles(
  paths: readonly string[],
  { env, seconds, onFailure }: TestOptions,
): Promise<TestCounts | null> {
  const place = mkdtempSync(join(tmpdir(), 'gradsim-tests-'));
  const report = join(place, 'tests.json');
  try {
    const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
    const child = spawn(
      process.execPath,
      [vitest, 'run', '--silent', '--reporter=json', `--outputFile=${report}`, ...paths],
      { cwd: ROOT, env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit'] },
    );
    if (await endsWithin(seconds, child)) return null;
    const set = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const again = (file: string): string => [...set, 'npx vitest run', file].join(' ');
    const all = paths.join(' ');
    if (!existsSync(report)) {
      onFailure({ tests: all, message: 'The tests gave no report.', again: again(all) });
      return { passed: 0, failed: 1, skipped: 0 };
    }
    const { testResults, numPassedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8')) as Report;
    let failed = 0;
    for (const { name, status, message, assertionResults } of testResults) {
      if (status !== 'failed') continue;
      const file = relative(ROOT, name);
      const wrong = assertionResults.filter((test) => test.status === 'failed');
      failed += Math.max(wrong.length, 1);
      for (const { fullName, failureMessages } of wrong)
        onFailure({ file, test: fullName, message: failureMessages[0]?.slice(0, 1000), again: again(file) });
      if (wrong.length === 0) onFailure({ file, message, again: again(file) });
    }
    if (child.exitCode !== 0 && failed === 0) {
      failed++;
      onFailure({ tests: all, message: 'An error outside of tests.', again: again(all) });
    }
    return { passed: numPassedTests, failed, skipped: numPendingTests };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
