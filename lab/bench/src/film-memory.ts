// What reading a large film takes: films of a ball before a noisy wall in full HD, 241 frames, and in 4K at 240 frames a
// second, 20 s, of seed `--seed 1`, are drawn (`--film hd,4k`; `--frames` for fewer) and each is read in a process of its
// own, as `gradsim estimate` reads it. Peak resident memory of that process, and of it together with the processes that
// decode for it, by samples of /proc; seconds of the clock. It needs the program ffmpeg.

import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { randomNumbers } from '@gradsim/base';
import { drawFilm, type FilmShape } from './film-memory/draw.ts';
import { benchOptions, chosenNames, print } from './support/options.ts';

const FILMS: Readonly<Record<string, FilmShape>> = {
  hd: { width: 1920, height: 1080, frameRate: 120, frames: 241 },
  '4k': { width: 3840, height: 2160, frameRate: 240, frames: 4800 },
};
/** Time between two samples of the memory of all processes, ms. */
const SAMPLE_MS = 200;

const options = await benchOptions(['film', 'frames', 'seed']);
const program = fileURLToPath(new URL(`film-memory/read${import.meta.url.slice(-3)}`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'gradsim-film-memory-'));

/** Resident memory of a process and those that it started, MB. */
function treeMB(process: number): number {
  const processes = readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const [, parent] = /^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))!;
      const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${name}/status`, 'utf8')) ?? [];
      return [{ id: Number(name), parent: Number(parent), mb: Number(kilobytes) / 1000 }];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
  const own = new Set([process]);
  for (let before = 0; before < own.size; ) {
    before = own.size;
    for (const { id, parent } of processes) if (own.has(parent)) own.add(id);
  }
  return processes.reduce((sum, { id, mb }) => sum + (own.has(id) ? mb : 0), 0);
}

/** Reads a film in a process of its own. */
function read(film: string): Promise<Readonly<Record<string, unknown>>> {
  const child = spawn(process.execPath, [program, film], { stdio: ['ignore', 'pipe', 'inherit'] });
  let [said, most] = ['', 0];
  child.stdout.on('data', (text: Buffer) => {
    said += text.toString();
  });
  const timer = setInterval(() => {
    most = Math.max(most, treeMB(child.pid!));
  }, SAMPLE_MS);
  return new Promise((resolve, reject) => {
    child.once('close', (code) => {
      clearInterval(timer);
      if (code === 0) resolve({ ...JSON.parse(said), peakWithDecodersMB: most });
      else reject(new Error(`Reading ended with ${code}.`));
    });
  });
}

try {
  for (const name of chosenNames('film', options.text('film', ''), Object.keys(FILMS))) {
    const shape = { ...FILMS[name], frames: options.number('frames', FILMS[name].frames) };
    const film = join(folder, `${name}.mp4`);
    await drawFilm(film, shape, randomNumbers(options.number('seed', 1)));
    print({ bench: 'film-memory', film: name, ...shape, fileMB: statSync(film).size / 1e6, ...(await read(film)) });
    rmSync(film);
  }
} finally {
  rmSync(folder, { recursive: true });
  options.device.dispose();
}
