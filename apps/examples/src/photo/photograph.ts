import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { pageOf, visit } from '@gradsim/page/visit';
import type { Frames } from '@gradsim/video';
import { createFrames } from '@gradsim/video';
import { rolldown } from 'rolldown';
import type { Photographs, Shot } from './shot.ts';

/** A shot as it came out, 8 bit. */
export interface Film {
  readonly frames: Frames;
  /** One frame: the scene without the body. */
  readonly plate: Frames;
}

/** Photographs shots in a headless browser. */
export interface Photographer {
  photograph(shot: Shot, frameRate: number): Promise<Film>;
  /** Deletes its page. */
  dispose(): Promise<void>;
}

/** A drawing of this many seconds is taken for one that hangs. */
const SECONDS_A_FRAME = 30;

/**
 * Makes the page, three.js in it, so that nothing is asked of any network.
 *
 * @param browser path of a Chromium. Its WebGL may be software.
 */
export async function createPhotographer(browser: string): Promise<Photographer> {
  const folder = await mkdtemp(join(tmpdir(), 'gradsim-photo-'));
  // Beside this module, of the source or of what was built from it.
  const input = join(import.meta.dirname, `in-page${extname(import.meta.filename)}`);
  const bundle = await rolldown({ input });
  await bundle.write({ dir: folder, entryFileNames: 'page.js' });
  await bundle.close();
  return {
    photograph: (shot, frameRate) => photograph(browser, folder, shot, frameRate),
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
}

async function photograph(browser: string, folder: string, shot: Shot, frameRate: number): Promise<Film> {
  const html = `${pageOf('/page.js')}<body><script id="shot" type="application/json">${JSON.stringify(shot)}</script>`;
  const seconds = SECONDS_A_FRAME * (1 + shot.exposures.length);
  const { report } = await visit<Photographs>(browser, { folder, html }, seconds);
  const { frames, plate, error } = report;
  if (frames === undefined || plate === undefined) throw new Error(`In the page: ${error}`);
  const shape = { width: shot.size, height: shot.size, channels: 3, frameRate } as const;
  return {
    frames: fromBytes(frames, shape, shot.exposures.length),
    plate: fromBytes(plate, shape, 1),
  };
}

function fromBytes(base64: string, shape: Omit<Frames, 'data'>, count: number): Frames {
  const film = createFrames(shape, count);
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length !== film.data.length)
    throw new Error(`The page posted ${bytes.length} values; ${count} frames have ${film.data.length}.`);
  film.data.set(Float32Array.from(bytes, (byte) => byte / 255));
  return film;
}
