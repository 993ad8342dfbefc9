import { GradsimError } from '@gradsim/core';
import type { FilmInfo, FilmSource, Frames, Region, Size } from '@gradsim/video';
import {
  cameraShifts,
  coverageMasks,
  cutFrames,
  inspectFilm,
  medianBackground,
  objectMasks,
  readFrames,
  stabiliseFrames,
  turnFrames,
} from '@gradsim/video';
import { clockToleranceOf, SAME_RATE } from '../clock-tolerance.ts';
import { Film, type FilmMasks } from '../film.ts';
import { cameraOf } from './camera-file.ts';
import { convexMasks } from './convex.ts';
import { withoutGaps } from './gaps.ts';
import { checkFilmOptions, type FilmOptions } from './options.ts';
import { retouched } from './retouch.ts';
import { withoutThinParts } from './thin.ts';

/**
 * Reads a film for an estimate: frames that are upright, stabilised and at their true frame rate, the background, masks
 * of moving things, and their tracks.
 *
 * ```ts
 * const film = await readFilm(video, { first: 12, last: 56, signal });
 * const model = ballModel(film.size);
 * return [film.stage(model, { name: 'bounce', substeps: 40, parameters })];
 * ```
 *
 * @param source the film of the command line, or any other that `readFrames` takes.
 * @throws when there is no film; for an unknown option, naming the nearest; when `frameRate` differs from the file's
 * own; when frames or the region are not in the film; and where masks are made, when nothing moves.
 */
export async function readFilm(
  source: FilmSource | readonly FilmSource[] | undefined,
  options: FilmOptions = {},
): Promise<Film> {
  checkFilmOptions(options);
  if (source === undefined)
    throw new GradsimError('film/no-film', 'There is no film.', { hint: 'Give one with --video FILE.' });
  const { signal, steady = false, mask = 'moving', upright = 0 } = options;
  const { track } = options;
  const info = await inspectFilm(source, { signal, track });
  const frameRate = rateOf(info, options);
  const { width, height } = info;
  const whole = upright % 180 !== 0 ? { width: height, height: width } : { width, height };
  if (options.size) refuseSqueezing(info.name, options.region ?? whole, options.size);
  const camera = await cameraOf(options.camera, whole, options);
  const read = async (from: FilmSource | readonly FilmSource[], range: object): Promise<Frames> => {
    const stored = await readFrames(from, {
      ...range,
      frameRate,
      channels: 3,
      chroma: options.chroma,
      signal,
      ...(from === source ? { track } : {}),
      ...asStored(options, upright, from === source ? info : await inspectFilm(from, { signal })),
    });
    return turnFrames(stored, upright);
  };
  const { first = 0, last = info.frameCount - 1, every = 1, onProgress } = options;
  const raw = await read(source, { first, last, every, onProgress });
  const moved = typeof steady === 'object' ? shiftOptions(steady, first, every) : {};
  const frames = steady ? stabiliseFrames(raw, cameraShifts(raw, moved)) : raw;
  const compared = {
    info,
    clockTolerance: options.clockTolerance ?? clockToleranceOf(info, frameRate),
    every,
    without: options.without ?? [],
    ...(camera ? { camera } : {}),
  };
  const film = (background?: Frames, masks?: FilmMasks): Film => {
    const filled = withoutGaps(frames, info.resolution ?? 0, masks);
    const numbers = filled.pictures.map((picture) => (picture === null ? null : first + picture * every));
    return new Film(filled.frames, { ...compared, numbers }, background, filled.masks);
  };
  if (mask === 'none') return film();
  const background = await backgroundOf(frames, { first, every }, options, read);
  const masks = await masksOf(frames, background, mask, info);
  return film(background, retouched(masks, options.retouch ?? [], { first, every }));
}

/** Frame rate in real time of all frames of the file, frames/s. */
function rateOf(info: FilmInfo, { frameRate, clock = 'right' }: FilmOptions): number {
  const own = info.frameRate;
  if (frameRate === undefined) {
    if (own === undefined)
      throw new GradsimError(
        'film/frame-rate-missing',
        `${info.name} has no clock: ${info.format === 'gif' ? 'its frames have no delays' : 'images have none'}.`,
        {
          hint: 'Say frameRate, in frames a second.',
        },
      );
    return own;
  }
  if (clock === 'right' && own !== undefined && Math.abs(own / frameRate - 1) > SAME_RATE)
    throw new GradsimError(
      'film/other-frame-rate',
      `${info.name} plays ${Number(own.toPrecision(5))} frames a second by its time stamps, and frameRate is ${frameRate}: one of the two is wrong, and with it all times.`,
      {
        field: 'frameRate',
        hint: `Leave the rate out if the file's clock is right. If the film was taken at ${frameRate} a second and plays slower or faster, as slow motion does, say that its clock is wrong (clock: 'wrong'). To take one of every few frames, give every.`,
      },
    );
  return frameRate;
}

/**
 * @throws for a size whose aspect ratio differs by more than a pixel from the picture's: round things would not stay
 * round.
 */
function refuseSqueezing(name: string, { width, height }: Size, size: Size): void {
  if (Math.abs(size.height - (size.width * height) / width) <= 1) return;
  if (Math.abs(size.width - (size.height * width) / height) <= 1) return;
  throw new GradsimError(
    'film/other-shape',
    `${name}: size is ${size.width} x ${size.height}, and what is read has ${width} x ${height} pixels: that would squeeze it.`,
    {
      hint: `Take ${size.width} x ${Math.round((size.width * height) / width)}, or a region of the shape that you want.`,
    },
  );
}

/** Converts the region and size of the upright picture to the axes of the stored picture. */
function asStored(
  { region, size }: FilmOptions,
  upright: number,
  { width, height }: Size,
): { crop?: Region; size?: Size } {
  const swap = upright % 180 !== 0;
  return {
    ...(size ? { size: swap ? { width: size.height, height: size.width } : size } : {}),
    ...(region ? { crop: turnedBack(region, upright, { width, height }) } : {}),
  };
}

function turnedBack({ x, y, width, height }: Region, upright: number, stored: Size): Region {
  if (upright === 90) return { x: y, y: stored.height - x - width, width: height, height: width };
  if (upright === 180) return { x: stored.width - x - width, y: stored.height - y - height, width, height };
  if (upright === 270) return { x: stored.width - y - height, y: x, width: height, height: width };
  return { x, y, width, height };
}

/**
 * Options of the stabilisation, with the number of the reference frame converted from the file's to the index among the
 * frames read.
 */
function shiftOptions(steady: Exclude<FilmOptions['steady'], boolean | undefined>, first: number, every: number) {
  const { reference = first, region, turns } = steady;
  const at = (reference - first) / every;
  if (!Number.isInteger(at) || at < 0)
    throw new GradsimError(
      'film/no-such-frame',
      `readFilm: steady has the reference ${reference}, which is no frame that is read.`,
      { field: 'steady' },
    );
  return { reference: at, ...(region ? { region } : {}), ...(turns === undefined ? {} : { turns }) };
}

async function backgroundOf(
  frames: Frames,
  { first, every }: { readonly first: number; readonly every: number },
  { background = 'median' }: FilmOptions,
  read: (from: FilmSource, range: object) => Promise<Frames>,
): Promise<Frames> {
  if (background === 'median') return medianBackground(frames);
  if (typeof background === 'string')
    throw new GradsimError('film/unknown-choice', `readFilm: background is "${background}".`, {
      field: 'background',
      hint: "It must be 'median', { file }, { frames } or a picture.",
    });
  if ('data' in background) return background;
  if ('file' in background) return read(background.file, { first: 0, last: 0 });
  const [from, to] = background.frames.map((frame) => Math.round((frame - first) / every));
  const still = cutFrames(frames, { first: from, last: to });
  return to - from >= 2 ? medianBackground(still) : cutFrames(still, { first: 0, last: 0 });
}

async function masksOf(
  frames: Frames,
  background: Frames,
  mask: Exclude<FilmOptions['mask'], 'none' | undefined>,
  { transfer }: FilmInfo,
): Promise<FilmMasks> {
  if (typeof mask === 'function') return mask(frames, background);
  if (mask === 'moving') return objectMasks(frames, background, { transfer });
  if (!('colour' in mask)) {
    const { thin = true, convex = false, ...own } = mask;
    const { masks: all, areaErrors } = objectMasks(frames, background, { transfer, ...own });
    const masks = thin ? all : withoutThinParts(all);
    return { masks: convex ? convexMasks(masks) : masks, areaErrors };
  }
  const { colour, ...tolerance } = mask;
  return { masks: coverageMasks(frames, background, colour, tolerance) };
}
