import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Device } from '@gradsim/core';
import { writeFrames } from '@gradsim/video';
import { TOSS_TIMELINE } from '../scenes/tossed.ts';
import type { Photographer } from './photograph.ts';
import type { Shutter } from './poses.ts';
import { exposuresOf, recordMotion } from './poses.ts';
import { besideFilm, recordOf } from './record.ts';
import { lookNumber, shotOf, tossNumber } from './tosses.ts';

/** Options of {@link makeFilm}. */
export interface FilmOptions {
  /** Width, and also height, of the pictures, px. */
  readonly size: number;
  readonly shutter: Shutter;
}

/** Default options; the shutter is open for half of the time between frames, as that of a film camera. */
export const FILM_DEFAULTS: FilmOptions = { size: 160, shutter: { open: 0.5, instants: 8 } };

/**
 * Writes the film of toss `number`, and beside it its record and plate (a picture without the body); existing files are
 * replaced.
 *
 * @param path a file that ends in `.webm`, `.mp4` or `.gif`, or a folder for PNGs.
 */
export async function makeFilm(
  number: number,
  path: string,
  photographer: Photographer,
  device: Device,
  { size, shutter }: FilmOptions = FILM_DEFAULTS,
): Promise<void> {
  const toss = tossNumber(number, size);
  const look = lookNumber(number);
  const exposures = exposuresOf(await recordMotion(toss, device), shutter);
  const film = await photographer.photograph(shotOf(toss, exposures, look), TOSS_TIMELINE.frameRate);
  const isFile = /\.(webm|mp4|gif)$/i.test(path);
  // Frames of a longer film would stay.
  if (!isFile) await rm(path, { recursive: true, force: true });
  const { record, plate } = besideFilm(path);
  await writeFrames(isFile ? path : join(path, '%04d.png'), film.frames, {
    overwrite: true,
    quantizer: 1,
    chroma: 'full',
  });
  await writeFrames(plate, film.plate, { overwrite: true });
  await writeFile(record, `${JSON.stringify(recordOf(toss, look, shutter), null, 1)}\n`);
}
