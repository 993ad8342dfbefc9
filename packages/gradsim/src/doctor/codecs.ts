import { spawnSync } from 'node:child_process';
import type { GradsimError } from '@gradsim/core';
import { createFrames, encodeFrames, readFrames } from '@gradsim/video';
import type { Finding } from './finding.ts';

/** Decoders of ffmpeg that films of phones and cameras take. */
const DECODERS = ['h264', 'hevc', 'av1', 'mjpeg', 'prores'];

/** Checks which films can be read and written beyond GIF and PNG, which need nothing. */
export async function checkCodecs(): Promise<Finding[]> {
  return [await checkWebm(), checkFfmpeg()];
}

/** Writes a WebM of two frames with the optional package, and reads it again. */
async function checkWebm(): Promise<Finding> {
  const about = 'films webm';
  const libav = '@libav.js/variant-webm-vp9';
  try {
    const film = createFrames({ width: 16, height: 16, channels: 3, frameRate: 10 }, 2);
    const read = await readFrames(await encodeFrames(film, 'webm'));
    if (read.data.length === film.data.length)
      return { about, state: 'ok', text: 'WebM films with VP9 are written and read.' };
    const text = `A WebM of 2 frames has ${read.data.length} values when it is read, not ${film.data.length}.`;
    return { about, state: 'wrong', text, command: `npm install ${libav}@latest` };
  } catch (error) {
    const { code, field = libav, message } = error as Partial<GradsimError>;
    if (code === 'video/no-encoder') {
      const text = 'WebM films, and MP4 with VP8 or VP9, take an optional package.';
      return { about, state: 'missing', text, command: `npm install ${libav}` };
    }
    return { about, state: 'wrong', text: String(message), command: `npm install ${field}@latest` };
  }
}

function checkFfmpeg(): Finding {
  const about = 'films ffmpeg';
  const { error, status, signal, stdout, stderr } = spawnSync('ffmpeg', ['-hide_banner', '-decoders'], {
    encoding: 'utf8',
    timeout: 30_000,
    maxBuffer: 2 ** 24,
  });
  const command = FFMPEG[process.platform] ?? FFMPEG.linux;
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT')
    return { about, state: 'missing', text: 'Films of phones (MP4, MOV, AVI) take the program ffmpeg.', command };
  if (error || status !== 0) {
    const why = error?.message ?? (signal ? `ended by ${signal}` : `exit code ${status}`);
    const said = stderr?.trim().split('\n')[0]?.slice(0, 200) ?? '';
    return { about, state: 'wrong', text: `The program ffmpeg does not run: ${why}. ${said}`.trim(), command };
  }
  const names = new Set([...stdout.matchAll(/^ V\S{5} (\S+)/gm)].map(([, name]) => name));
  const missing = DECODERS.filter((decoder) => !names.has(decoder));
  return missing.length > 0
    ? { about, state: 'wrong', text: `The program ffmpeg has no decoder for ${missing.join(', ')}.`, command }
    : { about, state: 'ok', text: `The program ffmpeg decodes ${DECODERS.join(', ')}.` };
}

/** Command that installs ffmpeg, by platform. */
const FFMPEG: Readonly<Partial<Record<NodeJS.Platform, string>>> & { readonly linux: string } = {
  linux: 'sudo apt install ffmpeg',
  darwin: 'brew install ffmpeg',
  win32: 'winget install ffmpeg',
};
