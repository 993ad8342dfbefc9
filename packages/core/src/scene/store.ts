import type { Component } from './component.ts';

/** Typed columns of one component, indexed by an entity's number; they grow by reallocation. */
export class Store {
  readonly component: Component;
  readonly #numbers = new Map<string, Float64Array>();
  readonly #objects = new Map<string, Map<number, unknown>>();
  #capacity = 64;

  constructor(component: Component) {
    this.component = component;
    for (const [name, column] of Object.entries(component.columns)) {
      if (column.kind === 'object') this.#objects.set(name, new Map());
      else this.#numbers.set(name, new Float64Array(this.#capacity * widthOf(column)));
    }
  }

  reserve(slots: number): void {
    if (slots <= this.#capacity) return;
    while (this.#capacity < slots) this.#capacity *= 2;
    for (const [name, values] of this.#numbers) {
      const larger = new Float64Array(this.#capacity * widthOf(this.component.columns[name]));
      larger.set(values);
      this.#numbers.set(name, larger);
    }
  }

  write(name: string, slot: number, values: ArrayLike<number>, from: number, width: number): void {
    const column = this.#numbers.get(name)!;
    for (let c = 0; c < width; c++) column[slot * width + c] = values[from + c];
  }

  read(name: string, slot: number): Float64Array {
    const width = widthOf(this.component.columns[name]);
    return this.#numbers.get(name)!.slice(slot * width, (slot + 1) * width);
  }

  writeObject(name: string, slot: number, value: unknown): void {
    if (value === undefined) this.#objects.get(name)!.delete(slot);
    else this.#objects.get(name)!.set(slot, value);
  }
  readObject(name: string, slot: number): unknown {
    return this.#objects.get(name)!.get(slot);
  }

  /** Returns the values of many slots of a column in one flat array. */
  gather(name: string, slots: ArrayLike<number>): Float64Array {
    const width = widthOf(this.component.columns[name]);
    const column = this.#numbers.get(name)!;
    const values = new Float64Array(slots.length * width);
    for (let k = 0; k < slots.length; k++) {
      for (let c = 0; c < width; c++) values[k * width + c] = column[slots[k] * width + c];
    }
    return values;
  }
}

export function widthOf(column: Component['columns'][string]): number {
  if (column.kind === 'value') return column.type.components;
  return column.kind === 'reference' ? column.count : 1;
}
