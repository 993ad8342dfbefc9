import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleForNode } from './bundle.ts';
import { decoderProgram } from './decoder-of-source.ts';

/** Writes a JavaScript program called ffmpeg into a new folder; in its code, `$folder` stands for that folder. */
export function fakeFfmpeg(folder: string, source: string): void {
  mkdirSync(folder, { recursive: true });
  const program = join(folder, 'ffmpeg');
  const isVersion = "const isVersion = process.argv[2] === '-version';";
  const helpers = `const { spawn } = require('node:child_process');
const { writeFileSync } = require('node:fs');
const forks = () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
  writeFileSync('${folder}/pids', process.pid + ' ' + child.pid);
};
const stays = () => setInterval(() => {}, 1000);
const picture = (w, h) => Buffer.concat([Buffer.from('FRAME\\n'), Buffer.alloc(w * h * 1.5, 128)]);
const header = (w, h) => 'YUV4MPEG2 W' + w + ' H' + h + ' F25:1 Ip A1:1 C420mpeg2\\n';
const shown = (n) => process.stderr.write('[Parsed_showinfo_0 @ 0x1] [info] n:  ' + n + ' pts: 1 pts_time:' + n / 25 + ' pos: 1\\n');
`;
  writeFileSync(program, `#!${process.execPath}\n${isVersion}\n${helpers}\n${source}\n`);
  chmodSync(program, 0o755);
  // Whatever a package.json of a folder above says.
  writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}');
}

/** Starts a process that reads a film with the ffmpeg in a folder. */
export async function readsWith(folder: string, film: string, patience: number, way = '') {
  const program = await bundleForNode(fileURLToPath(new URL('reads.ts', import.meta.url)));
  return spawn(process.execPath, [program, film, String(patience), way], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PATH: folder, GRADSIM_TEST_DECODER: decoderProgram() },
  });
}

/** Returns the text that a process writes to standard output and standard error until it ends. */
export async function saidBy(reading: Awaited<ReturnType<typeof readsWith>>): Promise<string> {
  let said = '';
  for (const stream of [reading.stdout, reading.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  await once(reading, 'close');
  return said;
}

/** Waits until the fake ffmpeg of a folder has recorded its process ids, and returns them. */
export async function pidsIn(folder: string): Promise<number[]> {
  const file = join(folder, 'pids');
  for (let tries = 0; tries < 1200; tries++) {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    if (/^\d+ \d+$/.test(text)) return text.split(' ').map(Number);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('The fake ffmpeg was not started.');
}

/** Returns whether processes end within a while; zombies count as ended. */
export async function haveEnded(pids: readonly number[]): Promise<boolean> {
  for (let tries = 0; tries < 200; tries++) {
    if (pids.every((pid) => stateOf(pid) === '' || stateOf(pid).startsWith('Z'))) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

function stateOf(pid: number): string {
  try {
    return execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}
