import type { Device, FieldKey, Model, Simulation } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import type { Problem } from '@gradsim/optim';
import { Pixel } from '@gradsim/render';
import type { BlackBox, Point } from './searches/black-box.ts';

/** A scalar unknown, and the range to search. */
export interface RangedField {
  readonly field: FieldKey;
  readonly range: readonly [low: number, high: number];
}

/** Maps a coordinate from 0 to 1 to a value in the range; {@link coordinateAt} is the inverse. */
export const valueAt = ([low, high]: RangedField['range'], x: number): number => low + (high - low) * x;
export const coordinateAt = ([low, high]: RangedField['range'], value: number): number => (value - low) / (high - low);

/** Number of worlds, that is, of points evaluated in one run. */
const WORLDS = 5;
/** Red, green, blue and alpha. */
const CHANNELS = 4;

/**
 * Loss of a model's unknowns: the mean squared difference between its film and a given one, over red, green, blue and
 * alpha. Each point takes one forward simulation.
 *
 * ```ts
 * const film = await filmModel(model, timeline, { device });
 * const losses = await FilmLosses.of(model, film, [{ field: Body.density, range: [2, 12] }], device);
 * const { point } = await cmaEs(losses, { simulations: 100, start: [0.5], random });
 * losses.dispose();
 * ```
 */
export class FilmLosses implements BlackBox {
  readonly #simulation: Simulation;
  /** Values of the film in the order of a record, `[frame][channel][pixel]`. */
  readonly #film: Float64Array;
  readonly #unknowns: readonly RangedField[];

  /**
   * Creates the loss of a film.
   *
   * @param film values of `Pixel.rgba`, `[frame][pixel][channel]`, with number of frames, frame rate and substeps.
   */
  static async of(
    model: Model,
    {
      rgba,
      timeline,
    }: { readonly rgba: Float64Array; readonly timeline: Pick<Problem, 'frames' | 'frameRate' | 'substeps'> },
    unknowns: readonly RangedField[],
    device: Device,
  ): Promise<FilmLosses> {
    const simulation = await createSimulation(model, { device, ...timeline, worlds: WORLDS, record: [Pixel.rgba] });
    return new FilmLosses(simulation, rgba, unknowns);
  }

  private constructor(simulation: Simulation, film: Float64Array, unknowns: readonly RangedField[]) {
    this.#simulation = simulation;
    this.#film = planar(film, simulation.frames);
    this.#unknowns = unknowns;
  }

  get dimension(): number {
    return this.#unknowns.length;
  }

  readonly losses = async (points: readonly Point[]): Promise<number[]> => {
    const found: number[] = [];
    for (let from = 0; from < points.length; from += WORLDS)
      found.push(...(await this.#lossesOf(points.slice(from, from + WORLDS))));
    return found;
  };

  async #lossesOf(points: readonly Point[]): Promise<number[]> {
    for (let world = 0; world < WORLDS; world++) {
      // Worlds without a point of their own repeat the last one.
      const point = points[Math.min(world, points.length - 1)];
      this.#unknowns.forEach(({ field, range }, k) => {
        this.#simulation.set(field, [valueAt(range, point[k])], world);
      });
    }
    this.#simulation.forward();
    const { words, values, frameStride, valueStride, worldStride } = await this.#simulation.readRecord(Pixel.rgba);
    const { frames } = this.#simulation;
    return points.map((_, world) => {
      let squares = 0;
      for (let frame = 0; frame < frames; frame++)
        for (let k = 0; k < values; k++) {
          const drawn = words[frame * frameStride + k * valueStride + world * worldStride];
          squares += (drawn - this.#film[frame * values + k]) ** 2;
        }
      return Number.isFinite(squares) ? squares / (frames * values) : Number.POSITIVE_INFINITY;
    });
  }

  dispose(): void {
    this.#simulation.dispose();
  }
}

/** Reorders a film from `[frame][pixel][channel]` to `[frame][channel][pixel]`. */
function planar(film: Float64Array, frames: number): Float64Array {
  const values = film.length / frames;
  const pixels = values / CHANNELS;
  const ordered = new Float64Array(film.length);
  for (let k = 0; k < film.length; k++) {
    const own = k % values;
    ordered[k - own + (own % CHANNELS) * pixels + Math.floor(own / CHANNELS)] = film[k];
  }
  return ordered;
}
