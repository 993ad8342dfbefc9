import type { Cut } from './pictures.ts';

/** Arrays of a number a pixel for one drawing after another, which would otherwise be most of what is allocated. */
export class Canvas {
  readonly cut: Cut;
  readonly #sheets: Float64Array[] = [];
  #used = 0;

  constructor(cut: Cut) {
    this.cut = cut;
  }

  /** Begins another drawing, which overwrites the last one. */
  clear(): void {
    this.#used = 0;
  }

  /** Zeros for the pixels of the cut, row by row. */
  sheet(): Float64Array {
    const { width, height } = this.cut;
    const at = this.#used++;
    if (at < this.#sheets.length) return this.#sheets[at].fill(0);
    this.#sheets.push(new Float64Array(width * height));
    return this.#sheets[at];
  }
}
