import type { F32, Kernel, U32, Vec2 } from '@gradsim/core';
import { f32, fieldOn, floor, indexOn, kernel, max, min, select, vec2 } from '@gradsim/core';
import { buoyancy, cellPlace, flowMask, isFree, nearestFree } from './fields.ts';
import type { Grid, Rim } from './grid.ts';
import { hasWalls } from './grid.ts';
import { SmokeCell } from './smoke-cell.ts';

/**
 * Four cells around a point, row by row, and the point's fractional position between their rows and columns, in [0, 1].
 */
interface SurroundingCells {
  readonly cells: readonly [U32, U32, U32, U32];
  readonly fractions: Vec2;
}

/**
 * Returns the two integer coordinates around the coordinate `at`, wrapped or clamped into the grid, and the position of
 * `at` between them as a fraction.
 */
function interpolationCells(at: F32, size: number, rim: Rim): { low: F32; high: F32; part: F32 } {
  if (rim === 'closed') {
    const inside = min(max(at, 0), size - 1);
    const low = min(floor(inside), size - 2);
    return { low, high: low.add(1), part: inside.sub(low) };
  }
  const whole = floor(at);
  // Divided, not multiplied by 1 / size: for a multiple of the size, the quotient is exact.
  const round = whole.sub(floor(whole.div(size)).mul(size));
  const low = min(max(round, 0), size - 1);
  // Bounded, so that it is known to lie in the grid.
  const high = select(low.eq(size - 1), f32(0), min(low.add(1), size - 1));
  return { low, high, part: at.sub(whole) };
}

/**
 * Returns the four cells around a point.
 * @param nearestFree returns the cell to read instead of a cell: the nearest one without an obstacle.
 */
function cellsAroundPoint(
  { rows, columns, rim, obstacle }: Grid,
  at: Vec2,
  nearestFree: (cell: U32) => U32,
): SurroundingCells {
  const row = interpolationCells(at.x, rows, rim.rows);
  const column = interpolationCells(at.y, columns, rim.columns);
  const cell = (i: F32, j: F32): U32 => {
    const own = i.mul(columns).add(j).toU32();
    return obstacle ? nearestFree(own) : own;
  };
  const cells = [row.low, row.high].flatMap((i) => [column.low, column.high].map((j) => cell(i, j)));
  return { cells: cells as unknown as SurroundingCells['cells'], fractions: vec2(row.part, column.part) };
}

/** Interpolates values of four cells bilinearly. */
function interpolateCells<V extends F32 | Vec2>(of: (cell: U32) => V, { cells, fractions }: SurroundingCells): V {
  const mix = (a: V, b: V, part: F32): V => {
    const step = (b as F32).sub(a as F32);
    return (a as F32).add(step.mul(part)) as V;
  };
  const [a, b, c, d] = cells.map(of);
  return mix(mix(a, b, fractions.y), mix(c, d, fractions.y), fractions.x);
}

/**
 * Self-advection of the velocity (traced back by one step), plus buoyancy and the external acceleration `push`; no flow
 * into walls. Semi-Lagrangian: J. Stam, Stable Fluids, 1999.
 */
export function carryVelocity(grid: Grid): Kernel {
  const { velocity, density, push, carried } = SmokeCell;
  return kernel(
    'carryVelocity',
    {
      domain: SmokeCell,
      reads: {
        place: cellPlace,
        density,
        push,
        buoyancy,
        velocity: fieldOn(velocity),
        nearestFree: indexOn(nearestFree),
        open: flowMask,
      },
      writes: { carried },
    },
    ({ place, density, push, buoyancy, velocity, nearestFree, open }, { element }) => {
      const corners = cellsAroundPoint(grid, place.sub(velocity.at(element)), (cell) => nearestFree.at(cell));
      const moved = interpolateCells((cell) => velocity.at(cell), corners);
      const pushed = moved.add(push).sub(vec2(buoyancy.mul(density), 0));
      return { carried: hasWalls(grid) ? pushed.mul(open) : pushed };
    },
  );
}

/** Advects the density by the velocity of its cell. */
export function carryDensity(grid: Grid): Kernel {
  const { velocity, density } = SmokeCell;
  return kernel(
    'carryDensity',
    {
      domain: SmokeCell,
      reads: { place: cellPlace, velocity, density: fieldOn(density), nearestFree: indexOn(nearestFree), free: isFree },
      writes: { density },
    },
    ({ place, velocity, density, nearestFree, free }) => {
      const corners = cellsAroundPoint(grid, place.sub(velocity), (cell) => nearestFree.at(cell));
      const moved = interpolateCells((cell) => density.at(cell), corners);
      return { density: grid.obstacle ? moved.mul(free) : moved };
    },
  );
}
