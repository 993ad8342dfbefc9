/** A disjoint-set forest of numbers. */
export class Joined {
  readonly #above: Uint32Array;
  /** Number of remaining parts. */
  parts: number;

  constructor(count: number) {
    this.#above = Uint32Array.from({ length: count }, (_, k) => k);
    this.parts = count;
  }
  /** Returns the representative of the part of `k`. */
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
