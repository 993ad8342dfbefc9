import { inverseDiagonal, solvePositiveDefinite } from '@gradsim/base';
import type { Device, FieldKey, Simulation } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import { Pixel } from '@gradsim/render';
import type { Film } from './film.ts';
import { CHANNELS, PICTURE, rowsFromTiles } from './film.ts';
import type { Kind, Unknown, Values } from './kind.ts';
import { NO_DEPARTURE } from './kind.ts';

/** A least-squares estimate from a film without noise. */
export interface Biased {
  /** Error of each unknown, in standard errors that it would have with noise of standard deviation 1. */
  readonly bias: readonly number[];
  /**
   * Euclidean norm of the residuals that remain. Divided by the noise's standard deviation, it bounds the significance
   * that any test can give the model error.
   */
  readonly left: number;
}

/** The model's film at given values of the unknowns, with its derivatives (`columns`, one film per unknown). */
interface System {
  readonly film: Film;
  readonly columns: readonly Film[];
  /** Normal matrix J^T J of the derivatives `columns`. */
  readonly normal: readonly (readonly number[])[];
}

/** Step of central differences, relative to the unknown's value. */
const STEP = 1e-3;
/**
 * Convergence thresholds: in every unknown the next step is at most this many standard errors, or at most this fraction
 * of its bias.
 */
const [CONVERGED, PART] = [0.02, 0.01];
/** Maximum number of iterations of the least-squares fit. */
const ROUNDS = 40;

/**
 * Plain least squares of pixel colours, with derivatives by differences. It gives the estimate from a film without
 * noise, and its standard errors under white noise. It shares the simulation with the estimation under test, but none
 * of its code.
 */
export class WhiteNoiseFit {
  readonly #simulation: Simulation;
  readonly #unknowns: readonly Unknown[];
  readonly #truth: readonly number[];
  readonly #frames: number;
  readonly #atTruth: System;
  /**
   * Standard error of each unknown for noise of standard deviation 1; infinite if the film does not determine the
   * unknown.
   */
  readonly unitErrors: readonly number[];

  private constructor(simulation: Simulation, kind: Kind, values: Values, atTruth: System) {
    this.#simulation = simulation;
    this.#unknowns = kind.unknowns;
    this.#truth = kind.unknowns.map(({ name }) => values[name]);
    this.#frames = kind.timeline.frames;
    this.#atTruth = atTruth;
    this.unitErrors = inverseDiagonal(atTruth.normal).map(Math.sqrt);
  }

  /**
   * Creates the fit.
   *
   * @param values true values of the unknowns.
   */
  static async of(kind: Kind, values: Values, device: Device): Promise<WhiteNoiseFit> {
    const simulation = await createSimulation(kind.model(values, NO_DEPARTURE), {
      ...kind.timeline,
      device,
      worlds: 2 * kind.unknowns.length + 1,
      record: [Pixel.rgba],
    });
    try {
      const truth = kind.unknowns.map(({ name }) => values[name]);
      return new WhiteNoiseFit(simulation, kind, values, await systemAt(simulation, kind.unknowns, truth));
    } catch (error) {
      simulation.dispose();
      throw error;
    }
  }

  /** Error of the estimate from a film to first order, in standard errors for noise of standard deviation 1. */
  firstOrder(film: Film): number[] {
    const { normal, film: right, columns } = this.#atTruth;
    const slope = columns.map((column) => colourProduct(column, film, right));
    return solvePositiveDefinite(normal, slope)!.map((step, i) => step / this.unitErrors[i]);
  }

  /**
   * Estimates the unknowns from a film without noise.
   *
   * @param noise standard deviation that scales the standard errors in the convergence test.
   * @throws if the fit does not converge.
   */
  async biasedBy(film: Film, noise: number): Promise<Biased> {
    let values = [...this.#truth];
    let system = this.#atTruth;
    let squares = squaresBetween(film, system.film);
    let damping = 0;
    const found = (): Biased => ({
      bias: values.map((value, i) => (value - this.#truth[i]) / this.unitErrors[i]),
      left: Math.sqrt(squares),
    });
    for (let round = 0; round < ROUNDS; round++) {
      const slope = system.columns.map((column) => colourProduct(column, film, system.film));
      const damped = system.normal.map((row, i) => row.map((value, j) => (i === j ? value * (1 + damping) : value)));
      const step = solvePositiveDefinite(damped, slope);
      if (!step) break;
      const isAtEnd = step.every((s, i) => {
        const bias = Math.abs(values[i] - this.#truth[i]);
        return Math.abs(s) <= Math.max(CONVERGED * noise * this.unitErrors[i], PART * bias);
      });
      if (isAtEnd && damping < 1) return found();
      const next = values.map((value, i) => clampToRange(value + step[i], this.#unknowns[i].range));
      const there = await systemAt(this.#simulation, this.#unknowns, next);
      const reached = squaresBetween(film, there.film);
      if (reached < squares) {
        [values, system, squares] = [next, there, reached];
        damping = damping < 1e-3 ? 0 : damping / 5;
      } else damping = damping === 0 ? 0.01 : damping * 5;
      if (damping > 1e4) return found();
    }
    throw new Error(`The plain fit of ${this.#frames} frames does not converge.`);
  }

  dispose(): void {
    this.#simulation.dispose();
  }
}

const clampToRange = (value: number, [low, high]: readonly [number, number] = [-Infinity, Infinity]): number =>
  Math.min(Math.max(value, low), high);

/**
 * Simulates the model at given values and at a step to either side of each unknown, in one world each, and forms
 * central differences.
 */
async function systemAt(
  simulation: Simulation,
  unknowns: readonly Unknown[],
  values: readonly number[],
): Promise<System> {
  const steps = values.map((value) => STEP * Math.abs(value));
  const points = [
    values,
    ...values.flatMap((_, k) => [1, -1].map((sign) => values.map((v, i) => (i === k ? v + sign * steps[k] : v)))),
  ];
  for (const field of new Set(unknowns.map((unknown) => unknown.field)))
    points.forEach((point, world) => simulation.set(field, valuesOf(simulation, field, unknowns, point), world));
  simulation.forward();
  const all = await simulation.readFrames(Pixel.rgba);
  const filmOf = (world: number): Film => {
    const frames = all.length / PICTURE / points.length;
    const tiles = new Float64Array(frames * PICTURE);
    for (let f = 0; f < frames; f++) {
      const from = (f * points.length + world) * PICTURE;
      tiles.set(all.subarray(from, from + PICTURE), f * PICTURE);
    }
    return rowsFromTiles(tiles);
  };
  const columns = values.map((_, k) => {
    const [above, below] = [filmOf(2 * k + 1), filmOf(2 * k + 2)];
    return above.map((value, i) => (value - below[i]) / (2 * steps[k]));
  });
  const normal = columns.map((a) => columns.map((b) => colourProduct(a, b)));
  return { film: filmOf(0), columns, normal };
}

/** Field values of one world, with the unknowns set to a point. */
function valuesOf(
  simulation: Simulation,
  field: FieldKey,
  unknowns: readonly Unknown[],
  point: readonly number[],
): Float64Array {
  const { components, values } = simulation.model.field(field);
  const own = Float64Array.from(values!);
  for (const [i, unknown] of unknowns.entries()) {
    if (unknown.field !== field) continue;
    const elements = unknown.elements ?? [...Array(own.length / components).keys()];
    for (const element of elements) own[element * components + (unknown.component ?? 0)] = point[i];
  }
  return own;
}

/** Scalar product over red, green and blue of `column` with `film`, or with `film` - `other`. */
function colourProduct(column: Film, film: Film, other?: Film): number {
  let sum = 0;
  for (let k = 0; k < column.length; k++)
    if (k % CHANNELS !== CHANNELS - 1) sum += column[k] * (film[k] - (other ? other[k] : 0));
  return sum;
}

function squaresBetween(a: Film, b: Film): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) if (k % CHANNELS !== CHANNELS - 1) sum += (a[k] - b[k]) ** 2;
  return sum;
}
