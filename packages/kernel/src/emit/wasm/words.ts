import type { Node, WordNode } from '../../form/nodes.ts';
import type { BoundKernel, Store } from '../bound-kernel.ts';
import { extractWhole, loadGroup, loadLanes, storeGroup, storeLane } from './lane-code.ts';
import type { WordKind } from './lanes.ts';
import type { MemoryPlan } from './memory.ts';
import { largestAddress } from './memory.ts';
import { SCALAR, SIMD } from './opcodes.ts';
import type { Operands } from './operands.ts';
import type { Shape } from './shape.ts';

/** Bytes of a vector. */
const VECTOR = 16;
/** Words from one lane to the next up to which a group is read at one address; the guard holds that many lanes. */
const WIDEST_STRIDE = 4;

/** Lanes of vectors in which words of neighbouring elements are moved together. */
const ELEMENT_LANES = 4;

/** Part of a function writer that memory access uses beside operands. */
export interface WordOperands extends Operands {
  shape(node: Node): Shape;
  /** A local variable that `write` fills on first use, kept until the block ends. */
  kept(key: string, type: 'i32' | 'v128', write: () => void): number;
}

interface Place {
  readonly arena: 'f32' | 'u32';
  readonly kind: WordKind;
  readonly offset: number;
  readonly address: Node;
}

/**
 * Loads and stores of a kernel. An address that the invocation alone decides is used as it is. One that data decide
 * is first limited to the end of its arena: where any lane takes a branch all of them read, those that do not with an
 * index that may say "none", and nothing comes of it. Such a read gives NaN or 0. A store beyond the memory traps.
 */
export class Words {
  readonly #o: WordOperands;
  readonly #plan: MemoryPlan;
  readonly #largest: (address: Node) => number | null;
  /** The largest fixed part of the places that one index reads in one domain, so that they share a limit. */
  readonly #furthest = new Map<string, number>();
  /** The fixed parts of the places that one index reads in one domain. */
  readonly #offsets = new Map<string, Set<number>>();

  constructor(o: WordOperands, plan: MemoryPlan, kernel: BoundKernel, words: Iterable<WordNode>) {
    this.#o = o;
    this.#plan = plan;
    this.#largest = largestAddress(kernel);
    for (const word of words) {
      const key = this.#limitKey(word);
      this.#furthest.set(key, Math.max(this.#furthest.get(key) ?? 0, word.offset));
      const offsets = this.#offsets.get(key);
      if (offsets) offsets.add(word.offset);
      else this.#offsets.set(key, new Set([word.offset]));
    }
  }

  #limitKey(word: WordNode): string {
    return `${word.address.id} ${word.type === 'f32'} ${word.port.domain}`;
  }

  #placeOf(of: WordNode | Store): Place {
    const arena = 'buffer' in of ? of.buffer : of.type === 'f32' ? 'f32' : 'u32';
    return { arena, kind: this.#o.lanes.kinds[arena], offset: of.offset, address: of.address };
  }
  #wordsOf(arena: 'f32' | 'u32'): number {
    return arena === 'f32' ? this.#plan.f32Words : this.#plan.u32Words;
  }

  /** The last address that stays within the arena or its guard. */
  #limit(word: WordNode): number {
    return this.#wordsOf(this.#placeOf(word).arena) - this.#furthest.get(this.#limitKey(word))!;
  }

  #isSafe({ arena, offset, address }: Place): boolean {
    const largest = this.#largest(address);
    return largest !== null && largest + offset < this.#wordsOf(arena);
  }

  #base({ arena, kind, offset }: Place): number {
    return this.#plan[arena] + offset * kind.bytes;
  }

  /** Makes bytes of the address on the stack, which counts words. */
  #toBytes({ kind }: Place): void {
    const { code } = this.#o;
    code.i32(Math.log2(kind.bytes));
    code.byte(SCALAR.i32Shl);
  }
  /** The same with the addresses of all lanes. */
  #allToBytes({ kind }: Place): void {
    const { code } = this.#o;
    code.i32(Math.log2(kind.bytes));
    code.simd(SIMD.i32x4Shl);
  }

  /** Puts an address in bytes on the stack; gives what is still to be added to it. */
  #scalarAddress(place: Place): number {
    const { code } = this.#o;
    if (place.address.op === 'const') {
      code.i32(0);
      return this.#base(place) + place.address.value * place.kind.bytes;
    }
    this.#o.scalar(place.address);
    this.#toBytes(place);
    return this.#base(place);
  }

  /** Puts min(address + ahead, limit + ahead) on the stack, in bytes. */
  #limitedAddress(word: WordNode, ahead: number): void {
    const { code } = this.#o;
    const local = this.#o.kept(`${ahead} ${this.#limitKey(word)}`, 'i32', () => {
      const limit = this.#limit(word) + ahead;
      this.#o.scalar(word.address);
      if (ahead > 0) {
        code.i32(ahead);
        code.byte(SCALAR.i32Add);
      }
      this.#o.withLocal('i32', (address) => {
        code.get(address);
        code.i32(limit);
        code.get(address);
        code.i32(limit);
        code.byte(SCALAR.i32LtU);
        code.select('i32');
      });
      this.#toBytes(this.#placeOf(word));
    });
    code.get(local);
  }

  loadScalar(word: WordNode): void {
    const { code } = this.#o;
    const place = this.#placeOf(word);
    if (this.#isSafe(place)) {
      code.memory(place.kind.load, this.#scalarAddress(place));
      return;
    }
    this.#limitedAddress(word, 0);
    code.memory(place.kind.load, this.#base(place));
  }

  /** Puts vector number `part` of the words from `word` on, a float, on the stack. */
  loadRow(word: WordNode, part: number): void {
    const { code } = this.#o;
    const place = this.#placeOf(word);
    const ahead = part * VECTOR;
    if (this.#isSafe(place)) code.simdMemory(SIMD.load, this.#scalarAddress(place) + ahead);
    else {
      this.#limitedAddress(word, 0);
      code.simdMemory(SIMD.load, this.#base(place) + ahead);
    }
  }

  loadVector(word: WordNode): void {
    const { code, lanes } = this.#o;
    const place = this.#placeOf(word);
    const { stride } = this.#o.shape(place.address);
    const isSafe = this.#isSafe(place);
    if (stride === null || stride < 1 || (stride > WIDEST_STRIDE && !isSafe)) this.#gather(word, place);
    else if (stride === 1) {
      const offset = this.#groupAddress(word, place, stride);
      loadGroup(code, lanes, place.kind, offset);
    } else {
      const first = this.#firstOfElement(word, stride);
      if (first === null) this.#loadStrided(word, place, stride);
      else this.#loadElements(word, { ...place, offset: first }, stride);
    }
  }

  /** Puts the address in bytes of the first lane on the stack; gives what is still to be added to it. */
  #groupAddress(word: WordNode, place: Place, stride: number): number {
    const { code } = this.#o;
    if (this.#isSafe(place)) {
      const address = this.#o.kept(`group ${word.address.id} ${place.kind.bytes}`, 'i32', () => {
        this.#o.scalar(word.address);
        this.#toBytes(place);
      });
      code.get(address);
      return this.#base(place);
    }
    // The first lanes may lie before the arena where a branch has left them out.
    const ahead = this.#o.lanes.count * stride;
    this.#limitedAddress(word, ahead);
    return this.#base(place) - ahead * place.kind.bytes;
  }

  #loadStrided(word: WordNode, place: Place, stride: number): void {
    const { code, lanes } = this.#o;
    const base = this.#groupAddress(word, place, stride);
    this.#o.withLocal('i32', (address) => {
      for (let lane = 0; lane < lanes.count; lane++) code.get(address);
      loadLanes(code, lanes, place.kind, (lane) => base + lane * stride * place.kind.bytes);
    });
  }

  /** Whether words of neighbouring elements are moved together. Where vectors hold two lanes that saves nothing. */
  get #takesElements(): boolean {
    return this.#o.lanes.count === ELEMENT_LANES;
  }

  /**
   * Where all words of an element of two or four are read: the fixed part of the first of them, from which on they
   * follow one another.
   */
  #firstOfElement(word: WordNode, stride: number): number | null {
    if (!this.#takesElements || (stride !== 2 && stride !== 4)) return null;
    const offsets = this.#offsets.get(this.#limitKey(word))!;
    let start = word.offset;
    while (offsets.has(start - 1)) start--;
    const first = word.offset - ((word.offset - start) % stride);
    for (let k = 0; k < stride; k++) if (!offsets.has(first + k)) return null;
    return first;
  }

  /** Loads the elements of all lanes and puts word after word together from them. */
  #loadElements(word: WordNode, first: Place, stride: number): void {
    const { code } = this.#o;
    const key = `${first.offset} ${this.#limitKey(word)}`;
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
    // Quarters are elements; pairs of them interleaved hold two words each.
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

  #gather(word: WordNode, place: Place): void {
    const { code, lanes } = this.#o;
    const addresses = this.#o.kept(`lanes ${this.#limitKey(word)}`, 'v128', () => {
      this.#o.vector(place.address);
      if (!this.#isSafe({ ...place, offset: this.#furthest.get(this.#limitKey(word))! })) {
        code.i32(this.#limit(word));
        code.simd(SIMD.i32x4Splat);
        code.simd(SIMD.i32x4MinU);
      }
      this.#allToBytes(place);
    });
    const base = this.#base(place);
    for (let lane = lanes.count - 1; lane >= 0; lane--) {
      code.get(addresses);
      extractWhole(code, lanes, lane);
    }
    loadLanes(code, lanes, place.kind, () => base);
  }

  /**
   * Whether `next` lies behind `store` in each element, and elements of all lanes side by side: both can be stored
   * together.
   */
  isPair(store: Store, next: Store | undefined): boolean {
    const { stride } = this.#o.shape(store.address);
    return (
      this.#takesElements &&
      stride !== null &&
      stride > 1 &&
      next?.address === store.address &&
      next.buffer === store.buffer &&
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

  /** Lanes in the order in which they store: the first one last in a record, which then is its own. */
  #order({ isRecord }: Store): number[] {
    const order = Array.from({ length: this.#o.lanes.count }, (_, lane) => lane);
    return isRecord ? order.reverse() : order;
  }

  /** Stores the values of those lanes that the local `mask` has ones for. */
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
      this.#o.withLocal('v128', (addresses) => {
        for (const lane of this.#order(store)) {
          code.get(mask);
          extractWhole(code, lanes, lane);
          code.if();
          code.get(addresses);
          extractWhole(code, lanes, lane);
          code.get(values);
          storeLane(code, lanes, place.kind, this.#base(place), lane);
          code.end();
        }
      });
    });
  }

  /** Adds to words of the one invocation. */
  addScalars(stores: readonly Store[]): void {
    this.#addInTurn(
      stores,
      (address) => this.#o.scalar(address),
      (value) => this.#o.scalar(value),
    );
  }

  /** Adds to words, lane by lane: to those of the lanes that the local `mask` has ones for, or of all. */
  addLanes(stores: readonly Store[], mask: number | null): void {
    const { code, lanes } = this.#o;
    // Found for all lanes, before any is left out.
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
          code.get(bytes);
          code.get(bytes);
          code.memory(place.kind.load, this.#base(place));
          value(store.value);
          code.byte(lanes.floats.add[0]);
          code.memory(place.kind.store, this.#base(place));
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
    this.#o.withLocal('v128', (addresses) =>
      each(
        (lane) => {
          code.get(addresses);
          extractWhole(code, lanes, lane);
        },
        () => this.#base(place),
      ),
    );
  }
}
