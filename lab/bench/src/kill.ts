// Whether a run can be ended at any moment and gone on with: estimates of three stages that are sent SIGINT, SIGTERM or
// SIGKILL at random moments, again and again, until one comes to its end; its result against that of an undisturbed one.
// `--count` runs (default 100), every second one under `npm run`, as people start them. `--seed` repeats the moments as
// far as a machine repeats its times.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { randomNumbers } from '@gradsim/optim';
import { COMMAND } from './support/command.ts';
import { print } from './support/options.ts';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '100' }, seed: { type: 'string', default: '1' } },
});
const random = randomNumbers(Number(values.seed));
const experiment = fileURLToPath(new URL('./kill/three-stages.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'gradsim-kill-'));
writeFileSync(
  join(folder, 'package.json'),
  JSON.stringify({ private: true, scripts: { gradsim: `node ${JSON.stringify(COMMAND)}` } }),
);

/** Starts the gradsim command, directly or by `npm run`, as leader of its own process group. */
function start(args: readonly string[], isNpm: boolean): ChildProcess {
  const [file, all] = isNpm ? ['npm', ['run', '-s', 'gradsim', '--', ...args]] : [process.execPath, [COMMAND, ...args]];
  return spawn(file as string, all as string[], { cwd: folder, stdio: 'ignore', detached: true });
}

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });

/** Ids of the running processes that have the folder among their arguments. */
const left = (out: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(out);
      } catch {
        return false;
      }
    })
    .map(Number);

/**
 * Waits until all processes of a run have ended, since npm may end before the processes that it started. Returns
 * whether they did within 20 s.
 */
async function noneLeft(out: string): Promise<boolean> {
  for (let waited = 0; waited < 20_000; waited += 100) {
    if (left(out).length === 0) return true;
    await after(100);
  }
  return false;
}

/** Content of `result.json` without durations, which differ between runs. */
const resultOf = (out: string): string =>
  JSON.stringify(
    JSON.parse(readFileSync(join(out, 'result.json'), 'utf8'), (key, value) =>
      /^(seconds|compileSeconds)$/.test(key) ? undefined : value,
    ),
  );

const first = (out: string): string[] => [
  'estimate',
  experiment,
  '--device',
  'cpu',
  '--threads',
  '1',
  '--out',
  out,
  '--quiet',
];

const whole = join(folder, 'whole');
const began = performance.now();
await ended(start(first(whole), false));
const took = performance.now() - began;
const expected = resultOf(whole);

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGKILL'] as const;
const counts = { identical: 0, orphans: 0, leftovers: 0 };
const count = Number(values.count);
for (let run = 0; run < count; run++) {
  const out = join(folder, `run-${run}`);
  const isNpm = run % 2 === 1;
  const sent: string[] = [];
  let hasOrphan = false;
  for (;;) {
    const hasRun = existsSync(join(out, 'run.json'));
    const isDone = !hasRun && existsSync(join(out, 'result.json'));
    if (isDone) break;
    const child = start(hasRun ? ['estimate', '--resume', out, '--quiet'] : first(out), isNpm);
    // After some signals it is left alone.
    if (sent.length < 4) {
      await Promise.race([ended(child), after(took * (0.1 + 1.1 * random()))]);
      if (child.exitCode === null && child.signalCode === null) {
        const signal = SIGNALS[Math.floor(random() * SIGNALS.length)];
        // SIGTERM goes to the process that was started alone, the others to all of its group, as from a terminal.
        const target = signal === 'SIGTERM' ? child.pid! : -child.pid!;
        try {
          process.kill(target, signal);
          sent.push(signal);
          if (signal === 'SIGINT' && random() < 0.5) {
            await after(100 + 350 * random());
            process.kill(target, signal);
            sent.push(signal);
          }
        } catch {
          // It has just come to its end.
        }
      }
    }
    await ended(child);
    hasOrphan ||= !(await noneLeft(out));
    for (const pid of left(out)) process.kill(pid, 'SIGKILL');
  }
  const isIdentical = resultOf(out) === expected;
  const files = readdirSync(out).sort();
  const isClean = files.join() === 'report.html,result.json';
  if (isIdentical) counts.identical++;
  if (hasOrphan) counts.orphans++;
  if (!isClean) counts.leftovers++;
  if (!isIdentical || hasOrphan || !isClean) print({ bench: 'kill', run, isNpm, sent, isIdentical, hasOrphan, files });
  rmSync(out, { recursive: true });
}
const beside = readdirSync(folder).filter((name) => !['package.json', 'whole'].includes(name));
print({
  bench: 'kill',
  count,
  seed: Number(values.seed),
  ...counts,
  beside,
  undisturbedSeconds: took / 1000,
});
rmSync(folder, { recursive: true });
process.exitCode = counts.identical === count && counts.orphans + counts.leftovers + beside.length === 0 ? 0 : 1;
