import { choleskyFactor, defect, solveByFactor, sumOfProducts, sumOfSquares } from '@gradsim/base';

/** Points from `first` up to the one before `end`, within which the velocity does not jump. */
export interface Stretch {
  readonly first: number;
  readonly end: number;
}

/** Numbers of points of the windows in which a jump is looked for. */
const WINDOW_WIDTHS = [7, 11, 17];
/** Fewest points on either side of a jump: a single outlier is none. */
const MIN_SIDE_POINTS = 3;
/** Order of a smooth motion with as many coefficients as a cubic whose slope jumps at some time. */
const SMOOTH_ORDER = 5;
/** Drop of chi-square from the smooth motion to one that jumps, and ratio of the latter's to the former's, that show a jump. */
const [DROP, RATIO] = [25, 0.1];

interface Jump {
  readonly frame: number;
  readonly drop: number;
  readonly first: number;
  readonly end: number;
}

/**
 * Stretches between jumps of the velocity, as at a bounce. Between two points there is a jump where a cubic whose
 * slope jumps there fits the points around it far better than a polynomial of order 5, which has as many coefficients:
 * a smooth motion, however quick, follows that better. Jumps fewer than three points apart are not seen.
 */
export function stretchesOf(
  times: readonly number[],
  coordinates: readonly (readonly number[])[],
  errors: readonly number[],
): Stretch[] {
  const found = WINDOW_WIDTHS.flatMap((width) =>
    Array.from({ length: Math.max(0, times.length - width + 1) }, (_, first) =>
      jumpIn({ times, coordinates, errors }, first, first + width),
    ).flat(),
  ).sort((a, b) => b.drop - a.drop);
  const jumps: number[] = [];
  // A window that an accepted jump lies in says nothing more.
  for (const { frame, first, end } of found)
    if (!jumps.some((own) => (own > first && own < end) || Math.abs(own - frame) < MIN_SIDE_POINTS)) jumps.push(frame);
  const ends = [0, ...jumps.sort((a, b) => a - b), times.length];
  return ends.slice(1).map((end, k) => ({ first: ends[k], end }));
}

interface SampledPath {
  readonly times: readonly number[];
  readonly coordinates: readonly (readonly number[])[];
  readonly errors: readonly number[];
}

/** The jump of a window before the point `at`, or none. */
function jumpIn({ times, coordinates, errors }: SampledPath, first: number, end: number): Jump[] {
  const middle = (times[first] + times[end - 1]) / 2;
  const parts = times.slice(first, end).map((time) => (2 * (time - middle)) / (times[end - 1] - times[first]));
  const own = coordinates.map((values) => values.slice(first, end));
  const weights = errors.slice(first, end).map((error) => 1 / error);
  const targets = own.map((values) => values.map((v, k) => (v - values[0]) * weights[k]));
  const fit = (basis: (part: number, k: number) => readonly number[]) =>
    leastSquares(
      parts.map((part, k) => basis(part, k).map((v) => v * weights[k])),
      targets,
    );
  const smooth = fit((part) => powers(part, SMOOTH_ORDER)).squares;
  if (smooth < DROP) return [];
  // At an end of the film one point may be all that is seen of the other side.
  const [from, to] = [first === 0 ? 1 : MIN_SIDE_POINTS, parts.length - (end === times.length ? 1 : MIN_SIDE_POINTS)];
  const jumps = Array.from({ length: to - from + 1 }, (_, k) => k + from).map((at) => {
    const isAlone = at === 1 || at === parts.length - 1;
    const side = (part: number): number[] => (isAlone ? [1] : [1, part]);
    return { at, ...fit((part, k) => [...powers(part, 3), ...side(part).map((v) => (k < at ? 0 : v))]) };
  });
  const { at, solutions } = jumps.reduce((a, b) => (b.squares < a.squares ? b : a));
  // Where both sides meet, in most of their distance: places are continuous.
  const slopes = sumOfSquares(solutions.map(([, , , , , slope = 0]) => slope));
  const meeting = -solutions.reduce((sum, [, , , , step, slope = 0]) => sum + step * slope, 0) / slopes;
  const between = slopes > 0 ? meeting : (parts[at - 1] + parts[at]) / 2;
  const time = Math.min(Math.max(between, parts[at - 1]), parts[at]);
  const drop = smooth - fit((part) => [...powers(part, 3), Math.max(0, part - time)]).squares;
  return drop > DROP && smooth - drop < RATIO * smooth ? [{ frame: first + at, drop, first, end }] : [];
}

const powers = (part: number, order: number): number[] => Array.from({ length: order + 1 }, (_, p) => part ** p);

/** Solutions of least squares for some targets, and the sum of all squares that they leave. */
function leastSquares(rows: readonly (readonly number[])[], targets: readonly (readonly number[])[]) {
  const columns = rows[0].map((_, p) => rows.map((row) => row[p]));
  const root = choleskyFactor(columns.map((a) => columns.map((b) => sumOfProducts(a, b))));
  if (!root) throw defect('Points at the same time reached a fit of a jump');
  const solutions = targets.map((target) =>
    solveByFactor(
      root,
      columns.map((column) => sumOfProducts(column, target)),
    ),
  );
  const squares = solutions.map((found, c) =>
    sumOfSquares(rows.map((row, k) => targets[c][k] - sumOfProducts(row, found))),
  );
  return { solutions, squares: squares.reduce((a, b) => a + b) };
}
