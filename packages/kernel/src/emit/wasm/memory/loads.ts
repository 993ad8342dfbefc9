import type { WordNode } from '../../../form/nodes.ts';
import { SIMD_OPCODES } from '../format/opcodes.ts';
import { extractWhole, loadGroup, loadLanes } from '../lane-code.ts';
import type { Addresses, WordOperands, WordPlace } from './addresses.ts';
import { takesElements } from './addresses.ts';

/** Bytes of a vector. */
const VECTOR_BYTES = 16;
/**
 * Maximum distance in words between neighbouring lanes' words for which all are loaded from one address; the guard
 * words after an arena suffice for that.
 */
const MAX_STRIDE = 4;

/** Loads of a kernel: for one invocation, and for all lanes at once. */
export class Loads {
  readonly #o: WordOperands;
  readonly #addresses: Addresses;

  constructor(o: WordOperands, addresses: Addresses) {
    this.#o = o;
    this.#addresses = addresses;
  }

  /** Pushes a word of one invocation. */
  loadScalar(word: WordNode): void {
    const { code } = this.#o;
    const place = this.#addresses.placeOf(word);
    if (this.#addresses.isSafe(place)) {
      code.memory(place.kind.load, this.#addresses.pushScalar(place));
      return;
    }
    this.#addresses.pushLimited(word, 0);
    code.memory(place.kind.load, this.#addresses.fixed(place));
  }

  /** Pushes one vector of contiguous float words: number `part` (from 0) of those from `word` on. */
  loadRow(word: WordNode, part: number): void {
    const { code } = this.#o;
    const place = this.#addresses.placeOf(word);
    const ahead = part * VECTOR_BYTES;
    if (this.#addresses.isSafe(place)) code.simdMemory(SIMD_OPCODES.load, this.#addresses.pushScalar(place) + ahead);
    else {
      this.#addresses.pushLimited(word, 0);
      code.simdMemory(SIMD_OPCODES.load, this.#addresses.fixed(place) + ahead);
    }
  }

  /** Pushes the words of all lanes as a vector. */
  loadVector(word: WordNode): void {
    const { code, lanes } = this.#o;
    const place = this.#addresses.placeOf(word);
    const { stride } = this.#o.shape(place.address);
    const isSafe = this.#addresses.isSafe(place);
    if (stride === null || stride < 1 || (stride > MAX_STRIDE && !isSafe)) this.#gather(word, place);
    else if (stride === 1) {
      const offset = this.#addresses.pushGroup(word, place, stride);
      loadGroup(code, lanes, place.kind, offset);
    } else {
      const first = this.#firstOfElement(word, stride);
      if (first === null) this.#loadStrided(word, place, stride);
      else this.#loadElements(word, { ...place, offset: first }, stride);
    }
  }

  #loadStrided(word: WordNode, place: WordPlace, stride: number): void {
    const { code, lanes } = this.#o;
    const base = this.#addresses.pushGroup(word, place, stride);
    this.#o.withLocal('i32', (address) => {
      for (let lane = 0; lane < lanes.count; lane++) code.get(address);
      loadLanes(code, lanes, place.kind, (lane) => base + lane * stride * place.kind.bytes);
    });
  }

  /**
   * Returns the fixed part of the address of an element's first word, if the element has two or four words and all are
   * read; else null.
   */
  #firstOfElement(word: WordNode, stride: number): number | null {
    if (!takesElements(this.#o.lanes) || (stride !== 2 && stride !== 4)) return null;
    const offsets = this.#addresses.offsetsOf(word);
    let start = word.offset;
    while (offsets.has(start - 1)) start--;
    const first = word.offset - ((word.offset - start) % stride);
    for (let k = 0; k < stride; k++) if (!offsets.has(first + k)) return null;
    return first;
  }

  /** Loads the elements of all lanes and transposes them into one vector per word. */
  #loadElements(word: WordNode, first: WordPlace, stride: number): void {
    const { code } = this.#o;
    const key = `${first.base} ${first.offset} ${this.#addresses.limitKey(word)}`;
    const quarter = (k: number): number =>
      this.#o.cachedLocal(`quarter ${k} ${key}`, 'v128', () => {
        const last = { ...first, offset: first.offset + stride - 1 };
        const base = this.#addresses.pushGroup(word, last, stride) - (stride - 1) * first.kind.bytes;
        code.simdMemory(SIMD_OPCODES.load, base + k * VECTOR_BYTES);
      });
    const position = word.offset - first.offset;
    // Quarters are elements, or two elements each.
    if (stride === 4) this.#transpose(key, position, quarter);
    else {
      const alternate = [0, 2, 4, 6].map((lane) => lane + position);
      code.get(this.#shuffled(`word ${position} ${key}`, () => [quarter(0), quarter(1)], alternate));
    }
  }

  /** Pushes word `position` of four lanes' vectors of four words. `vectorOf` returns the local with that of a lane. */
  #transpose(key: string, position: number, vectorOf: (lane: number) => number): void {
    // Interleaved pairs of lanes hold two words each.
    const isUpper = position >= 2;
    const interleaved = isUpper ? [2, 6, 3, 7] : [0, 4, 1, 5];
    const pair = (k: number): number =>
      this.#shuffled(`pair ${k} ${isUpper} ${key}`, () => [vectorOf(2 * k), vectorOf(2 * k + 1)], interleaved);
    const halves = position % 2 === 0 ? [0, 1, 4, 5] : [2, 3, 6, 7];
    this.#o.code.get(this.#shuffled(`word ${position} ${key}`, () => [pair(0), pair(1)], halves));
  }

  /** Returns the local of a shuffle of two others. */
  #shuffled(key: string, both: () => readonly number[], lanes: readonly number[]): number {
    const { code } = this.#o;
    return this.#o.cachedLocal(key, 'v128', () => {
      for (const local of both()) code.get(local);
      code.shuffle(lanes);
    });
  }

  /**
   * Returns the fixed part of the address of the first word of the four that contain this one, of a run of neighbouring
   * words that are read at one index; null where fewer than three of the four are read.
   */
  #firstOfFour(word: WordNode, { kind }: WordPlace): number | null {
    if (!takesElements(this.#o.lanes) || kind.isNarrow) return null;
    const offsets = this.#addresses.offsetsOf(word);
    let start = word.offset;
    while (offsets.has(start - 1)) start--;
    const first = word.offset - ((word.offset - start) % 4);
    return offsets.has(first + 2) ? first : null;
  }

  /** Loads a word of each lane, at addresses of their own. */
  #gather(word: WordNode, place: WordPlace): void {
    const { code, lanes } = this.#o;
    const limitKey = this.#addresses.limitKey(word);
    const ofBase = this.#addresses.isShared ? ` of ${place.base}` : '';
    const addresses = (): number =>
      this.#o.cachedLocal(`lanes ${limitKey}${ofBase}`, 'v128', () => {
        this.#o.vector(place.address);
        if (!this.#addresses.areSafe(limitKey, place)) {
          this.#addresses.pushLimit(word, 0);
          code.simd(SIMD_OPCODES.i32x4Splat);
          code.simd(SIMD_OPCODES.i32x4MinU);
        }
        this.#addresses.allToBytes(place);
        this.#addresses.addBaseToAll(place);
      });
    const address = (lane: number): number =>
      this.#o.cachedLocal(`lane ${lane} ${limitKey}${ofBase}`, 'i32', () => {
        code.get(addresses());
        extractWhole(code, lanes, lane);
      });
    const first = this.#firstOfFour(word, place);
    if (first !== null) {
      const base = this.#addresses.fixed({ ...place, offset: first });
      const key = `gathered ${first} ${place.base} ${limitKey}`;
      this.#transpose(key, word.offset - first, (lane) =>
        this.#o.cachedLocal(`lane ${lane} ${key}`, 'v128', () => {
          code.get(address(lane));
          code.simdMemory(SIMD_OPCODES.load, base);
        }),
      );
      return;
    }
    const base = this.#addresses.fixed(place);
    const locals = Array.from({ length: lanes.count }, (_, lane) => address(lane));
    for (const local of [...locals].reverse()) code.get(local);
    loadLanes(code, lanes, place.kind, () => base);
  }
}
