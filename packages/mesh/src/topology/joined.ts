/** A disjoint-set forest over the numbers from 0 to `count` - 1. */
export class JoinedSets {
  readonly #above: Uint32Array;
  /** Current number of disjoint sets. */
  parts: number;

  constructor(count: number) {
    this.#above = Uint32Array.from({ length: count }, (_, k) => k);
    this.parts = count;
  }
  /** Returns the representative of the set that contains `k`. */
  partOf(k: number): number {
    let top = k;
    while (this.#above[top] !== top) {
      this.#above[top] = this.#above[this.#above[top]];
      top = this.#above[top];
    }
    return top;
  }
  join(a: number, b: number): void {
    const [p, q] = [this.partOf(a), this.partOf(b)];
    if (p === q) return;
    this.#above[q] = p;
    this.parts--;
  }
}
