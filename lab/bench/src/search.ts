// Where the time of an estimation goes: the processor time of `gradsim estimate EXPERIMENT`, from a profile of its main thread.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Part, Profile } from './search/parts.ts';
import { partsOf } from './search/parts.ts';
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
    .map((name) => partsOf(JSON.parse(readFileSync(join(folder, name), 'utf8')) as Profile))
    .sort((a, b) => b.seconds - a.seconds);
  const [{ seconds, parts }] = profiles;
  const rounded = Object.fromEntries(
    Object.entries(parts).map(([part, own]) => [part, Number(own.toFixed(3))]),
  ) as Record<Part, number>;
  // Of an estimation: what the command does besides, such as its report, is not in it.
  const estimation = seconds - parts.other;
  print({
    bench: 'search',
    experiment,
    seconds: Number(seconds.toFixed(3)),
    ...rounded,
    simulateShare: Number((parts.simulate / estimation).toFixed(3)),
    statisticsShare: Number((parts.statistics / estimation).toFixed(3)),
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
