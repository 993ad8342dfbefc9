/** Evenly spaced values of a sequence of unknown length: all of a short one, of a long one every second, fourth, ... */
export class EvenSample {
  readonly #values: Float32Array;
  #length = 0;
  #seen = 0;
  #every = 1;

  constructor(most: number) {
    this.#values = new Float32Array(most);
  }

  /** Adds the values that are larger than the least one. */
  addAbove(least: number, values: Float32Array): void {
    for (let k = 0; k < values.length; k++) if (values[k] > least) this.#add(values[k]);
  }

  #add(value: number): void {
    if (this.#seen++ % this.#every !== 0) return;
    if (this.#length === this.#values.length) {
      for (let k = 0; 2 * k < this.#length; k++) this.#values[k] = this.#values[2 * k];
      this.#length = Math.ceil(this.#length / 2);
      this.#every *= 2;
      if ((this.#seen - 1) % this.#every !== 0) return;
    }
    this.#values[this.#length++] = value;
  }

  get values(): Float32Array {
    return this.#values.subarray(0, this.#length);
  }
}
