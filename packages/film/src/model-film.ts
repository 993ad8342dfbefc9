import type { Device, Model, StopSignal } from '@gradsim/core';
import { recordOf } from '@gradsim/core';
import type { Estimate, Observation, Problem, Stage, Strip } from '@gradsim/optim';
import { picturesOf } from '@gradsim/optim';
import type { ImageLayout } from '@gradsim/render';
import { colorRows, fromRows, layoutOf, Pixel, toRows } from '@gradsim/render';
import { createFrames, encodePng, frameCount, inspectFilm, readFrames, requireFrames } from '@gradsim/video';

/** Number of frames, frame rate in frames/s, and number of substeps per frame. */
export type FilmTimeline = Pick<Problem, 'frames' | 'substeps'> & { readonly frameRate: number };

/**
 * A stage of an experiment that compares a {@link ModelFilm}: its name, and its problem's options beside model and
 * film.
 */
export interface ModelFilmStage
  extends Pick<Stage, 'name' | 'notes'>,
    Omit<Problem, 'model' | 'observations' | keyof FilmTimeline> {
  /** Number of substeps per frame. Default: as for the film. */
  readonly substeps?: number;
}

/** Number of channels of a picture: red, green, blue, alpha. */
const CHANNELS = 4;
const NO_ALPHA = [1, 1, 1, 0];

/**
 * Pictures of a model's cameras, frame by frame: targets for the `pixels.rgba` of any model whose pictures have the
 * same size. Made by {@link filmModel} and {@link readPictures}.
 */
export class ModelFilm {
  /** Values in [0, 1], a flat array in the model's order, [frame][pixel][channel], with pixels in tiles. */
  readonly rgba: Float64Array;
  readonly timeline: FilmTimeline;
  /**
   * Weights of the channels red, green, blue and alpha: 0 for alpha if the pictures have no mask. Default: equal
   * weights.
   */
  readonly weights: readonly number[] | undefined;
  readonly #layout: ImageLayout;

  constructor(
    layout: ImageLayout,
    film: { readonly rgba: Float64Array; readonly timeline: FilmTimeline; readonly weights?: readonly number[] },
  ) {
    this.#layout = layout;
    this.rgba = film.rgba;
    this.timeline = film.timeline;
    this.weights = film.weights;
  }

  /** Observation that compares all frames with a model's pictures. */
  get observation(): Observation {
    return { field: Pixel.rgba, target: this.rgba, ...(this.weights && { weights: this.weights }) };
  }

  /**
   * A stage that compares all frames with a model, and shows both in its report.
   *
   * ```ts
   * const film = await filmModel(ballModel(TRUTH), TIMELINE, { device });
   * return [film.stage(ballModel(START), { name: 'bounce', parameters })];
   * ```
   */
  stage(model: Model, { name, notes, substeps, ...problem }: ModelFilmStage): Stage {
    return {
      name,
      problem: {
        model,
        ...this.timeline,
        ...(substeps === undefined ? {} : { substeps }),
        ...problem,
        observations: [this.observation],
      },
      strip: (estimate) => this.strip(estimate),
      ...(notes ? { notes } : {}),
    };
  }

  /** Pictures of all frames and cameras beside those of the model at an estimate, for a report. */
  strip({ predicted }: Pick<Estimate, 'predicted'>): Strip {
    const { width, height, cameras } = this.#layout;
    const length = CHANNELS * this.#layout.pixels;
    const pictures =
      (rgba: Float64Array): Strip['target'] =>
      (k) => {
        const frame = Math.floor(k / cameras);
        const all = colorRows(this.#layout, rgba.subarray(frame * length, (frame + 1) * length));
        return picturesOf(all, cameras)(k % cameras);
      };
    return {
      width,
      height,
      frames: [...Array(this.timeline.frames * cameras).keys()],
      target: pictures(this.rgba),
      estimate: pictures(predicted[Pixel.rgba.key]),
    };
  }

  /**
   * Copy of the film with every value changed, for example by sensor noise.
   *
   * ```ts
   * const noisy = film.map((value, channel) => (channel === 3 ? value : value + 0.01 * normal()));
   * ```
   * @param change maps a value of a channel, 0 to 3 for red, green, blue and alpha; called in the order of `rgba`.
   */
  map(change: (value: number, channel: number) => number): ModelFilm {
    return this.#withPixels(this.rgba.map((value, k) => change(value, k % CHANNELS)));
  }

  /** Copy of the film with every value rounded to a multiple of 1/255, as in PNG files. */
  async in8Bits(): Promise<ModelFilm> {
    const { width, height, cameras } = this.#layout;
    const { frameRate } = this.timeline;
    const count = this.timeline.frames * cameras;
    const film = createFrames({ width, height, channels: CHANNELS, frameRate }, count);
    film.data.set(toRows(this.#layout, this.rgba, CHANNELS));
    const files = await Promise.all(Array.from({ length: count }, (_, f) => encodePng(film, f)));
    const { data } = await readFrames(files, { frameRate, channels: CHANNELS });
    return this.#withPixels(fromRows(this.#layout, new Float64Array(data), CHANNELS));
  }

  #withPixels(rgba: Float64Array): ModelFilm {
    return new ModelFilm(this.#layout, { rgba, timeline: this.timeline, weights: this.weights });
  }
}

/**
 * Renders a model over time, with the initial state as frame 0, as synthetic data for an experiment.
 *
 * ```ts
 * const film = await filmModel(model, { frames: 60, frameRate: 30, substeps: 32 }, { device, hasAlpha: false });
 * ```
 * @param options `hasAlpha`: true if alpha is compared too, as a mask. Default true.
 * @throws when the model has no pictures, or its run fails.
 */
export async function filmModel(
  model: Model,
  { frames, frameRate, substeps }: FilmTimeline,
  { device, hasAlpha = true }: { readonly device: Device; readonly hasAlpha?: boolean },
): Promise<ModelFilm> {
  const layout = layoutOf(model);
  const timeline = { frames, frameRate, substeps };
  return new ModelFilm(layout, {
    rgba: await recordOf(model, Pixel.rgba, { device, ...timeline }),
    timeline,
    weights: hasAlpha ? undefined : NO_ALPHA,
  });
}

/** Options of {@link readPictures}. */
export interface ReadPicturesOptions {
  /** Called with a line if there are more pictures than needed. */
  readonly log?: (line: string) => void;
  readonly signal?: StopSignal;
}

/**
 * Reads pictures to compare with a model's: a film for its only camera, or, for one frame, a picture for each camera in
 * their order. Pictures that are opaque everywhere have no mask, so their alpha has weight 0.
 *
 * ```ts
 * const film = await readPictures(video, model, { frames: 60, frameRate: 30, substeps: 32 }, { log, signal });
 * return [film.stage(model, { name: 'mass', parameters: [mass] })];
 * ```
 * @param source a video, a folder of images, or a pattern of their names; images have no frame rate of their own, and
 * take that of `timeline`.
 * @throws for pictures of another size or frame rate than the model's, or too few.
 */
export async function readPictures(
  source: string,
  model: Model,
  { frames, frameRate, substeps }: FilmTimeline,
  { log, signal }: ReadPicturesOptions = {},
): Promise<ModelFilm> {
  const layout = layoutOf(model);
  const { width, height, cameras } = layout;
  const count = frames * cameras;
  // One moment has no rate.
  const clock = frames === 1 ? frameRate : ((await inspectFilm(source, { signal })).frameRate ?? frameRate);
  const film = await readFrames(source, { channels: CHANNELS, frameRate: clock, signal });
  requireFrames(film, { width, height, count, frameRate }, source);
  if (frameCount(film) > count) log?.(`Of ${source} the first ${count} of ${frameCount(film)} frames are used.`);
  const rows = new Float64Array(film.data.subarray(0, count * width * height * CHANNELS));
  return new ModelFilm(layout, {
    rgba: fromRows(layout, rows, CHANNELS),
    timeline: { frames, frameRate, substeps },
    weights: hasAlpha(rows) ? [1, 1, 1, 1] : NO_ALPHA,
  });
}

/** True if any pixel is not opaque. */
function hasAlpha(rows: Float64Array): boolean {
  for (let k = CHANNELS - 1; k < rows.length; k += CHANNELS) if (rows[k] < 1) return true;
  return false;
}
