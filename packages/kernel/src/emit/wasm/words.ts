import type { Node, WordNode } from '../../form/nodes.ts';
import type { BoundKernel, Store } from '../bound-kernel.ts';
import type { WasmType } from './encoder.ts';
import { extractWhole, loadGroup, loadLanes, storeGroup, storeLane } from './lane-code.ts';
import type { WordKind } from './lanes.ts';
import type { MemoryPlan } from './memory.ts';
import { largestAddress } from './memory.ts';
import { SCALAR, SIMD } from './opcodes.ts';
import type { Operands } from './operands.ts';
import type { Shape } from './shape.ts';

/** Bytes of a vector, and of a number in a row. */
const [VECTOR, WORD] = [16, 4];
/**
 * Maximum stride, in words between lanes, for which a group is read from one address; the guard holds that many lanes.
 */
const MAX_STRIDE = 4;

/** Number of lanes for which words of neighbouring elements are transposed together. */
const ELEMENT_LANES = 4;

/** Part of a function writer that memory access uses besides operands. */
export interface WordOperands extends Operands {
  shape(node: Node): Shape;
  /** Allocates a local of the current scope. */
  local(type: WasmType): number;
  /** Returns a local that `write` fills on first use, cached until the block ends. */
  kept(key: string, type: 'i32' | 'v128', write: () => void): number;
}

interface Place {
  readonly arena: 'f32' | 'u32';
  readonly kind: WordKind;
  readonly base: number;
  readonly offset: number;
  readonly address: Node;
}

/** Words that one index reads in one domain, so that they share an address limit. */
interface Limited {
  readonly arena: 'f32' | 'u32';
  /** Fixed parts of their addresses, by base. */
  readonly offsets: Map<number, Set<number>>;
}

/**
 * Loads and stores of a kernel. An address that depends only on the invocation is used as it is. One that depends on
 * data is first clamped to the end of its arena: if any lane takes a branch all lanes read, inactive ones perhaps at
 * "none", and their values are discarded. A clamped read returns NaN or 0. A store beyond the memory traps.
 *
 * A function that serves several kernels, which differ only in their bases, is passed a row of numbers: the address of
 * each base, and the address limits.
 */
export class Words {
  readonly #o: WordOperands;
  readonly #plan: MemoryPlan;
  readonly #kernels: readonly BoundKernel[];
  readonly #largest: (address: Node) => number | null;
  readonly #limited = new Map<string, Limited>();
  /** Arena of each base that a load or store counts from, and the largest start of each base. */
  readonly #arenas: ('f32' | 'u32' | undefined)[] = [];
  readonly #furthest: readonly number[];
  /** Locals with the addresses of bases, and positions of limits in the row. */
  readonly #addresses: number[] = [];
  readonly #limits = new Map<string, number>();

  /** @param kernels the kernels that the function serves. */
  constructor(o: WordOperands, plan: MemoryPlan, kernels: readonly BoundKernel[], words: Iterable<WordNode>) {
    this.#o = o;
    this.#plan = plan;
    this.#kernels = kernels;
    const [{ bases, stores }] = kernels;
    this.#largest = largestAddress(kernels[0]);
    this.#furthest = bases.map((_, k) => kernels.reduce((most, kernel) => Math.max(most, kernel.bases[k]), 0));
    for (const store of stores) this.#arenas[store.base] = store.buffer;
    for (const word of words) {
      const { arena, base, offset } = this.#placeOf(word);
      this.#arenas[base] = arena;
      const key = this.#limitKey(word);
      const limited: Limited = this.#limited.get(key) ?? { arena, offsets: new Map() };
      this.#limited.set(key, limited);
      const offsets = limited.offsets.get(base);
      if (offsets) offsets.add(offset);
      else limited.offsets.set(base, new Set([offset]));
    }
  }

  get #isShared(): boolean {
    return this.#kernels.length > 1;
  }

  /** Loads the addresses of bases from the row at the address in local `row`. */
  begin(row: number): void {
    if (!this.#isShared) return;
    const { code } = this.#o;
    for (const base of this.#furthest.keys()) {
      if (!this.#arenas[base]) continue;
      this.#addresses[base] = this.#o.local('i32');
      code.get(row);
      code.memory(SCALAR.i32Load, base * WORD);
      code.set(this.#addresses[base]);
    }
    this.#row = row;
  }
  #row = 0;

  /** Returns the row of a kernel, once the function is written. */
  rowOf({ bases }: BoundKernel): number[] {
    const { kinds } = this.#o.lanes;
    const addresses = bases.map((start, k) => {
      const arena = this.#arenas[k];
      return arena ? this.#plan[arena] + start * kinds[arena].bytes : 0;
    });
    return [...addresses, ...[...this.#limits.keys()].map((key) => this.#limitFor(key, bases))];
  }

  #limitKey(word: WordNode): string {
    return `${word.address.id} ${word.type === 'f32'} ${word.port.domain}`;
  }

  #placeOf(of: WordNode | Store): Place {
    const arena = 'buffer' in of ? of.buffer : of.type === 'f32' ? 'f32' : 'u32';
    return { arena, kind: this.#o.lanes.kinds[arena], base: of.base, offset: of.offset, address: of.address };
  }
  #wordsOf(arena: 'f32' | 'u32'): number {
    return arena === 'f32' ? this.#plan.f32Words : this.#plan.u32Words;
  }

  /** Returns the last address that stays within the arena or its guard. */
  #limitFor(key: string, bases: readonly number[]): number {
    const { arena, offsets } = this.#limited.get(key)!;
    const furthest = [...offsets].map(([base, own]) => bases[base] + Math.max(...own));
    return this.#wordsOf(arena) - Math.max(...furthest);
  }
  /** Pushes limit + ahead: the last address that stays within the arena or its guard. */
  #limit(word: WordNode, ahead: number): void {
    const { code } = this.#o;
    const key = this.#limitKey(word);
    if (!this.#isShared) {
      code.i32(this.#limitFor(key, this.#kernels[0].bases) + ahead);
      return;
    }
    const position = this.#limits.get(key) ?? this.#furthest.length + this.#limits.size;
    this.#limits.set(key, position);
    code.get(this.#row);
    code.memory(SCALAR.i32Load, position * WORD);
    this.#addFixed(ahead);
  }
  #addFixed(value: number): void {
    if (value === 0) return;
    const { code } = this.#o;
    code.i32(value);
    code.byte(SCALAR.i32Add);
  }

  #isSafe({ arena, base, offset, address }: Place): boolean {
    const largest = this.#largest(address);
    return largest !== null && largest + this.#furthest[base] + offset < this.#wordsOf(arena);
  }

  /** Returns the fixed part of an address in bytes. */
  #fixed({ arena, kind, base, offset }: Place): number {
    if (this.#isShared) return offset * kind.bytes;
    return this.#plan[arena] + (this.#kernels[0].bases[base] + offset) * kind.bytes;
  }
  /** Adds the variable part of a base's address to the address on the stack. */
  #addBase({ base }: Place): void {
    if (!this.#isShared) return;
    const { code } = this.#o;
    code.get(this.#addresses[base]);
    code.byte(SCALAR.i32Add);
  }
  /** Adds the variable part of a base's address to the addresses of all lanes. */
  #addBaseToAll({ base }: Place): void {
    if (!this.#isShared) return;
    const { code } = this.#o;
    code.get(this.#addresses[base]);
    code.simd(SIMD.i32x4Splat);
    code.simd(SIMD.i32x4Add);
  }

  /** Converts the address on the stack from words to bytes. */
  #toBytes({ kind }: Place): void {
    const { code } = this.#o;
    code.i32(Math.log2(kind.bytes));
    code.byte(SCALAR.i32Shl);
  }
  /** Converts the addresses of all lanes from words to bytes. */
  #allToBytes({ kind }: Place): void {
    const { code } = this.#o;
    code.i32(Math.log2(kind.bytes));
    code.simd(SIMD.i32x4Shl);
  }

  /** Pushes an address in bytes; returns the offset still to be added to it. */
  #scalarAddress(place: Place): number {
    const { code } = this.#o;
    if (place.address.op === 'const') {
      if (this.#isShared) code.get(this.#addresses[place.base]);
      else code.i32(0);
      return this.#fixed(place) + place.address.value * place.kind.bytes;
    }
    this.#o.scalar(place.address);
    this.#toBytes(place);
    this.#addBase(place);
    return this.#fixed(place);
  }

  /** Pushes min(address + ahead, limit + ahead) in bytes, with the variable part of its base. */
  #limitedAddress(word: WordNode, ahead: number): void {
    const { code } = this.#o;
    const place = this.#placeOf(word);
    const local = this.#o.kept(`${ahead} ${this.#limitKey(word)}`, 'i32', () => {
      this.#o.scalar(word.address);
      this.#addFixed(ahead);
      this.#o.withLocal('i32', (address) => {
        for (let k = 0; k < 2; k++) {
          code.get(address);
          this.#limit(word, ahead);
        }
        code.byte(SCALAR.i32LtU);
        code.select('i32');
      });
      this.#toBytes(place);
    });
    code.get(local);
    this.#addBase(place);
  }

  loadScalar(word: WordNode): void {
    const { code } = this.#o;
    const place = this.#placeOf(word);
    if (this.#isSafe(place)) {
      code.memory(place.kind.load, this.#scalarAddress(place));
      return;
    }
    this.#limitedAddress(word, 0);
    code.memory(place.kind.load, this.#fixed(place));
  }

  /** Pushes vector number `part` of the float words from `word` on. */
  loadRow(word: WordNode, part: number): void {
    const { code } = this.#o;
    const place = this.#placeOf(word);
    const ahead = part * VECTOR;
    if (this.#isSafe(place)) code.simdMemory(SIMD.load, this.#scalarAddress(place) + ahead);
    else {
      this.#limitedAddress(word, 0);
      code.simdMemory(SIMD.load, this.#fixed(place) + ahead);
    }
  }

  loadVector(word: WordNode): void {
    const { code, lanes } = this.#o;
    const place = this.#placeOf(word);
    const { stride } = this.#o.shape(place.address);
    const isSafe = this.#isSafe(place);
    if (stride === null || stride < 1 || (stride > MAX_STRIDE && !isSafe)) this.#gather(word, place);
    else if (stride === 1) {
      const offset = this.#groupAddress(word, place, stride);
      loadGroup(code, lanes, place.kind, offset);
    } else {
      const first = this.#firstOfElement(word, stride);
      if (first === null) this.#loadStrided(word, place, stride);
      else this.#loadElements(word, { ...place, offset: first }, stride);
    }
  }

  /** Pushes the byte address of the first lane; returns the offset still to be added to it. */
  #groupAddress(word: WordNode, place: Place, stride: number): number {
    const { code } = this.#o;
    if (this.#isSafe(place)) {
      const address = this.#o.kept(`group ${word.address.id} ${place.kind.bytes}`, 'i32', () => {
        this.#o.scalar(word.address);
        this.#toBytes(place);
      });
      code.get(address);
      this.#addBase(place);
      return this.#fixed(place);
    }
    // The first lanes may lie before the arena if a branch excludes them.
    const ahead = this.#o.lanes.count * stride;
    this.#limitedAddress(word, ahead);
    if (!this.#isShared) return this.#fixed(place) - ahead * place.kind.bytes;
    this.#addFixed(-ahead * place.kind.bytes);
    return this.#fixed(place);
  }

  #loadStrided(word: WordNode, place: Place, stride: number): void {
    const { code, lanes } = this.#o;
    const base = this.#groupAddress(word, place, stride);
    this.#o.withLocal('i32', (address) => {
      for (let lane = 0; lane < lanes.count; lane++) code.get(address);
      loadLanes(code, lanes, place.kind, (lane) => base + lane * stride * place.kind.bytes);
    });
  }

  /** True if words of neighbouring elements are loaded together and transposed. With two lanes that saves nothing. */
  get #takesElements(): boolean {
    return this.#o.lanes.count === ELEMENT_LANES;
  }

  /**
   * Returns, if all words of an element of two or four are read, the fixed part of the first one's address; the others
   * follow it.
   */
  #firstOfElement(word: WordNode, stride: number): number | null {
    if (!this.#takesElements || (stride !== 2 && stride !== 4)) return null;
    const offsets = this.#limited.get(this.#limitKey(word))!.offsets.get(word.base)!;
    let start = word.offset;
    while (offsets.has(start - 1)) start--;
    const first = word.offset - ((word.offset - start) % stride);
    for (let k = 0; k < stride; k++) if (!offsets.has(first + k)) return null;
    return first;
  }

  /** Loads the elements of all lanes and transposes them into one vector per word. */
  #loadElements(word: WordNode, first: Place, stride: number): void {
    const { code } = this.#o;
    const key = `${first.base} ${first.offset} ${this.#limitKey(word)}`;
    const quarter = (k: number): number =>
      this.#o.kept(`quarter ${k} ${key}`, 'v128', () => {
        const last = { ...first, offset: first.offset + stride - 1 };
        const base = this.#groupAddress(word, last, stride) - (stride - 1) * first.kind.bytes;
        code.simdMemory(SIMD.load, base + k * VECTOR);
      });
    const shuffled = (name: string, x: () => number, y: () => number, lanes: readonly number[]): number =>
      this.#o.kept(`${name} ${key}`, 'v128', () => {
        const both = [x(), y()];
        for (const local of both) code.get(local);
        code.shuffle(lanes);
      });
    const position = word.offset - first.offset;
    const parity = position % 2;
    if (stride === 2) {
      const alternate = [0, 2, 4, 6].map((lane) => lane + parity);
      code.get(
        shuffled(
          `word ${parity}`,
          () => quarter(0),
          () => quarter(1),
          alternate,
        ),
      );
      return;
    }
    // Quarters are elements; interleaved pairs of them hold two words each.
    const isUpper = position >= 2;
    const interleaved = isUpper ? [2, 6, 3, 7] : [0, 4, 1, 5];
    const pair = (k: number): number =>
      shuffled(
        `pair ${k} ${isUpper}`,
        () => quarter(2 * k),
        () => quarter(2 * k + 1),
        interleaved,
      );
    const halves = parity === 0 ? [0, 1, 4, 5] : [2, 3, 6, 7];
    code.get(
      shuffled(
        `word ${position}`,
        () => pair(0),
        () => pair(1),
        halves,
      ),
    );
  }

  /** Returns whether no word that shares this one's limit can lie beyond the arena. */
  #areSafe(limitKey: string, place: Place): boolean {
    return [...this.#limited.get(limitKey)!.offsets].every(([base, offsets]) =>
      this.#isSafe({ ...place, base, offset: Math.max(...offsets) }),
    );
  }

  #gather(word: WordNode, place: Place): void {
    const { code, lanes } = this.#o;
    const limitKey = this.#limitKey(word);
    const ofBase = this.#isShared ? ` of ${place.base}` : '';
    const addresses = this.#o.kept(`lanes ${limitKey}${ofBase}`, 'v128', () => {
      this.#o.vector(place.address);
      if (!this.#areSafe(limitKey, place)) {
        this.#limit(word, 0);
        code.simd(SIMD.i32x4Splat);
        code.simd(SIMD.i32x4MinU);
      }
      this.#allToBytes(place);
      this.#addBaseToAll(place);
    });
    const base = this.#fixed(place);
    for (let lane = lanes.count - 1; lane >= 0; lane--) {
      code.get(addresses);
      extractWhole(code, lanes, lane);
    }
    loadLanes(code, lanes, place.kind, () => base);
  }

  /**
   * Returns whether `next` follows `store` in each element, and elements of all lanes are contiguous: both can be
   * stored together.
   */
  isPair(store: Store, next: Store | undefined): boolean {
    const { stride } = this.#o.shape(store.address);
    return (
      this.#takesElements &&
      stride !== null &&
      stride > 1 &&
      next?.address === store.address &&
      next.buffer === store.buffer &&
      next.base === store.base &&
      next.offset === store.offset + 1
    );
  }

  /** Stores two words of each lane's element. */
  storePairs(store: Store, values: () => void): void {
    const { code } = this.#o;
    const stride = this.#o.shape(store.address).stride!;
    const place = this.#placeOf(store);
    const base = this.#scalarAddress(place);
    this.#o.withLocal('i32', (address) => {
      [
        [0, 4, 1, 5],
        [2, 6, 3, 7],
      ].forEach((words, half) => {
        values();
        code.shuffle(words);
        this.#o.withLocal('v128', (pairs) => {
          for (const k of [0, 1]) {
            code.get(address);
            code.get(pairs);
            code.simdLaneMemory(SIMD.store64Lane, base + (2 * half + k) * stride * place.kind.bytes, k);
          }
        });
      });
    });
  }

  storeScalar(store: Store, value: () => void): void {
    const { code } = this.#o;
    const place = this.#placeOf(store);
    const offset = this.#scalarAddress(place);
    value();
    code.memory(place.kind.store, offset);
  }

  /**
   * Returns the lanes in the order in which they store: in a record the first lane comes last, so that its words stay.
   */
  #order({ isRecord }: Store): number[] {
    const order = Array.from({ length: this.#o.lanes.count }, (_, lane) => lane);
    return isRecord ? order.reverse() : order;
  }

  /** Stores the values of the lanes set in the local `mask`. */
  storeMasked(store: Store, value: () => void, mask: number): void {
    const { code, lanes } = this.#o;
    const place = this.#placeOf(store);
    if (this.#o.shape(place.address).stride === 1) {
      const offset = this.#scalarAddress(place);
      this.#o.withLocal('i32', (address) => {
        code.get(address);
        value();
        code.get(address);
        loadGroup(code, lanes, place.kind, offset);
        code.get(mask);
        code.simd(SIMD.bitSelect);
        storeGroup(code, lanes, place.kind, offset);
      });
      return;
    }
    value();
    this.#o.withLocal('v128', (values) => {
      this.#o.vector(place.address);
      this.#allToBytes(place);
      this.#addBaseToAll(place);
      this.#o.withLocal('v128', (addresses) => {
        for (const lane of this.#order(store)) {
          code.get(mask);
          extractWhole(code, lanes, lane);
          code.if();
          code.get(addresses);
          extractWhole(code, lanes, lane);
          code.get(values);
          storeLane(code, lanes, place.kind, this.#fixed(place), lane);
          code.end();
        }
      });
    });
  }

  /** Adds to words of a single invocation. */
  addScalars(stores: readonly Store[]): void {
    this.#addInTurn(
      stores,
      (address) => this.#o.scalar(address),
      (value) => this.#o.scalar(value),
    );
  }

  /** Adds to words, lane by lane: for the lanes set in the local `mask`, or for all. */
  addLanes(stores: readonly Store[], mask: number | null): void {
    const { code, lanes } = this.#o;
    // Computed for all lanes, before any is masked out.
    const vectors = new Map<Node, number>();
    for (const { address, value } of stores)
      for (const node of [address, value]) {
        if (vectors.has(node)) continue;
        this.#o.vector(node);
        const local = code.local('v128');
        code.set(local);
        vectors.set(node, local);
      }
    for (let lane = 0; lane < lanes.count; lane++) {
      if (mask !== null) {
        code.get(mask);
        extractWhole(code, lanes, lane);
        code.if();
      }
      const address = (node: Node): void => {
        code.get(vectors.get(node)!);
        extractWhole(code, lanes, lane);
      };
      const value = (node: Node): void => {
        code.get(vectors.get(node)!);
        code.simdLane(lanes.extract, lane);
      };
      this.#addInTurn(stores, address, value);
      if (mask !== null) code.end();
    }
    for (const local of vectors.values()) code.release(local);
  }

  #addInTurn(stores: readonly Store[], address: (node: Node) => void, value: (node: Node) => void): void {
    const { code, lanes } = this.#o;
    for (const at of new Set(stores.map((store) => store.address))) {
      const own = stores.filter((store) => store.address === at);
      address(at);
      this.#toBytes(this.#placeOf(own[0]));
      this.#o.withLocal('i32', (bytes) => {
        for (const store of own) {
          const place = this.#placeOf(store);
          for (let k = 0; k < 2; k++) {
            code.get(bytes);
            this.#addBase(place);
          }
          code.memory(place.kind.load, this.#fixed(place));
          value(store.value);
          code.byte(lanes.floats.add[0]);
          code.memory(place.kind.store, this.#fixed(place));
        }
      });
    }
  }

  /** Stores the values of all lanes, the first lane first. */
  storeVector(store: Store, value: () => void): void {
    const { code, lanes } = this.#o;
    const place = this.#placeOf(store);
    const { stride } = this.#o.shape(place.address);
    if (stride === 1) {
      const offset = this.#scalarAddress(place);
      value();
      storeGroup(code, lanes, place.kind, offset);
      return;
    }
    const each = (address: (lane: number) => void, offset: (lane: number) => number): void => {
      for (const lane of this.#order(store)) {
        address(lane);
        value();
        storeLane(code, lanes, place.kind, offset(lane), lane);
      }
    };
    if (stride !== null && stride >= 0) {
      const base = this.#scalarAddress(place);
      this.#o.withLocal('i32', (address) =>
        each(
          () => code.get(address),
          (lane) => base + lane * stride * place.kind.bytes,
        ),
      );
      return;
    }
    this.#o.vector(place.address);
    this.#allToBytes(place);
    this.#addBaseToAll(place);
    this.#o.withLocal('v128', (addresses) =>
      each(
        (lane) => {
          code.get(addresses);
          extractWhole(code, lanes, lane);
        },
        () => this.#fixed(place),
      ),
    );
  }
}
