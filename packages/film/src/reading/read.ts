import { defect, GradsimError } from '@gradsim/core';
import type { FilmInfo, FilmSource, Frames, QuarterTurn, Region, Size, Track } from '@gradsim/video';
import {
  backgroundSteps,
  coverageSteps,
  cutFrames,
  frameCount,
  inspectFilm,
  objectMaskSteps,
  readFrames,
  readMoving,
  regionBeforeTurn,
  runStepsWithPauses,
  shiftSteps,
  stabiliseSteps,
  trackSteps,
  turnFrames,
} from '@gradsim/video';
import { clockToleranceOf, SAME_RATE } from '../clock-tolerance.ts';
import { Film, type FilmMasks, gapIn } from '../film.ts';
import { reachSteps } from '../outlines/observed.ts';
import { cameraOf } from './camera-file.ts';
import { convexSteps } from './convex.ts';
import { withoutGaps } from './gaps.ts';
import { largeFilm, saidOf, strokeIn } from './large.ts';
import { checkFilmOptions, type FilmOptions } from './options.ts';
import { retouchSteps } from './retouch.ts';
import { thinSteps } from './thin.ts';

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
  const { signal, steady = false, mask = 'moving', upright = 0, track } = options;
  const info = await inspectFilm(source, { signal, track });
  const frameRate = rateOf(info, options);
  const { width, height } = info;
  const whole = upright % 180 !== 0 ? { width: height, height: width } : { width, height };
  if (options.size) refuseSqueezing(info.name, options.region ?? whole, options.size);
  const { first = 0, last = info.frameCount - 1, every = 1, onProgress, without = [] } = options;
  const compared = {
    info,
    clockTolerance: options.clockTolerance ?? clockToleranceOf(info, frameRate),
    every,
    without,
  };
  // Of a film at uneven times all is read.
  const large = info.times ? undefined : largeFilm(whole, Math.floor((last - first) / every) + 1, options);
  if (large) {
    const { region } = options;
    const part = region ?? { x: 0, y: 0, ...whole };
    const { frames, background, ...how } = await readMoving(source, {
      ...large,
      first,
      last,
      every,
      frameRate,
      upright,
      chroma: options.chroma,
      track,
      signal,
      onProgress,
      ...(region ? { crop: region } : {}),
    });
    const { reduction } = how;
    options.log?.(saidOf(info.name, frameCount(frames), part, how));
    const size = { width: frames.width, height: frames.height };
    const camera = await cameraOf(options.camera, whole, { ...(region ? { region } : {}), size });
    const strokes = (options.retouch ?? []).map((stroke) => strokeIn(stroke, options.size ? 1 : reduction));
    const found = await foundIn(frames, background, { ...options, retouch: strokes }, info, { first, every });
    const numbers = Array.from({ length: frameCount(frames) }, (_, frame) => first + frame * every);
    const tracks = await tracksIn(found, numbers, options);
    await runStepsWithPauses(reachSteps(found, tracks ?? []), signal);
    const own = options.size ? {} : { reduction };
    return new Film(frames, { ...compared, ...own, numbers, ...(camera ? { camera } : {}) }, background, found, tracks);
  }
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
  const raw = await read(source, { first, last, every, onProgress });
  const moved = typeof steady === 'object' ? shiftOptions(steady, first, every) : {};
  const frames = steady
    ? await runStepsWithPauses(stabiliseSteps(raw, await runStepsWithPauses(shiftSteps(raw, moved), signal)), signal)
    : raw;
  const seen = { ...compared, ...(camera ? { camera } : {}) };
  const film = async (background?: Frames, found?: FilmMasks): Promise<Film> => {
    const { pictures, ...filled } = withoutGaps(frames, info.resolution ?? 0, found);
    const numbers = pictures.map((picture) => (picture === null ? null : first + picture * every));
    const tracks = await tracksIn(filled.masks, numbers, options);
    return new Film(filled.frames, { ...seen, numbers }, background, filled.masks, tracks);
  };
  if (mask === 'none') return film();
  const background = await backgroundOf(frames, { first, every }, options, read);
  return film(background, await foundIn(frames, background, options, info, { first, every }));
}

/** Masks of a film, with the strokes over them. */
async function foundIn(
  frames: Frames,
  background: Frames,
  { mask = 'moving', retouch = [], signal }: FilmOptions,
  info: FilmInfo,
  read: { readonly first: number; readonly every: number },
): Promise<FilmMasks> {
  if (mask === 'none') throw defect('A film without masks has none to find');
  const found = await masksOf(frames, background, mask, info, signal);
  return runStepsWithPauses(retouchSteps(found, retouch, read), signal);
}

/** Tracks in a film; undefined if they are left to whoever asks for them. */
async function tracksIn(
  found: FilmMasks | undefined,
  numbers: readonly (number | null)[],
  { mask, signal }: FilmOptions,
): Promise<Track[] | undefined> {
  if (!found || typeof mask === 'function') return undefined;
  const { masks, areaErrors, weights } = found;
  return runStepsWithPauses(trackSteps(masks, { areaErrors, weights, gap: gapIn(numbers) }), signal);
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
    ...(region ? { crop: regionBeforeTurn(region, upright as QuarterTurn, { width, height }) } : {}),
  };
}

/**
 * Options of the stabilisation, with the number of the reference frame converted from the file's to the index among the
 * frames read.
 */
function shiftOptions(steady: Exclude<FilmOptions['steady'], boolean | undefined>, first: number, every: number) {
  const { reference = first, region, withRollAndZoom } = steady;
  const at = (reference - first) / every;
  if (!Number.isInteger(at) || at < 0)
    throw new GradsimError(
      'film/no-such-frame',
      `readFilm: steady has the reference ${reference}, which is no frame that is read.`,
      { field: 'steady' },
    );
  return { reference: at, region, withRollAndZoom };
}

async function backgroundOf(
  frames: Frames,
  { first, every }: { readonly first: number; readonly every: number },
  { background = 'median', signal }: FilmOptions,
  read: (from: FilmSource, range: object) => Promise<Frames>,
): Promise<Frames> {
  if (background === 'median') return runStepsWithPauses(backgroundSteps(frames), signal);
  if (typeof background === 'string')
    throw new GradsimError('film/unknown-choice', `readFilm: background is "${background}".`, {
      field: 'background',
      hint: "It must be 'median', { file }, { frames } or a picture.",
    });
  if ('data' in background) return background;
  if ('file' in background) return read(background.file, { first: 0, last: 0 });
  const [from, to] = background.frames.map((frame) => Math.round((frame - first) / every));
  const still = cutFrames(frames, { first: from, last: to });
  return to - from >= 2 ? runStepsWithPauses(backgroundSteps(still), signal) : cutFrames(still, { first: 0, last: 0 });
}

async function masksOf(
  frames: Frames,
  background: Frames,
  mask: Exclude<FilmOptions['mask'], 'none' | undefined>,
  { transfer }: FilmInfo,
  signal: FilmOptions['signal'],
): Promise<FilmMasks> {
  if (typeof mask === 'function') return mask(frames, background);
  if (mask === 'moving') return runStepsWithPauses(objectMaskSteps(frames, background, { transfer }), signal);
  if (!('colour' in mask)) {
    const { thin = true, convex = false, ...own } = mask;
    const { masks: all, areaErrors } = await runStepsWithPauses(
      objectMaskSteps(frames, background, { transfer, ...own }),
      signal,
    );
    const masks = thin ? all : await runStepsWithPauses(thinSteps(all), signal);
    return { masks: convex ? await runStepsWithPauses(convexSteps(masks), signal) : masks, areaErrors };
  }
  const { colour, ...tolerance } = mask;
  return { masks: await runStepsWithPauses(coverageSteps(frames, background, colour, tolerance), signal) };
}
