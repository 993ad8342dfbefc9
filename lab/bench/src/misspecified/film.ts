import type { Device } from '@gradsim/core';
import { recordOf } from '@gradsim/core';
import { fromRows, imageLayout, Pixel, toRows } from '@gradsim/render';
import type { Departures, Kind, Values } from './kind.ts';
import { SIZE } from './kinds/scene.ts';

/** Number of channels of a picture: red, green, blue, alpha. */
export const CHANNELS = 4;
/** Number of values per picture: width times height times channels. */
export const PICTURE = SIZE * SIZE * CHANNELS;
const LAYOUT = imageLayout({ width: SIZE, height: SIZE });

/** Pictures in one flat array, `[frame][y][x][channel]`, rows from the top. */
export type Film = Float64Array;

/** Times at which pictures of the truth are taken. */
export interface Clock {
  /** True frame rate divided by the one that the model assumes. */
  readonly rate: number;
  /** Number of instants between two frames, for motion blur. */
  readonly moments: number;
}
export const EXACT_CLOCK: Clock = { rate: 1, moments: 1 };

/** Films the truth in a scene that departs from the model. */
export class Camera {
  readonly #kind: Kind;
  readonly #values: Values;
  readonly #device: Device;
  readonly #films = new Map<string, Film>();

  constructor(kind: Kind, values: Values, device: Device) {
    this.#kind = kind;
    this.#values = values;
    this.#device = device;
  }

  /** Pictures at all instants of the model's film and of the frame after it. */
  async film(departures: Departures, clock: Clock): Promise<Film> {
    const key = JSON.stringify([departures, clock]);
    const known = this.#films.get(key);
    if (known) return known;
    const { frames, frameRate, substeps } = this.#kind.timeline;
    const tiles = await recordOf(this.#kind.model(this.#values, departures), Pixel.rgba, {
      device: this.#device,
      frames: frames * clock.moments + 1,
      frameRate: frameRate * clock.rate * clock.moments,
      substeps: Math.max(1, Math.round(substeps / clock.moments)),
    });
    const film = toRows(LAYOUT, tiles, CHANNELS);
    this.#films.set(key, film);
    return film;
  }
}

/** Reorders a film into the tiles of a model's pictures, for the target of an observation. */
export const tilesFromRows = (film: Film): Float64Array => fromRows(LAYOUT, film, CHANNELS);
/** The inverse of {@link tilesFromRows}. */
export const rowsFromTiles = (tiles: Float64Array): Film => toRows(LAYOUT, tiles, CHANNELS);
