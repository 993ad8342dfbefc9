import { symmetricEigen } from '@gradsim/base/decompositions';
import type { Device, Simulation } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import type { ParameterEstimate, ParameterSpec, Problem } from '@gradsim/optim';

/** Standard deviation of pixel noise: one of 255 grey levels, with full light as 1. */
const GREY_LEVEL = 1 / 255;
/** Cramer-Rao bound, relative to the unknown (rad for an angle), below which the unknown counts as determined. */
const MAX_DETERMINED_ERROR = 0.01;
/**
 * Step of central differences to either side of the truth, relative to the unknown (rad for an angle). At this size
 * rounding in single precision is far below the noise, and a contact that moves to another substep changes the film as
 * little as in reality.
 */
const STEP = MAX_DETERMINED_ERROR / 2;
/** Number of worlds of a run: one on each side of the truth. */
const WORLDS = 2;
/** Eigenvalue of the scaled information matrix, whose diagonal is 1, below which it counts as rounding error. */
const MIN_INFORMATION = 1e-9;
/** Squared component of an unknown in an eigenvector below which it counts as rounding error. */
const NO_SHARE = 1e-9;

/** Cramer-Rao bound of an unknown, and whether it counts as determined. */
export interface Bound {
  /**
   * Smallest possible standard deviation of an unbiased estimate, in the unit of the unknown; infinite if nothing
   * determines it.
   */
  readonly bound: number;
  readonly isDetermined: boolean;
}

/**
 * Cramer-Rao bounds at the truth without priors, for a film with independent pixel noise of one grey level sigma: the
 * square roots of the diagonal of sigma^2 (J^T J)^-1. The columns of J are central differences of films at half a per
 * cent to either side of the truth. Adjoint or tangent derivatives in single precision would contain rounding errors
 * that look like information.
 */
export async function boundsAtTruth(problem: Problem, device: Device): Promise<Readonly<Record<string, Bound>>> {
  const { model, frames, frameRate, substeps, values = {}, parameters = [], observations = [] } = problem;
  const simulation = await createSimulation(model, {
    device,
    frames,
    frameRate,
    substeps,
    worlds: WORLDS,
    record: observations.map(({ field }) => field),
    // Stability at the truth was looked at where the film was made.
    onWarning: () => {},
  });
  try {
    for (const [key, own] of Object.entries(values)) simulation.set(key, own);
    const columns: Float32Array[] = [];
    for (const parameter of parameters) columns.push(await columnOf(problem, simulation, parameter));
    const bounds = boundsOf(columns.map((a) => columns.map((b) => dot(a, b))));
    return Object.fromEntries(
      parameters.map(({ name, unit, truth }, k) => {
        const bound = GREY_LEVEL * bounds[k];
        return [name, { bound, isDetermined: bound < MAX_DETERMINED_ERROR * sizeOf({ unit, value: truth! }) }];
      }),
    );
  } finally {
    simulation.dispose();
  }
}

/** Derivative of all observed values with respect to an unknown, by central differences of the two worlds of a run. */
async function columnOf(
  { model, values = {}, observations = [] }: Problem,
  simulation: Simulation,
  { field, elements, component = 0, unit, truth }: ParameterSpec,
): Promise<Float32Array> {
  const { components, domain, key, values: initial = [0] } = model.field(field!);
  const known = values[key] ?? initial;
  const length = components * model.domain(domain).size;
  const given = Float64Array.from({ length }, (_, k) => known[k % known.length]);
  const step = STEP * (sizeOf({ unit, value: truth! }) || 1);
  for (const [world, sign] of [1, -1].entries()) {
    const moved = given.slice();
    for (const element of elements ?? Array.from({ length: moved.length / components }, (_, k) => k))
      moved[element * components + component] = truth! + sign * step;
    simulation.set(field!, moved, world);
  }
  simulation.forward();
  const differences: Float32Array[] = [];
  for (const observation of observations) {
    const shown = await simulation.readFrames(observation.field);
    const size = shown.length / WORLDS / simulation.frames;
    const own = new Float32Array(shown.length / WORLDS);
    for (let frame = 0; frame < simulation.frames; frame++)
      for (let k = 0; k < size; k++) {
        const at = WORLDS * frame * size + k;
        own[frame * size + k] = (shown[at] - shown[at + size]) / (2 * step);
      }
    differences.push(own);
  }
  for (const world of [0, 1]) simulation.set(field!, given, world);
  const column = new Float32Array(differences.reduce((sum, { length }) => sum + length, 0));
  differences.reduce((at, own) => {
    column.set(own, at);
    return at + own.length;
  }, 0);
  return column;
}

/**
 * Square roots of the diagonal of the information matrix' inverse; infinite for unknowns that it does not determine.
 */
function boundsOf(information: readonly (readonly number[])[]): number[] {
  const root = information.map((row, k) => Math.sqrt(row[k]));
  const n = root.length;
  const scaled = Float64Array.from({ length: n * n }, (_, at) => {
    const [i, j] = [Math.floor(at / n), at % n];
    return root[i] * root[j] > 0 ? information[i][j] / (root[i] * root[j]) : 0;
  });
  const { values, vectors } = symmetricEigen(scaled);
  return root.map((own, k) => {
    let variance = 0;
    values.forEach((value, i) => {
      const share = vectors[i][k] ** 2;
      if (share > NO_SHARE) variance += value > MIN_INFORMATION ? share / value : Number.POSITIVE_INFINITY;
    });
    return own > 0 ? Math.sqrt(variance) / own : Number.POSITIVE_INFINITY;
  });
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k];
  return sum;
}

/** Scale of an unknown's relative error: its magnitude, or 1 rad for an angle. */
const sizeOf = ({ unit, value }: { readonly unit?: string; readonly value: number }): number =>
  unit === 'rad' ? 1 : Math.abs(value);

/** Returns whether the estimated standard error of an unknown is below 1 % of it, or below 0.01 rad for an angle. */
export const isSure = ({ estimate: value, standardError, unit }: ParameterEstimate): boolean =>
  (standardError ?? Number.POSITIVE_INFINITY) < MAX_DETERMINED_ERROR * sizeOf({ unit, value });
