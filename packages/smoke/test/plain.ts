// Reference implementation in plain loops from the definition, independent of the package: cells beyond a wall or in an
// obstacle take the value of the nearest free cell, found by looking at all of them.

export interface Plain {
  readonly rows: number;
  readonly columns: number;
  readonly closed: { readonly rows: boolean; readonly columns: boolean };
  readonly obstacle: readonly number[];
  readonly buoyancy: number;
  readonly sweeps: number;
  readonly inflow: readonly number[];
  readonly inflowDensity: number;
  readonly inflowVelocity: readonly [number, number];
}
export interface State {
  readonly density: number[];
  /** Velocity (down, right), two numbers per cell, cells row by row. */
  readonly velocity: number[];
}

export function plainSteps(plain: Plain, start: State, steps: number): State {
  let state = start;
  for (let k = 0; k < steps; k++) state = plainStep(plain, state);
  return state;
}

function plainStep(plain: Plain, { density, velocity }: State): State {
  const { rows, columns, closed, obstacle, buoyancy, sweeps } = plain;
  const n = rows * columns;
  const isFree = (k: number): boolean => obstacle[k] === 0;
  const wrap = (k: number, size: number): number => ((k % size) + size) % size;
  const clamp = (k: number, size: number): number => Math.min(Math.max(k, 0), size - 1);
  const cellAt = (i: number, j: number): number =>
    (closed.rows ? clamp(i, rows) : wrap(i, rows)) * columns + (closed.columns ? clamp(j, columns) : wrap(j, columns));
  const isBeyond = (i: number, j: number): boolean =>
    (closed.rows && (i < 0 || i >= rows)) || (closed.columns && (j < 0 || j >= columns));
  const gap = (a: number, b: number, size: number, isClosed: boolean): number =>
    isClosed ? Math.abs(a - b) : Math.min(wrap(a - b, size), wrap(b - a, size));
  const nearestFree = (cell: number): number => {
    if (isFree(cell)) return cell;
    let [best, least] = [-1, Number.POSITIVE_INFINITY];
    for (let other = 0; other < n; other++) {
      const di = gap(Math.floor(other / columns), Math.floor(cell / columns), rows, closed.rows);
      const dj = gap(other % columns, cell % columns, columns, closed.columns);
      if (isFree(other) && di * di + dj * dj < least) [best, least] = [other, di * di + dj * dj];
    }
    return best;
  };
  const sampled = (of: (cell: number) => number, row: number, column: number): number => {
    const [r, c] = [closed.rows ? clamp(row, rows) : row, closed.columns ? clamp(column, columns) : column];
    const [i, j] = [Math.floor(r), Math.floor(c)];
    const [s, t] = [r - i, c - j];
    const at = (a: number, b: number): number => of(nearestFree(cellAt(a, b)));
    return (1 - s) * ((1 - t) * at(i, j) + t * at(i, j + 1)) + s * ((1 - t) * at(i + 1, j) + t * at(i + 1, j + 1));
  };
  /** Returns the neighbour of a cell in a direction; the cell itself if that neighbour is blocked. */
  const beside = (cell: number, down: number, right: number): number => {
    const [i, j] = [Math.floor(cell / columns) + down, (cell % columns) + right];
    const other = cellAt(i, j);
    return isBeyond(i, j) || !isFree(other) ? cell : other;
  };
  const stopped = (v: readonly number[]): number[] =>
    v.map((x, k) => {
      const cell = Math.floor(k / 2);
      const [down, right] = k % 2 === 0 ? [1, 0] : [0, 1];
      const isInTheWay = beside(cell, down, right) === cell || beside(cell, -down, -right) === cell;
      return !isFree(cell) || isInTheWay ? 0 : x;
    });

  const moved = stopped(
    velocity.map((_, k) => {
      const [cell, component] = [Math.floor(k / 2), k % 2];
      const [row, column] = [Math.floor(cell / columns), cell % columns];
      const back = [row - velocity[2 * cell], column - velocity[2 * cell + 1]];
      const lift = component === 0 ? buoyancy * density[cell] : 0;
      return sampled((other) => velocity[2 * other + component], back[0], back[1]) - lift;
    }),
  );
  const halves = (of: (cell: number) => number, cell: number, down: number, right: number): number =>
    (of(beside(cell, down, right)) - of(beside(cell, -down, -right))) / 2;
  const all = Array.from({ length: n }, (_, cell) => cell);
  const div = all.map(
    (cell) => -halves((other) => moved[2 * other], cell, 1, 0) - halves((other) => moved[2 * other + 1], cell, 0, 1),
  );
  let pressure = all.map(() => 0);
  const sides = [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ] as const;
  for (let sweep = 0; sweep < sweeps; sweep++)
    pressure = all.map(
      (cell) => (div[cell] + sides.reduce((sum, [down, right]) => sum + pressure[beside(cell, down, right)], 0)) / 4,
    );
  const next = stopped(
    moved.map((v, k) => {
      const cell = Math.floor(k / 2);
      return v - halves((other) => pressure[other], cell, k % 2 === 0 ? 1 : 0, k % 2 === 0 ? 0 : 1);
    }),
  );
  const thick = all.map((cell) => {
    const [row, column] = [Math.floor(cell / columns), cell % columns];
    return isFree(cell) ? sampled((other) => density[other], row - next[2 * cell], column - next[2 * cell + 1]) : 0;
  });
  return {
    density: thick.map((d, cell) => (plain.inflow[cell] ? plain.inflowDensity : d)),
    velocity: next.map((v, k) => (plain.inflow[Math.floor(k / 2)] ? plain.inflowVelocity[k % 2] : v)),
  };
}
