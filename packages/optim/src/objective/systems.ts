import type { Simulation } from '@gradsim/core';
import type { Unknowns } from '../unknowns/unknowns.ts';
import type { System } from './priors.ts';
import { addPriors } from './priors.ts';
import type { Residuals } from './residuals.ts';

/** The least-squares systems at some points, priors among them: one run with a world for each unknown of each. */
export async function systemsAt(
  simulation: Simulation,
  unknowns: Unknowns,
  residuals: Residuals,
  points: readonly Float64Array[],
): Promise<System[]> {
  const p = unknowns.count;
  const worlds = points.flatMap((x) => Array<Float64Array>(p).fill(x));
  unknowns.apply(simulation, worlds);
  unknowns.applyTangents(
    simulation,
    worlds,
    worlds.map((_, w) => w % p),
  );
  simulation.forward();
  const systems = await residuals.normalEquations(simulation, points.length, p);
  return systems.map((system, s) => addPriors(system, unknowns, points[s], residuals.count));
}
