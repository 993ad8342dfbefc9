import { inverseDiagonal, solvePositiveDefinite, sumOfProducts } from '@gradsim/base';
import { PICTURES, type Round } from '../tuning/pictures.ts';
import { Canvas } from './canvas.ts';
import { type ComparedPixels, comparedPixels } from './compared-pixels.ts';
import { lumaError } from './luma.ts';
import { Mixture } from './mixture.ts';
import type { PartSeen } from './parts.ts';
import type { Pictures } from './pictures.ts';
import { robustWeight } from './robust.ts';
import { shadesIn, withShadows } from './shadows.ts';

/** An object whose state in a picture is to be fitted. */
export interface Thing {
  /** Finite-difference steps of the unknowns. */
  readonly steps: readonly number[];
  /** Standard deviations of the unknowns' start values, which are 0. */
  readonly start: readonly number[];
  /** Weight of a pixel wholly inside the object, over that of one at its rim. */
  readonly insideWorth: number;
  /** True if a pixel at a place in the picture, px, tells the object's state. Default: all that it may cover. */
  readonly isCompared?: (x: number, y: number) => boolean;
  /**
   * Visible parts of the object in an exposure, drawn on arrays of the canvas; rims are drawn over a width of `soft`
   * px, 1 for an anti-aliased rim. With `coversAlone` the parts need no patterns.
   */
  partsAt(values: readonly number[], soft: number, canvas: Canvas, coversAlone: boolean): readonly PartSeen[];
}

/** Result of fitting an object to a picture. */
export interface FittedThing {
  readonly values: readonly number[];
  /**
   * Standard deviations of the fitted values, from the residuals, taken as independent between pixels; infinite if
   * undetermined.
   */
  readonly deviations: readonly number[];
  /** Fraction of the object's pixels, by their weights in the fit, that it does not explain, 0 to 1. */
  readonly outlierFraction: number;
  /** Fraction of the object's pixels that look like the background, 0 to 1. */
  readonly backgroundFraction: number;
}

/**
 * Fits a thing to a picture: minimises the difference between the picture and the thing's exposure in front of a known
 * background. Colours enter linearly, and are eliminated at each state (variable projection, G. Golub and V. Pereyra,
 * 1973); the state is found by Gauss-Newton, with weights that decrease with a pixel's residual (F. Hampel and others,
 * 1986), so that shadows and other foreign pixels hardly count in the last rounds. Rims are drawn soft in the first
 * rounds, which widens the range of convergence.
 */
export function fitThing(pictures: Pictures, thing: Thing, rounds: readonly Round[]): FittedThing {
  const { steps, start } = thing;
  const { noise } = PICTURES;
  let values = steps.map(() => 0);
  let deviations = steps.map(() => Number.POSITIVE_INFINITY);
  const luma = lumaError(pictures);
  const mixture = new Mixture(pictures);
  // Drawings of the thing in its present state, and in states a finite-difference step away.
  const [canvas, besides] = [new Canvas(pictures.cut), new Canvas(pictures.cut)];
  const shades = shadesIn(pictures);
  /** Pixels to be compared with the thing drawn over `soft` px in states beside one, and the background's light behind it. */
  const around = (at: readonly number[], soft: number): ComparedPixels & { readonly backgroundLight: Float64Array } => {
    besides.clear();
    // Drawn wider than by any step, so that all drawings are compared in the same pixels.
    const wide = thing.partsAt(at, soft + 2, besides, true);
    return {
      ...comparedPixels(wide, pictures.cut, thing.insideWorth, isPixelCompared),
      backgroundLight: withShadows(pictures, shades, wide, soft),
    };
  };
  const { length } = pictures.light;
  const { left, top, width } = pictures.cut;
  const { isCompared = () => true } = thing;
  const isPixelCompared = (p: number): boolean =>
    isCompared(left + (p % width) + 0.5, top + Math.floor(p / width) + 0.5);
  // Arrays of the compared pixels, which are fewer.
  const here = new Float64Array(length);
  const columns = values.map(() => new Float64Array(length));
  for (const [soft, robustScale] of rounds) {
    const { pixels, worth, drawn, backgroundLight } = around(values, soft);
    const count = 3 * pixels.length;
    canvas.clear(drawn);
    const parts = thing.partsAt(values, soft, canvas, false);
    mixture.mix(backgroundLight, parts, pixels);
    const weights = weightsOf(luma.errors(mixture.residuals(worth, here), pixels), robustScale, worth);
    // Square root of the weight of each residual's pixel.
    const roots = new Float64Array(count);
    for (let k = 0; k < count; k += 3) roots[k] = roots[k + 1] = roots[k + 2] = Math.sqrt(weights[k / 3]);
    luma.errors(mixture.residuals(weights, here), pixels);
    for (let k = 0; k < count; k++) here[k] *= roots[k];
    columns.forEach((moved, j) => {
      const there = values.map((v, k) => (k === j ? v + steps[j] : v));
      besides.clear(drawn);
      mixture.mix(backgroundLight, thing.partsAt(there, soft, besides, false), pixels);
      mixture.residuals(weights, moved);
      luma.changes(moved, pixels);
      for (let k = 0; k < count; k++) moved[k] *= roots[k] / steps[j];
    });
    const { normal, slope } = normalEquations(columns, here, count);
    for (let i = 0; i < values.length; i++) {
      for (let j = 0; j < values.length; j++) normal[i][j] /= noise ** 2;
      normal[i][i] += start[i] ** -2;
      slope[i] = slope[i] / noise ** 2 + values[i] / start[i] ** 2;
    }
    const step = solvePositiveDefinite(normal, slope);
    if (!step) break;
    const scatter = scatterOf(here, weights, coverOf(parts, pixels)) / noise;
    deviations = inverseDiagonal(normal).map((variance) => scatter * Math.sqrt(variance));
    values = values.map((v, i) => v - Math.min(Math.max(step[i], -start[i]), start[i]));
  }
  const { pixels, counts, worth, drawn, backgroundLight } = around(values, 1);
  canvas.clear(drawn);
  const parts = thing.partsAt(values, 1, canvas, false);
  mixture.mix(backgroundLight, parts, pixels);
  const explained = weightsOf(mixture.residuals(counts, here), PICTURES.outlier, worth);
  mixture.mix(backgroundLight, [], pixels);
  const background = weightsOf(mixture.residuals(counts, here), PICTURES.outlier, counts);
  let [own, told, outliers, alike] = [0, 0, 0, 0];
  coverOf(parts, pixels).forEach((part, k) => {
    own += part * counts[k];
    told += part * worth[k];
    outliers += part * (worth[k] - explained[k]);
    alike += part * background[k];
  });
  return {
    values,
    deviations,
    outlierFraction: told > 0 ? outliers / told : 1,
    backgroundFraction: own > 0 ? alike / own : 1,
  };
}

/** Fraction of each of some pixels that several parts together cover. */
const coverOf = (parts: readonly PartSeen[], pixels: readonly number[]): number[] =>
  pixels.map((p) => parts.reduce((sum, { cover }) => sum + cover[p], 0));

/** Products of the first values of the Jacobian's columns with each other, and with the residuals. */
function normalEquations(
  columns: readonly Float64Array[],
  residuals: Float64Array,
  count: number,
): { readonly normal: number[][]; readonly slope: number[] } {
  const normal = columns.map(() => columns.map(() => 0));
  const [own, right] = [columns.map((column) => column.subarray(0, count)), residuals.subarray(0, count)];
  own.forEach((a, i) => {
    for (let j = 0; j <= i; j++) normal[i][j] = normal[j][i] = sumOfProducts(a, own[j]);
  });
  return { normal, slope: own.map((a) => sumOfProducts(a, right)) };
}

/** Root mean square residual over the channels of the thing's pixels, weighted. */
function scatterOf(residuals: Float64Array, weights: Float64Array, cover: readonly number[]): number {
  let [squares, count] = [0, 0];
  cover.forEach((part, k) => {
    if (part === 0) return;
    for (let c = 3 * k; c < 3 * k + 3; c++) squares += residuals[c] ** 2;
    count += 3 * weights[k];
  });
  return Math.sqrt(squares / count);
}

/** Robust weight of each pixel, from its residual over three channels, times the number of pixels that it stands for. */
function weightsOf(residuals: Float64Array, robustScale: number, counts: Float64Array): Float64Array {
  return counts.map((count, k) => {
    const at = 3 * k;
    const square = residuals[at] ** 2 + residuals[at + 1] ** 2 + residuals[at + 2] ** 2;
    return count * robustWeight(square, robustScale);
  });
}
