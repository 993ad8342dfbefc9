import { type Camera, cameraFor } from '@gradsim/cameras/internal';
import type { FrameClock, Model } from '@gradsim/core';
import { describeValue, GradsimError, refuseUnknownChoice, refuseUnknownOptions } from '@gradsim/core';
import type { Estimate, Observation, Problem, Stage, Strip } from '@gradsim/optim';
import type { ImageLayout } from '@gradsim/render';
import { fromRows, layoutOf, Pixel, toRows } from '@gradsim/render';
import type { FilmInfo, Frames, Size, Track } from '@gradsim/video';
import { frameAt, frameCount, masksOf, resizeFrames, timeOf, trackBlobs } from '@gradsim/video';
import { clockOf } from './clock-tolerance.ts';

/** Masks of the objects in a film. */
export interface FilmMasks {
  /** Masks of one channel: fraction of each pixel that the objects cover, 0 to 1. */
  readonly masks: Frames;
  /** Weights of one channel: weight of each pixel in a comparison. Default 1. */
  readonly weights?: Frames;
  /** Relative error of the masks' area, by frame. */
  readonly areaErrors?: ArrayLike<number>;
}

/** Options for comparing a film with a model's pictures. */
export interface ObserveOptions {
  /**
   * Compares outlines, with `pixels.alpha`, or colours, with `pixels.rgba`. Default: outlines if the film has masks.
   */
  readonly by?: 'outlines' | 'colours';
  /**
   * True if the renderer draws both sides of closed surfaces, as it does by default: a pixel of which each side covers
   * the fraction a then has the alpha 1 - (1 - a)^2, and the target is computed likewise. Default true.
   */
  readonly doubleSided?: boolean;
  /**
   * Number of the model's pictures, evenly spread over a frame, whose mean is compared with each frame of the film, to
   * represent its exposure. Default 1, an instantaneous shutter.
   */
  readonly instants?: number;
  /**
   * True if the model has the plugin `exposure`, with the same number of instants: then its `pixels.exposed` is
   * compared. Default false.
   */
  readonly exposed?: boolean;
  /** Weights of pixels that replace the masks' weights: one channel, of the film's size or the model's. */
  readonly weights?: Frames;
}

/** Options of a stage of an experiment that compares a film with a model. */
export interface StageOptions
  extends ObserveOptions,
    Pick<Problem, 'parameters' | 'options' | 'values'>,
    Pick<Stage, 'notes'> {
  readonly name: string;
  /** Number of substeps between two frames of the film. */
  readonly substeps: number;
}

/** The film file's properties, and the numbers of the frames that were read from it. */
interface ComparedFramesOfFile {
  readonly info: FilmInfo;
  readonly every: number;
  /** For each frame, its number in the file; null for one without a picture, see `withoutGaps`. */
  readonly numbers: readonly (number | null)[];
  /** Numbers in the file of frames that are not compared. */
  readonly without: readonly number[];
  readonly clockTolerance?: number;
  /** Camera of the pictures; undefined if the film was read without one. */
  readonly camera?: Camera;
  /** Pixels of the file along each side of a pixel of the pictures. */
  readonly reduction?: number;
}

/** Number of consecutive frames in which a tracked thing may be unseen in their pictures. */
const MAX_UNSEEN_FRAMES = 5;

/** Number of consecutive frames in which a tracked thing may be unseen, given those that have pictures. */
export function gapIn(numbers: readonly (number | null)[]): number {
  let [longest, own] = [0, 0];
  for (const number of numbers) {
    own = number === null ? own + 1 : 0;
    longest = Math.max(longest, own);
  }
  return MAX_UNSEEN_FRAMES + longest;
}

/** Field of the plugin `exposure`: four components for colours, one for outlines. */
const EXPOSED_FIELD = 'pixels.exposed';

const OBSERVE_KEYS = { by: 0, doubleSided: 0, instants: 0, exposed: 0, weights: 0 };

/** A film that was read by {@link readFilm}, with the objects found in it. */
export class Film {
  /** Colours as stored in the file (not linear light), upright, cropped and stabilised. */
  readonly frames: Frames;
  readonly #background: Frames | undefined;
  readonly #found: FilmMasks | undefined;
  readonly #compared: ComparedFramesOfFile;
  #tracks: readonly Track[] | undefined;

  constructor(
    frames: Frames,
    compared: ComparedFramesOfFile,
    background?: Frames,
    found?: FilmMasks,
    tracks?: readonly Track[],
  ) {
    this.frames = frames;
    this.#background = background;
    this.#found = found;
    this.#compared = compared;
    this.#checkWithout();
    if (tracks) this.#tracks = tracks.map((track) => this.#trackInFilm(track));
  }

  /** Properties stated by the film's file. */
  get info(): FilmInfo {
    return this.#compared.info;
  }

  /**
   * Number of frames: as many as were read; where the file's time stamps leave more than the usual time between two
   * pictures, as where frames were dropped, there are frames without a picture in between, which are not compared.
   */
  get count(): number {
    return frameCount(this.frames);
  }

  /** Rate of the frames, frames per second of real time; the usual one, if their times are not even. */
  get frameRate(): number {
    return this.frames.frameRate;
  }

  /** Times of the frames from that of the first, s of real time. */
  get times(): readonly number[] {
    return Array.from({ length: this.count }, (_, frame) => timeOf(this.frames, frame));
  }

  /** True if the frames' times are not multiples of a frame interval. */
  get isUneven(): boolean {
    return this.frames.times !== undefined;
  }

  /** Returns whether a frame is compared: it has a picture, and `without` does not name it. */
  isCompared(frame: number): boolean {
    const { numbers, without } = this.#compared;
    const number = numbers[frame] ?? null;
    return number !== null && !without.includes(number);
  }

  /** Number in the file of a frame; null for one without a picture. */
  number(frame: number): number | null {
    return this.#compared.numbers[frame] ?? null;
  }

  /**
   * Rate at which the camera took the file's frames, frames per second of real time; only one of every few may have
   * been read.
   */
  get takenRate(): number {
    return this.frameRate * this.#compared.every;
  }

  /** Relative standard deviation of the frame rate, see `clockTolerance` of `readFilm`; 0 if it is exact, undefined if nothing tells it. */
  get clockTolerance(): number | undefined {
    return this.#compared.clockTolerance;
  }

  /** Size of the pictures, px, which a model's pictures can take over. */
  get size(): Size {
    return { width: this.frames.width, height: this.frames.height };
  }

  /**
   * Pixels of the file along each side of a pixel of the film's pictures: above 1 if those of a large film were reduced.
   */
  get reduction(): number {
    return this.#compared.reduction ?? 1;
  }

  /** Coordinates in the film's pictures of a pixel of the file; whole numbers are centres of pixels. */
  pixel([x, y]: readonly [number, number]): readonly [number, number] {
    const { reduction } = this;
    return reduction === 1 ? [x, y] : [(x + 0.5) / reduction - 0.5, (y + 0.5) / reduction - 0.5];
  }

  /** Measurements with the ends of a marked length in pixels of the film's pictures, from those in pixels of the file. */
  marked<T extends { readonly ends: readonly number[] | null }>(measured: T): T {
    const { reduction } = this;
    return reduction === 1 ? measured : { ...measured, ends: measured.ends?.map((at) => at / reduction) ?? null };
  }

  /** True if the film was read with a camera file. */
  get hasCamera(): boolean {
    return this.#compared.camera !== undefined;
  }

  /**
   * Camera of the film's pictures, as read, cropped and scaled; `pinholeOf` of `@gradsim/cameras` converts it to values
   * of a `PinholeCamera`.
   * @throws when the film was read without one.
   */
  get camera(): Camera {
    const { camera } = this.#compared;
    if (!camera)
      throw new GradsimError('film/no-camera', 'The film was read without a camera.', {
        hint: 'Give its file as the option `camera` of readFilm.',
      });
    return camera;
  }

  /** Background picture without the moving things, one frame. @throws when the film was read without masks. */
  get background(): Frames {
    return this.#background ?? notTold();
  }

  /**
   * Masks of one channel: fraction of each pixel that the objects cover, 0 to 1. @throws when the film was read without
   * masks.
   */
  get masks(): Frames {
    return this.#found?.masks ?? notTold();
  }

  /** Relative error of the masks' area, by frame; undefined if unknown. */
  get areaErrors(): ArrayLike<number> | undefined {
    return this.#found?.areaErrors;
  }

  /** Weights of pixels, one channel; 1 unless the masks come with weights. */
  get weights(): Frames {
    return this.#found?.weights ?? masksOf(this.frames, 1);
  }

  /**
   * Tracks of the moving things, the largest first; frames are numbered from 0 among those that were read. Frames that
   * are not compared have no points.
   */
  get tracks(): readonly Track[] {
    this.#tracks ??= trackBlobs(this.masks, {
      areaErrors: this.areaErrors,
      weights: this.#found?.weights,
      gap: gapIn(this.#compared.numbers),
    }).map((track) => this.#trackInFilm(track));
    return this.#tracks;
  }

  #trackInFilm({ name, points }: Track): Track {
    return { name, points: points.filter(({ frame }) => this.isCompared(frame)) };
  }

  /**
   * The same film with smaller pictures.
   *
   * ```ts
   * const small = film.resized({ width: 160, height: 120 });
   * ```
   * @throws for a size whose aspect ratio differs by more than a hundredth.
   */
  resized(size: Size): Film {
    const { width, height } = this.size;
    if (width === size.width && height === size.height) return this;
    if (Math.abs((width * size.height) / (height * size.width) - 1) > 0.01)
      throw new GradsimError(
        'film/other-shape',
        `The film's pictures of ${width} x ${height} do not become ${size.width} x ${size.height} without being distorted.`,
        { hint: "Give the model's pictures the shape of the film's, or cut the film by its region." },
      );
    const small = (frames: Frames): Frames => resizeFrames(frames, size);
    const [background, found, { camera }] = [this.#background, this.#found, this.#compared];
    return new Film(
      small(this.frames),
      { ...this.#compared, ...(camera ? { camera: cameraFor(camera, { size }) } : {}) },
      background && small(background),
      found && {
        ...found,
        masks: small(found.masks),
        ...(found.weights ? { weights: small(found.weights) } : {}),
      },
    );
  }

  /** Number of frames, their rate or times, and substeps of a problem that compares the film. */
  timeline(substeps: number, instants = 1): FrameClock & { frames: number; substeps: number } {
    if (!Number.isInteger(instants) || instants < 1)
      throw new GradsimError('film/option-out-of-range', `instants is ${describeValue(instants)}.`, {
        field: 'instants',
        hint: 'It must be a whole number of at least 1.',
      });
    if (!Number.isInteger(substeps) || substeps < 1 || substeps % instants !== 0)
      throw new GradsimError(
        'film/option-out-of-range',
        `substeps is ${describeValue(substeps)}; between two frames of the film there must be a whole number, which ${instants} instants divide.`,
        { field: 'substeps' },
      );
    return {
      frames: this.count * instants,
      ...(this.isUneven ? { frameTimes: this.#instants(instants) } : { frameRate: this.frameRate * instants }),
      substeps: substeps / instants,
    };
  }

  /** Times of a number of instants a frame, s: evenly spread over the usual frame interval, or a shorter one. */
  #instants(instants: number): number[] {
    const { times } = this;
    const usual = 1 / this.frameRate;
    return times.flatMap((time, frame) => {
      const interval = Math.min(usual, (times[frame + 1] ?? Number.POSITIVE_INFINITY) - time);
      return Array.from({ length: instants }, (_, k) => time + (k / instants) * interval);
    });
  }

  /**
   * Observation that compares the film with a model's pictures, resampled to their size.
   *
   * @throws when the aspect ratios of film and model differ, or outlines are to be compared and there are no masks.
   */
  observation(model: Model, options: ObserveOptions = {}): Observation {
    refuseUnknownOptions<ObserveOptions>('observation', options, OBSERVE_KEYS);
    const by = options.by ?? (this.#found ? 'outlines' : 'colours');
    refuseUnknownChoice('observation: by', by, ['outlines', 'colours']);
    const layout = layoutOf(model);
    const { width, height } = layout;
    if (layout.cameras !== 1)
      throw new GradsimError('film/one-camera', `The model has ${layout.cameras} cameras, and a film is taken by one.`);
    const film = this.resized({ width, height });
    const weights = options.weights ?? film.#found?.weights;
    const whole = weights && fromRows(layout, resizeFrames(weights, { width, height }).data, 1);
    return {
      ...(by === 'outlines'
        ? {
            field: options.exposed ? EXPOSED_FIELD : Pixel.alpha,
            target: fromRows(layout, film.#alpha(options), 1),
            ...(whole && { weights: whole }),
          }
        : {
            field: options.exposed ? EXPOSED_FIELD : Pixel.rgba,
            target: fromRows(layout, film.#colours(), 4),
            weights: ofColours(whole),
          }),
      ...(this.#chosen().length < this.count ? { frames: this.#chosen() } : {}),
      ...(options.instants && options.instants > 1 ? { instants: options.instants } : {}),
    };
  }

  /**
   * A stage that compares the film with a model, and shows both in its report.
   *
   * ```ts
   * film.stage(model, { name: 'bounce', substeps: 40, instants: 2, parameters })
   * ```
   */
  stage(model: Model, stage: StageOptions): Stage {
    const { name, substeps, parameters, options, values, notes, ...observe } = stage;
    return {
      name,
      problem: {
        model,
        ...this.timeline(substeps, observe.instants),
        ...clockOf(this, parameters),
        parameters,
        observations: [this.observation(model, observe)],
        ...(values ? { values } : {}),
        ...(options ? { options } : {}),
      },
      strip: (estimate) => this.strip(model, estimate, observe),
      ...(notes ? { notes } : {}),
    };
  }

  /**
   * Pictures of film and estimate for a report, of the compared frames; if outlines are compared, only the part of the
   * film inside its masks. `options` as for the observation.
   */
  strip(model: Model, estimate: Estimate, options: ObserveOptions = {}): Strip {
    const layout = layoutOf(model);
    const { width, height } = layout;
    const film = this.resized({ width, height });
    const { instants = 1, doubleSided = true } = options;
    const frames = this.#chosen();
    const shown = shownIn(model, estimate);
    const seen = (k: number): Float32Array => frameAt(film.frames, frames[k]);
    const drawn = (k: number): Float64Array => meanPicture(layout, shown, { frame: frames[k], instants });
    const size = { width, height, frames: frames.map((frame) => frame * instants) };
    if (shown.components === 1)
      return {
        ...size,
        target: (k) => cutOut(seen(k), alphaOf(frameAt(film.masks, frames[k]), doubleSided)),
        estimate: (k) => cutOut(seen(k), drawn(k)),
      };
    return {
      ...size,
      target: (k) => seen(k).map(clampedToUnit),
      estimate: (k) => Float32Array.from(drawn(k).filter((_, at) => at % 4 !== 3)).map(clampedToUnit),
    };
  }

  #alpha({ doubleSided = true }: ObserveOptions): Float32Array {
    return alphaOf(this.masks.data, doubleSided);
  }

  #colours(): Float32Array {
    const { data } = this.frames;
    return Float32Array.from({ length: (data.length / 3) * 4 }, (_, k) =>
      k % 4 === 3 ? 1 : data[Math.floor(k / 4) * 3 + (k % 4)],
    );
  }

  /** Numbers of the compared frames. */
  #chosen(): number[] {
    return Array.from({ length: this.count }, (_, frame) => frame).filter((frame) => this.isCompared(frame));
  }

  #checkWithout(): void {
    const { numbers, without } = this.#compared;
    const [first, last] = [numbers[0]!, numbers.at(-1)!];
    const outside = without.find((frame) => frame < first || frame > last);
    if (outside !== undefined)
      throw new GradsimError(
        'film/no-such-frame',
        `readFilm: without names frame ${outside}; frames ${first} to ${last} are read.`,
        { field: 'without' },
      );
    if (this.#chosen().length === 0)
      throw new GradsimError('film/no-frames', 'readFilm: without leaves no frame to compare.');
  }
}

function notTold(): never {
  throw new GradsimError(
    'film/no-mask',
    "The film was read with mask: 'none', so nothing in it is told from the rest.",
  );
}

/** Expands one weight per pixel to its red, green, blue and alpha; a film has no alpha, whose weight is 0. */
const ofColours = (weights: Float32Array | undefined): ArrayLike<number> =>
  weights
    ? Float32Array.from({ length: 4 * weights.length }, (_, k) => (k % 4 === 3 ? 0 : weights[k >> 2]))
    : [1, 1, 1, 0];

/** Alpha, as a renderer draws it, from the covered fraction of each pixel. */
const alphaOf = (masks: Float32Array, doubleSided: boolean): Float32Array =>
  doubleSided ? masks.map((part) => 1 - (1 - part) ** 2) : masks;

const clampedToUnit = (value: number): number => Math.min(Math.max(value, 0), 1);

/** Picture multiplied by the covered fraction of each pixel: its part inside an outline. */
function cutOut(picture: Float32Array, parts: ArrayLike<number>): Float32Array {
  const inside = new Float32Array(picture.length);
  for (let p = 0; p < parts.length; p++) {
    const part = parts[p];
    if (part === 0) continue;
    for (let at = 3 * p; at < 3 * p + 3; at++) inside[at] = clampedToUnit(picture[at] * part);
  }
  return inside;
}

/** Pictures of a model, one per instant, pixels in tiles; one component for outlines, four for colours. */
interface ModelPictures {
  readonly values: Float64Array;
  readonly components: number;
}

/** Pictures of a model at an estimate, from what the estimate predicted. */
function shownIn(model: Model, { predicted }: Estimate): ModelPictures {
  if (EXPOSED_FIELD in predicted)
    return { values: predicted[EXPOSED_FIELD], components: model.field(EXPOSED_FIELD).components };
  if (Pixel.alpha.key in predicted) return { values: predicted[Pixel.alpha.key], components: 1 };
  return { values: predicted[Pixel.rgba.key], components: 4 };
}

/** Mean of the pictures of all instants of a frame, converted from tiles to rows. */
function meanPicture(
  layout: ImageLayout,
  { values, components }: ModelPictures,
  { frame, instants }: { readonly frame: number; readonly instants: number },
): Float64Array {
  const length = layout.pixels * components;
  const first = frame * instants;
  const rows = toRows(layout, values.subarray(first * length, (first + instants) * length), components);
  if (instants === 1) return rows;
  const mean = new Float64Array(rows.length / instants);
  for (let k = 0; k < rows.length; k++) mean[k % mean.length] += rows[k] / instants;
  return mean;
}
