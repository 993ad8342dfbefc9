import type { Arena, MemoryPlace, Shape } from '@gradsim/kernel/internal';
import { shapeWords } from '@gradsim/kernel/internal';
import type { Field } from '../../model/field.ts';
import type { Loop } from '../steps/versions.ts';
import type { Register } from './registers.ts';

/** Names of the registers of loops, by nesting depth. */
export const ROUND_REGISTERS = [
  {
    round: 'round',
    entry: 'roundIn',
    exit: 'roundOut',
    adjointEntry: 'roundAdjointIn',
    adjointExit: 'roundAdjointOut',
  },
  {
    round: 'innerRound',
    entry: 'innerIn',
    exit: 'innerOut',
    adjointEntry: 'innerAdjointIn',
    adjointExit: 'innerAdjointOut',
  },
] as const satisfies readonly Readonly<Record<string, Register>>[];

/** Slots of the values that a loop carries from round to round, selected by registers like those of states. */
export class Rounds {
  readonly loop: Loop;
  /** Number of words in one slot. */
  readonly words: number;
  readonly #offsets = new Map<Field, number>();
  readonly #shape: (field: Field) => Shape;
  readonly #primal = new Map<string, MemoryPlace>();
  readonly #adjoint = new Map<string, MemoryPlace>();
  #adjointBase: number | null = null;
  #tangentBase: number | null = null;
  /** Offset of slot 0, once slots are reserved, and that of the checkpoints, in words. */
  slotBase = 0;
  checkpointBase = 0;

  constructor(loop: Loop, shape: (field: Field) => Shape) {
    this.loop = loop;
    this.#shape = shape;
    let words = 0;
    for (const field of loop.carried.keys()) {
      this.#offsets.set(field, words);
      words += Math.ceil(shapeWords(shape(field)) / 4) * 4;
    }
    this.words = words;
  }

  #place(places: Map<string, MemoryPlace>, base: number, field: Field, register: Register): MemoryPlace {
    const key = `${register} ${field.key}`;
    let place = places.get(key);
    if (!place) {
      const shape = this.#shape(field);
      const other = [...places.values()].find((p) => p.field === field.key);
      place = {
        field: field.key,
        contents: 'values',
        buffer: 'f32',
        words: shapeWords(shape),
        shape,
        register,
        registerStride: this.words,
        region: other?.region ?? Symbol(field.key),
        offset: base + this.#offsets.get(field)!,
      };
      places.set(key, place);
    }
    return place;
  }

  primal(field: Field, end: 'entry' | 'exit'): MemoryPlace {
    return this.#place(this.#primal, this.slotBase, field, ROUND_REGISTERS[this.loop.depth][end]);
  }
  adjoint(arena: Arena, field: Field, end: 'entry' | 'exit'): MemoryPlace {
    this.#adjointBase ??= arena.allocate('f32', this.words * 2);
    const { adjointEntry, adjointExit } = ROUND_REGISTERS[this.loop.depth];
    return this.#place(this.#adjoint, this.#adjointBase, field, end === 'entry' ? adjointEntry : adjointExit);
  }
  /** Returns whether a place belongs to the slots. */
  has(place: MemoryPlace): boolean {
    return [...this.#primal.values()].includes(place);
  }
  /**
   * Returns the tangent places of a place in the slots, one for each tangent. Call it before the slots are reserved.
   */
  tangents(arena: Arena, place: MemoryPlace, count: number): MemoryPlace[] {
    this.#tangentBase ??= arena.allocate('f32', this.words * 2 * count);
    const base = this.#tangentBase + place.offset;
    return Array.from({ length: count }, (_, c) => ({ ...place, offset: base + 2 * c * this.words }));
  }

  /** Reserves the slots and the checkpoints, once the rest of the arena is laid out. */
  reserve(arena: Arena, slots: number, checkpoints: number): void {
    this.slotBase = arena.allocate('f32', this.words * slots);
    this.checkpointBase = arena.allocate('f32', this.words * checkpoints);
    for (const place of this.#primal.values()) place.offset += this.slotBase;
  }
}
