import type { BuildContext, Entity, Scene } from '@gradsim/core';
import {
  defineComponent,
  describeValue,
  GradsimError,
  refuseUnknownChoice,
  refuseUnknownOptions,
  refuseWrongType,
  resource,
} from '@gradsim/core';
import { SmokeCell } from './smoke-cell.ts';

/** Kind of boundary of a grid: periodic, or a wall. */
export type Rim = 'periodic' | 'closed';

/** Size of a grid, its boundaries and its obstacles. */
export interface Grid {
  readonly rows: number;
  readonly columns: number;
  /** Boundary beyond the first and the last row, and beyond the first and the last column. */
  readonly rim: { readonly rows: Rim; readonly columns: Rim };
  /** 1 for each cell filled by a static obstacle; absent if there is none. */
  readonly obstacle?: ArrayLike<number>;
}

/** Returns whether anything blocks the flow: a wall or an obstacle. */
export const hasWalls = ({ rim, obstacle }: Grid): boolean =>
  obstacle !== undefined || rim.rows === 'closed' || rim.columns === 'closed';

/** The grid of a scene, at most one; {@link addSmoke} adds it. */
export const SmokeGrid = defineComponent(
  'smokeGrids',
  {
    grid: resource<Grid>(),
    /**
     * Buoyancy b, cells per step^2 per unit of density: density d is accelerated by b d upwards. A `resource` column,
     * because its field belongs to the world.
     */
    buoyancy: resource<number>(),
  },
  {},
  { noun: 'smoke grid' },
);

/** One value for all cells, or one for each, row by row. */
type CellValues = number | ArrayLike<number>;
/** One velocity for all cells, or one for each, row by row. */
type CellVelocities = ArrayLike<number>;

/** Options of {@link addSmoke}; values of cells are row by row from the top. */
export interface SmokeOptions {
  readonly rows: number;
  readonly columns: number;
  /**
   * Boundary: `periodic` (default), `closed`, or an object with one for the boundary of rows (top and bottom) and one
   * for that of columns (left and right).
   */
  readonly rim?: Rim | { readonly rows: Rim; readonly columns: Rim };
  /** Buoyancy b: density d is accelerated by b d upwards, cells per step^2. Default 0. The field `world.buoyancy`. */
  readonly buoyancy?: number;
  /** Initial density of smoke in each cell, in any unit. Default 0. */
  readonly density?: CellValues;
  /** Initial velocity (down, right), cells per step. Default (0, 0). */
  readonly velocity?: CellVelocities;
  /** Mask: 1 for cells in obstacles, else 0. Default: no obstacle. */
  readonly obstacle?: ArrayLike<number>;
  /**
   * Mask: 1 for cells where smoke flows in, with `inflowDensity` and `inflowVelocity`; else 0. Default: no
   * inflow.
   */
  readonly inflow?: ArrayLike<number>;
  readonly inflowDensity?: CellValues;
  readonly inflowVelocity?: CellVelocities;
}

const OPTIONS = {
  rows: true,
  columns: true,
  rim: true,
  buoyancy: true,
  density: true,
  velocity: true,
  obstacle: true,
  inflow: true,
  inflowDensity: true,
  inflowVelocity: true,
} as const;

/** Minimum number of cells along an axis, so that both neighbours of a cell are different cells. */
const MIN_CELLS = 3;
/** Most cells of a grid: 4096 x 4096. */
const MAX_CELLS = 2 ** 24;

/**
 * Adds a grid of smoke.
 *
 * ```ts
 * const scene = createScene([smoke()]);
 * addSmoke(scene, { rows: 64, columns: 64, rim: 'closed', buoyancy: 0.05, density: blob });
 * ```
 * @returns the cells, row by row.
 * @throws for unknown options, sizes below 3, values that are neither one for all nor one for each cell, and
 * an obstacle that fills the grid.
 */
export function addSmoke(scene: Scene, options: SmokeOptions): Entity[] {
  refuseUnknownOptions<SmokeOptions>('addSmoke', options, OPTIONS);
  const { rows, columns, rim = 'periodic', buoyancy = 0 } = options;
  for (const [name, value] of Object.entries({ rows, columns }))
    if (!Number.isInteger(value) || value < MIN_CELLS)
      throw new GradsimError(
        'smoke/option-out-of-range',
        `addSmoke: ${name} takes a whole number of at least ${MIN_CELLS}, got ${describeValue(value)}.`,
        { field: name },
      );
  if (rows * columns > MAX_CELLS)
    throw new GradsimError(
      'smoke/option-out-of-range',
      `addSmoke: a grid of ${rows} x ${columns} cells is too large; it may have ${MAX_CELLS}.`,
      { field: 'rows' },
    );
  const rims = typeof rim === 'string' ? { rows: rim, columns: rim } : rim;
  refuseWrongType(
    'addSmoke: rim',
    rim,
    'a text, or one for rows and one for columns',
    typeof rims === 'object' && rims !== null,
  );
  for (const [name, value] of Object.entries(rims))
    refuseUnknownChoice(`addSmoke: rim (${name})`, value, ['periodic', 'closed']);
  if (!Number.isFinite(buoyancy))
    throw new GradsimError(
      'smoke/option-out-of-range',
      `addSmoke: buoyancy takes a finite number, got ${describeValue(buoyancy)}.`,
      {
        field: 'buoyancy',
      },
    );
  const count = rows * columns;
  const each = (name: 'density' | 'inflowDensity'): Float64Array | undefined =>
    valuePerCell(name, options[name], count, 1);
  const pairs = (name: 'velocity' | 'inflowVelocity'): Float64Array | undefined =>
    valuePerCell(name, options[name], count, 2);
  for (const name of ['obstacle', 'inflow'] as const) checkMask(name, options[name], count);
  const { obstacle } = options;
  if (obstacle && Array.from(obstacle).every((filled) => filled === 1))
    throw new GradsimError(
      'smoke/no-free-cell',
      `addSmoke: the obstacle fills all ${count} cells of the grid, which leaves no place for smoke.`,
      { hint: 'Set it to 0 where smoke may be.' },
    );
  // Refusals come before anything is added.
  const values = {
    density: each('density'),
    velocity: pairs('velocity'),
    inflow: options.inflow,
    inflowDensity: each('inflowDensity'),
    inflowVelocity: pairs('inflowVelocity'),
  };
  scene.add(SmokeGrid, { grid: { rows, columns, rim: rims, obstacle }, buoyancy });
  const label = (cell: number): string => `smoke cell (row ${Math.floor(cell / columns)}, column ${cell % columns})`;
  return scene.addMany(SmokeCell, count, values, label);
}

function checkMask(name: string, mask: ArrayLike<number> | undefined, count: number): void {
  if (mask === undefined) return;
  refuseWrongType(`addSmoke: ${name}`, mask, 'a list of 0 and 1', Array.isArray(mask) || ArrayBuffer.isView(mask));
  if (mask.length !== count)
    throw new GradsimError(
      'smoke/wrong-size',
      `addSmoke: ${name} has ${mask.length} numbers; the grid has ${count} cells, row by row.`,
      { field: name },
    );
  const other = Array.from(mask).findIndex((m) => m !== 0 && m !== 1);
  if (other >= 0)
    throw new GradsimError('smoke/mask-value', `addSmoke: ${name} is ${mask[other]} at cell ${other}.`, {
      field: name,
      hint: 'It takes 0 and 1.',
    });
}

/** Expands an option to a value for each cell; undefined if it is not given. */
function valuePerCell(
  name: keyof SmokeOptions,
  values: CellValues | undefined,
  count: number,
  components: number,
): Float64Array | undefined {
  if (values === undefined) return undefined;
  const isList = Array.isArray(values) || ArrayBuffer.isView(values);
  refuseWrongType(`addSmoke: ${name}`, values, 'a number or a list of numbers', typeof values === 'number' || isList);
  const given = typeof values === 'number' ? [values] : values;
  const isForAll = given.length === components;
  if (!isForAll && given.length !== count * components)
    throw new GradsimError(
      'smoke/wrong-size',
      `addSmoke: ${name} has ${given.length} numbers; the grid of ${count} cells takes ${components} for all of them, or ${count * components}.`,
      { field: name },
    );
  return Float64Array.from({ length: count * components }, (_, k) => given[isForAll ? k % components : k]);
}

/**
 * Returns the grid of a scene that is being built into a model.
 *
 * @throws when there is none or a second one, when cells were added or removed by hand, and when an obstacle fills it.
 */
export function gridOf({ scene, entities }: BuildContext): {
  grid: Grid;
  buoyancy: number;
} {
  const [own, second] = entities(SmokeGrid);
  const cells = entities(SmokeCell);
  if (own === undefined)
    throw new GradsimError('smoke/no-grid', 'There is no grid of smoke in the scene.', {
      hint: 'Add one by addSmoke(scene, { rows, columns }).',
    });
  if (second !== undefined)
    throw new GradsimError('smoke/second-grid', 'is a second grid of smoke; a scene has at most one.', {
      element: scene.describe(second),
    });
  const grid = scene.object(own, SmokeGrid, 'grid') as Grid;
  if (cells.length !== grid.rows * grid.columns)
    throw new GradsimError(
      'smoke/wrong-size',
      `has ${cells.length} cells; ${grid.rows} x ${grid.columns} are ${grid.rows * grid.columns}. addSmoke adds them all, and none can be removed.`,
      { element: scene.describe(own) },
    );
  return {
    grid,
    buoyancy: scene.object(own, SmokeGrid, 'buoyancy') as number,
  };
}
