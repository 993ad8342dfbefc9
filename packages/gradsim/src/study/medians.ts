import { median } from '@gradsim/numeric';

/** Number of most recent values of which the median is taken. */
const LAST = 1000;

/** Running medians of values by name, in constant memory. */
export class RunningMedians {
  readonly #values = new Map<string, { last: number[]; next: number }>();

  add(name: string, value: number): void {
    const of = this.#values.get(name) ?? { last: [], next: 0 };
    this.#values.set(name, of);
    of.last[of.next] = value;
    of.next = (of.next + 1) % LAST;
  }

  /** Names and medians of the last thousand values, in order of appearance. */
  all(): [string, number][] {
    return [...this.#values].map(([name, { last }]) => [name, median(last)]);
  }
}
