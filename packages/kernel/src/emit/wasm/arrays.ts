import type { Block, FillNode, GetNode, Loop, Node, SetNode } from '../../form/nodes.ts';
import type { ScalarType } from '../../form/types.ts';
import { lengthOf, scalarOf } from '../../form/types.ts';
import type { ArrayPlace, PlacedArrays } from '../arrays.ts';
import { SCALAR_OPCODES, SIMD_OPCODES } from './format/opcodes.ts';
import { extractWhole, loadLanes, steps, storeLane } from './lane-code.ts';
import type { WordKind } from './lanes.ts';
import type { Operands } from './operands.ts';

/** Number of bytes of a lane per bit of the result of `i32x4.bitmask`. */
const BYTES_OF_MASK_BIT = 4;
/** Maximum length of arrays that are filled and copied without a loop. */
const UNROLLED_LENGTH = 8;

export interface ArrayOperands extends Operands {
  /** Local with the mask of active lanes; null if all are active. */
  readonly mask: number | null;
  /** Returns whether a value may differ between lanes. */
  differs(node: Node): boolean;
}

/** Returns the number of array entries of a kernel, per lane. */
export const entriesOf = ({ places }: PlacedArrays): number =>
  places.reduce((sum, { type }) => sum + lengthOf(type), 0);

/**
 * Emits reads and writes of a kernel's arrays in memory of the current thread, which starts at the imported global
 * `env.arrays`. Entries follow one another, each with one value per lane; integers and conditions take a whole lane.
 * Inactive lanes keep their values.
 */
export class Arrays {
  readonly #o: ArrayOperands;
  readonly #arrays: PlacedArrays;
  readonly #width: number;
  /** Byte offset of each array from the start of the thread's memory. */
  readonly #offsets: number[] = [];

  /** @param width number of invocations at once: 1, or the number of SIMD lanes. */
  constructor(o: ArrayOperands, arrays: PlacedArrays, width: number) {
    this.#o = o;
    this.#arrays = arrays;
    this.#width = width;
    let entries = 0;
    for (const { type } of arrays.places) {
      this.#offsets.push(entries * this.#stride);
      entries += lengthOf(type);
    }
  }

  /** Stride between entries, in bytes. */
  get #stride(): number {
    return this.#width * this.#o.lanes.bytes;
  }
  /** Instructions that load and store the word of one lane. */
  get #lane(): WordKind {
    return this.#o.lanes.kinds.f32;
  }
  #kindOf(type: ScalarType): WordKind {
    return this.#o.lanes.kinds[type === 'f32' ? 'f32' : 'u32'];
  }
  #offset(place: ArrayPlace): number {
    return this.#offsets[place.position];
  }

  /** Pushes the byte address of an entry whose index is the same in all lanes. */
  #address(at: Node): void {
    const { code } = this.#o;
    code.globalGet(0);
    if (at.op === 'const') code.i32(at.value * this.#stride);
    else {
      this.#o.scalar(at);
      code.i32(Math.log2(this.#stride));
      code.byte(SCALAR_OPCODES.i32Shl);
    }
    code.byte(SCALAR_OPCODES.i32Add);
  }

  /** Pushes a vector of the byte addresses of entries, one per lane. */
  #addresses(at: Node): void {
    const { code, lanes } = this.#o;
    this.#o.vector(at);
    code.i32(Math.log2(this.#stride));
    code.simd(SIMD_OPCODES.i32x4Shl);
    code.simd(SIMD_OPCODES.constant);
    code.bytes(steps(lanes, lanes.bytes));
    code.simd(SIMD_OPCODES.i32x4Add);
    code.globalGet(0);
    code.simd(SIMD_OPCODES.i32x4Splat);
    code.simd(SIMD_OPCODES.i32x4Add);
  }

  /** Pushes a vector of the words at the addresses of all lanes, which a local holds. */
  #gather(addresses: number, offset: number): void {
    const { code, lanes } = this.#o;
    for (let lane = lanes.count - 1; lane >= 0; lane--) {
      code.get(addresses);
      extractWhole(code, lanes, lane);
    }
    loadLanes(code, lanes, this.#lane, () => offset);
  }

  /** Blends the vector on the stack (active lanes) with the one that `before` pushes (inactive lanes). */
  #masked(before: () => void): void {
    const { code, mask } = this.#o;
    if (mask === null) return;
    before();
    code.get(mask);
    code.simd(SIMD_OPCODES.bitSelect);
  }

  get(node: GetNode): void {
    const { code, mask } = this.#o;
    const { array, index } = node;
    const offset = this.#offset(this.#arrays.placeOf(array));
    if (!this.#o.isVector(node)) {
      this.#address(index);
      if (this.#width > 1 && mask !== null) {
        // The same in all active lanes: take the first of them.
        code.get(mask);
        code.simd(SIMD_OPCODES.i32x4Bitmask);
        code.byte(SCALAR_OPCODES.i32Ctz);
        code.i32(Math.log2(BYTES_OF_MASK_BIT));
        code.bytes([SCALAR_OPCODES.i32Shl, SCALAR_OPCODES.i32Add]);
      }
      code.memory(this.#kindOf(node.type).load, offset);
    } else if (this.#o.differs(index)) {
      this.#addresses(index);
      this.#o.withLocal('v128', (addresses) => this.#gather(addresses, offset));
    } else {
      this.#address(index);
      code.simdMemory(SIMD_OPCODES.load, offset);
    }
  }

  set(node: SetNode): void {
    const { code, lanes } = this.#o;
    this.move(node);
    const place = this.#arrays.placeOf(node);
    const offset = this.#offset(place);
    if (this.#width === 1) {
      this.#address(node.index);
      this.#o.scalar(node.value);
      this.#store(place);
    } else if (this.#o.differs(node.index)) {
      this.#addresses(node.index);
      this.#o.withLocal('v128', (addresses) => {
        this.#o.vector(node.value);
        this.#masked(() => this.#gather(addresses, offset));
        this.#o.withLocal('v128', (value) => {
          for (let lane = 0; lane < lanes.count; lane++) {
            code.get(addresses);
            extractWhole(code, lanes, lane);
            code.get(value);
            storeLane(code, lanes, this.#lane, offset, lane);
          }
        });
      });
    } else {
      this.#address(node.index);
      this.#o.withLocal('i32', (address) => {
        code.get(address);
        this.#o.vector(node.value);
        this.#masked(() => {
          code.get(address);
          this.#load(place);
        });
        this.#store(place);
      });
    }
  }

  fill(node: FillNode): void {
    const { code, lanes } = this.#o;
    if (!node.value) return;
    const place = this.#arrays.placeOf(node);
    if (this.#width === 1) this.#o.scalar(node.value);
    else this.#o.vector(node.value);
    const isFloat = scalarOf(node.type) === 'f32';
    this.#o.withLocal(this.#width > 1 ? 'v128' : isFloat ? lanes.float : 'i32', (value) =>
      this.#write(place, () => code.get(value)),
    );
  }

  isMoving(at: Block): boolean {
    return this.#arrays.moves(at).length > 0;
  }
  /** Emits the copies of arrays that are due before a `set`, before a loop, or at the end of a block. */
  move(at: SetNode | Loop | Block): void {
    for (const { from, to } of this.#arrays.moves(at))
      this.#write(to, (address, ahead) => {
        this.#o.code.get(address);
        this.#load(from, ahead);
      });
  }

  #load(place: ArrayPlace, ahead = 0): void {
    const { code } = this.#o;
    const offset = this.#offset(place) + ahead;
    if (this.#width > 1) code.simdMemory(SIMD_OPCODES.load, offset);
    else code.memory(this.#kindOf(scalarOf(place.type)).load, offset);
  }

  #store(place: ArrayPlace, ahead = 0): void {
    const { code } = this.#o;
    const offset = this.#offset(place) + ahead;
    if (this.#width > 1) code.simdMemory(SIMD_OPCODES.store, offset);
    else code.memory(this.#kindOf(scalarOf(place.type)).store, offset);
  }

  /**
   * Writes all entries. `value` pushes the new entry, given a local with the entry's byte address, and a byte offset.
   */
  #write(place: ArrayPlace, value: (address: number, ahead: number) => void): void {
    const { code } = this.#o;
    const length = lengthOf(place.type);
    const entry = (address: number, ahead: number): void => {
      code.get(address);
      value(address, ahead);
      this.#masked(() => {
        code.get(address);
        this.#load(place, ahead);
      });
      this.#store(place, ahead);
    };
    code.globalGet(0);
    this.#o.withLocal('i32', (address) => {
      if (length <= UNROLLED_LENGTH) {
        for (let k = 0; k < length; k++) entry(address, k * this.#stride);
        return;
      }
      code.globalGet(0);
      code.i32(length * this.#stride);
      code.byte(SCALAR_OPCODES.i32Add);
      this.#o.withLocal('i32', (end) => {
        code.loop();
        entry(address, 0);
        code.get(address);
        code.i32(this.#stride);
        code.byte(SCALAR_OPCODES.i32Add);
        code.tee(address);
        code.get(end);
        code.byte(SCALAR_OPCODES.i32LtU);
        code.branchIf(0);
        code.end();
      });
    });
  }
}
