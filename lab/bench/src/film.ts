// Where the time of `gradsim estimate` goes for a ball in a film, `--film FILE`, of `--radius 0.1` m: the experiment that
// `gradsim new ball` writes for it, with `--chroma`, `--fieldOfView`, `--eye` and `--target` as there, run `--runs 3` times
// as a process of its own. Seconds of the clock by the whole command and peak memory, both without a profile, and the
// parts of the command's main thread by samples of one run more. What other processes decode is `waiting`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { median } from '@gradsim/base';
import { partsOf } from './profile/parts.ts';
import { unbundled } from './profile/unbundled.ts';
import { COMMAND } from './support/command.ts';
import { benchOptions, least, print } from './support/options.ts';

const MEASURED = ['radius', 'chroma', 'fieldOfView', 'eye', 'target'] as const;

const options = await benchOptions(['film', 'runs', ...MEASURED]);
const film = resolve(options.text('film', '../shared/data/films/bounce.mp4'));
const runs = options.number('runs', 3);
const folder = mkdtempSync(join(tmpdir(), 'gradsim-film-'));

/** Runs the command and measures its wall-clock time, s. @throws if it fails. */
function run(node: readonly string[], args: readonly string[]): { seconds: number; said: string } {
  const began = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [...node, COMMAND, ...args], { encoding: 'utf8' });
  // The code of an answer that is not to be trusted, or did not reach its goal, is one too.
  if (status !== 0 && status !== 3 && status !== 4) throw new Error(`gradsim ended with ${status}: ${stderr}`);
  return { seconds: (performance.now() - began) / 1000, said: stderr };
}

try {
  const measured = MEASURED.map((name) => [name, options.text(name, name === 'radius' ? '0.1' : '')]);
  const settings = measured.flatMap(([name, value]) => (value === '' ? [] : ['--set', `${name}=${value}`]));
  run([], ['new', 'ball', '--video', film, '--out', join(folder, 'ball'), ...settings]);
  const estimate = ['estimate', join(folder, 'ball/ball.ts'), '--out', join(folder, 'out'), '--force'];
  // A module by which a process says as it ends, in its last line, how much memory it took.
  const peak = `data:text/javascript,process.on('exit',()=>console.error(process.resourceUsage().maxRSS))`;
  const times = Array.from({ length: runs }, () => run(['--import', peak], estimate));
  run(['--cpu-prof', `--cpu-prof-dir=${join(folder, 'profile')}`], estimate);
  const [profile] = readdirSync(join(folder, 'profile'));
  const seconds = times.map((time) => time.seconds);
  print({
    bench: 'film',
    film,
    node: process.version,
    seconds: median(seconds),
    leastSeconds: least(seconds),
    peakMegabytes: Math.max(...times.map(({ said }) => Number(said.trim().split('\n').at(-1)))) / 1024,
    parts: partsOf(unbundled(JSON.parse(readFileSync(join(folder, 'profile', profile), 'utf8')))),
    runs,
  });
} finally {
  rmSync(folder, { recursive: true });
  options.device.dispose();
}
