import { medianSteps } from '../background/background.ts';
import { findOtherColours, replaceRestingObjects } from '../background/uncovered.ts';
import { createFrames, type Frames, frameAt } from '../frames/frames.ts';
import { type StoredValues, storedArray, type TiledFrames } from '../frames/tiled.ts';
import type { PictureReader } from '../source/footage.ts';
import type { WorkSteps } from '../steps.ts';
import type { Tiles } from './tiles.ts';

/** Smallest number of cells without motion that tell the noise. */
const MIN_STILL_PIXELS = 64;

/** Pictures of a sample of frames, of which the background is computed. */
export class BackgroundSample {
  readonly #tiles: Tiles;
  readonly #background: Frames;
  /** Cells through which something moves, and the others. */
  readonly #swept: Uint32Array;
  readonly #quiet: Uint32Array;
  /** Values of the former in each frame; sums of those of the latter. */
  readonly #pictures: StoredValues[] = [];
  readonly #sums: Float32Array;
  /** First pixels of cells that show the noise, by frame. */
  readonly #corners: StoredValues[] = [];

  constructor(tiles: Tiles, kept: readonly Uint32Array[], background: Frames) {
    this.#tiles = tiles;
    this.#background = background;
    const swept = new Uint8Array(tiles.grid.columns * tiles.grid.rows);
    for (const cells of kept) for (const cell of cells) swept[cell] = 1;
    const numbers = Uint32Array.from(swept.keys());
    this.#swept = numbers.filter((cell) => swept[cell] === 1);
    this.#quiet = numbers.filter((cell) => swept[cell] === 0);
    this.#sums = new Float32Array(this.#quiet.length * tiles.length);
  }

  add(read: PictureReader): void {
    const moving = this.#tiles.read(read, this.#swept);
    const quiet = this.#tiles.read(read, this.#quiet);
    this.#pictures.push(moving);
    for (let i = 0; i < quiet.length; i++) this.#sums[i] += quiet[i];
    this.#corners.push(this.#cornersOf(this.#hasQuiet ? quiet : moving));
  }

  get #hasQuiet(): boolean {
    return this.#quiet.length >= MIN_STILL_PIXELS;
  }

  /** Colours of the first pixels of tiles. */
  #cornersOf(stored: StoredValues): StoredValues {
    const { length } = this.#tiles;
    const corners = storedArray((3 * stored.length) / length, this.#tiles.levels);
    for (let k = 0; 3 * k < corners.length; k++) corners.set(stored.subarray(k * length, k * length + 3), 3 * k);
    return corners;
  }

  /** Computes the background: of a picture if there is one, else the median, and the mean where nothing moves. */
  *finish(plate: PictureReader | undefined): WorkSteps<void> {
    const { length, levels } = this.#tiles;
    const count = this.#pictures.length;
    const tileOf = (values: StoredValues | Float32Array, k: number, by: number): Float32Array => {
      const tile = new Float32Array(length);
      for (let i = 0, at = k * length; i < length; i++, at++) tile[i] = values[at] / by;
      return tile;
    };
    const swept = plate && this.#tiles.read(plate, this.#swept);
    const quiet = plate && this.#tiles.read(plate, this.#quiet);
    for (const [k, cell] of this.#quiet.entries()) {
      const values = quiet ? tileOf(quiet, k, levels) : tileOf(this.#sums, k, levels * count);
      this.#tiles.writeTile(cell, values, this.#background);
      if (k % 64 === 0) yield;
    }
    const shape = { width: length / 3, height: 1, channels: 3 as const, frameRate: 1 };
    const other = createFrames(this.#background, 1);
    other.data.fill(Number.NaN);
    const instead = new Float32Array(length);
    for (const [k, cell] of this.#swept.entries()) {
      if (swept) this.#tiles.writeTile(cell, tileOf(swept, k, levels), this.#background);
      else {
        const tiles = createFrames(shape, count);
        this.#pictures.forEach((picture, f) => {
          tiles.data.set(tileOf(picture, k, levels), f * length);
        });
        const { data } = yield* medianSteps(tiles);
        this.#tiles.writeTile(cell, data, this.#background);
        const views = this.#pictures.map((_, f) => frameAt(tiles, f));
        yield* findOtherColours(views, data, 3, instead);
        this.#tiles.writeTile(cell, instead, other);
      }
      yield;
    }
    replaceRestingObjects(this.#background, other);
  }

  /** Pixels that show the noise, and their background. */
  stillPixels(frameRate: number): NonNullable<TiledFrames['stillPixels']> {
    const cells = this.#hasQuiet ? this.#quiet : this.#swept;
    const shape = { width: cells.length, height: 1, channels: 3 as const, frameRate };
    const frames = createFrames(shape, this.#corners.length);
    this.#corners.forEach((picture, f) => {
      for (let i = 0; i < picture.length; i++) frames.data[f * picture.length + i] = picture[i] / this.#tiles.levels;
    });
    const background = createFrames(shape, 1);
    const { tile } = this.#tiles;
    const { columns } = this.#tiles.grid;
    const { data, width } = this.#background;
    cells.forEach((cell, k) => {
      const [x, y] = [(cell % columns) * tile, Math.floor(cell / columns) * tile];
      for (let c = 0; c < 3; c++) background.data[3 * k + c] = data[3 * (y * width + x) + c];
    });
    return { frames, background };
  }
}
