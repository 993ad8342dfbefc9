import type { Access } from '../bound-kernel.ts';

/** A range of words with a value attached. */
export interface Ranged<T> {
  readonly from: number;
  readonly to: number;
  readonly isOwn: boolean;
  readonly value: T;
}

/** Ranges by the cells that they overlap, with the numbers of the first and the last occupied cell. */
interface Grid<T> {
  readonly cells: Map<number, Ranged<T>[]>;
  first: number;
  last: number;
}

/**
 * Ranges of one region: a list if they are few, else also grids by cell length. A range of infinite length has one
 * cell.
 */
interface Region<T> {
  readonly list: Ranged<T>[];
  grids: Map<number, Grid<T>> | null;
}

/** Maximum number of ranges in a region that is searched linearly. */
const LINEAR_SEARCH_MAX = 8;

/**
 * Interval index of word ranges by region, queried by overlap: ranges of similar length lie in one grid, whose cells
 * are at least as long as each of them.
 */
export class Ranges<T> {
  readonly #make: () => T;
  readonly #regions = new Map<string | symbol, Region<T>>();

  /** @param make creates the value of a new range. */
  constructor(make: () => T) {
    this.#make = make;
  }

  /** Returns the value of the range with the same ends and the same `isOwn` as the access; creates it if new. */
  valueFor({ region: name, from, to, isOwn }: Access): T {
    let region = this.#regions.get(name);
    if (!region) {
      region = { list: [], grids: null };
      this.#regions.set(name, region);
    }
    const { list, grids } = region;
    const near = grids ? grids.get(cellLength(to - from))?.cells.get(firstCell(from, to)) : list;
    // Compared by number: a program of many kernels makes millions of queries.
    if (near)
      for (let k = 0; k < near.length; k++) {
        const one = near[k];
        if (one.from === from && one.to === to && one.isOwn === isOwn) return one.value;
      }
    const range = { from, to, isOwn, value: this.#make() };
    list.push(range);
    if (grids) addRange(grids, range);
    else if (list.length > LINEAR_SEARCH_MAX) {
      region.grids = new Map();
      for (const one of list) addRange(region.grids, one);
    }
    return range.value;
  }

  /** Returns whether `test` holds for any range that overlaps an access. The same range may be tested twice. */
  overlapping({ region: name, from, to }: Access, test: (range: Ranged<T>) => boolean): boolean {
    const region = this.#regions.get(name);
    if (!region) return false;
    const { list, grids } = region;
    if (!grids) {
      for (let k = 0; k < list.length; k++) if (list[k].from < to && from < list[k].to && test(list[k])) return true;
      return false;
    }
    const isHit = (range: Ranged<T>): boolean => range.from < to && from < range.to && test(range);
    for (const [length, grid] of grids) {
      const { cells } = grid;
      const first = Math.max(grid.first, Math.floor(from / length));
      const last = Math.min(grid.last, lastCell(to, length));
      if (last - first >= cells.size) {
        for (const ranges of cells.values()) if (ranges.some(isHit)) return true;
        continue;
      }
      for (let cell = first; cell <= last; cell++) if (cells.get(cell)?.some(isHit)) return true;
    }
    return false;
  }
}

function addRange<T>(grids: Map<number, Grid<T>>, range: Ranged<T>): void {
  const length = cellLength(range.to - range.from);
  const [first, last] = [firstCell(range.from, range.to), lastCell(range.to, length)];
  const grid: Grid<T> = grids.get(length) ?? { cells: new Map(), first, last };
  grids.set(length, grid);
  grid.first = Math.min(grid.first, first);
  grid.last = Math.max(grid.last, last);
  for (let cell = first; cell <= last; cell++) {
    const ranges = grid.cells.get(cell);
    if (ranges) ranges.push(range);
    else grid.cells.set(cell, [range]);
  }
}

/**
 * Returns the length of the cells, in words, of the grid that holds word ranges of some length: the smallest power of two
 * that is not below it.
 */
const cellLength = (length: number): number => (length <= 1 ? 1 : 2 ** Math.ceil(Math.log2(length)));

/** Returns the number of the cell in which a range begins. */
const firstCell = (from: number, to: number): number => Math.floor(from / cellLength(to - from));

/** Returns the number of the cell in which a range ends; a range of infinite length has one cell. */
const lastCell = (to: number, length: number): number =>
  length === Number.POSITIVE_INFINITY ? 0 : Math.floor(to / length);
