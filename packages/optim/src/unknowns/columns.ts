/**
 * Arrangement of the columns of a Jacobian, the derivatives of a point's run along each unknown: column c is tangent
 * floor(c / worlds) of world c % worlds of the point.
 */
export interface Columns {
  /** Worlds of a point, which run alike. */
  readonly worlds: number;
  /** Tangents of each world. */
  readonly tangents: number;
}

/** Neighbouring worlds that a processor computes at once. */
const LANES = 4;
/** With fewer worlds than this, a world a column is compiled sooner than it runs longer. */
const ENOUGH_WORLDS = 16;
/** Most tangents that share a run: code and registers grow with each. */
const MOST_TANGENTS = 6;

/**
 * The arrangement of `count` columns of each of some points that takes least to run, by counting a tangent as much as the run
 * that it goes along with. Measured on `cloth-velocity`: 105 worlds with a tangent each take twice as long as 28 with four.
 */
export function columnsFor(count: number, points: number): Columns {
  const alone = { worlds: count, tangents: 1 };
  if (count * points < ENOUGH_WORLDS) return alone;
  const choices = Array.from({ length: MOST_TANGENTS }, (_, k) => fullLanes(count, k + 1, points));
  const work = ({ worlds, tangents }: Columns): number => worlds * (1 + tangents);
  return choices.reduce((best, choice) => (work(choice) < work(best) ? choice : best));
}

/** As few worlds as hold the columns, or some more so that worlds of all points fill the lanes. */
function fullLanes(count: number, tangents: number, points: number): Columns {
  let worlds = Math.ceil(count / tangents);
  while ((worlds * points) % LANES > 0) worlds++;
  return { worlds, tangents };
}
