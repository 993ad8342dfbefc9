import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { pageOf, visit } from '@gradsim/page/visit';
import { rolldown } from 'rolldown';
import type { Photographs, Shot } from './shot.ts';

/** A shot as it came out: 8 bit RGB, row by row from the top, frame by frame. */
export interface Pictures {
  readonly frames: Buffer;
  /** The scene without what moves, once. */
  readonly plate: Buffer;
}

/** Photographs shots in a headless browser. */
export interface Photographer {
  photograph(shot: Shot): Promise<Pictures>;
  /** Deletes its page. */
  dispose(): Promise<void>;
}

/** A drawing of this many seconds is taken for one that hangs. */
const SECONDS_A_FRAME = 20;

/**
 * Makes the page, three.js in it, so that nothing is asked of any network.
 *
 * @param browser path of a Chromium. Its WebGL may be software.
 */
export async function createPhotographer(browser: string): Promise<Photographer> {
  const folder = await mkdtemp(join(tmpdir(), 'gradsim-films-'));
  // Of the source or of what was built from it.
  const input = join(import.meta.dirname, 'page', `in-page${extname(import.meta.filename)}`);
  const bundle = await rolldown({ input });
  await bundle.write({ dir: folder, entryFileNames: 'page.js' });
  await bundle.close();
  return {
    photograph: (shot) => photograph(browser, folder, shot),
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
}

async function photograph(browser: string, folder: string, shot: Shot): Promise<Pictures> {
  const html = `${pageOf('/page.js')}<body><script id="shot" type="application/json">${JSON.stringify(shot)}</script>`;
  const seconds = SECONDS_A_FRAME * (1 + shot.frames);
  const { report } = await visit<Photographs>(browser, { folder, html }, seconds);
  const { frames, plate, error } = report;
  if (frames === undefined || plate === undefined) throw new Error(`In the page: ${error}`);
  const pictures = { frames: Buffer.from(frames, 'base64'), plate: Buffer.from(plate, 'base64') };
  const length = 3 * shot.camera.width * shot.camera.height;
  if (pictures.frames.length !== length * shot.frames || pictures.plate.length !== length)
    throw new Error(
      `The page posted ${pictures.frames.length} and ${pictures.plate.length} bytes; a frame has ${length}.`,
    );
  return pictures;
}
