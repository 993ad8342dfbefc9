import type { Simulation } from '@gradsim/core';
import { fieldsWithDerivatives } from '../objective/dead-unknowns.ts';
import type { Residuals } from '../objective/residuals.ts';
import { fullOptions } from '../problem/options.ts';
import type { Problem } from '../problem/problem.ts';
import { open } from '../problem/run.ts';
import type { EstimateControls } from '../result.ts';
import { columnsFor, sizeOn } from '../unknowns/columns.ts';
import type { Unknowns } from '../unknowns/unknowns.ts';

/** Opens a simulation with a tangent along each unknown, and the comparisons with the observations. */
export function openWithTangents(
  problem: Problem,
  unknowns: Unknowns,
  residuals: Residuals,
  { device }: EstimateControls,
): Promise<Simulation> {
  const { memory } = fullOptions(problem.options, {
    withoutResiduals: undefined,
    hasArrays: false,
    suitsHorizons: false,
  });
  const columns = columnsFor(unknowns.count, 1, sizeOn(device, problem));
  return open(problem, {
    device,
    memory,
    record: residuals.fields,
    parameters: fieldsWithDerivatives(problem.model, unknowns, residuals.fields),
    derivative: 'tangent',
    worlds: columns.worlds,
    tangents: columns.tangents,
    comparisons: { list: residuals.comparisons, columns: unknowns.count, worldsOfRun: columns.worlds },
  });
}
