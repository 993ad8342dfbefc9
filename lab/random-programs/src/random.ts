import { randomNumbers } from '@gradsim/core/testing';

/** Random draws for programs: integers, chances, choices; the same for the same seed on every machine. */
export class Random {
  readonly next: () => number;

  constructor(seed: number) {
    this.next = randomNumbers(seed);
  }
  /** An integer from `low` to `high`, both included. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }
  chance(p: number): boolean {
    return this.next() < p;
  }
  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }
  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)];
  }
  /** Picks an element of a list; later ones are more likely. */
  pickLate<T>(list: readonly T[]): T {
    return list[list.length - 1 - Math.floor(this.next() ** 2 * list.length)];
  }
  shuffle<T>(list: readonly T[]): T[] {
    return list
      .map((one) => ({ one, at: this.next() }))
      .sort((a, b) => a.at - b.at)
      .map(({ one }) => one);
  }
  some<T>(list: readonly T[], p: number): T[] {
    return list.filter(() => this.chance(p));
  }
}

/** Returns the seed of the n-th program of a series; series with neighbouring numbers have no seeds in common. */
export const seedOf = (series: number, n: number): number =>
  (Math.imul(series ^ 0x9e3779b9, 0x85ebca6b) + Math.imul(n + 1, 0xc2b2ae35)) >>> 0;
