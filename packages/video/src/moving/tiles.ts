import type { Size } from '../edit/resize.ts';
import type { Frames } from '../frames/frames.ts';
import { type StoredValues, storedArray, type TiledShape } from '../frames/tiled.ts';
import type { PictureReader } from '../source/footage.ts';
import type { CellGrid } from './cells.ts';

/** Cells of a grid as tiles of the reduced picture. */
export class Tiles {
  readonly grid: CellGrid;
  /** Side of a tile, px of the reduced picture. */
  readonly tile: number;
  readonly levels: TiledShape['levels'];
  readonly #size: Size;
  readonly #reduction: number;
  #scratch = new Float32Array();

  constructor(grid: CellGrid, size: Size, { reduction, levels }: { reduction: number; levels: TiledShape['levels'] }) {
    this.grid = grid;
    this.tile = grid.side / reduction;
    this.levels = levels;
    this.#size = size;
    this.#reduction = reduction;
  }

  /** Number of values of a tile. */
  get length(): number {
    return 3 * this.tile ** 2;
  }

  /** Reads cells of a picture, in ascending order, as stored values of one tile after another. */
  read(read: PictureReader, cells: Uint32Array): StoredValues {
    const { side, columns } = this.grid;
    const { width, height } = this.#size;
    const stored = storedArray(cells.length * this.length, this.levels);
    for (let first = 0, next = 1; first < cells.length; first = next++) {
      const [column, row] = [cells[first] % columns, Math.floor(cells[first] / columns)];
      while (next < cells.length && cells[next] === cells[next - 1] + 1 && cells[next] % columns !== 0) next++;
      const [x, y] = [column * side, row * side];
      const region = {
        x,
        y,
        width: Math.min((next - first) * side, width - x),
        height: Math.min(side, height - y),
      };
      const length = 4 * region.width * region.height;
      if (this.#scratch.length < length) this.#scratch = new Float32Array(length);
      read(region, this.#scratch);
      this.#reduce(region, stored.subarray(first * this.length));
    }
    return stored;
  }

  /** Averages the pixels that were read, and writes them as tiles. */
  #reduce({ width, height }: Size, into: StoredValues): void {
    const [by, { tile, length }] = [this.#reduction, this];
    const rgba = this.#scratch;
    const factor = this.levels / by ** 2;
    const line = 4 * width;
    for (let v = 0; v < height / by; v++)
      for (let u = 0; u < width / by; u++) {
        const column = (u / tile) | 0;
        const to = (column * length + 3 * (v * tile + u - column * tile)) | 0;
        const first = v * by * line + 4 * u * by;
        let [red, green, blue] = [0, 0, 0];
        for (let y = 0; y < by; y++)
          for (let x = 0, at = (first + y * line) | 0; x < by; x++, at += 4) {
            red += rgba[at];
            green += rgba[at + 1];
            blue += rgba[at + 2];
          }
        // As Math.round does, of values from 0.
        into[to] = factor * red + 0.5;
        into[to + 1] = factor * green + 0.5;
        into[to + 2] = factor * blue + 0.5;
      }
  }

  /** Writes the values of a tile into a picture. */
  writeTile(cell: number, values: ArrayLike<number>, { data, width, height }: Frames): void {
    const { tile } = this;
    const { columns } = this.grid;
    const [x, y] = [(cell % columns) * tile, Math.floor(cell / columns) * tile];
    for (let v = 0; v < Math.min(tile, height - y); v++)
      for (let k = 0; k < 3 * Math.min(tile, width - x); k++)
        data[3 * ((y + v) * width + x) + k] = values[3 * v * tile + k];
  }
}
