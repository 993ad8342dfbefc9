/** Random number generator, determined by its seed. */
export class Random {
  #state: Uint32Array;

  constructor(seed: number) {
    this.#state = Uint32Array.of(seed, seed ^ 0x9e3779b9, Math.imul(seed, 0x85ebca6b) + 1, 1);
    for (let k = 0; k < 15; k++) this.unit();
  }

  /** Returns a uniform random number in [0, 1), by the generator sfc32 (Doty-Humphrey, PractRand). */
  unit(): number {
    const s = this.#state;
    const next = s[0] + s[1] + s[3];
    s[3] += 1;
    s[0] = s[1] ^ (s[1] >>> 9);
    s[1] = s[2] + (s[2] << 3);
    s[2] = (s[2] << 21) | (s[2] >>> 11);
    s[2] += next;
    return (next >>> 0) / 2 ** 32;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.unit();
  }

  /** Returns a log-uniform random number between `low` and `high`. */
  factor(low: number, high: number): number {
    return low * (high / low) ** this.unit();
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.unit() * from.length)];
  }

  sign(): 1 | -1 {
    return this.unit() < 0.5 ? 1 : -1;
  }

  /** Returns a standard normal random number (Box and Muller, 1958). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.unit())) * Math.cos(2 * Math.PI * this.unit());
  }
}
