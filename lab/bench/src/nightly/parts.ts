import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { randomNumbers } from '@gradsim/base';
import { ROOT } from '../support/root.ts';
import { endsWithin, type OnFailure, runTestFiles, type TestCounts } from '../support/tests.ts';

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

/** Runs the tests of a folder with their many draws, and returns their counts; null if `seconds` were too few for them. */
export function runTests(
  folder: string,
  seed: number,
  seconds: number,
  onFailure: OnFailure,
): Promise<TestCounts | null> {
  const env = { GRADSIM_NIGHTLY: '1', SEED: `${seed}` };
  return runTestFiles([`${folder}/test/`], { env, seconds, onFailure });
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
  const [isLate, printed] = await Promise.all([endsWithin(seconds, child), text(child.stdout!)]);
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
  const program = join(ROOT, 'scripts/pack/outsiders.js');
  const child = spawn(process.execPath, [program], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  const [isLate, printed] = await Promise.all([endsWithin(seconds, child), text(child.stdout!)]);
  if (isLate) return 0;
  if (child.exitCode !== 0) onFailure({ of: 'outsiders', exitCode: child.exitCode, again: 'npm run -s outsiders' });
  return printed.split('\n').filter((line) => line.startsWith('{')).length;
}
