import { extname, join } from 'node:path';
import type { BundledPage } from '@gradsim/page/bundled';
import { bundlePage } from '@gradsim/page/bundled';
import type { Photographs, Shot } from './shot.ts';

/** Pictures of a shot, 8-bit RGB: frames one after another, rows from the top. */
export interface Pictures {
  readonly frames: Buffer;
  /** One picture of the scene without moving objects. */
  readonly plate: Buffer;
}

/** Renders shots in a headless browser. */
export interface Photographer {
  photograph(shot: Shot): Promise<Pictures>;
  /** Deletes the web page that it uses. */
  dispose(): Promise<void>;
}

/** Time limit for rendering one frame, s; beyond it the browser counts as hung. */
const SECONDS_A_FRAME = 20;

/**
 * Creates a photographer: bundles its web page with three.js, so that it needs no network.
 *
 * @param browser path of a Chromium executable; software WebGL suffices.
 */
export async function createPhotographer(browser: string): Promise<Photographer> {
  // Of the source or of what was built from it.
  const page = await bundlePage(browser, join(import.meta.dirname, 'page', `in-page${extname(import.meta.filename)}`));
  return {
    photograph: (shot) => photograph(page, shot),
    dispose: () => page.dispose(),
  };
}

async function photograph(page: BundledPage, shot: Shot): Promise<Pictures> {
  const seconds = SECONDS_A_FRAME * (1 + shot.frames);
  const { frames, plate, error } = await page.ask<Photographs>(shot, seconds);
  if (frames === undefined || plate === undefined) throw new Error(`In the page: ${error}`);
  const pictures = { frames: Buffer.from(frames, 'base64'), plate: Buffer.from(plate, 'base64') };
  const length = 3 * shot.camera.width * shot.camera.height;
  if (pictures.frames.length !== length * shot.frames || pictures.plate.length !== length)
    throw new Error(
      `The page posted ${pictures.frames.length} and ${pictures.plate.length} bytes; a frame has ${length}.`,
    );
  return pictures;
}
