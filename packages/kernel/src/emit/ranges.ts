import type { Access } from './bound-kernel.ts';

/** A range of words, with what is known of it. */
export interface Ranged<T> {
  readonly from: number;
  readonly to: number;
  readonly isOwn: boolean;
  readonly known: T;
}

/** Ranges by the cells that they touch, and the first and the last cell that any does. */
interface Grid<T> {
  readonly cells: Map<number, Ranged<T>[]>;
  first: number;
  last: number;
}

/**
 * Ranges of words by region, found by overlap without going through all of them: ranges of similar length lie in one
 * grid, whose cells are at least as long as each of them.
 */
export class Ranges<T> {
  readonly #make: () => T;
  /** Grids of a region, by the length of their cells; infinite ones have a single cell. */
  readonly #regions = new Map<string | symbol, Map<number, Grid<T>>>();

  /** @param make what is known of a range that is new. */
  constructor(make: () => T) {
    this.#make = make;
  }

  /** What is known of exactly this range, own or not. */
  at({ region, from, to, isOwn }: Access): T {
    const grids = this.#regions.get(region) ?? new Map<number, Grid<T>>();
    this.#regions.set(region, grids);
    const length = cellLength(to - from);
    const [first, last] = [Math.floor(from / length), lastCell(to, length)];
    const grid: Grid<T> = grids.get(length) ?? { cells: new Map(), first, last };
    grids.set(length, grid);
    const same = grid.cells.get(first)?.find((r) => r.from === from && r.to === to && r.isOwn === isOwn);
    if (same) return same.known;
    const range = { from, to, isOwn, known: this.#make() };
    grid.first = Math.min(grid.first, first);
    grid.last = Math.max(grid.last, last);
    for (let cell = first; cell <= last; cell++) {
      const ranges = grid.cells.get(cell);
      if (ranges) ranges.push(range);
      else grid.cells.set(cell, [range]);
    }
    return range.known;
  }

  /** Whether `test` holds for a range that overlaps an access. A range may be asked about twice. */
  some({ region, from, to }: Access, test: (range: Ranged<T>) => boolean): boolean {
    const grids = this.#regions.get(region);
    if (!grids) return false;
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

/** The least power of two that is not below the length of a range. */
const cellLength = (length: number): number => (length <= 1 ? 1 : 2 ** Math.ceil(Math.log2(length)));

/** The cell in which a range ends. Of infinite cells there is one. */
const lastCell = (to: number, length: number): number =>
  length === Number.POSITIVE_INFINITY ? 0 : Math.floor(to / length);
