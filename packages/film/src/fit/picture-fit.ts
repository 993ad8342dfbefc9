import { inverseDiagonal, solvePositiveDefinite, sumOfProducts } from '@gradsim/numeric';
import { PICTURES, type Round } from '../tuning/pictures.ts';
import { lumaError } from './luma.ts';
import { coveredBy, type PartSeen } from './parts.ts';
import type { Pictures } from './pictures.ts';
import { robustWeight } from './robust.ts';
import { withShadows } from './shadows.ts';

/** A thing whose place in a picture is unknown. */
export interface Thing {
  /** Steps of the differences, by unknown. */
  readonly steps: readonly number[];
  /** Standard deviations of a start at 0, by unknown. */
  readonly start: readonly number[];
  /** Parts of its picture in an exposure; `soft` is the softness of its rim, px, 1 for that of pixels. */
  partsAt(values: readonly number[], soft: number): readonly PartSeen[];
}

/** A thing found in a picture. */
export interface FittedThing {
  readonly values: readonly number[];
  /** Standard deviations of the values for independent pixel errors, from their residuals; infinite if undetermined. */
  readonly deviations: readonly number[];
  /** Fraction of its pixels that it does not explain. */
  readonly outlierFraction: number;
  /** Fraction of its pixels that look like the background. */
  readonly backgroundFraction: number;
}

/**
 * Fits a thing to a picture: minimises the difference between its exposure before a known background and the picture.
 * Colours are linear and are solved for at each place (G. Golub and V. Pereyra, 1973); the place by Gauss-Newton, with
 * weights that decrease for unexplained pixels (F. Hampel and others, 1986): shadows and other foreign pixels hardly
 * count at the end. Rims are drawn soft at first, which widens the range of convergence.
 */
export function fitThing(pictures: Pictures, thing: Thing, rounds: readonly Round[]): FittedThing {
  const { steps, start } = thing;
  const { noise } = PICTURES;
  let values = steps.map(() => 0);
  let deviations = steps.map(() => Number.POSITIVE_INFINITY);
  const compare = lumaError(pictures);
  for (const [soft, robustScale] of rounds) {
    const shaded = withShadows(pictures, thing.partsAt(values, soft + 2), soft);
    const parts = thing.partsAt(values, soft);
    const mixture = mixtureOf(shaded, parts);
    const weights = weightsOf(compare(residualsOf(mixture)), robustScale);
    // Every residual by the root of its pixel's weight.
    const roots = new Float64Array(3 * weights.length);
    for (let p = 0, k = 0; p < weights.length; p++) {
      const root = Math.sqrt(weights[p]);
      for (const end = k + 3; k < end; k++) roots[k] = root;
    }
    const here = compare(residualsOf(mixture, weights));
    for (let k = 0; k < here.length; k++) here[k] *= roots[k];
    const columns = values.map((value, j) => {
      const there = values.map((v, k) => (k === j ? value + steps[j] : v));
      const moved = compare(residualsOf(mixtureOf(shaded, thing.partsAt(there, soft)), weights));
      for (let k = 0; k < moved.length; k++) moved[k] = (moved[k] * roots[k] - here[k]) / steps[j];
      return moved;
    });
    const normal = columns.map((a, i) =>
      columns.map((b, j) => sumOfProducts(a, b) / noise ** 2 + (i === j ? start[i] ** -2 : 0)),
    );
    const slope = columns.map((a, i) => sumOfProducts(a, here) / noise ** 2 + values[i] / start[i] ** 2);
    const step = solvePositiveDefinite(normal, slope);
    if (!step) break;
    const scatter = scatterOf(here, weights, parts) / noise;
    deviations = inverseDiagonal(normal).map((variance) => scatter * Math.sqrt(variance));
    values = values.map((v, i) => v - Math.min(Math.max(step[i], -start[i]), start[i]));
  }
  const shaded = withShadows(pictures, thing.partsAt(values, 3), 1);
  const parts = thing.partsAt(values, 1);
  const explained = weightsOf(residualsOf(mixtureOf(shaded, parts)), PICTURES.outlier);
  const background = weightsOf(
    shaded.seen.map((light, k) => light - shaded.behind[k]),
    PICTURES.outlier,
  );
  let [own, outliers, alike] = [0, 0, 0];
  coveredBy(parts, explained.length).forEach((part, p) => {
    own += part;
    outliers += part * (1 - explained[p]);
    alike += part * background[p];
  });
  return {
    values,
    deviations,
    outlierFraction: own > 0 ? outliers / own : 1,
    backgroundFraction: own > 0 ? alike / own : 1,
  };
}

/** Root mean square residual of the thing's pixels, each by its weight. */
function scatterOf(residuals: Float64Array, weights: Float64Array, parts: readonly PartSeen[]): number {
  let [squares, count] = [0, 0];
  coveredBy(parts, weights.length).forEach((part, p) => {
    if (part === 0) return;
    for (let c = 0; c < 3; c++) squares += residuals[3 * p + c] ** 2;
    count += 3 * weights[p];
  });
  return Math.sqrt(squares / count);
}

/** Weights of pixels. */
function weightsOf(residuals: Float64Array, robustScale: number): Float64Array {
  const weights = new Float64Array(residuals.length / 3);
  for (let p = 0; p < weights.length; p++) {
    const square = residuals[3 * p] ** 2 + residuals[3 * p + 1] ** 2 + residuals[3 * p + 2] ** 2;
    weights[p] = robustWeight(square, robustScale);
  }
  return weights;
}

/** Picture without the visible background, and the light patterns that explain it. */
interface Mixture {
  /** Light of each pixel without the background, three channels. */
  readonly light: Float64Array;
  /** Pixels that the thing covers, partly or wholly. */
  readonly covered: Int32Array;
  /** Patterns in each of those: `[pixel][pattern]`. */
  readonly bases: Float64Array;
  /** Number of patterns. */
  readonly count: number;
}

function mixtureOf({ seen, behind }: Pictures, parts: readonly PartSeen[]): Mixture {
  const pixels = seen.length / 3;
  const patterns = parts.flatMap((part) => [part.cover, ...part.patterns]);
  const count = patterns.length;
  const cover = coveredBy(parts, pixels);
  const light = new Float64Array(3 * pixels);
  const covered = new Int32Array(pixels);
  let last = 0;
  for (let p = 0, at = 0; p < pixels; p++) {
    const left = 1 - cover[p];
    for (const end = at + 3; at < end; at++) light[at] = seen[at] - left * behind[at];
    if (cover[p] !== 0) covered[last++] = p;
  }
  const bases = new Float64Array(last * count);
  for (let i = 0; i < count; i++) {
    const pattern = patterns[i];
    for (let k = 0; k < last; k++) bases[k * count + i] = pattern[covered[k]];
  }
  return { light, covered: covered.subarray(0, last), bases, count };
}

/** Residual light of each pixel, once all parts have the colours that fit best. */
function residualsOf({ light, covered, bases, count }: Mixture, weights?: Float64Array): Float64Array {
  const normal = new Float64Array(count * count);
  const sums = new Float64Array(3 * count);
  for (let k = 0; k < covered.length; k++) {
    const p = covered[k];
    const weight = weights ? weights[p] : 1;
    const [red, green, blue] = [light[3 * p], light[3 * p + 1], light[3 * p + 2]];
    const own = k * count;
    for (let i = 0; i < count; i++) {
      const weighs = weight * bases[own + i];
      if (weighs === 0) continue;
      const row = i * count;
      for (let j = 0; j <= i; j++) normal[row + j] += weighs * bases[own + j];
      sums[3 * i] += weighs * red;
      sums[3 * i + 1] += weighs * green;
      sums[3 * i + 2] += weighs * blue;
    }
  }
  const rows = Array.from({ length: count }, (_, i) =>
    Array.from(
      { length: count },
      (__, j) => normal[Math.max(i, j) * count + Math.min(i, j)] + (i === j ? PICTURES.ridge : 0),
    ),
  );
  const rest = light.slice();
  for (let c = 0; c < 3; c++) {
    const colours = solvePositiveDefinite(
      rows,
      rows.map((_, i) => sums[3 * i + c]),
    );
    if (!colours) continue;
    for (let k = 0; k < covered.length; k++) {
      let left = rest[3 * covered[k] + c];
      for (let i = 0; i < count; i++) left -= colours[i] * bases[k * count + i];
      rest[3 * covered[k] + c] = left;
    }
  }
  return rest;
}
