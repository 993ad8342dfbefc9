// Where the time of an estimation goes: the processor time of `gradsim estimate EXPERIMENT`, from a profile of its main thread.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { sum } from '@gradsim/base';
import { partsOf } from './profile/parts.ts';
import { unbundled } from './profile/unbundled.ts';
import { print } from './support/options.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const { values } = parseArgs({
  options: {
    experiment: { type: 'string', default: 'apps/examples/src/toss.ts' },
    video: { type: 'string' },
    threads: { type: 'string' },
  },
});

const folder = mkdtempSync(join(tmpdir(), 'gradsim-search-'));
try {
  const { video, threads, experiment } = values;
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      '--cpu-prof',
      `--cpu-prof-dir=${folder}`,
      join(root, 'packages/gradsim/dist/main.js'),
      'estimate',
      experiment,
      '--out',
      join(folder, 'out'),
      ...(video ? ['--video', video] : []),
      ...(threads ? ['--threads', threads] : []),
    ],
    { cwd: root, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`gradsim estimate ${experiment} failed: ${stderr}`);
  // Worker threads write profiles of their own.
  const profiles = readdirSync(folder)
    .filter((name) => name.endsWith('.cpuprofile'))
    .map((name) => partsOf(unbundled(JSON.parse(readFileSync(join(folder, name), 'utf8')))))
    .map((parts) => ({ parts, seconds: sum(Object.values(parts)) - parts.waiting }))
    .sort((a, b) => b.seconds - a.seconds);
  const [{ seconds, parts }] = profiles;
  const { simulate, checkRuns, compare, statistics, compile, search, garbage } = parts;
  // What the command does besides, such as its report and reading the film, is not in it.
  const estimation = simulate + checkRuns + compare + statistics + compile + search + garbage;
  const rounded = (value: number): number => Number(value.toFixed(3));
  print({
    bench: 'search',
    experiment,
    seconds: rounded(seconds),
    estimation: rounded(estimation),
    ...Object.fromEntries(Object.entries(parts).map(([part, own]) => [part, rounded(own)])),
    simulateShare: rounded((simulate + checkRuns) / estimation),
    statisticsShare: rounded(statistics / estimation),
    statisticsWithRunsShare: rounded((statistics + checkRuns) / estimation),
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
