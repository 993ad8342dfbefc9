import type { ComparisonSums, Simulation } from '@gradsim/core';
import type { Unknowns } from '../unknowns/unknowns.ts';
import { addPriors } from './priors.ts';
import { type Residuals, sumsOf } from './residuals.ts';
import type { BentSystem, System } from './system.ts';

/** Sums over residuals and their derivatives at some points, from one run with a tangent for each unknown of each. */
export function sumsAt(
  simulation: Simulation,
  unknowns: Unknowns,
  { frames }: Residuals,
  points: readonly Float64Array[],
): Promise<readonly ComparisonSums[]> {
  forwardWithTangents(simulation, unknowns, points, frames);
  return sumsOf(simulation);
}

/** A least-squares system with priors and bends, from one without. */
export function bentSystemOf(system: System, unknowns: Unknowns, x: Float64Array, residuals: Residuals): BentSystem {
  const bends = unknowns.bends(x).map((bend, k) => bend * system.gradient[k]);
  return { ...addPriors(system, unknowns, x, residuals), bends };
}

/** Least-squares systems at some points, without priors. */
export async function systemsOfResiduals(
  simulation: Simulation,
  unknowns: Unknowns,
  residuals: Residuals,
  points: readonly Float64Array[],
): Promise<System[]> {
  const sums = await sumsAt(simulation, unknowns, residuals, points);
  return residuals.normalEquations(sums, points.length, unknowns.count);
}

/**
 * Runs some points with tangents along all unknowns, for the given number of frames. Each point has several worlds; see
 * `Columns`.
 */
export function forwardWithTangents(
  simulation: Simulation,
  unknowns: Unknowns,
  points: readonly Float64Array[],
  frames: number,
): void {
  const worldsOfPoint = simulation.worlds / points.length;
  const worlds = points.flatMap((x) => Array<Float64Array>(worldsOfPoint).fill(x));
  unknowns.apply(simulation, worlds);
  const directions = Array.from({ length: simulation.tangents * simulation.worlds }, (_, at) => {
    const [tangent, world] = [Math.floor(at / simulation.worlds), at % simulation.worlds];
    return tangent * worldsOfPoint + (world % worldsOfPoint);
  });
  unknowns.applyTangents(simulation, worlds, directions);
  simulation.forward({ frames });
}
