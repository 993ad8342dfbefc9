import type { Camera } from '@gradsim/cameras/internal';
import { describeValue, GradsimError, refuseUnknownChoice, refuseUnknownOptions } from '@gradsim/core';
import type { FilmSource, Frames, ReadOptions, Region, ShiftOptions, Size } from '@gradsim/video';
import type { FilmMasks } from '../film.ts';
import type { Stroke } from './stroke.ts';

/** Custom function that makes masks from the upright, stabilised frames and their background. */
export type MaskMaker = (frames: Frames, background: Frames) => FilmMasks | Promise<FilmMasks>;

/** Method of separating objects from the background. */
export type MaskChoice =
  /** Everything that moves: see `objectMasks` of `@gradsim/video`. */
  | 'moving'
  /**
   * Moving things, with options: `shadows: false` for grey objects, `rimDistance` for blur, in pixels, `thin: false` to leave
   * out thin parts, such as a pendulum's rod, `convex: true` for convex things, such as a box: see `convexMasks`.
   */
  | {
      readonly shadows?: boolean;
      readonly rimDistance?: number;
      readonly thin?: boolean;
      readonly convex?: boolean;
    }
  /** Things of one colour, red, green and blue as in the film: see `coverageMasks`. */
  | { readonly colour: readonly number[]; readonly tolerance?: number }
  | MaskMaker
  /** No masks: the film is compared by its colours. */
  | 'none';

/** Options of `readFilm`. Frames are counted as in the file, from 0. */
export interface FilmOptions {
  readonly first?: number;
  readonly last?: number;
  readonly every?: number;
  /** Numbers of frames, in the file, that are not compared, since they show something else. */
  readonly without?: readonly number[];
  /** Number of the video track, from 1, in a file with several. Default: the track that players choose. */
  readonly track?: number;
  /**
   * Frame rate at which the film was taken, frames/s. Default: the file's frame rate. Images have none, and need it.
   */
  readonly frameRate?: number;
  /**
   * State of the file's clock: `right`, or `wrong` if the file plays at another rate than it was taken at, `frameRate`,
   * as slow motion does. Default `right`.
   */
  readonly clock?: 'right' | 'wrong';
  /**
   * Relative standard deviation of the frame rate, which standard errors of stages made from the film include: 0.001 is
   * 0.1 %, and 0 an exact rate. Default: that of the file's clock, by how even its time stamps are and how close
   * `frameRate` is to them, and 0 below 1e-4; of images and slow motion none.
   */
  readonly clockTolerance?: number;
  /** Clockwise rotation in degrees that brings the pictures upright, if the file does not state it. Default 0. */
  readonly upright?: 0 | 90 | 180 | 270;
  /** Part of the upright picture to read, in pixels of that picture. Default: all of it. */
  readonly region?: Region;
  /** Size to which pictures are reduced while reading, px. Default: their own. */
  readonly size?: Size;
  /**
   * Resolution of large films, of which only the parts are read in which something moves: `enough` for what is measured,
   * so that pictures in which things are large are reduced to a half, a quarter or an eighth of their width and height; or
   * `all` pixels of these parts. Default `enough`.
   */
  readonly pixels?: 'enough' | 'all';
  /** Position of the chroma samples: see `readFrames`. Default `left`. */
  readonly chroma?: ReadOptions['chroma'];
  /**
   * Stabilises a hand-held camera: see `cameraShifts`; `{ withRollAndZoom: true }` for rotations and zooms too. The `reference`
   * among its options is the number of a frame in the file. Default false.
   */
  readonly steady?: boolean | ShiftOptions;
  /**
   * Background: the median over time, a file, a picture, or the frames of the film in which nothing moves. Default
   * `median`.
   */
  readonly background?:
    | 'median'
    | { readonly file: FilmSource }
    | { readonly frames: readonly [first: number, last: number] }
    | Frames;
  /** Masks of the objects. Default `moving`. */
  readonly mask?: MaskChoice;
  /** Strokes of a brush that correct the masks, one after another. Default: none. */
  readonly retouch?: readonly Stroke[];
  /**
   * Camera of the film: a camera file of `gradsim calibrate` or another tool (its path, in a browser its URL), or the
   * result of `readCamera`. It describes the whole upright pictures, in any resolution; {@link Film.camera} is cropped
   * and scaled like the film's pictures.
   */
  readonly camera?: string | Camera;
  readonly signal?: ReadOptions['signal'];
  readonly onProgress?: ReadOptions['onProgress'];
  /** Called with a sentence on what was read of a large film. */
  readonly log?: (sentence: string) => void;
}

const OPTION_KEYS = {
  first: 0,
  last: 0,
  every: 0,
  without: 0,
  track: 0,
  frameRate: 0,
  clock: 0,
  clockTolerance: 0,
  upright: 0,
  region: 0,
  size: 0,
  pixels: 0,
  chroma: 0,
  steady: 0,
  background: 0,
  mask: 0,
  retouch: 0,
  camera: 0,
  signal: 0,
  onProgress: 0,
  log: 0,
};

/**
 * Checks options of `readFilm`. @throws for an unknown option, naming the nearest known one, and for an invalid value.
 */
export function checkFilmOptions(options: FilmOptions): void {
  refuseUnknownOptions<FilmOptions>('readFilm', options, OPTION_KEYS);
  const {
    clock = 'right',
    upright = 0,
    without = [],
    frameRate,
    clockTolerance,
    region,
    size,
    pixels = 'enough',
    steady,
    mask,
    retouch = [],
  } = options;
  refuseUnknownChoice('readFilm: clock', clock, ['right', 'wrong']);
  refuseUnknownChoice('readFilm: pixels', pixels, ['enough', 'all']);
  if (![0, 90, 180, 270].includes(upright))
    throw new GradsimError('film/option-out-of-range', `readFilm: upright is ${describeValue(upright)}.`, {
      field: 'upright',
      hint: 'It must be 0, 90, 180 or 270 degrees clockwise.',
    });
  if (frameRate !== undefined && !(frameRate > 0 && Number.isFinite(frameRate)))
    throw new GradsimError('film/option-out-of-range', `readFilm: frameRate is ${describeValue(frameRate)}.`, {
      field: 'frameRate',
      hint: 'It must be a number above 0, in frames a second.',
    });
  if (clockTolerance !== undefined && !(clockTolerance >= 0 && Number.isFinite(clockTolerance)))
    throw new GradsimError(
      'film/option-out-of-range',
      `readFilm: clockTolerance is ${describeValue(clockTolerance)}.`,
      {
        field: 'clockTolerance',
        hint: 'It must be a number from 0, a part of the frame rate.',
      },
    );
  if (clock === 'wrong' && frameRate === undefined)
    throw new GradsimError(
      'film/frame-rate-missing',
      "readFilm: clock is 'wrong', so frameRate must say how many frames a second were taken.",
      { field: 'clock' },
    );
  if (without.some((frame) => !Number.isInteger(frame)))
    throw new GradsimError('film/option-out-of-range', `readFilm: without is [${without.join(', ')}].`, {
      field: 'without',
      hint: 'It must be numbers of frames.',
    });
  if (region) refuseUnknownOptions<Region>('readFilm: region', region, { x: 0, y: 0, width: 0, height: 0 });
  if (size) refuseUnknownOptions<Size>('readFilm: size', size, { width: 0, height: 0 });
  if (typeof steady === 'object')
    refuseUnknownOptions<ShiftOptions>('readFilm: steady', steady, {
      reference: 0,
      region: 0,
      withRollAndZoom: 0,
    });
  if (mask === 'none' && retouch.length > 0)
    throw new GradsimError('film/option-out-of-range', "readFilm: there are no masks to retouch with mask: 'none'.", {
      field: 'retouch',
    });
  checkMask(mask);
}

function checkMask(mask: MaskChoice = 'moving'): void {
  if (typeof mask === 'function') return;
  if (typeof mask === 'string') {
    refuseUnknownChoice('readFilm: mask', mask, ['moving', 'none']);
    return;
  }
  refuseUnknownOptions<object>(
    'readFilm: mask',
    mask,
    'colour' in mask ? { colour: 0, tolerance: 0 } : { shadows: 0, rimDistance: 0, thin: 0, convex: 0, colour: 0 },
  );
}
