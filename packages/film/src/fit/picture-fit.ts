import { inverseDiagonal, solvePositiveDefinite, sumOfProducts } from '@gradsim/numeric';
import { PICTURES, type Round } from '../tuning/pictures.ts';
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
  /** Picture of it in an exposure; `soft` are the pixels over which its rim is drawn, 1 that of pixels. */
  partsAt(values: readonly number[], soft: number): readonly PartSeen[];
}

/** A thing found in a picture. */
export interface FittedThing {
  readonly values: readonly number[];
  /** Standard deviations of the values if pixels erred independently, by their residuals; infinite where nothing tells them. */
  readonly deviations: readonly number[];
  /** The part of its pixels that it does not explain. */
  readonly outlierFraction: number;
  /** The part of its pixels that look like what is behind. */
  readonly backgroundFraction: number;
}

/**
 * Fits a thing to a picture: its exposure comes as near as it can to what is seen, before a known background. Colours are linear
 * and are solved for at each place (G. Golub and V. Pereyra, 1973); the place by Gauss and Newton, with weights that fall off for
 * pixels that remain unexplained (F. Hampel and others, 1986): shadows and what else is none of the thing hardly count at the end.
 * Rims are drawn soft at first, so that one that is far off is felt.
 */
export function fitThing(pictures: Pictures, thing: Thing, rounds: readonly Round[]): FittedThing {
  const { steps, start } = thing;
  const { noise } = PICTURES;
  let values = steps.map(() => 0);
  let deviations = steps.map(() => Number.POSITIVE_INFINITY);
  for (const [soft, robustScale] of rounds) {
    const shaded = withShadows(pictures, thing.partsAt(values, soft + 2), soft);
    const parts = thing.partsAt(values, soft);
    const weights = weightsOf(residualsOf(shaded, parts), robustScale);
    const here = weighted(residualsOf(shaded, parts, weights), weights);
    const columns = values.map((value, j) => {
      const there = values.map((v, k) => (k === j ? value + steps[j] : v));
      const moved = weighted(residualsOf(shaded, thing.partsAt(there, soft), weights), weights);
      return moved.map((r, k) => (r - here[k]) / steps[j]);
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
  const explained = weightsOf(residualsOf(shaded, parts), PICTURES.outlier);
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

function weighted(residuals: Float64Array, weights: Float64Array): Float64Array {
  for (let p = 0; p < weights.length; p++) {
    const root = Math.sqrt(weights[p]);
    for (let c = 0; c < 3; c++) residuals[3 * p + c] *= root;
  }
  return residuals;
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

/** Residual light of each pixel, once all parts have the colours that fit best. */
function residualsOf({ seen, behind }: Pictures, parts: readonly PartSeen[], weights?: Float64Array): Float64Array {
  const pixels = seen.length / 3;
  const bases = parts.flatMap(({ cover, patterns }) => [cover, ...patterns]);
  const count = bases.length;
  const rest = new Float64Array(3 * pixels);
  const covered = coveredBy(parts, pixels);
  const normal = new Float64Array(count * count);
  const sums = new Float64Array(3 * count);
  const own = new Float64Array(count);
  for (let p = 0; p < pixels; p++) {
    for (let c = 0; c < 3; c++) rest[3 * p + c] = seen[3 * p + c] - (1 - covered[p]) * behind[3 * p + c];
    if (covered[p] === 0) continue;
    const weight = weights ? weights[p] : 1;
    const [red, green, blue] = [rest[3 * p], rest[3 * p + 1], rest[3 * p + 2]];
    for (let i = 0; i < count; i++) {
      own[i] = bases[i][p];
      const weighs = weight * own[i];
      if (weighs === 0) continue;
      for (let j = 0; j <= i; j++) normal[i * count + j] += weighs * own[j];
      sums[3 * i] += weighs * red;
      sums[3 * i + 1] += weighs * green;
      sums[3 * i + 2] += weighs * blue;
    }
  }
  const rows = bases.map((_, i) =>
    bases.map((__, j) => normal[Math.max(i, j) * count + Math.min(i, j)] + (i === j ? PICTURES.ridge : 0)),
  );
  for (let c = 0; c < 3; c++) {
    const colours = solvePositiveDefinite(
      rows,
      bases.map((_, i) => sums[3 * i + c]),
    );
    if (!colours) continue;
    bases.forEach((base, i) => {
      const colour = colours[i];
      for (let p = 0; p < pixels; p++) rest[3 * p + c] -= colour * base[p];
    });
  }
  return rest;
}
