import type { Simulation } from '@gradsim/core';
import type { Unknowns } from '../unknowns/unknowns.ts';
import { addPriors } from './priors.ts';
import type { Residuals } from './residuals.ts';
import type { BentSystem, System } from './system.ts';

/**
 * Least-squares systems at some points, including priors, from one run with a tangent for each unknown of each point.
 * @param hasRun true if that was the simulation's last run.
 */
export async function systemsAt(
  simulation: Simulation,
  unknowns: Unknowns,
  residuals: Residuals,
  points: readonly Float64Array[],
  hasRun = false,
): Promise<BentSystem[]> {
  const systems = hasRun
    ? await residuals.normalEquations(simulation, points.length, unknowns.count)
    : await systemsOfResiduals(simulation, unknowns, residuals, points);
  return systems.map((system, s) => {
    const bends = unknowns.bends(points[s]).map((bend, k) => bend * system.gradient[k]);
    return { ...addPriors(system, unknowns, points[s], residuals.count), bends };
  });
}

/** Least-squares systems at some points, without priors. */
export async function systemsOfResiduals(
  simulation: Simulation,
  unknowns: Unknowns,
  residuals: Residuals,
  points: readonly Float64Array[],
): Promise<System[]> {
  forwardWithTangents(simulation, unknowns, points, residuals.frames);
  return residuals.normalEquations(simulation, points.length, unknowns.count);
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
