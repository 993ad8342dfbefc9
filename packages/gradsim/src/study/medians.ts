import { median } from '@gradsim/base';

/** Number of most recent values over which a median is taken. */
const WINDOW_LENGTH = 1000;

/** Running medians of the most recent values of each name, in constant memory. */
export class RunningMedians {
  readonly #values = new Map<string, { last: number[]; next: number }>();

  add(name: string, value: number): void {
    const of = this.#values.get(name) ?? { last: [], next: 0 };
    this.#values.set(name, of);
    of.last[of.next] = value;
    of.next = (of.next + 1) % WINDOW_LENGTH;
  }

  /** Names and medians, in the order in which names first appeared. */
  all(): [string, number][] {
    return [...this.#values].map(([name, { last }]) => [name, median(last)]);
  }
}
