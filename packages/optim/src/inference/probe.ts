import type { RecordWords, Simulation } from '@gradsim/core';
import { symmetricEigen } from '@gradsim/numeric/decompositions';
import { shownEvery } from '../objective/prepared-observation.ts';
import { priorInformation } from '../objective/priors.ts';
import type { Residuals } from '../objective/residuals.ts';
import type { Plan } from '../search/plan.ts';
import { clamped } from '../unknowns/limits.ts';
import { RunFailure } from '../unknowns/run-failure.ts';
import type { Unknowns } from '../unknowns/unknowns.ts';

/** What became of derivatives that were held against steps. */
export interface Probed {
  /**
   * By unknown: when it moves by a standard error, the others with it, the share of what derivatives say (squared) of values
   * that do otherwise; null where it cannot be moved. Where that is lost in rounding, it moves by more.
   */
  readonly unexplained: readonly (number | null)[];
  /** By unknown: how far it can move, as a coordinate, and what changes is lost in rounding; 0 where nothing is. */
  readonly blurred: readonly number[];
}

/** What standard errors follow from: the sum of squared residuals, of how many values, and J^T J. */
interface Curvature {
  readonly squares: number;
  readonly values: number;
  readonly hessian: Float64Array;
}

/** Derivatives that are kept to be compared with differences, and products of one comparison for all unknowns. */
const MOST_KEPT = 8e6;
const MOST_PRODUCTS = 2e8;
/** A step to either side is this many times what rounding does, at least; and no more natural steps than that. */
const CLEAR_OF_ROUNDING = 5;
const LONGEST_PROBE = 0.05;
/** What does not come as derivatives say is tried again with steps so many times as long: where it bends, and where rounding blurs it. */
const PROBES = [1, 1 / 8, 1 / 64, 8, 64, 512];
/** A value does otherwise where it is off what derivatives say by so much of it. */
const OTHERWISE = 0.7;
/** Of what derivatives say, squared: with less than this they promise what does not come, as where they explode. */
const LARGE_ENOUGH = 0.25;
/** Where what is seen tells less than this share of a value, its prior tells it ... */
const TOLD_BY_PRIOR = 1e-3;
/** ... and what changes is as derivatives say, to this share of what each of them says by itself: they cancel. */
const CANCELLED = 0.01;
/** Above this share of a change that derivatives do not explain, they say nothing of it. */
export const UNEXPLAINED = 0.5;

/** Derivatives of every so many values, [frame][unknown][value], and what is shown of them, [frame][value]. */
export interface Kept {
  readonly columns: Float32Array[][];
  readonly shown: Float32Array[];
  readonly stride: number;
}

export function strideOf(residuals: Residuals, unknowns: number): number {
  const values = residuals.prepared.reduce((sum, p) => sum + p.values * p.frames.length, 0);
  return Math.max(1, Math.ceil((unknowns * values) / MOST_KEPT), Math.ceil((unknowns ** 2 * values) / MOST_PRODUCTS));
}

/**
 * Moves each unknown by its standard error, the others with it, and looks whether the derivatives say what happens; where
 * they do not, by less and by more, until they do.
 * @param simulation where points run, in as many worlds as it has.
 */
export async function probeAll(
  { unknowns, objective }: Plan,
  simulation: Simulation,
  x: Float64Array,
  evidence: Curvature,
  kept: Kept,
): Promise<Probed> {
  const residuals = objective.residuals!;
  const scales = unknowns.scales();
  const { steps, isToldByPrior } = probeSteps(scales, priorInformation(unknowns, x), evidence, {
    perIndependent: residuals.perIndependent,
    rounding: Math.sqrt(residuals.exactLoss('f32') * residuals.weight),
  });
  const limits = unknowns.limits();
  const unexplained = Array<number | null>(x.length).fill(null);
  const blurred = Array<number>(x.length).fill(0);
  const isTold = Array<boolean>(x.length).fill(true);
  let pending = [...x.keys()];
  for (const times of PROBES) {
    if (pending.length === 0) break;
    const directions = steps.map((step) => scaledStep(step, times, scales));
    const side = (sign: number): Float64Array[] =>
      directions.map((d) =>
        clamped(
          x.map((value, k) => value + sign * d[k]),
          limits,
        ),
      );
    const sides = [side(1), side(-1)] as const;
    const shares = await sharesUnsaid(simulation, unknowns, residuals, { sides, kept, isToldByPrior, pending });
    pending = pending.filter((i, at) => {
      const { otherwise, size } = shares[at];
      if (times === 1) unexplained[i] = otherwise;
      if (otherwise === null) return false;
      const isSaid = otherwise <= UNEXPLAINED;
      if (times < 1) {
        // Derivatives hold nearby: where as much changes as they say, the model bends.
        if (isSaid && isTold[i]) unexplained[i] = 0;
        return !(isSaid && isTold[i]);
      }
      isTold[i] &&= size > LARGE_ENOUGH;
      if (isSaid) unexplained[i] = otherwise;
      else blurred[i] = Math.abs(directions[i][i]);
      return !isSaid;
    });
  }
  // What jumps, as a bounce may, and yet changes by as much as derivatives say, however long the step, is told by it.
  for (const i of pending) if (isTold[i]) unexplained[i] = 0;
  for (const i of x.keys()) if (unexplained[i] === 0) blurred[i] = 0;
  return { unexplained, blurred };
}

/** A step so many times as long, but no natural step or more of any unknown. */
function scaledStep(step: Float64Array, times: number, scales: Float64Array): Float64Array {
  const largest = step.reduce((most, d, k) => Math.max(most, Math.abs(d) / scales[k]), 0);
  const factor = Math.min(times, LONGEST_PROBE / Math.max(largest, 1e-100));
  return step.map((d) => d * factor);
}

/** How a change goes along with what derivatives say of it. */
interface Said {
  /** The share that comes otherwise; null where nothing is said, or it cannot be run. */
  readonly otherwise: number | null;
  /** The size of the change over what is said, squared, value by value at most 1. */
  readonly size: number;
}

/** Steps to either side, by unknown, and what they are compared with. */
interface Steps {
  readonly sides: readonly [readonly Float64Array[], readonly Float64Array[]];
  readonly kept: Kept;
  readonly isToldByPrior: readonly boolean[];
  /** Unknowns that are looked at. */
  readonly pending: readonly number[];
}

/** For some unknowns the share of what derivatives say of the change from one side to the other that comes otherwise. */
async function sharesUnsaid(
  simulation: Simulation,
  unknowns: Unknowns,
  residuals: Residuals,
  { sides, kept, isToldByPrior, pending }: Steps,
): Promise<Said[]> {
  const sums = pending.map(() => ({ said: 0, unsaid: 0, size: 0 }));
  const [there, back] = sides.map((side) => pending.map((i) => side[i]));
  try {
    const forth = await shownAt(simulation, unknowns, residuals, there, kept.stride);
    const behind = await shownAt(simulation, unknowns, residuals, back, kept.stride);
    const moved = there.map((to, at) => to.map((value, k) => value - back[at][k]));
    kept.columns.forEach((columns, f) => {
      sums.forEach((sum, at) => {
        const cancelled = isToldByPrior[pending[at]] ? CANCELLED : 0;
        addUnsaid(sum, columns, moved[at], forth[f][at], behind[f][at], cancelled);
      });
    });
  } catch (error) {
    if (error instanceof RunFailure) return sums.map(() => ({ otherwise: null, size: 0 }));
    throw error;
  }
  return sums.map(({ said, unsaid, size }) =>
    said > 0 ? { otherwise: unsaid / said, size: size / said } : { otherwise: null, size: 0 },
  );
}

/**
 * Adds how the changes of the values of a frame go along with what derivatives say of them.
 * @param cancelled share of the sum of absolute parts by which a change may differ at least.
 */
function addUnsaid(
  sum: { said: number; unsaid: number; size: number },
  columns: readonly Float32Array[],
  moved: Float64Array,
  forth: Float32Array,
  behind: Float32Array,
  cancelled: number,
): void {
  const n = columns.length;
  let [allSaid, unsaid, size] = [0, 0, 0];
  for (let k = 0; k < forth.length; k++) {
    let said = 0;
    let parts = 0;
    for (let j = 0; j < n; j++) {
      const part = columns[j][k] * moved[j];
      said += part;
      parts += Math.abs(part);
    }
    // Most of a picture stands still.
    if (said === 0) continue;
    const change = forth[k] - behind[k];
    allSaid += said * said;
    // Value by value: where few of them jump, as at a silhouette, derivatives are right of all others.
    const within = Math.max(OTHERWISE * Math.abs(said), cancelled * parts);
    if (!(Math.abs(change - said) <= within)) unsaid += said * said;
    size += Math.min(change * change, said * said);
  }
  sum.said += allSaid;
  sum.unsaid += unsaid;
  sum.size += size;
}

/** What is shown, of every so many values, [frame][point][value]. */
async function shownAt(
  simulation: Simulation,
  unknowns: Unknowns,
  { prepared }: Residuals,
  points: readonly Float64Array[],
  stride: number,
): Promise<Float32Array[][]> {
  const { worlds } = simulation;
  const shown: Float32Array[][] = prepared.flatMap((p) => p.frames.map(() => []));
  for (let from = 0; from < points.length; from += worlds) {
    unknowns.apply(
      simulation,
      Array.from({ length: worlds }, (_, w) => points[from + w] ?? points[from]),
    );
    simulation.forward();
    let at = 0;
    for (const p of prepared) {
      const record: RecordWords = await RunFailure.of(simulation.readRecord(p.field));
      for (let f = 0; f < p.frames.length; f++, at++)
        for (let world = 0; world < worlds && from + world < points.length; world++)
          shown[at].push(shownEvery(p, { record, world, f }, stride));
    }
  }
  return shown;
}

/**
 * For each unknown how all move when it moves by its standard error; long enough to be told from rounding. Along what priors
 * alone determine, as the scale of all that one camera sees, nothing of what is seen changes: what derivatives say is rounding.
 */
function probeSteps(
  scales: Float64Array,
  priors: Float64Array,
  { squares, values: count, hessian }: Curvature,
  { perIndependent, rounding }: { readonly perIndependent: number; readonly rounding: number },
): { readonly steps: Float64Array[]; readonly isToldByPrior: boolean[] } {
  const n = scales.length;
  const variance = Math.max((squares / count) * perIndependent, 1e-100);
  const scaled = Float64Array.from({ length: n * n }, (_, at) => {
    const [i, j] = [Math.floor(at / n), at % n];
    return (hessian[at] + (i === j ? variance * priors[i] : 0)) * scales[i] * scales[j];
  });
  const { values, vectors } = symmetricEigen(scaled);
  const least = Math.max(values[n - 1], 1e-100) * 1e-11;
  const isToldByPrior = Array<boolean>(n).fill(false);
  const steps = Array.from({ length: n }, (_, i) => {
    const direction = new Float64Array(n);
    values.forEach((value, k) => {
      if (value > least) for (let j = 0; j < n; j++) direction[j] += (vectors[k][i] * vectors[k][j]) / value;
    });
    if (!(direction[i] > 0)) return direction;
    let priorOnly = 0;
    for (let j = 0; j < n; j++) priorOnly += variance * priors[j] * (direction[j] * scales[j]) ** 2;
    isToldByPrior[i] = priorOnly > (1 - TOLD_BY_PRIOR) * direction[i];
    // Along C e_i: at the length of one standard error, J d has the squares of one residual.
    const length = Math.max(Math.sqrt(variance), CLEAR_OF_ROUNDING * rounding) / Math.sqrt(direction[i]);
    return direction.map((d, j) => d * length * scales[j]);
  });
  return { steps, isToldByPrior };
}
