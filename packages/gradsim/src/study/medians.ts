import { median } from '@gradsim/numeric';

/** Values that a median is of: the last so many. */
const LAST = 1000;

/** Medians of values by name while they come, in memory that does not grow. */
export class RunningMedians {
  readonly #values = new Map<string, { last: number[]; next: number }>();

  add(name: string, value: number): void {
    const of = this.#values.get(name) ?? { last: [], next: 0 };
    this.#values.set(name, of);
    of.last[of.next] = value;
    of.next = (of.next + 1) % LAST;
  }

  /** Name and median of the last thousand values, in the order in which names came first. */
  all(): [string, number][] {
    return [...this.#values].map(([name, { last }]) => [name, median(last)]);
  }
}
