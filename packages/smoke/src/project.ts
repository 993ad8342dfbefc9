import type { Kernel, Model, Pass, Tolerance } from '@gradsim/core';
import { bind, conjugateGradients, f32, field, fieldOn, implicit, kernel, repeat, vec2 } from '@gradsim/core';
import { flowMask, neighbours } from './fields.ts';
import type { Grid } from './grid.ts';
import { hasWalls } from './grid.ts';
import { SmokeCell } from './smoke-cell.ts';

/** Pressure solver: a number of Jacobi sweeps from zero pressure, or conjugate gradients to a relative tolerance. */
export type PressureSolve = { readonly sweeps: number } | { readonly tolerance: Tolerance };

const { carried, divergence, pressure, velocity } = SmokeCell;

/**
 * Computes the right-hand side of the pressure equation: -1/2 of the sum of the central differences of the velocity.
 */
const computeDivergence = kernel(
  'diverge',
  { domain: SmokeCell, reads: { around: neighbours, carried: fieldOn(carried) }, writes: { divergence } },
  ({ around, carried }) => {
    const [below, above, right, left] = around.map((cell) => carried.at(cell));
    return { divergence: below.x.sub(above.x).add(right.y.sub(left.y)).mul(-0.5) };
  },
);

/** Computes the first Jacobi sweep, which needs no neighbours because the pressure starts from 0. */
const firstJacobiSweep = kernel(
  'firstSweep',
  { domain: SmokeCell, reads: { divergence }, writes: { pressure } },
  ({ divergence }) => ({ pressure: divergence.mul(0.25) }),
);
const jacobiSweep = kernel(
  'sweep',
  { domain: SmokeCell, reads: { around: neighbours, divergence, pressure: fieldOn(pressure) }, writes: { pressure } },
  ({ around, divergence, pressure }) => ({
    pressure: around.reduce((sum, cell) => sum.add(pressure.at(cell)), divergence).mul(0.25),
  }),
);

/** Computes 4 p minus the sum of the pressures of the four neighbours. */
const laplacian = kernel(
  'laplacian',
  { domain: SmokeCell, reads: { around: neighbours, from: fieldOn(pressure) }, writes: { into: f32 } },
  ({ around, from }, { element }) => ({
    into: around.reduce((sum, cell) => sum.sub(from.at(cell)), from.at(element).mul(4)),
  }),
);
const pressureResidual = field('smoke', 'pressureImbalance', f32);
const poissonResidual = kernel(
  'poisson',
  {
    domain: SmokeCell,
    reads: { around: neighbours, divergence, pressure: fieldOn(pressure) },
    adds: { imbalance: pressureResidual },
  },
  ({ around, divergence, pressure, imbalance }, { element }) => {
    const flow = around.reduce((sum, cell) => sum.sub(pressure.at(cell)), pressure.at(element).mul(4));
    imbalance.add(flow.sub(divergence));
  },
);

/** Subtracts half the central differences of the pressure; no flow into walls. */
function subtractGradient(isWalled: boolean): Kernel {
  return kernel(
    'subtractGradient',
    {
      domain: SmokeCell,
      reads: { around: neighbours, carried, pressure: fieldOn(pressure), open: flowMask },
      writes: { velocity },
    },
    ({ around, carried, pressure, open }) => {
      const [below, above, right, left] = around.map((cell) => pressure.at(cell));
      const flow = carried.sub(vec2(below.sub(above), right.sub(left)).mul(0.5));
      return { velocity: isWalled ? flow.mul(open) : flow };
    },
  );
}

/** Maximum root mean square divergence that a run may have left, 1 / step, whatever the solver reports. */
const MAX_DIVERGENCE = 1e-3;
/** Adds the passes that make the advected velocity divergence-free, as far as the pressure is solved. */
export function addProjection(model: Model, solve: PressureSolve, grid: Grid): void {
  const passes = 'sweeps' in solve ? jacobiPasses(solve.sweeps) : [pressurePassToTolerance(model, solve.tolerance)];
  for (const pass of [computeDivergence, ...passes, subtractGradient(hasWalls(grid))]) model.addPass('integrate', pass);
}

const jacobiPasses = (sweeps: number): (Pass | Kernel)[] => [
  firstJacobiSweep,
  ...(sweeps > 1 ? [repeat(sweeps - 1, [jacobiSweep])] : []),
];

/** Solves the pressure to a tolerance. The derivative is that of the equation, not of the iterations. */
function pressurePassToTolerance(model: Model, tolerance: Tolerance): Pass {
  const name = 'smokePressure';
  const maxRounds = 40 * Math.ceil(Math.sqrt(model.domain('smoke').size)) + 200;
  const solution = conjugateGradients({
    name,
    rightSide: divergence,
    solution: pressure,
    tolerance,
    maxRounds,
    product: (from, into) => bind(laplacian, { from, into }),
    advice:
      'The velocities may have grown without bound, or the tolerance is below what the precision of the device can tell.',
  });
  return implicit(solution, {
    unknown: pressure,
    residual: pressureResidual,
    equations: [poissonResidual],
    symmetric: true,
    tolerance,
    maxRounds,
    residualTolerance: MAX_DIVERGENCE * Math.sqrt(model.domain('smoke').size),
    name: 'pressureOfSmoke',
  });
}
