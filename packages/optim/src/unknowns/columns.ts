/**
 * Arrangement of the columns of a Jacobian over worlds and tangents. A column is the derivative of a point's run along
 * one unknown; column c is tangent floor(c / worlds) of the point's world c % worlds.
 */
export interface Columns {
  /** Number of worlds that run the same point, all with the same values of the unknowns; they share the columns. */
  readonly worlds: number;
  /** Number of tangents that each world carries. */
  readonly tangents: number;
}

/** Number of neighbouring worlds in one SIMD vector. */
const LANES = 4;
/**
 * Minimum number of columns of all points from which worlds carry several tangents. With fewer, one world per column
 * saves more compilation time than it costs in running.
 */
const ENOUGH_WORLDS = 16;
/** Maximum number of tangents per world: code size and register pressure grow with each. */
const MAX_TANGENTS = 6;

/**
 * Fastest arrangement of `count` columns for each of some points, if a tangent costs as much as the run itself.
 * Measured on `cloth-velocity`: 105 worlds with one tangent each take twice as long as 28 worlds with four.
 */
export function columnsFor(count: number, points: number): Columns {
  const alone = { worlds: count, tangents: 1 };
  if (count * points < ENOUGH_WORLDS) return alone;
  const choices = Array.from({ length: MAX_TANGENTS }, (_, k) => fullLanes(count, k + 1, points));
  const work = ({ worlds, tangents }: Columns): number => worlds * (1 + tangents);
  return choices.reduce((best, choice) => (work(choice) < work(best) ? choice : best));
}

/**
 * Smallest number of worlds per point that holds the columns and makes the worlds of all points fill whole SIMD
 * vectors.
 */
function fullLanes(count: number, tangents: number, points: number): Columns {
  let worlds = Math.ceil(count / tangents);
  while ((worlds * points) % LANES > 0) worlds++;
  return { worlds, tangents };
}
