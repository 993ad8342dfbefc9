// Runs test files, and prints the counts of their tests as a line of JSON, after one for each that failed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { print } from '../support/options.ts';
import { ROOT } from '../support/root.ts';

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const folder = mkdtempSync(join(tmpdir(), 'gradsim-gpu-'));
try {
  const file = join(folder, 'tests.json');
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--silent', '--reporter=json', `--outputFile=${file}`, ...process.argv.slice(2)];
  spawnSync(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
  const report: Report = JSON.parse(readFileSync(file, 'utf8'));
  for (const { name, assertionResults } of report.testResults)
    for (const { fullName, status, failureMessages } of assertionResults)
      if (status === 'failed') print({ file: name, failed: fullName, message: failureMessages[0]?.slice(0, 1000) });
  const { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped } = report;
  print({ passed, failed, skipped });
  process.exitCode = failed > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true });
}
