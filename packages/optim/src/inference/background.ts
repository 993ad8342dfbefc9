import type { PreparedObservation } from '../objective/prepared-observation.ts';

/** Residuals that depend on neither an unknown nor a motion: noise, unless something else is wrong there. */
export interface Background {
  readonly variance: number;
  /**
   * Variance of sums of neighbours relative to independent values: at least 1, at most the maximum of any direction.
   */
  readonly together: number;
  /** Degrees of freedom of that estimate. */
  readonly freedom: number;
}

/**
 * Numbers of neighbouring values in memory whose sums are examined: in pictures the largest are tiles of 8 x 8 pixels.
 */
const BLOCKS = [4, 16, 64];
/** Minimum number of blocks. */
const MIN_BLOCKS = 60;

/** Sums by size of block, over components one by one and over all of them. */
export class BackgroundSums {
  #squares = 0;
  #values = 0;
  readonly #blocks = BLOCKS.flatMap((size) =>
    [1, 0].map((apart) => ({ size, isApart: apart === 1, sum: 0, expected: 0, count: 0 })),
  );

  /** @param residuals of all values of a frame, [component][element], NaN where they do not count. */
  add(residuals: Float32Array, { elements, values }: Pick<PreparedObservation, 'elements' | 'values'>): void {
    for (const r of residuals) {
      if (Number.isNaN(r)) continue;
      this.#squares += r * r;
      this.#values++;
    }
    const components = values / elements;
    for (const block of this.#blocks)
      for (let start = 0; start < elements; start += block.size) {
        let [sum, count] = [0, 0];
        for (let c = 0; c < components; c++) {
          for (let k = c * elements + start; k < c * elements + Math.min(elements, start + block.size); k++) {
            const r = residuals[k];
            if (Number.isNaN(r)) continue;
            sum += r;
            count++;
          }
          if (block.isApart || c === components - 1) {
            if (count > 0) {
              block.sum += sum * sum;
              block.expected += count;
              block.count++;
            }
            [sum, count] = [0, 0];
          }
        }
      }
  }

  /** Null for too few values. */
  get found(): Background | null {
    const variance = this.#squares / Math.max(1, this.#values);
    const measured = this.#blocks.filter(({ count }) => count >= MIN_BLOCKS);
    if (measured.length === 0 || !(variance > 0)) return null;
    const most = measured
      .map(({ sum, expected, count }) => ({ together: sum / (expected * variance), freedom: count }))
      .reduce((a, b) => (b.together > a.together ? b : a));
    return { variance, together: Math.max(1, most.together), freedom: most.freedom };
  }
}
