import type { Node } from '../../../form/nodes.ts';
import type { Store } from '../../bound-kernel.ts';
import { SIMD_OPCODES } from '../format/opcodes.ts';
import { extractWhole, loadGroup, storeGroup, storeLane } from '../lane-code.ts';
import type { Addresses, WordOperands } from './addresses.ts';
import { takesElements } from './addresses.ts';

/** Words of a vector, and lanes, in single precision. */
const WORDS_PER_VECTOR = 4;
/** Words of two vectors, for transposing: lanes 0 and 1, or 2 and 3, of both in turn; lower or upper halves of both. */
const [LOWER, UPPER] = [
  [0, 4, 1, 5],
  [2, 6, 3, 7],
];
const [LEFT, RIGHT] = [
  [0, 1, 4, 5],
  [2, 3, 6, 7],
];

/** Returns the runs of three or four additions to neighbouring words of one element. */
function rowsOf(stores: readonly Store[]): Store[][] {
  const rows: Store[][] = [];
  for (const store of stores) {
    const row = rows.at(-1);
    const last = row?.at(-1);
    const isNext =
      last?.address === store.address &&
      last.buffer === store.buffer &&
      last.base === store.base &&
      last.offset + 1 === store.offset;
    if (row && isNext && row.length < WORDS_PER_VECTOR) row.push(store);
    else rows.push([store]);
  }
  return rows.filter(({ length }) => length > 2);
}

/** Stores and additions of a kernel: for one invocation, and for all lanes at once. */
export class Stores {
  readonly #o: WordOperands;
  readonly #addresses: Addresses;

  constructor(o: WordOperands, addresses: Addresses) {
    this.#o = o;
    this.#addresses = addresses;
  }

  /**
   * Returns whether `next` follows `store` in each element, and elements of all lanes are contiguous: both can be
   * stored together.
   */
  isPair(store: Store, next: Store | undefined): boolean {
    const { stride } = this.#o.shape(store.address);
    return (
      takesElements(this.#o.lanes) &&
      stride !== null &&
      stride > 1 &&
      next?.address === store.address &&
      next.buffer === store.buffer &&
      next.base === store.base &&
      next.offset === store.offset + 1
    );
  }

  /**
   * Stores two neighbouring words of each lane's element. `values` pushes the vector of the first words, then of the
   * second.
   */
  storePairs(store: Store, values: () => void): void {
    const { code } = this.#o;
    const stride = this.#o.shape(store.address).stride!;
    const place = this.#addresses.placeOf(store);
    const base = this.#addresses.pushScalar(place);
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
            code.simdLaneMemory(SIMD_OPCODES.store64Lane, base + (2 * half + k) * stride * place.kind.bytes, k);
          }
        });
      });
    });
  }

  /** Stores the value of one invocation. */
  storeScalar(store: Store, value: () => void): void {
    const { code } = this.#o;
    const place = this.#addresses.placeOf(store);
    const offset = this.#addresses.pushScalar(place);
    value();
    code.memory(place.kind.store, offset);
  }

  /**
   * Returns the lanes in the order in which they store. For a record the first lane is last, so that its words remain.
   */
  #order({ isRecord }: Store): number[] {
    const order = Array.from({ length: this.#o.lanes.count }, (_, lane) => lane);
    return isRecord ? order.reverse() : order;
  }

  /** Stores the values of those lanes that are set in the mask in local `mask`. */
  storeMasked(store: Store, value: () => void, mask: number): void {
    const { code, lanes } = this.#o;
    const place = this.#addresses.placeOf(store);
    if (this.#o.shape(place.address).stride === 1) {
      const offset = this.#addresses.pushScalar(place);
      this.#o.withLocal('i32', (address) => {
        code.get(address);
        value();
        code.get(address);
        loadGroup(code, lanes, place.kind, offset);
        code.get(mask);
        code.simd(SIMD_OPCODES.bitSelect);
        storeGroup(code, lanes, place.kind, offset);
      });
      return;
    }
    value();
    this.#o.withLocal('v128', (values) => {
      this.#o.vector(place.address);
      this.#addresses.allToBytes(place);
      this.#addresses.addBaseToAll(place);
      this.#o.withLocal('v128', (addresses) => {
        for (const lane of this.#order(store)) {
          code.get(mask);
          extractWhole(code, lanes, lane);
          code.if();
          code.get(addresses);
          extractWhole(code, lanes, lane);
          code.get(values);
          storeLane(code, lanes, place.kind, this.#addresses.fixed(place), lane);
          code.end();
        }
      });
    });
  }

  /** Emits additions to words for a single invocation. */
  addScalars(stores: readonly Store[]): void {
    this.#addInTurn(
      stores,
      (address) => this.#o.scalar(address),
      (value) => this.#o.scalar(value),
    );
  }

  /**
   * Emits additions to words, one lane after another: for the lanes set in the mask in local `mask`, or for all if it
   * is null. Lanes add to accumulators of their own, so that their order changes no sum.
   */
  addLanes(stores: readonly Store[], mask: number | null): void {
    const { code, lanes } = this.#o;
    if (lanes.count === WORDS_PER_VECTOR) {
      const others = new Set(stores);
      for (const row of rowsOf(stores)) {
        this.#addRow(row, mask);
        for (const store of row) others.delete(store);
      }
      if (others.size < stores.length) {
        if (others.size > 0) this.addLanes([...others], mask);
        return;
      }
    }
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

  /**
   * Adds three or four neighbouring words of each lane's element as one vector. Of three, the fourth word adds 0 to the
   * element after it, which an accumulator's padding has for the last. A lane that the mask leaves out adds 0 as well: the
   * index of an accumulator is in range whatever it was computed from.
   */
  #addRow(row: readonly Store[], mask: number | null): void {
    const { code, lanes } = this.#o;
    const [first] = row;
    const place = this.#addresses.placeOf(first);
    const local = (): number => {
      const made = code.local('v128');
      code.set(made);
      return made;
    };
    const values = Array.from({ length: WORDS_PER_VECTOR }, (_, component) => {
      if (row[component]) {
        this.#o.vector(row[component].value);
        if (mask !== null) {
          code.get(mask);
          code.simd(SIMD_OPCODES.and);
        }
      } else {
        code.i32(0);
        code.simd(SIMD_OPCODES.i32x4Splat);
      }
      return local();
    });
    const shuffled = (x: number, y: number, words: readonly number[]): number => {
      code.get(x);
      code.get(y);
      code.shuffle(words);
      return local();
    };
    // Words of the first two lanes and of the last two, of components 0 and 1 and of 2 and 3; then whole lanes.
    const [a, b, c, d] = [LOWER, UPPER].flatMap((words) => [
      shuffled(values[0], values[1], words),
      shuffled(values[2], values[3], words),
    ]);
    const ofLanes = [a, c].flatMap((x, k) => [LEFT, RIGHT].map((words) => shuffled(x, [b, d][k], words)));
    this.#o.vector(first.address);
    this.#addresses.allToBytes(place);
    this.#addresses.addBaseToAll(place);
    const addresses = local();
    ofLanes.forEach((words, lane) => {
      for (let k = 0; k < 2; k++) {
        code.get(addresses);
        extractWhole(code, lanes, lane);
      }
      code.simdMemory(SIMD_OPCODES.load, this.#addresses.fixed(place));
      code.get(words);
      code.simd(lanes.floats.add[1]);
      code.simdMemory(SIMD_OPCODES.store, this.#addresses.fixed(place));
    });
    for (const made of [...values, a, b, c, d, ...ofLanes, addresses]) code.release(made);
  }

  #addInTurn(stores: readonly Store[], address: (node: Node) => void, value: (node: Node) => void): void {
    const { code, lanes } = this.#o;
    for (const at of new Set(stores.map((store) => store.address))) {
      const own = stores.filter((store) => store.address === at);
      address(at);
      this.#addresses.toBytes(this.#addresses.placeOf(own[0]));
      this.#o.withLocal('i32', (bytes) => {
        for (const store of own) {
          const place = this.#addresses.placeOf(store);
          for (let k = 0; k < 2; k++) {
            code.get(bytes);
            this.#addresses.addBase(place);
          }
          code.memory(place.kind.load, this.#addresses.fixed(place));
          value(store.value);
          code.byte(lanes.floats.add[0]);
          code.memory(place.kind.store, this.#addresses.fixed(place));
        }
      });
    }
  }

  /** Stores the values of all lanes, the first lane first. */
  storeVector(store: Store, value: () => void): void {
    const { code, lanes } = this.#o;
    const place = this.#addresses.placeOf(store);
    const { stride } = this.#o.shape(place.address);
    if (stride === 1) {
      const offset = this.#addresses.pushScalar(place);
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
      const base = this.#addresses.pushScalar(place);
      this.#o.withLocal('i32', (address) =>
        each(
          () => code.get(address),
          (lane) => base + lane * stride * place.kind.bytes,
        ),
      );
      return;
    }
    this.#o.vector(place.address);
    this.#addresses.allToBytes(place);
    this.#addresses.addBaseToAll(place);
    this.#o.withLocal('v128', (addresses) =>
      each(
        (lane) => {
          code.get(addresses);
          extractWhole(code, lanes, lane);
        },
        () => this.#addresses.fixed(place),
      ),
    );
  }
}
