import { choleskyFactor, solveByFactor } from '@gradsim/base';
import { PICTURES } from '../tuning/pictures.ts';
import type { PartSeen } from './parts.ts';
import type { Pictures } from './pictures.ts';

/**
 * Computes the residual light of a picture after fitting the colours of all parts of a thing: the picture minus the
 * visible background is modelled as a sum of light patterns, each with one colour. It has some of the picture's pixels,
 * those that the thing may cover: no others tell its state. Its arrays are reused by successive calls.
 */
export class Mixture {
  readonly #seen: Float64Array;
  /** Linear light of its pixels minus the visible background, three channels per pixel. */
  readonly #light: Float64Array;
  /** Indices, among its pixels, of those that the thing covers, partly or wholly. */
  readonly #covered: Int32Array;
  /** Light of the covered pixels, one array per channel; and a pattern multiplied by the pixels' weights. */
  readonly #channels: readonly Float64Array[];
  readonly #weighed: Float64Array;
  /** Values of the patterns in the covered pixels, one array per pattern. */
  readonly #bases: Float64Array[] = [];
  /** Ridge of each pattern's colour in the normal equations, px. */
  #ridges: number[] = [];
  /** Number of its pixels, and of those that are covered. */
  #count = 0;
  #last = 0;

  constructor({ light }: Pictures) {
    const pixels = light.length / 3;
    this.#seen = light;
    this.#light = new Float64Array(light.length);
    this.#covered = new Int32Array(pixels);
    this.#channels = [0, 1, 2].map(() => new Float64Array(pixels));
    this.#weighed = new Float64Array(pixels);
  }

  /**
   * Sets the drawing of the thing to be fitted.
   * @param behind background including shadows, three channels per pixel of the picture.
   * @param pixels indices of its pixels in the picture.
   */
  mix(behind: Float64Array, parts: readonly PartSeen[], pixels: readonly number[]): void {
    const [seen, light, covered] = [this.#seen, this.#light, this.#covered];
    const covers = parts.map(({ cover }) => cover);
    let last = 0;
    for (let k = 0, to = 0; k < pixels.length; k++, to += 3) {
      let own = 0;
      for (let i = 0; i < covers.length; i++) own += covers[i][pixels[k]];
      const left = 1 - own;
      const at = 3 * pixels[k];
      light[to] = seen[at] - left * behind[at];
      light[to + 1] = seen[at + 1] - left * behind[at + 1];
      light[to + 2] = seen[at + 2] - left * behind[at + 2];
      if (own !== 0) covered[last++] = k;
    }
    const patterns = parts.flatMap((part) => [part.cover, ...part.patterns]);
    for (let i = 0; i < patterns.length; i++) {
      this.#bases[i] ??= new Float64Array(covered.length);
      const [base, pattern] = [this.#bases[i], patterns[i]];
      for (let k = 0; k < last; k++) base[k] = pattern[pixels[covered[k]]];
    }
    this.#ridges = parts.flatMap((part) => [0, ...part.patterns.map((_, i) => part.ridges?.[i] ?? 0)]);
    this.#count = pixels.length;
    this.#last = last;
  }

  /**
   * Fits the colours, and returns the residual light.
   * @param weights of its pixels in the fit of the colours.
   * @param into array that receives the residual light, three channels for each of its pixels.
   */
  residuals(weights: Float64Array, into: Float64Array): Float64Array {
    const [light, covered, last] = [this.#light, this.#covered, this.#last];
    const [reds, greens, blues] = this.#channels;
    for (let k = 0; k < last; k++) {
      const at = 3 * covered[k];
      reds[k] = light[at];
      greens[k] = light[at + 1];
      blues[k] = light[at + 2];
    }
    const colours = this.#coloursOf(last, weights);
    into.set(light.subarray(0, 3 * this.#count));
    if (colours) this.#subtract(colours, last, into);
    return into;
  }

  /** Best colours, [channel][pattern]; undefined if they are not determined. */
  #coloursOf(last: number, weights: Float64Array): number[][] | undefined {
    const ridges = this.#ridges;
    const count = ridges.length;
    const [bases, weighed, covered] = [this.#bases, this.#weighed, this.#covered];
    const normal = Array.from({ length: count }, () => new Array<number>(count).fill(0));
    const sums = [0, 1, 2].map(() => new Array<number>(count).fill(0));
    const row = new Float64Array(count);
    for (let i = 0; i < count; i++) {
      const base = bases[i];
      for (let k = 0; k < last; k++) weighed[k] = weights[covered[k]] * base[k];
      sumsOfProducts(weighed, bases, i + 1, last, row);
      for (let j = 0; j <= i; j++) normal[i][j] = row[j];
      normal[i][i] += PICTURES.ridge + ridges[i];
      sumsOfProducts(weighed, this.#channels, 3, last, row);
      for (let c = 0; c < 3; c++) sums[c][i] = row[c];
    }
    const factor = choleskyFactor(normal);
    return factor && sums.map((own) => solveByFactor(factor, own));
  }

  #subtract([red, green, blue]: readonly (readonly number[])[], last: number, into: Float64Array): void {
    const [reds, greens, blues] = this.#channels;
    for (let i = 0; i < red.length; i++) {
      const base = this.#bases[i];
      const [r, g, b] = [red[i], green[i], blue[i]];
      for (let k = 0; k < last; k++) {
        const part = base[k];
        reds[k] -= r * part;
        greens[k] -= g * part;
        blues[k] -= b * part;
      }
    }
    for (let k = 0; k < last; k++) {
      const at = 3 * this.#covered[k];
      into[at] = reds[k];
      into[at + 1] = greens[k];
      into[at + 2] = blues[k];
    }
  }
}

/**
 * Scalar products of the first numbers of one array with those of several others, four at a time: a single sum would
 * wait for each addition's result.
 */
function sumsOfProducts(
  own: Float64Array,
  others: readonly Float64Array[],
  count: number,
  length: number,
  into: Float64Array,
): void {
  let j = 0;
  for (; j + 4 <= count; j += 4) {
    const [a, b, c, d] = [others[j], others[j + 1], others[j + 2], others[j + 3]];
    let [p, q, r, s] = [0, 0, 0, 0];
    for (let k = 0; k < length; k++) {
      const value = own[k];
      p += value * a[k];
      q += value * b[k];
      r += value * c[k];
      s += value * d[k];
    }
    into[j] = p;
    into[j + 1] = q;
    into[j + 2] = r;
    into[j + 3] = s;
  }
  for (; j < count; j++) {
    const a = others[j];
    let p = 0;
    for (let k = 0; k < length; k++) p += own[k] * a[k];
    into[j] = p;
  }
}
