import type { BuildContext, Plugin, Tolerance } from '@gradsim/core';
import {
  definePlugin,
  describeValue,
  formatTolerance,
  GradsimError,
  isTolerance,
  kernel,
  refuseUnknownOptions,
  select,
  vec2,
} from '@gradsim/core';
import { carryDensity, carryVelocity } from './advection.ts';
import { cellsAround } from './cells-around.ts';
import { buoyancy, cellPlace, flowMask, isFree, nearestFree, neighbours } from './fields.ts';
import { gridOf, SmokeGrid } from './grid.ts';
import type { PressureSolve } from './project.ts';
import { addProjection } from './project.ts';
import { SmokeCell } from './smoke-cell.ts';

/** Options of {@link smoke}: at most one of `sweeps` and `tolerance`, for the pressure solver. */
export interface SmokePluginOptions {
  /** Number of Jacobi sweeps per step, starting from zero pressure. Default 20. */
  readonly sweeps?: number;
  /**
   * Instead of sweeps: relative residual |residual| / |divergence| of the conjugate gradient solve for the pressure,
   * differentiated by the implicit equation. One number for every device, or one for each precision: { f32: 1e-5, f64:
   * 1e-13 }, for example.
   */
  readonly tolerance?: Tolerance;
}

/** Default number of Jacobi sweeps of the pressure solver per step. */
const DEFAULT_SWEEPS = 20;

/**
 * Smoke on a grid: stable fluids in two dimensions, with walls, obstacles, buoyancy and inflow. Each substep is one
 * unit of time (a step), and lengths are in cells.
 *
 * Source: J. Stam, Stable Fluids, 1999.
 *
 * ```ts
 * const scene = createScene([smoke({ sweeps: 20 })]);
 * addSmoke(scene, { rows: 64, columns: 64, rim: 'closed', buoyancy: 0.05, density: blob });
 * ```
 * @throws for unknown options, `sweeps` and `tolerance` at once, and invalid values.
 */
export function smoke(options: SmokePluginOptions = {}): Plugin {
  const solve = pressureSolveOf(options);
  return definePlugin({
    name: '@gradsim/smoke',
    contract: 1,
    components: [SmokeCell, SmokeGrid],
    build: (context) => build(context, solve),
  });
}

function pressureSolveOf(options: SmokePluginOptions): PressureSolve {
  refuseUnknownOptions<SmokePluginOptions>('smoke', options, { sweeps: true, tolerance: true });
  const { sweeps, tolerance } = options;
  if (sweeps !== undefined && tolerance !== undefined)
    throw new GradsimError(
      'smoke/two-ways-given',
      'smoke: give sweeps or a tolerance, not both: they are two ways to find the pressure.',
    );
  if (tolerance !== undefined) {
    if (!isTolerance(tolerance, 1))
      throw new GradsimError(
        'smoke/option-out-of-range',
        `smoke: tolerance takes a number between 0 and 1, got ${formatTolerance(tolerance)}.`,
        { field: 'tolerance' },
      );
    return { tolerance };
  }
  if (sweeps !== undefined && (!Number.isInteger(sweeps) || sweeps < 1))
    throw new GradsimError(
      'smoke/option-out-of-range',
      `smoke: sweeps takes a whole number of at least 1, got ${describeValue(sweeps)}.`,
      { field: 'sweeps' },
    );
  return { sweeps: sweeps ?? DEFAULT_SWEEPS };
}

/** Fields for the kernel of the inflow, which overwrites density and velocity. */
const { density, velocity, inflow, inflowDensity, inflowVelocity } = SmokeCell;
const addInflow = kernel(
  'flowIn',
  {
    domain: SmokeCell,
    reads: { density, velocity, inflow, inflowDensity, inflowVelocity },
    writes: { density, velocity },
  },
  ({ density, velocity, inflow, inflowDensity, inflowVelocity }) => ({
    density: select(inflow.gt(0), inflowDensity, density),
    velocity: vec2(
      select(inflow.gt(0), inflowVelocity.x, velocity.x),
      select(inflow.gt(0), inflowVelocity.y, velocity.y),
    ),
  }),
);

function build(context: BuildContext, solve: PressureSolve): void {
  const { model, scene, entities } = context;
  const { grid, buoyancy: upwards } = gridOf(context);
  const cells = cellsAround(grid);
  model.addField(buoyancy, { fill: upwards });
  model.addField(cellPlace, { values: cells.place, shared: true });
  model.addIndex(neighbours, cells.around);
  model.addIndex(nearestFree, cells.nearestFree);
  model.addField(flowMask, { values: cells.open, shared: true });
  model.addField(isFree, { values: cells.free, shared: true });
  model.addPass('integrate', carryVelocity(grid));
  addProjection(model, solve, grid);
  model.addPass('integrate', carryDensity(grid));
  if (entities(SmokeCell).some((cell) => scene.get(cell, SmokeCell, 'inflow')[0] > 0))
    model.addPass('integrate', addInflow);
}
