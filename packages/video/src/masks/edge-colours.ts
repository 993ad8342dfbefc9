import type { Size } from '../edit/resize.ts';
import { isRim } from '../frames/patches.ts';

/** Linear light of the pixels of a region: so many numbers a pixel, of which the first are colours. */
export interface RegionLight {
  readonly values: Float32Array;
  readonly channels: number;
  /** Number of colours: 1 of grey, 3 of others. */
  readonly colours: number;
}

/**
 * Standard deviation of the Gaussian weight of a colour from inside the object, px, over how much farther its pixel is
 * than the nearest one.
 */
const RIM_WIDTH = 1.5;

/** Colours at the edge of fully covered pixels, in linear light: each the mean of an edge pixel and of those around it that are covered too. */
export class EdgeColours {
  /** Columns of the edge pixels, row after row. */
  readonly #columns: number[] = [];
  readonly #colours: number[] = [];
  /** Number of the first edge pixel of each row or of one below; one more at the end. */
  readonly #starts: number[] = [];
  readonly #count: number;

  constructor(whole: Uint8Array, { values, channels, colours }: RegionLight, size: Size) {
    this.#count = colours;
    for (let p = 0; p < whole.length; p++) {
      const x = p % size.width;
      if (x === 0) this.#starts.push(this.#columns.length);
      if (whole[p] === 0 || !isRim(whole, p, size)) continue;
      const around = [p, x > 0 ? p - 1 : p, x < size.width - 1 ? p + 1 : p, p - size.width, p + size.width];
      const covered = around.filter((q) => whole[q] === 1);
      for (let c = 0; c < colours; c++) {
        let sum = 0;
        for (const q of covered) sum += values[q * channels + c];
        this.#colours.push(sum / covered.length);
      }
      this.#columns.push(x);
    }
    this.#starts.push(this.#columns.length);
  }

  /** Number of edge pixels. */
  get length(): number {
    return this.#columns.length;
  }

  /** Adds the colours of all edge pixels. */
  addTo(sums: Float64Array): void {
    for (let k = 0; k < this.#colours.length; k++) sums[k % this.#count] += this.#colours[k];
  }

  /**
   * Writes the weighted mean of the colours nearest to a pixel.
   * @returns whether there is one; none is nearer than `farthest` px where the edge is that of another object.
   */
  writeNear(x: number, y: number, farthest: number, into: Float64Array): boolean {
    const nearest = Math.sqrt(this.#leastSquare(x, y, farthest));
    if (nearest > farthest) return false;
    const reach = nearest + 4 * RIM_WIDTH;
    into.fill(0);
    let total = 0;
    for (
      let row = Math.max(0, y - Math.floor(reach));
      row <= Math.min(y + Math.floor(reach), this.#starts.length - 2);
      row++
    )
      for (let k = this.#firstFrom(row, x - reach); k < this.#starts[row + 1] && this.#columns[k] <= x + reach; k++) {
        const [across, down] = [this.#columns[k] - x, row - y];
        const beyond = Math.sqrt(across * across + down * down) - nearest;
        if (beyond > 4 * RIM_WIDTH) continue;
        const weight = Math.exp(-((beyond / RIM_WIDTH) ** 2) / 2);
        total += weight;
        for (let c = 0; c < this.#count; c++) into[c] += weight * this.#colours[k * this.#count + c];
      }
    for (let c = 0; c < this.#count; c++) into[c] /= total;
    return true;
  }

  /** Square of the distance of the nearest edge pixel; infinite if none is in a row within `farthest` px. */
  #leastSquare(x: number, y: number, farthest: number): number {
    let least = Number.POSITIVE_INFINITY;
    for (let away = 0; away <= farthest && away * away < least; away++)
      for (const row of away === 0 ? [y] : [y - away, y + away]) {
        if (row < 0 || row > this.#starts.length - 2) continue;
        const right = this.#firstFrom(row, x);
        for (const k of [right - 1, right]) {
          if (k < this.#starts[row] || k >= this.#starts[row + 1]) continue;
          const across = this.#columns[k] - x;
          least = Math.min(least, across * across + away * away);
        }
      }
    return least;
  }

  /** Number of the first edge pixel of a row in or right of a column. */
  #firstFrom(row: number, x: number): number {
    let [low, high] = [this.#starts[row], this.#starts[row + 1]];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#columns[middle] < x) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
