/** Normal equations of residuals. */
export interface SideEquations {
  readonly normal: readonly (readonly number[])[];
  /** Right side of the equations. */
  readonly slope: readonly number[];
  /** Weighted sum of the squared residuals. */
  readonly squares: number;
}

/**
 * Sums for normal equations over the pixels of a beam's sides. The derivative of a pixel's residual by an unknown is the light of a
 * field, such as the change of light along a column, times a factor that is linear in the pixel's position on a side. So
 * a pixel adds only products of fields, times powers of its position, and each side adds these to the equations, which
 * have more unknowns than there are fields.
 */
export class SideSums {
  /** Light of each field in a pixel, three channels each; the last field is the residual. */
  readonly fields: Float64Array;
  /** Factor of each unknown at position 0 on the side, and its increase to position 1; the last one is the residual's. */
  readonly from: Float64Array;
  readonly increase: Float64Array;
  readonly #fieldOf: readonly number[];
  /** Sums over the pixels of a side, of weighted products of two fields, and of these times the position and its square. */
  readonly #moments: readonly [Float64Array, Float64Array, Float64Array];
  readonly #sums: Float64Array;

  /** @param fieldOf field of each unknown, by number. */
  constructor(fieldOf: readonly number[]) {
    const residual = Math.max(...fieldOf) + 1;
    const length = fieldOf.length + 1;
    this.#fieldOf = [...fieldOf, residual];
    this.fields = new Float64Array(3 * (residual + 1));
    this.from = new Float64Array(length).fill(1);
    this.increase = new Float64Array(length);
    const moments = (): Float64Array => new Float64Array((residual + 1) ** 2);
    this.#moments = [moments(), moments(), moments()];
    this.#sums = new Float64Array(length ** 2);
  }

  /** Adds a pixel, with the light in `fields`, at a position on its side, 0 to 1. */
  addPixel(position: number, weight: number): void {
    const { fields } = this;
    const [constant, linear, square] = this.#moments;
    const count = fields.length / 3;
    for (let i = 0; i < count; i++) {
      const [red, green, blue] = [weight * fields[3 * i], weight * fields[3 * i + 1], weight * fields[3 * i + 2]];
      for (let j = i; j < count; j++) {
        const product = red * fields[3 * j] + green * fields[3 * j + 1] + blue * fields[3 * j + 2];
        const at = i * count + j;
        constant[at] += product;
        linear[at] += position * product;
        square[at] += position * position * product;
      }
    }
  }

  /** Adds the pixels since the last call to the equations, with the factors of `from` and `increase`. */
  addSide(): void {
    const { from, increase } = this;
    const [constant, linear, square] = this.#moments;
    const count = this.fields.length / 3;
    const length = from.length;
    for (let i = 0; i < length; i++)
      for (let j = 0; j < length; j++) {
        const [a, b] = [this.#fieldOf[i], this.#fieldOf[j]];
        const at = Math.min(a, b) * count + Math.max(a, b);
        this.#sums[i * length + j] +=
          from[i] * from[j] * constant[at] +
          (from[i] * increase[j] + increase[i] * from[j]) * linear[at] +
          increase[i] * increase[j] * square[at];
      }
    for (const moments of this.#moments) moments.fill(0);
  }

  /** Equations of all sides that were added. */
  equations(): SideEquations {
    const last = this.from.length - 1;
    const rows = this.#fieldOf.map((_, i) => [...this.#sums.subarray(i * (last + 1), (i + 1) * (last + 1))]);
    return {
      normal: rows.slice(0, last).map((row) => row.slice(0, last)),
      slope: rows[last].slice(0, last),
      squares: rows[last][last],
    };
  }
}
