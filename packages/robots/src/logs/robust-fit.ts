import { median, solveByFactor, sum } from '@gradsim/base';
import type { BaseParameters } from './base-parameters.ts';
import { baseParameters, solveBase } from './base-parameters.ts';

/** Torques of one joint in one recording, with the regressor that explains them. */
export interface Channel {
  /** Index of the joint; joints have residuals of different size. */
  readonly joint: number;
  /** True for a joint that stands for a floating base: its torque is 0, so that residuals are as large as the masses found. */
  readonly isOfBase?: boolean;
  /** Columns of the regressor; empty ones are zero: [parameter][sample]. */
  readonly columns: readonly Float64Array[];
  readonly torques: Float64Array;
  /** 1 for samples that count, else 0. */
  readonly counts: Float64Array;
  /** Independent samples per sample. */
  readonly density: number;
}

/** A weighted least squares fit of base parameters. */
export interface Fit {
  readonly base: BaseParameters;
  readonly values: readonly number[];
  /** Cholesky's factor of the weighted normal matrix. */
  readonly factor: readonly (readonly number[])[];
  /** Weights of squared residuals, by channel and sample, in 1/(N m)^2. */
  readonly weights: readonly Float64Array[];
  /**
   * Derivatives of weight times residual by the residual, by channel and sample: how much a residual moves the estimate,
   * which is less than its weight where the weight falls with it.
   */
  readonly curvatures: readonly Float64Array[];
  /** Weighted sum of squared residuals. */
  readonly squares: number;
  /** Number of independent samples, those of low weight counted in part. */
  readonly independent: number;
}

/** Rounds with weights 1 / |r|, which minimise absolute residuals, and then with Cauchy's weights; `near` another fit, with those alone. */
const ROUNDS = { absolute: 15, cauchy: 15, near: 2 };
/** Change of values, in their standard deviations if samples were independent, that ends the rounds. */
const MAX_FINAL_CHANGE = 1e-3;
/** Residual at which Cauchy's weight is a quarter, in standard deviations: 95 % efficient for normal errors. */
const CAUCHY = 2.385;
/** Standard deviation of normal errors over their median absolute value. */
const MAD = 1.4826;
/** Residual below which weights 1 / |r| grow no more, in standard deviations. */
const MIN_RESIDUAL = 0.05;

/**
 * Fits base parameters by iteratively reweighted least squares, so that episodes which the model does not explain, such as
 * a push from outside, do not count: first the least absolute residuals, a convex problem, then Cauchy's weights.
 * @param near a fit of a model that differs little, from whose weights to go on.
 */
export function robustFit(channels: readonly Channel[], order: readonly number[], near?: Fit): Fit {
  let weights: readonly Float64Array[] = near?.weights ?? channels.map(({ counts }) => counts);
  const base = baseParameters(normalEquations(channels, weights).normal, order);
  // Joints with motors give the scale first.
  if (!near) weights = weights.map((own, c) => (channels[c].isOfBase ? own.map((x) => BASE_WEIGHT * x) : own));
  let fit = fitWith(channels, base, weights);
  const absolute = near ? 0 : ROUNDS.absolute;
  const rounds = near ? ROUNDS.near : ROUNDS.absolute + ROUNDS.cauchy;
  let curvatures = weights;
  for (let round = 0; round < rounds; round++) {
    const before = fit;
    ({ weights, curvatures } = weightsOf(channels, fit, round < absolute));
    fit = fitWith(channels, base, weights);
    if (isSettled(before, fit)) {
      if (round >= absolute) break;
      round = absolute - 1;
    }
  }
  return { ...fit, curvatures };
}

/** True if a round has changed values by less than {@link MAX_FINAL_CHANGE}. */
function isSettled(before: Fit, { values, factor }: Fit): boolean {
  const change = values.map((x, i) => x - before.values[i]);
  // |L^T change|^2 with the normal matrix L L^T.
  const squares = change.reduce((total, _, i) => {
    const along = factor.reduce((all, row, k) => (k >= i ? all + row[i] * change[k] : all), 0);
    return total + along * along;
  }, 0);
  return squares < MAX_FINAL_CHANGE ** 2;
}

/** Fits base parameters by least squares over the samples that count. */
export function plainFit(channels: readonly Channel[], order: readonly number[]): Fit {
  const weights = channels.map(({ counts }) => counts);
  return fitWith(channels, baseParameters(normalEquations(channels, weights).normal, order), weights);
}

/** Fits base parameters with given weights. */
export function fitWith(channels: readonly Channel[], base: BaseParameters, weights: readonly Float64Array[]): Fit {
  const { normal, right } = normalEquations(channels, weights, base.independent);
  const { values, factor } = solveBase(base, normal, right);
  const squares = squaresOf(channels, base, weights, values, right);
  const independent = channels.reduce((total, { density }, c) => {
    const most = weights[c].reduce((a, b) => Math.max(a, b), 0);
    return most > 0 ? total + (density * sum(weights[c])) / most : total;
  }, 0);
  return { base, values, factor, weights, curvatures: weights, squares, independent };
}

/** Normal matrix L L^T from its factor. */
export const normalOfFactor = (factor: readonly (readonly number[])[]): number[][] =>
  factor.map((row, i) =>
    factor.map((other, k) => row.slice(0, Math.min(i, k) + 1).reduce((total, x, m) => total + x * other[m], 0)),
  );

/** Weighted squares that fits to other torques of the same motion would leave, with the weights of a fit. */
export function squaresLeft({ base, weights, factor }: Fit, channels: readonly Channel[]): number {
  const right = new Float64Array(channels[0].columns.length);
  for (const [c, { columns, torques }] of channels.entries()) {
    const weighted = torques.map((x, s) => weights[c][s] * x);
    for (const p of base.independent) if (columns[p].length > 0) right[p] += product(weighted, columns[p]);
  }
  const values = solveByFactor(
    factor,
    base.independent.map((p) => right[p]),
  );
  return squaresOf(channels, base, weights, values, right);
}

const squaresOf = (
  channels: readonly Channel[],
  { independent }: BaseParameters,
  weights: readonly Float64Array[],
  values: readonly number[],
  right: Float64Array,
): number =>
  channels.reduce((total, { torques }, c) => total + torques.reduce((all, x, s) => all + weights[c][s] * x * x, 0), 0) -
  values.reduce((total, value, i) => total + value * right[independent[i]], 0);

/** Residuals of a channel. */
export function residualsOf(
  { columns, torques }: Channel,
  { base, values }: Pick<Fit, 'base' | 'values'>,
): Float64Array {
  const left = torques.slice();
  for (const [i, p] of base.independent.entries()) {
    const [column, value] = [columns[p], values[i]];
    for (let s = 0; s < column.length; s++) left[s] -= column[s] * value;
  }
  return left;
}

function weightsOf(channels: readonly Channel[], fit: Fit, isAbsolute: boolean): Pick<Fit, 'weights' | 'curvatures'> {
  const residuals = channels.map((channel) => residualsOf(channel, fit));
  const sizes = new Map<number, number[]>();
  channels.forEach(({ joint, counts }, c) => {
    const own = sizes.get(joint) ?? [];
    residuals[c].forEach((r, s) => {
      if (counts[s] > 0) own.push(Math.abs(r));
    });
    sizes.set(joint, own);
  });
  const found = foundOf(channels, residuals);
  const bases = new Set(channels.flatMap(({ joint, isOfBase }) => (isOfBase ? [joint] : [])));
  const deviations = new Map(
    [...sizes].map(([joint, own]) => [
      joint,
      own.length > 0 ? (MAD * median(own)) / (bases.has(joint) ? found : 1) : 1,
    ]),
  );
  const of = (weigh: (size: number) => number): Float64Array[] =>
    channels.map(({ joint, counts }, c) => {
      // Exact data leave no residuals; any weight does then.
      const deviation = Math.max(deviations.get(joint) as number, 1e-12);
      return residuals[c].map((r, s) => (counts[s] * weigh(Math.abs(r) / deviation)) / deviation ** 2);
    });
  if (isAbsolute) {
    const weights = of((size) => 1 / Math.max(size, MIN_RESIDUAL));
    return { weights, curvatures: weights };
  }
  const part = (size: number): number => (size / CAUCHY) ** 2;
  return {
    weights: of((size) => 1 / (1 + part(size)) ** 2),
    curvatures: of((size) => (1 - 3 * part(size)) / (1 + part(size)) ** 3),
  };
}

/** Weight of a base's equations in the first fit: what they alone determine does not depend on it. */
const BASE_WEIGHT = 1e-4;
/** Least part of the torques that counts as found. */
const LEAST_FOUND = 1e-3;

/**
 * Part of the measured torques that a fit finds. Equations of a base have 0 on the right: masses that are too small by a
 * factor leave residuals that are, and weights by their own deviations would lead to no masses at all.
 */
function foundOf(channels: readonly Channel[], residuals: readonly Float64Array[]): number {
  let [measured, along] = [0, 0];
  channels.forEach(({ torques, counts, isOfBase }, c) => {
    if (isOfBase) return;
    torques.forEach((torque, s) => {
      if (counts[s] === 0) return;
      measured += torque * torque;
      along += torque * (torque - residuals[c][s]);
    });
  });
  return measured > 0 ? Math.max(along / measured, LEAST_FOUND) : 1;
}

/** Weighted normal equations Y^T W Y x = Y^T W tau, of some of the columns; others are zero. */
function normalEquations(
  channels: readonly Channel[],
  weights: readonly Float64Array[],
  of: readonly number[] = [...channels[0].columns.keys()],
): { normal: Float64Array[]; right: Float64Array } {
  const count = channels[0].columns.length;
  const normal = Array.from({ length: count }, () => new Float64Array(count));
  const right = new Float64Array(count);
  for (const [c, { columns, torques }] of channels.entries()) {
    const used = of.filter((p) => columns[p].length > 0);
    const weighted = new Float64Array(torques.length);
    for (const [i, p] of used.entries()) {
      for (let s = 0; s < weighted.length; s++) weighted[s] = weights[c][s] * columns[p][s];
      right[p] += product(weighted, torques);
      for (let k = 0; k <= i; k++) normal[p][used[k]] += product(weighted, columns[used[k]]);
    }
  }
  for (const p of of) for (const q of of) if (normal[p][q] === 0) normal[p][q] = normal[q][p];
  return { normal, right };
}

/** Scalar product; four sums side by side do not wait for each other. */
export function product(a: Float64Array, b: Float64Array, first = 0, end = a.length): number {
  let [w, x, y, z] = [0, 0, 0, 0];
  let k = first;
  for (; k + 3 < end; k += 4) {
    w += a[k] * b[k];
    x += a[k + 1] * b[k + 1];
    y += a[k + 2] * b[k + 2];
    z += a[k + 3] * b[k + 3];
  }
  for (; k < end; k++) w += a[k] * b[k];
  return w + x + (y + z);
}
