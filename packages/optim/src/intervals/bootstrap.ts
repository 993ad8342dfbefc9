import { multiplySquare, multiplyVector, randomNumbers, standardNormal } from '@gradsim/base';
import { mapEigenvalues, symmetricEigen } from '@gradsim/base/decompositions';
import type { LocalPosterior } from '../covariance/local-posterior.ts';
import { studentFactor } from '../noise/correlation.ts';
import { outputsAt, sampleJacobian, strideOf, valuesAt } from '../objective/jacobian-sample.ts';
import { priorInformation } from '../objective/priors.ts';
import { forwardWithTangents } from '../objective/systems.ts';
import { noJournal } from '../plan/journal.ts';
import type { Plan } from '../plan/plan.ts';
import { simulate } from '../plan/plan.ts';
import { open } from '../problem/run.ts';
import { clamped } from '../unknowns/limits.ts';
import { RunFailure } from '../unknowns/run-failure.ts';

/** Number of bootstrap draws. The 95 % interval of 320 draws ends 8 draws from either end of their order. */
export const BOOTSTRAP_DRAWS = 320;
/** Number of bootstrap draws simulated in one batch of worlds. */
const WORLDS_PER_BATCH = 16;
/** Minimum number of blocks of frames for a bootstrap. */
const MIN_BLOCKS = 6;
/**
 * Maximum leverage of a block of frames: a block that nearly determines a direction of the unknowns by itself has
 * residuals near 0 there, which tell nothing about the noise.
 */
const MAX_LEVERAGE = 0.9;

/**
 * Bootstraps the estimate: draws films with other noise from the residuals. Residuals in a block of neighbouring frames
 * keep their values and get one random sign, independently for each block (a wild bootstrap: C. F. J. Wu, 1986; by
 * blocks, A. C. Cameron, J. B. Gelbach and D. L. Miller, 2008); they are enlarged to undo their shrinkage by the fit
 * (R. M. Bell and D. F. McCaffrey, 2002). So correlations within a block, over pixels or frames, need not be known.
 * Each draw is estimated by a Gauss-Newton step and, since the model is nonlinear, a run at its end and a second step
 * that corrects the deviation from the linear prediction.
 *
 * @returns the estimate of each draw, in coordinates; null if there are too few blocks.
 */
export async function bootstrapOf(plan: Plan, x: Float64Array, local: LocalPosterior): Promise<Float64Array[] | null> {
  const { unknowns, options } = plan;
  const { inverse, effectiveVariance, residuals } = local.uncertainty;
  const { scores, information } = local.uncertainty.stretches;
  const n = unknowns.count;
  const length = Math.max(residuals.correlationLength + 1, Math.ceil(Math.cbrt(scores.length)));
  if (scores.length < MIN_BLOCKS * length) return null;
  const random = randomNumbers(options.search.seed);
  const normal = (): number => standardNormal(random);
  const priors = priorInformation(unknowns, x);
  const limits = unknowns.limits();
  const byOffset = Array.from({ length }, (_, offset) => blocksOf(scores, information, length, offset, n));
  const points = Array.from({ length: BOOTSTRAP_DRAWS }, () => {
    const pull = new Float64Array(n);
    const blocks = byOffset[Math.floor(random() * length)];
    // With few blocks their scatter is itself uncertain, as Student's t accounts for.
    const size = studentFactor(blocks.length - 1) / 1.96;
    for (const score of blocks) {
      const sign = random() < 0.5 ? -size : size;
      for (let i = 0; i < n; i++) pull[i] += (sign * score[i]) / effectiveVariance;
    }
    for (let i = 0; i < n; i++) pull[i] += Math.sqrt(priors[i]) * normal();
    const moved = x.map((value, i) => {
      let step = 0;
      for (let j = 0; j < n; j++) step += inverse[i * n + j] * pull[j];
      return value - step;
    });
    return clamped(moved, limits);
  });
  const bends = await bendsAt(plan, x, points);
  return points.map((point, k) =>
    clamped(
      point.map((value, i) => {
        let step = 0;
        for (let j = 0; j < n; j++) step += (inverse[i * n + j] / effectiveVariance) * (bends[k]?.[j] ?? 0);
        return value - step;
      }),
      limits,
    ),
  );
}

/** Score J^T r of each block of frames, enlarged to undo the shrinkage of the residuals by the fit. */
function blocksOf(
  scores: readonly Float64Array[],
  information: readonly Float64Array[],
  length: number,
  offset: number,
  n: number,
): Float64Array[] {
  const sum = (all: readonly Float64Array[], size: number): Float64Array => {
    const total = new Float64Array(size);
    for (const one of all) for (let k = 0; k < size; k++) total[k] += one[k];
    return total;
  };
  // H^(1/2) and its inverse: the share that a block determines is H^(-1/2) H_b H^(-1/2).
  const whole = symmetricEigen(sum(information, n * n));
  const least = Math.max(...whole.values) * 1e-11;
  const root = (power: number): Float64Array => mapEigenvalues(whole, (value) => (value > least ? value ** power : 0));
  const [up, down] = [root(0.5), root(-0.5)];
  const blocks: Float64Array[] = [];
  for (let from = offset - length; from < scores.length; from += length) {
    const own = [...scores.keys()].slice(Math.max(0, from), Math.max(0, from + length));
    if (own.length === 0) continue;
    const score = sum(
      own.map((f) => scores[f]),
      n,
    );
    const share = multiplySquare(
      multiplySquare(
        down,
        sum(
          own.map((f) => information[f]),
          n * n,
        ),
        n,
      ),
      down,
      n,
    );
    const put = mapEigenvalues(symmetricEigen(share), (p) => 1 / Math.sqrt(1 - Math.min(p, MAX_LEVERAGE)));
    blocks.push(multiplyVector(up, multiplyVector(put, multiplyVector(down, score))));
  }
  return blocks;
}

/** For each point, J^T times the deviation of the model's output from its linear prediction; null if the run fails. */
async function bendsAt(plan: Plan, x: Float64Array, points: readonly Float64Array[]): Promise<(Float64Array | null)[]> {
  const { run, unknowns, objective, controls, options } = plan;
  const { journal = noJournal } = controls;
  const n = unknowns.count;
  const stride = strideOf(objective.residuals!, n);
  const still = await journal.once('bootstrap derivatives', [x], async () => {
    const simulation = await simulate(plan, 'tangent', 1);
    try {
      forwardWithTangents(simulation, unknowns, [x], run.frames);
      const { positions, columns, modelOutput } = await sampleJacobian(simulation, objective.residuals!, n, stride);
      return { positions, columns, stride, shown: modelOutput.map((values, f) => valuesAt(values, positions[f])) };
    } finally {
      plan.simulations.release(simulation);
    }
  });
  const simulation = await open(run, {
    device: controls.device,
    memory: options.memory,
    record: objective.fields,
    derivative: 'none',
    parameters: unknowns.fields,
    worlds: WORLDS_PER_BATCH,
  });
  const bends: (Float64Array | null)[] = [];
  try {
    for (let from = 0; from < points.length && !controls.signal?.aborted; from += WORLDS_PER_BATCH) {
      const batch = Array.from({ length: WORLDS_PER_BATCH }, (_, w) => points[from + w] ?? points[from]);
      bends.push(
        ...(await journal.once('bootstrap', batch, async () => {
          try {
            unknowns.apply(simulation, batch);
            simulation.forward();
            const shown = await outputsAt(simulation, objective.residuals!, still, WORLDS_PER_BATCH);
            return batch.map((point, w) => bendOf(point, w, shown));
          } catch (error) {
            if (error instanceof RunFailure) return batch.map(() => null);
            throw error;
          }
        })),
      );
    }
  } finally {
    simulation.dispose();
  }
  return bends;

  function bendOf(point: Float64Array, w: number, shown: Float32Array[][]): Float64Array {
    const bend = new Float64Array(n);
    const moved = point.map((value, i) => value - x[i]);
    still.columns.forEach((columns, f) => {
      for (let k = 0; k < columns[0].length; k++) {
        let other = shown[f][w][k] - still.shown[f][k];
        for (let j = 0; j < n; j++) other -= columns[j][k] * moved[j];
        for (let j = 0; j < n; j++) bend[j] += stride * columns[j][k] * other;
      }
    });
    return bend;
  }
}

/** Lower and upper end of the central 95 % of some numbers. */
export function middle95(numbers: readonly number[]): readonly [number, number] {
  const sorted = Float64Array.from(numbers).sort();
  const cut = Math.floor(0.025 * sorted.length);
  return [sorted[cut], sorted[sorted.length - 1 - cut]];
}
