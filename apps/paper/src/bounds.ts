import type { Device, Simulation } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import { symmetricEigen } from '@gradsim/numeric/decompositions';
import type { ParameterEstimate, ParameterSpec, Problem } from '@gradsim/optim';

/** Standard deviation of a pixel's noise: one grey level of 8 bits, relative to full light. */
const GREY_LEVEL = 1 / 255;
/**
 * Lower bound of the standard error, relative to the unknown (rad for an angle), below which the unknown counts as
 * determined.
 */
const DETERMINED = 0.01;
/**
 * Half the distance of the films that a derivative is taken from, in the same unit. Over half of what is asked for, rounding in single precision is
 * far below the noise, and a touch that moves to another substep counts by what it does to the film.
 */
const STEP = DETERMINED / 2;
/** Number of worlds of a run: one to each side of the truth. */
const WORLDS = 2;
/** Eigenvalue of the information, relative to its diagonal, below which it is rounding. */
const NOTHING = 1e-9;
/** Share of an unknown in a direction below which it is rounding. */
const NO_SHARE = 1e-9;

/** The Cramer-Rao bound of an unknown. */
export interface Bound {
  /** The least standard deviation that an unbiased estimate can have, in the unit of the unknown; infinite where nothing determines it. */
  readonly bound: number;
  readonly isDetermined: boolean;
}

/**
 * Cramer-Rao bounds at the truth, for a film of which every pixel is off by one grey level, without priors: roots of the diagonal of
 * sigma^2 (J^T J)^-1, with the columns of J by central differences of films half a per cent to either side of the truth. Derivatives of a run in
 * single precision also hold what rounding does to them, and would make of it information, or the lack of it.
 */
export async function boundsAtTruth(problem: Problem, device: Device): Promise<Readonly<Record<string, Bound>>> {
  const { model, frames, frameRate, substeps, values = {}, parameters = [], observations = [] } = problem;
  const simulation = await createSimulation(model, {
    ...{ device, frames, frameRate, substeps, worlds: WORLDS },
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
        return [name, { bound, isDetermined: bound < DETERMINED * sizeOf({ unit, value: truth! }) }];
      }),
    );
  } finally {
    simulation.dispose();
  }
}

/** Change of everything observed with an unknown, per unit of it, by central differences: the two worlds of a run. */
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

/** Roots of the diagonal of an inverse, infinite where the matrix has no say. */
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
      if (share > NO_SHARE) variance += value > NOTHING ? share / value : Number.POSITIVE_INFINITY;
    });
    return own > 0 ? Math.sqrt(variance) / own : Number.POSITIVE_INFINITY;
  });
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k];
  return sum;
}

/** Unit of relative errors: the unknown itself, of an angle one radian. */
const sizeOf = ({ unit, value }: { readonly unit?: string; readonly value: number }): number =>
  unit === 'rad' ? 1 : Math.abs(value);

/** Returns whether an unknown's standard error is below 1 % of it, of an angle below 1 % of a radian. */
export const isSure = ({ estimate: value, standardError, unit }: ParameterEstimate): boolean =>
  (standardError ?? Number.POSITIVE_INFINITY) < DETERMINED * sizeOf({ unit, value });
