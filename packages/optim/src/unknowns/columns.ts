/**
 * Arrangement of the columns of a Jacobian, the derivatives of a point's run along each unknown: column c is tangent
 * floor(c / worlds) of world c % worlds of the point.
 */
export interface Columns {
  /** Number of worlds of a point, which run identically. */
  readonly worlds: number;
  /** Number of tangents of each world. */
  readonly tangents: number;
}

/** Number of neighbouring worlds that a processor computes at once, in SIMD lanes. */
const LANES = 4;
/**
 * Minimum number of worlds from which several tangents share a run; with fewer, one world per column saves more in
 * compilation than it costs in running.
 */
const ENOUGH_WORLDS = 16;
/** Maximum number of tangents that share a run: code and registers grow with each. */
const MAX_TANGENTS = 6;

/**
 * Fastest arrangement of `count` columns of each of some points, counting a tangent as much as the run that it shares.
 * Measured on `cloth-velocity`: 105 worlds with a tangent each take twice as long as 28 with four.
 */
export function columnsFor(count: number, points: number): Columns {
  const alone = { worlds: count, tangents: 1 };
  if (count * points < ENOUGH_WORLDS) return alone;
  const choices = Array.from({ length: MAX_TANGENTS }, (_, k) => fullLanes(count, k + 1, points));
  const work = ({ worlds, tangents }: Columns): number => worlds * (1 + tangents);
  return choices.reduce((best, choice) => (work(choice) < work(best) ? choice : best));
}

/** Fewest worlds that hold the columns, or some more so that worlds of all points fill the lanes. */
function fullLanes(count: number, tangents: number, points: number): Columns {
  let worlds = Math.ceil(count / tangents);
  while ((worlds * points) % LANES > 0) worlds++;
  return { worlds, tangents };
}
