import { allocate } from './allocate.ts';
import { copyRegion } from './patches.ts';
import type { Region } from './region.ts';
import type { Channels, Frames } from './shape.ts';

/** Shape of a {@link TiledFrames}. */
export interface TiledShape extends Omit<Frames, 'data'> {
  readonly count: number;
  /** Side of a tile, px. */
  readonly tile: number;
  /** Stored number that stands for 1: of 8 or 16 bits. */
  readonly levels: 255 | 65535;
}

/** Values of tiles as they are stored. */
export type StoredValues = Uint8Array | Uint16Array;

/** Array for stored values of 8 or 16 bits. */
export const storedArray = (length: number, levels: TiledShape['levels']): StoredValues =>
  levels === 255 ? new Uint8Array(length) : new Uint16Array(length);

/**
 * A large film in little memory: one picture that is common to all frames, and of each frame the square tiles in which it
 * differs from that, with values of 8 or 16 bits. Everything that takes `Frames` takes it, too; what reads parts of frames
 * (`valuesInRegion`) stays fast, while `data` holds all values of all frames and is computed where it is asked for.
 */
export class TiledFrames implements Frames {
  width: number;
  height: number;
  channels: Channels;
  frameRate: number;
  readonly count: number;
  readonly tile: number;
  readonly levels: TiledShape['levels'];
  /** Number of tiles in a row of the picture. */
  readonly columns: number;
  /** Pixels where nothing ever moves, in some of the frames, and their background: they show the noise of the film. */
  stillPixels: { readonly frames: Frames; readonly background: Frames } | undefined;
  readonly #behind: Float32Array;
  readonly #tiles: Uint32Array[];
  readonly #stored: StoredValues[];

  /** @param behind values of the picture that is common to all frames. */
  constructor({ width, height, channels, frameRate, count, tile, levels }: TiledShape, behind: Float32Array) {
    this.width = width;
    this.height = height;
    this.channels = channels;
    this.frameRate = frameRate;
    this.count = count;
    this.tile = tile;
    this.levels = levels;
    this.columns = Math.ceil(width / tile);
    this.#behind = behind;
    this.#tiles = Array.from({ length: count }, () => new Uint32Array());
    this.#stored = Array.from({ length: count }, () => storedArray(0, levels));
  }

  /** Values of all frames. @throws GradsimError if they do not fit in memory. */
  get data(): Float32Array {
    const data = allocate(this.width, this.height, this.channels, this.count);
    const whole = { x: 0, y: 0, width: this.width, height: this.height };
    const length = data.length / this.count;
    for (let f = 0; f < this.count; f++) data.set(this.copyOfRegion(f, whole), f * length);
    return data;
  }

  /** Number of bytes of all tiles. */
  get byteLength(): number {
    return this.#stored.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /**
   * Stores tiles of a frame in place of those before.
   * @param tiles numbers of the tiles, counted row by row.
   * @param stored values of one tile after another; those beyond the picture are ignored.
   */
  store(frame: number, tiles: Uint32Array, stored: StoredValues): void {
    this.#tiles[frame] = tiles;
    this.#stored[frame] = stored;
  }

  /** Stores a region of a frame in place of all tiles before, as far as it differs from the common picture. */
  storeRegion(frame: number, { x, y, width, height }: Region, values: Float32Array): void {
    const { tile, columns, channels } = this;
    const row = tile * channels;
    const found = new Map<number, StoredValues>();
    for (let v = 0, at = 0; v < height; v++) {
      let behind = ((y + v) * this.width + x) * channels;
      for (let u = 0; u < width; u++)
        for (let c = 0; c < channels; c++, at++, behind++) {
          if (values[at] === this.#behind[behind]) continue;
          const number = Math.floor((y + v) / tile) * columns + Math.floor((x + u) / tile);
          let stored = found.get(number);
          if (!stored) {
            stored = this.#behindTile(number);
            found.set(number, stored);
          }
          stored[((y + v) % tile) * row + ((x + u) % tile) * channels + c] = levelOf(values[at], this.levels);
        }
    }
    const all = storedArray(found.size * row * tile, this.levels);
    [...found.values()].forEach((each, k) => {
      all.set(each, k * row * tile);
    });
    this.store(frame, Uint32Array.from(found.keys()), all);
  }

  /** Tile of the common picture. */
  #behindTile(number: number): StoredValues {
    const { tile, columns, channels, levels } = this;
    const [x, y] = [(number % columns) * tile, Math.floor(number / columns) * tile];
    const stored = storedArray(tile * tile * channels, levels);
    const across = Math.min(tile, this.width - x) * channels;
    for (let v = 0; v < Math.min(tile, this.height - y); v++)
      for (let k = 0; k < across; k++)
        stored[v * tile * channels + k] = levelOf(this.#behind[((y + v) * this.width + x) * channels + k], levels);
    return stored;
  }

  /** A film of the same shape, in which every frame is the common picture. */
  withoutTiles(): TiledFrames {
    return new TiledFrames(this, this.#behind);
  }

  /** Smallest region that holds all tiles of a frame; undefined if there are none. */
  regionOf(frame: number): Region | undefined {
    const { tile, columns } = this;
    let [left, top, right, bottom] = [this.width, this.height, 0, 0];
    for (const number of this.#tiles[frame]) {
      const [column, row] = [number % columns, Math.floor(number / columns)];
      left = Math.min(left, column * tile);
      right = Math.max(right, Math.min((column + 1) * tile, this.width));
      top = Math.min(top, row * tile);
      bottom = Math.max(bottom, Math.min((row + 1) * tile, this.height));
    }
    return right > 0 ? { x: left, y: top, width: right - left, height: bottom - top } : undefined;
  }

  /** Values of a region of a frame, a copy. */
  copyOfRegion(frame: number, region: Region): Float32Array {
    const { tile, columns, channels, levels } = this;
    const values = copyRegion(this.#behind, this, region, channels);
    const stored = this.#stored[frame];
    const row = tile * channels;
    this.#tiles[frame].forEach((number, k) => {
      const [x, y] = [(number % columns) * tile - region.x, Math.floor(number / columns) * tile - region.y];
      const [from, to] = [Math.max(0, -x), Math.min(tile, region.width - x)];
      if (from >= to) return;
      for (let v = Math.max(0, -y); v < Math.min(tile, region.height - y); v++) {
        let at = (k * tile + v) * row + from * channels;
        const last = ((y + v) * region.width + x + to) * channels;
        for (let into = ((y + v) * region.width + x + from) * channels; into < last; into++, at++)
          values[into] = stored[at] / levels;
      }
    });
    return values;
  }
}

/** Nearest stored number of a value in [0, 1]. */
export const levelOf = (value: number, levels: TiledShape['levels']): number =>
  Math.round(levels * Math.min(Math.max(value, 0), 1));
