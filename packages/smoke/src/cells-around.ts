import type { Grid, Rim } from './grid.ts';

/**
 * Returns the index of a coordinate along one axis: beyond the boundary, that on the other side if it is periodic, else
 * the nearest within the grid.
 */
const boundedIndex = (k: number, size: number, rim: Rim): number =>
  rim === 'periodic' ? ((k % size) + size) % size : Math.min(Math.max(k, 0), size - 1);

/** Neighbour offsets (rows, columns): below, above, right, left. */
const NEIGHBOUR_OFFSETS = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
] as const;

/** Surroundings of the cells of a grid. */
export interface CellsAround {
  /** Row and column of each cell, two numbers per cell. */
  readonly place: readonly number[];
  /**
   * Four neighbours of each cell, below, above, right, left: the cell itself in place of a wall or an obstacle, which
   * makes the gradient zero there.
   */
  readonly around: readonly number[];
  /** Two numbers per cell: 0 where a wall or an obstacle blocks the flow along rows, and along columns; else 1. */
  readonly open: readonly number[];
  /** 0 for cells of an obstacle; else 1. */
  readonly free: readonly number[];
  /** Nearest cell without an obstacle; the cell itself outside of obstacles. */
  readonly nearestFree: readonly number[];
}

export function cellsAround(grid: Grid): CellsAround {
  const { rows, columns, rim, obstacle } = grid;
  const isFilled = (cell: number): boolean => obstacle?.[cell] === 1;
  const [place, around, open, free, nearestFree]: number[][] = [[], [], [], [], []];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const cell = row * columns + column;
      const beside = NEIGHBOUR_OFFSETS.map(([down, right]) => {
        const i = boundedIndex(row + down, rows, rim.rows);
        const j = boundedIndex(column + right, columns, rim.columns);
        const other = i * columns + j;
        return isFilled(other) ? cell : other;
      });
      const isOpen = (k: number): number => (!isFilled(cell) && beside[k] !== cell && beside[k + 1] !== cell ? 1 : 0);
      place.push(row, column);
      around.push(...(isFilled(cell) ? [cell, cell, cell, cell] : beside));
      open.push(isOpen(0), isOpen(2));
      free.push(isFilled(cell) ? 0 : 1);
      nearestFree.push(isFilled(cell) ? nearestFreeCell(grid, row, column, isFilled) : cell);
    }
  }
  return { place, around, open, free, nearestFree };
}

/**
 * Returns the nearest cell without an obstacle: searches squares of growing size until no remaining cell can be nearer.
 * Of equally near cells it takes the first, row by row.
 */
function nearestFreeCell(
  { rows, columns, rim }: Grid,
  row: number,
  column: number,
  isFilled: (cell: number) => boolean,
): number {
  let [found, distance] = [-1, Number.POSITIVE_INFINITY];
  for (let reach = 1; reach * reach < distance && reach < rows + columns; reach++) {
    for (let down = -reach; down <= reach; down++) {
      const step = Math.abs(down) === reach ? 1 : 2 * reach;
      for (let right = -reach; right <= reach; right += step) {
        const [i, j] = [row + down, column + right];
        const isBeyond =
          (rim.rows === 'closed' && (i < 0 || i >= rows)) || (rim.columns === 'closed' && (j < 0 || j >= columns));
        const cell = boundedIndex(i, rows, rim.rows) * columns + boundedIndex(j, columns, rim.columns);
        const far = down * down + right * right;
        if (!isBeyond && !isFilled(cell) && far < distance) [found, distance] = [cell, far];
      }
    }
  }
  return found;
}
