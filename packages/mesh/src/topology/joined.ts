/** Numbers that are joined one by one into parts (a disjoint-set forest). */
export class Joined {
  readonly #above: Uint32Array;
  /** How many parts are left. */
  parts: number;

  constructor(count: number) {
    this.#above = Uint32Array.from({ length: count }, (_, k) => k);
    this.parts = count;
  }
  /** The number that stands for the part of `k`. */
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
