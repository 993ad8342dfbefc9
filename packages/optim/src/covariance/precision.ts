import { randomNumbers, sumOfSquares } from '@gradsim/base';
import type { Simulation } from '@gradsim/core';
import { moveByRounding } from '@gradsim/core/internal';
import type { JacobianSample } from '../objective/jacobian-sample.ts';
import { countEvery, fillTangentEvery, recordsAlong } from '../objective/prepared-observation.ts';
import { sumsOf } from '../objective/residuals.ts';
import { noJournal } from '../plan/journal.ts';
import type { Plan } from '../plan/plan.ts';
import { simulate } from '../plan/plan.ts';
import type { PerturbedSystem, Precision } from '../posterior/posterior.ts';
import { RunFailure } from '../unknowns/run-failure.ts';
import type { Unknowns } from '../unknowns/unknowns.ts';

/** Number of runs from initial values perturbed by one rounding error; a single one may change little by chance. */
const PERTURBED_RUNS = 2;
/** Relative change of derivatives under such perturbations above which they are mostly noise. */
export const MAINLY_NOISE = 0.5;
/** Ratio between standard errors from differently rounded derivatives above which they count as different. */
const OTHER_ERRORS = 2;
/**
 * Relative change under such perturbations above which single-precision derivatives have errors of more than 1 %, as
 * measured by `bench -- noise`.
 */
export const MIN_NOISY_CHANGE = 3e-3;
/**
 * Loss, in losses that rounding alone explains, above which rounding moves an estimate by less than a hundredth of its
 * standard error, as long as derivatives are not noisy: both go with the residuals' size, the square root of the loss.
 */
const FAR_FROM_EXACT = 1e4;
/** Derivative, in natural steps, relative to the length of the whole gradient, below which its noise is ignored. */
const MIN_DERIVATIVE_SHARE = 1e-4;

/**
 * Change of the columns of the residuals' Jacobian when initial values are perturbed by one rounding error, relative to
 * the columns' lengths; infinite if such a run fails. Null in double precision.
 * The normal equations of these runs are computed too, where rounding can matter.
 *
 * @param simulation simulation whose tangents are those of the unknowns at `x`; its last run is then a perturbed one.
 * @param sample derivatives without perturbation.
 * @param squares weighted sum of the squared residuals at `x`.
 */
export async function jacobianPrecision(
  plan: Plan,
  simulation: Simulation,
  x: Float64Array,
  sample: JacobianSample,
  squares: number,
): Promise<Precision | null> {
  if (plan.controls.device.precision !== 'f32') return null;
  const random = randomNumbers(plan.options.search.seed);
  const residuals = plan.objective.residuals!;
  const isFar = squares > FAR_FROM_EXACT * residuals.exactLoss('f32') * residuals.weight;
  let failed = 0;
  let noise = Array<number>(x.length).fill(0);
  const perturbedSystems: PerturbedSystem[] = [];
  for (let draw = 0; draw < PERTURBED_RUNS; draw++) {
    const found = await orNull(async () => {
      forwardRounded(plan, simulation, x, random);
      const own = await columnNoise(plan, simulation, sample);
      const matters = !isFar || own.some((share) => share > MIN_NOISY_CHANGE);
      return { noise: own, system: matters ? await systemOf(plan, simulation) : null };
    });
    if (found?.system) perturbedSystems.push(found.system);
    if (!found) failed++;
    noise = noise.map((most, j) => Math.max(most, found ? found.noise[j] : Number.POSITIVE_INFINITY));
  }
  return { names: plan.unknowns.names, noise, perturbedSystems, isWhole: failed === 0 };
}

/** J^T r and J^T J of the simulation's last run. */
async function systemOf({ unknowns, objective }: Plan, simulation: Simulation): Promise<PerturbedSystem> {
  const residuals = objective.residuals!;
  const [{ gradient, hessian }] = residuals.normalEquations(await sumsOf(simulation), 1, unknowns.count);
  const { weight } = residuals;
  return { score: gradient.map((g) => weight * g), hessian: hessian.map((h) => weight * h) };
}

/** Runs from a point with all initial values perturbed by one rounding error, equally in all worlds. */
function forwardRounded({ run, unknowns }: Plan, simulation: Simulation, x: Float64Array, random: () => number): void {
  const own = unknowns.fields.map((key) => [key, unknowns.fieldValues(key, x, simulation)] as const);
  unknowns.apply(simulation, Array<Float64Array>(simulation.worlds).fill(x));
  RunFailure.whileSetting(() => moveByRounding(simulation, random, { ...run.values, ...Object.fromEntries(own) }));
  simulation.forward({ frames: run.frames });
}

async function columnNoise(
  { unknowns, objective }: Plan,
  simulation: Simulation,
  sample: JacobianSample,
): Promise<number[]> {
  const n = unknowns.count;
  const [off, size] = [new Float64Array(n), new Float64Array(n)];
  let at = 0;
  for (const p of objective.residuals!.prepared) {
    const record = await RunFailure.whileReading(simulation.readRecord(p.field));
    const along = await recordsAlong(simulation, p.field);
    const now = new Float32Array(countEvery(p, sample.stride));
    for (let f = 0; f < p.frames.length; f++, at++)
      for (let j = 0; j < n; j++) {
        fillTangentEvery(now, p, { record, world: 0, f }, along(j), sample.stride);
        subtractAt(now, sample.columns[at][j], sample.positions[at]);
        off[j] += sumOfSquares(now);
        size[j] += sumOfSquares(sample.columns[at][j]);
      }
  }
  const scales = unknowns.scales();
  const largest = size.reduce((most, s, j) => Math.max(most, s * scales[j] ** 2), 0);
  return Array.from(off, (o, j) =>
    size[j] > 0 ? Math.sqrt(o / Math.max(size[j], MIN_DERIVATIVE_SHARE ** 2 * (largest / scales[j] ** 2))) : 0,
  );
}

/** Subtracts values at some positions. */
function subtractAt(from: Float32Array, values: Float32Array, at: Uint32Array): void {
  for (let i = 0; i < at.length; i++) from[at[i]] -= values[i];
}

/**
 * Rounding noise of a gradient, for methods without residuals. The adjoints of the loss get random signs, so that the
 * gradient does not vanish at the minimum. Null in double precision, for problems with worlds, which have initial
 * values of their own, and if no loss depends on a run.
 */
export async function gradientPrecision(plan: Plan, x: Float64Array): Promise<Precision | null> {
  const { worlds, unknowns, controls } = plan;
  if (controls.device.precision !== 'f32' || worlds) return null;
  const { journal = noJournal } = controls;
  const noise = await journal.once('precision', [x], () => gradientNoiseAt(plan, x));
  if (!noise) return null;
  return {
    names: unknowns.blocks.map(({ name }) => name),
    noise: noise.map((share) => share ?? Number.POSITIVE_INFINITY),
    perturbedSystems: [],
    isWhole: !noise.includes(null),
  };
}

/** Relative rounding noise of the gradient with respect to each block of unknowns; null if a perturbed run fails. */
async function gradientNoiseAt(plan: Plan, x: Float64Array): Promise<(number | null)[] | null> {
  const { unknowns, objective, options } = plan;
  const scales = unknowns.scales();
  const random = randomNumbers(options.search.seed);
  const simulation = await simulate(plan, 'adjoint', 1);
  try {
    unknowns.apply(simulation, [x]);
    simulation.forward();
    const seeds = await objective.seedsAt(simulation, x);
    const weights = Object.fromEntries(
      Object.entries(seeds).map(([key, own]) => [key, own.map((w) => (random() < 0.5 ? -w : w))]),
    );
    if (!Object.values(weights).some((own) => own.some((w) => w !== 0))) return null;
    const gradient = async (): Promise<Float64Array> => {
      simulation.backward(weights);
      const [all] = await unknowns.gradients(simulation, [x]);
      return all.map((g, k) => g * scales[k]);
    };
    const here = await gradient();
    const moved: (Float64Array | null)[] = [];
    for (let draw = 0; draw < PERTURBED_RUNS; draw++)
      moved.push(
        await orNull(() => {
          forwardRounded(plan, simulation, x, random);
          return gradient();
        }),
      );
    const shares = noiseShares(unknowns, here, moved, null);
    if (!shares.some((share) => share !== null && share > MIN_NOISY_CHANGE)) return shares;
    // Where the gradient vanishes, its noise is compared with the gradient at the start.
    const start = await orNull(() => {
      unknowns.apply(simulation, [unknowns.initial()]);
      simulation.forward();
      return gradient();
    });
    return noiseShares(unknowns, here, moved, start);
  } finally {
    simulation.dispose();
  }
}

async function orNull<T>(act: () => Promise<T>): Promise<T | null> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof RunFailure) return null;
    throw error;
  }
}

function noiseShares(
  { blocks }: Unknowns,
  here: Float64Array,
  moved: readonly (Float64Array | null)[],
  start: Float64Array | null,
): (number | null)[] {
  const least = MIN_DERIVATIVE_SHARE * lengthOf(here);
  return blocks.map(({ first, count }) => {
    const own = (values: Float64Array): Float64Array => values.subarray(first, first + count);
    const size = Math.max(lengthOf(own(here)), start ? lengthOf(own(start)) : 0, least);
    const shares = moved.map((there) => {
      if (!there) return null;
      const off = lengthOf(own(there).map((g, k) => g - own(here)[k]));
      return off === 0 ? 0 : off / size;
    });
    return shares.includes(null) ? null : Math.max(...(shares as number[]));
  });
}

const lengthOf = (values: Float64Array): number => values.reduce((sum, v) => Math.hypot(sum, v), 0);

/**
 * True if an unknown's derivatives are mostly noise, and standard errors from differently rounded ones disagree.
 * @param roundingFactors for each unknown, the ratio by which those standard errors differ; null without standard
 * errors.
 */
export const isMostlyNoise = (
  noise: readonly number[],
  roundingFactors: readonly number[] | null,
  k: number,
): boolean => noise[k] > MAINLY_NOISE && !(roundingFactors !== null && roundingFactors[k] < OTHER_ERRORS);
