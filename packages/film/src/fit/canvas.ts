import type { CropRegion } from './pictures.ts';

/**
 * Pool of arrays of one number per pixel, reused by successive drawings, which would otherwise cause most allocations.
 */
export class Canvas {
  readonly cut: CropRegion;
  /** 0 for each pixel that need not be drawn; null if all are. */
  drawn: Uint8Array | null = null;
  readonly #sheets: Float64Array[] = [];
  #used = 0;

  constructor(cut: CropRegion) {
    this.cut = cut;
  }

  /** Begins a new drawing, which overwrites the arrays of the last one. */
  clear(drawn: Uint8Array | null = null): void {
    this.#used = 0;
    this.drawn = drawn;
  }

  /** An array of zeros for the pixels of the cut, row by row. */
  sheet(): Float64Array {
    const { width, height } = this.cut;
    const at = this.#used++;
    if (at < this.#sheets.length) return this.#sheets[at].fill(0);
    this.#sheets.push(new Float64Array(width * height));
    return this.#sheets[at];
  }
}
