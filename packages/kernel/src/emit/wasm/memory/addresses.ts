import type { Node, WordNode } from '../../../form/nodes.ts';
import type { BoundKernel, Store } from '../../bound-kernel.ts';
import type { WasmType } from '../format/encoder.ts';
import { SCALAR_OPCODES, SIMD_OPCODES } from '../format/opcodes.ts';
import type { Lanes, WordKind } from '../lanes.ts';
import type { Operands } from '../operands.ts';
import type { Shape } from '../shape.ts';
import type { MemoryPlan } from './memory.ts';
import { largestAddress } from './memory.ts';

/** Size of a number in a kernel's row of base addresses and limits, bytes. */
const WORD_BYTES = 4;

/** Number of lanes for which words of neighbouring elements are transposed together. */
const ELEMENT_LANES = 4;

/**
 * Returns whether words of neighbouring elements are loaded or stored together and transposed. With two lanes that is
 * no faster.
 */
export const takesElements = ({ count }: Lanes): boolean => count === ELEMENT_LANES;

/** Part of a function writer that loads and stores use, besides `Operands`. */
export interface WordOperands extends Operands {
  shape(node: Node): Shape;
  /** Allocates a local of the current scope. */
  local(type: WasmType): number;
  /** Returns a local that `write` fills on first use, cached until the block ends. */
  cachedLocal(key: string, type: 'i32' | 'v128', write: () => void): number;
}

/** Place of a word in memory: `address + offset`, in words, counted from base number `base`. */
export interface WordPlace {
  readonly arena: 'f32' | 'u32';
  readonly kind: WordKind;
  readonly base: number;
  readonly offset: number;
  readonly address: Node;
}

/** Words read at one index in fields of one domain: they share an address limit. */
interface Limited {
  readonly arena: 'f32' | 'u32';
  /** Fixed parts of their addresses, in words, by number of the base. */
  readonly offsets: Map<number, Set<number>>;
}

/**
 * Addresses of a kernel's loads and stores. An address that depends only on the invocation is used as it is. An address
 * that depends on data is first clamped to the end of its arena: in a branch that any lane takes, all lanes read, and
 * the index of an inactive lane may be `NO_ELEMENT`; its value is discarded. A clamped read returns NaN or 0. A store
 * beyond the memory traps.
 *
 * A function that serves several kernels, which differ only in their bases, is passed a row of numbers: the byte
 * address of each base, and the address limits.
 */
export class Addresses {
  readonly #o: WordOperands;
  readonly #plan: MemoryPlan;
  readonly #kernels: readonly BoundKernel[];
  readonly #largest: (address: Node) => number | null;
  readonly #limited = new Map<string, Limited>();
  /** Arena of each base that a load or store counts from; undefined for a base that none uses. */
  readonly #arenas: ('f32' | 'u32' | undefined)[] = [];
  readonly #furthest: readonly number[];

  /** Local that holds the byte address of each base. */
  readonly #addresses: number[] = [];
  readonly #limits = new Map<string, number>();

  /** @param kernels the kernels, with the same code, that the function serves. */
  constructor(o: WordOperands, plan: MemoryPlan, kernels: readonly BoundKernel[], words: Iterable<WordNode>) {
    this.#o = o;
    this.#plan = plan;
    this.#kernels = kernels;
    const [{ bases, stores }] = kernels;
    this.#largest = largestAddress(kernels[0]);
    this.#furthest = bases.map((_, k) => kernels.reduce((most, kernel) => Math.max(most, kernel.bases[k]), 0));
    for (const store of stores) this.#arenas[store.base] = store.buffer;
    for (const word of words) {
      const { arena, base, offset } = this.placeOf(word);
      this.#arenas[base] = arena;
      const key = this.limitKey(word);
      const limited: Limited = this.#limited.get(key) ?? { arena, offsets: new Map() };
      this.#limited.set(key, limited);
      const offsets = limited.offsets.get(base);
      if (offsets) offsets.add(offset);
      else limited.offsets.set(base, new Set([offset]));
    }
  }

  /** True if the function serves several kernels, so that addresses of bases come from its row. */
  get isShared(): boolean {
    return this.#kernels.length > 1;
  }

  /** Emits code that loads the addresses of bases from the row whose byte address is in local `row`. */
  begin(row: number): void {
    if (!this.isShared) return;
    const { code } = this.#o;
    for (const base of this.#furthest.keys()) {
      if (!this.#arenas[base]) continue;
      this.#addresses[base] = this.#o.local('i32');
      code.get(row);
      code.memory(SCALAR_OPCODES.i32Load, base * WORD_BYTES);
      code.set(this.#addresses[base]);
    }
    this.#row = row;
  }

  #row = 0;

  /** Returns the row of numbers of a kernel; call it once the function is written. */
  rowOf({ bases }: BoundKernel): number[] {
    const { kinds } = this.#o.lanes;
    const addresses = bases.map((start, k) => {
      const arena = this.#arenas[k];
      return arena ? this.#plan[arena] + start * kinds[arena].bytes : 0;
    });
    return [...addresses, ...[...this.#limits.keys()].map((key) => this.#limitFor(key, bases))];
  }

  /** Returns the key that words with the same address limit share. */
  limitKey(word: WordNode): string {
    return `${word.address.id} ${word.type === 'f32'} ${word.port.domain}`;
  }

  /** Returns the place of a load or store. */
  placeOf(of: WordNode | Store): WordPlace {
    const arena = 'buffer' in of ? of.buffer : of.type === 'f32' ? 'f32' : 'u32';
    return { arena, kind: this.#o.lanes.kinds[arena], base: of.base, offset: of.offset, address: of.address };
  }

  #wordsOf(arena: 'f32' | 'u32'): number {
    return arena === 'f32' ? this.#plan.f32Words : this.#plan.u32Words;
  }

  /** Returns the last address, in words, at which all these words lie within their arena or its guard words. */
  #limitFor(key: string, bases: readonly number[]): number {
    const { arena, offsets } = this.#limited.get(key)!;
    const furthest = [...offsets].map(([base, own]) => bases[base] + Math.max(...own));
    return this.#wordsOf(arena) - Math.max(...furthest);
  }

  /**
   * Pushes limit + ahead, in words; limit is the last address at which the words lie within their arena or its guard
   * words.
   */
  pushLimit(word: WordNode, ahead: number): void {
    const { code } = this.#o;
    const key = this.limitKey(word);
    if (!this.isShared) {
      code.i32(this.#limitFor(key, this.#kernels[0].bases) + ahead);
      return;
    }
    const position = this.#limits.get(key) ?? this.#furthest.length + this.#limits.size;
    this.#limits.set(key, position);
    code.get(this.#row);
    code.memory(SCALAR_OPCODES.i32Load, position * WORD_BYTES);
    this.#addFixed(ahead);
  }

  #addFixed(value: number): void {
    if (value === 0) return;
    const { code } = this.#o;
    code.i32(value);
    code.byte(SCALAR_OPCODES.i32Add);
  }

  /** Returns whether an address is known to stay within its arena. */
  isSafe({ arena, base, offset, address }: WordPlace): boolean {
    const largest = this.#largest(address);
    return largest !== null && largest + this.#furthest[base] + offset < this.#wordsOf(arena);
  }

  /** Returns the fixed part of a place's address, in bytes. */
  fixed({ arena, kind, base, offset }: WordPlace): number {
    if (this.isShared) return offset * kind.bytes;
    return this.#plan[arena] + (this.#kernels[0].bases[base] + offset) * kind.bytes;
  }

  /** Adds the byte address of a base to the address on the stack, if it is known only at run time. */
  addBase({ base }: WordPlace): void {
    if (!this.isShared) return;
    const { code } = this.#o;
    code.get(this.#addresses[base]);
    code.byte(SCALAR_OPCODES.i32Add);
  }

  /** Adds the byte address of a base to the addresses of all lanes, if it is known only at run time. */
  addBaseToAll({ base }: WordPlace): void {
    if (!this.isShared) return;
    const { code } = this.#o;
    code.get(this.#addresses[base]);
    code.simd(SIMD_OPCODES.i32x4Splat);
    code.simd(SIMD_OPCODES.i32x4Add);
  }

  /** Converts the address on the stack from words to bytes. */
  toBytes({ kind }: WordPlace): void {
    const { code } = this.#o;
    code.i32(Math.log2(kind.bytes));
    code.byte(SCALAR_OPCODES.i32Shl);
  }

  /** Converts the addresses of all lanes from words to bytes. */
  allToBytes({ kind }: WordPlace): void {
    const { code } = this.#o;
    code.i32(Math.log2(kind.bytes));
    code.simd(SIMD_OPCODES.i32x4Shl);
  }

  /** Pushes the byte address of one invocation's word; returns the constant byte offset still to be added to it. */
  pushScalar(place: WordPlace): number {
    const { code } = this.#o;
    if (place.address.op === 'const') {
      if (this.isShared) code.get(this.#addresses[place.base]);
      else code.i32(0);
      return this.fixed(place) + place.address.value * place.kind.bytes;
    }
    this.#o.scalar(place.address);
    this.toBytes(place);
    this.addBase(place);
    return this.fixed(place);
  }

  /**
   * Pushes min(address + ahead, limit + ahead) in bytes, plus the address of the base if that is known only at run
   * time.
   */
  pushLimited(word: WordNode, ahead: number): void {
    const { code } = this.#o;
    const place = this.placeOf(word);
    const local = this.#o.cachedLocal(`${ahead} ${this.limitKey(word)}`, 'i32', () => {
      this.#o.scalar(word.address);
      this.#addFixed(ahead);
      this.#o.withLocal('i32', (address) => {
        for (let k = 0; k < 2; k++) {
          code.get(address);
          this.pushLimit(word, ahead);
        }
        code.byte(SCALAR_OPCODES.i32LtU);
        code.select('i32');
      });
      this.toBytes(place);
    });
    code.get(local);
    this.addBase(place);
  }

  /** Pushes the byte address of the first lane's word; returns the constant byte offset still to be added to it. */
  pushGroup(word: WordNode, place: WordPlace, stride: number): number {
    const { code } = this.#o;
    if (this.isSafe(place)) {
      const address = this.#o.cachedLocal(`group ${word.address.id} ${place.kind.bytes}`, 'i32', () => {
        this.#o.scalar(word.address);
        this.toBytes(place);
      });
      code.get(address);
      this.addBase(place);
      return this.fixed(place);
    }
    // The first lanes may lie before the arena if a branch excludes them.
    const ahead = this.#o.lanes.count * stride;
    this.pushLimited(word, ahead);
    if (!this.isShared) return this.fixed(place) - ahead * place.kind.bytes;
    this.#addFixed(-ahead * place.kind.bytes);
    return this.fixed(place);
  }

  /** Returns whether all words with this address limit lie within their arena. */
  areSafe(limitKey: string, place: WordPlace): boolean {
    return [...this.#limited.get(limitKey)!.offsets].every(([base, offsets]) =>
      this.isSafe({ ...place, base, offset: Math.max(...offsets) }),
    );
  }

  /** Returns the fixed parts of the addresses, in words, that are read with this word's index and base. */
  offsetsOf(word: WordNode): ReadonlySet<number> {
    return this.#limited.get(this.limitKey(word))!.offsets.get(word.base)!;
  }
}
