import { extname, join } from 'node:path';
import type { BundledPage } from '@gradsim/page/bundled';
import { bundlePage } from '@gradsim/page/bundled';
import type { Frames } from '@gradsim/video';
import { createFrames } from '@gradsim/video';
import type { Photographs, Shot } from './shot.ts';

/** Frames of a rendered shot, 8 bits per channel. */
export interface Film {
  readonly frames: Frames;
  /** One frame of the scene without the body. */
  readonly plate: Frames;
}

/** Renders shots by three.js in a headless browser. */
export interface Photographer {
  photograph(shot: Shot, frameRate: number): Promise<Film>;
  /** Closes the browser and deletes its page. */
  dispose(): Promise<void>;
}

/** Time limit for drawing one frame, s; beyond it the browser counts as hung. */
const SECONDS_A_FRAME = 30;

/**
 * Bundles the page with three.js, so that it requests nothing from a network, and opens the browser.
 *
 * @param browser path of a Chromium; its WebGL may be a software implementation.
 */
export async function createPhotographer(browser: string): Promise<Photographer> {
  // Beside this module, of the source or of what was built from it.
  const page = await bundlePage(browser, join(import.meta.dirname, `in-page${extname(import.meta.filename)}`));
  return {
    photograph: (shot, frameRate) => photograph(page, shot, frameRate),
    dispose: () => page.dispose(),
  };
}

async function photograph(page: BundledPage, shot: Shot, frameRate: number): Promise<Film> {
  const seconds = SECONDS_A_FRAME * (1 + shot.exposures.length);
  const { frames, plate, error } = await page.ask<Photographs>(shot, seconds);
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
