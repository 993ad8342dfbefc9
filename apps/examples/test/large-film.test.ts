// A large film through the built command line and packages: the memory that it takes, and how soon a signal ends what goes
// on before the search.

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build } from '../../../scripts/setup.js';
import { draws, randomNumbers, seedOfRun } from '../../../scripts/vitest/draws.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const COMMAND = at('../../../packages/gradsim/dist/main.js');
const seed = seedOfRun('a large film');
const random = randomNumbers(seed);

const encoders = spawnSync('ffmpeg', ['-hide_banner', '-encoders'], { encoding: 'utf8' }).stdout ?? '';
const missing = !encoders.includes('libx264');
if (missing) console.warn('skipped: large films, since no ffmpeg here writes H.264');

/** Number of frames, and side of the square that falls through the picture, px. */
const [COUNT, SIDE] = [60, 70];
/** Distance of the upper edge of the square from that of the picture, px. */
const FALL = '40+80*t+700*t*t';

describe.skipIf(missing)(`a film in full HD (seed ${seed})`, () => {
  let folder: string;
  let film: string;
  beforeAll(() => {
    build();
    folder = mkdtempSync(join(tmpdir(), 'gradsim-large-'));
    film = join(folder, 'fall.mp4');
    const wall = `color=0x808890:s=1920x1080:r=60:d=${COUNT / 60},format=yuv420p,noise=alls=4:allf=t`;
    const overlay = `[0][1]overlay=x='300+500*t':y='${FALL}':eval=frame`;
    execFileSync('ffmpeg', [
      ...['-v', 'error', '-f', 'lavfi', '-i', wall, '-f', 'lavfi', '-i', `color=0xb03020:s=${SIDE}x${SIDE}:r=60`],
      ...['-filter_complex', overlay, '-frames:v', String(COUNT), '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', film],
    ]);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('takes less than 0.5 GB, where its pixels alone would take 1.5, and has the track of what moves', () => {
    // The kernel's maxRSS of a process begins with that of the process that started it, which here is a test runner.
    const program = `
      import { readFileSync } from 'node:fs';
      import { readFilm } from '@gradsim/film';
      const film = await readFilm(${JSON.stringify(film)}, { log: (line) => console.error(line) });
      const [{ points }] = film.tracks;
      const status = process.platform === 'linux' ? readFileSync('/proc/self/status', 'utf8') : '';
      const kB = Number(/VmHWM:\\s*(\\d+)/.exec(status)?.[1] ?? process.resourceUsage().maxRSS);
      console.log(JSON.stringify({ peak: kB / 1e6, size: film.size, points }));`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: at('..'),
      encoding: 'utf8',
    });
    expect(stderr).toMatch(/fall\.mp4 is large: of its 60 frames of 1920 x 1080 pixels the parts are read/);
    const { peak, size, points } = JSON.parse(stdout);
    console.log(`a film of ${COUNT} frames in full HD: ${peak.toFixed(2)} GB`);
    expect(size).toEqual({ width: 1920, height: 1080 });
    expect(peak).toBeLessThan(0.5);
    expect(points).toHaveLength(COUNT);
    for (const { frame, y, area } of points) {
      const time = frame / 60;
      // overlay places on whole pixels, of even number where colour is stored for two.
      expect(Math.abs(y - (40 + 80 * time + 700 * time ** 2 + SIDE / 2))).toBeLessThan(2.5);
      expect(Math.abs(Math.sqrt(area) - SIDE)).toBeLessThan(1.5);
    }
  });

  it('ends on SIGTERM at any moment before the search', async () => {
    const ball = join(folder, 'ball');
    const settings = ['radius=0.1', 'fieldOfView=45'].flatMap((one) => ['--set', one]);
    execFileSync(process.execPath, [COMMAND, 'new', 'ball', '--video', film, ...settings, '--out', ball]);
    const run = (): ChildProcess =>
      spawn(process.execPath, [COMMAND, 'estimate', join(ball, 'ball.ts'), '--out', join(folder, 'out'), '--force'], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
    const waits: string[] = [];
    for (let k = 0; k < draws(1, 12); k++) {
      const child = run();
      const ended = once(child, 'close');
      let said = '';
      child.stderr!.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
      // It listens for signals from here on.
      while (!said.includes('ball: The restitution') && child.exitCode === null) await after(20);
      expect(child.exitCode, said).toBeNull();
      await after(8000 * random());
      if (child.exitCode !== null || /iteration \d/.test(said)) continue;
      const began = performance.now();
      child.kill('SIGTERM');
      const [code] = await ended;
      const seconds = (performance.now() - began) / 1000;
      waits.push(seconds.toFixed(2));
      expect(code, said).toBe(143);
      // A second, on a machine that does other things too.
      expect(seconds).toBeLessThan(4);
    }
    console.log(`ended after ${waits.join(', ')} s`);
  });
});
