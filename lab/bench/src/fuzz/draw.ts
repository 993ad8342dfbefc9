import { randomNumbers } from '@gradsim/core/testing';
import { seedOf } from '@gradsim/random-programs';

/** Random draws of one case, determined by the series' seed and the case's number. */
export class Draw {
  readonly next: () => number;

  constructor(series: number, n: number) {
    this.next = randomNumbers(seedOf(series, n));
  }
  /** Draws an integer from `low` to `high`, both inclusive. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }
  chance(p: number): boolean {
    return this.next() < p;
  }
  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)];
  }
}
