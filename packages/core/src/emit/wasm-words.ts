import type { Node } from '../kernel/form.ts';
import type { BoundKernel, Store } from './bind.ts';
import type { MemoryPlan } from './wasm-memory.ts';
import { largestAddress } from './wasm-memory.ts';
import { SCALAR, SIMD } from './wasm-opcodes.ts';
import type { Operands } from './wasm-operands.ts';
import type { Shape } from './wasm-shape.ts';
import { LANES } from './wasm-shape.ts';

const SHIFT_TO_BYTES = 2;
const WORD = 4;

/** What memory access needs beside operands. */
export interface WordOperands extends Operands {
  shape(node: Node): Shape;
  /** A local variable that `write` fills on first use, kept until the block ends. */
  kept(key: string, type: 'i32' | 'v128', write: () => void): number;
}

type Place = { readonly isFloat: boolean; readonly offset: number; readonly address: Node };

/**
 * Loads and stores of a kernel. An address that the invocation alone decides is used as it is. One that data decide
 * is first limited to the end of its arena: loads rise out of branches, so that an index that says "none" is read
 * with, and nothing comes of it. Such a read gives NaN or 0. A store beyond the memory traps.
 */
export class Words {
  readonly #o: WordOperands;
  readonly #plan: MemoryPlan;
  readonly #largest: (address: Node) => number | null;
  /** The largest fixed part of the places that one index reads in one domain, so that they share a limit. */
  readonly #furthest = new Map<string, number>();

  constructor(o: WordOperands, plan: MemoryPlan, kernel: BoundKernel, words: Iterable<Node>) {
    this.#o = o;
    this.#plan = plan;
    this.#largest = largestAddress(kernel);
    for (const word of words) {
      const key = this.#limitKey(word);
      this.#furthest.set(key, Math.max(this.#furthest.get(key) ?? 0, word.offset!));
    }
  }

  #limitKey(word: Node): string {
    return `${word.args[0].id} ${word.type === 'f32'} ${word.port!.domain}`;
  }

  /** The last address that stays within the arena or its guard. */
  #limit(word: Node): number {
    const words = word.type === 'f32' ? this.#plan.f32Words : this.#plan.u32Words;
    return words - this.#furthest.get(this.#limitKey(word))!;
  }

  #isSafe({ isFloat, offset, address }: Place): boolean {
    const largest = this.#largest(address);
    return largest !== null && largest + offset < (isFloat ? this.#plan.f32Words : this.#plan.u32Words);
  }

  #base({ isFloat, offset }: Place): number {
    return (isFloat ? this.#plan.f32 : this.#plan.u32) + offset * WORD;
  }

  /** Puts an address in bytes on the stack; gives what is still to be added to it. */
  #scalarAddress(place: Place): number {
    const { code } = this.#o;
    if (place.address.op === 'const') {
      code.i32(0);
      return this.#base(place) + place.address.value * WORD;
    }
    this.#o.scalar(place.address);
    code.i32(SHIFT_TO_BYTES);
    code.byte(SCALAR.i32Shl);
    return this.#base(place);
  }

  /** Puts min(address + ahead, limit + ahead) on the stack, in bytes. */
  #limitedAddress(word: Node, ahead: number): void {
    const { code } = this.#o;
    const local = this.#o.kept(`${ahead} ${this.#limitKey(word)}`, 'i32', () => {
      const limit = this.#limit(word) + ahead;
      this.#o.scalar(word.args[0]);
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
      code.i32(SHIFT_TO_BYTES);
      code.byte(SCALAR.i32Shl);
    });
    code.get(local);
  }

  loadScalar(word: Node): void {
    const { code } = this.#o;
    const place = placeOf(word);
    const opcode = place.isFloat ? SCALAR.f32Load : SCALAR.i32Load;
    if (this.#isSafe(place)) {
      code.memory(opcode, this.#scalarAddress(place));
      return;
    }
    this.#limitedAddress(word, 0);
    code.memory(opcode, this.#base(place));
  }

  loadVector(word: Node): void {
    const { code } = this.#o;
    const place = placeOf(word);
    const { stride } = this.#o.shape(place.address);
    const isSafe = this.#isSafe(place);
    if (stride === 1 && isSafe) code.simdMemory(SIMD.load, this.#scalarAddress(place));
    else if (stride === 1) {
      // The first lane may lie up to three words before the arena where a branch has left it out.
      this.#limitedAddress(word, LANES);
      code.simdMemory(SIMD.load, this.#base(place) - LANES * WORD);
    } else if (stride !== null && stride > 1 && isSafe) this.#loadStrided(place, stride);
    else this.#gather(word, place);
  }

  #loadStrided(place: Place, stride: number): void {
    const { code } = this.#o;
    const base = this.#scalarAddress(place);
    this.#o.withLocal('i32', (address) => {
      for (let lane = 0; lane < LANES; lane++) code.get(address);
      code.simdMemory(SIMD.load32Zero, base);
      for (let lane = 1; lane < LANES; lane++)
        code.simdLaneMemory(SIMD.load32Lane, base + lane * stride * WORD, lane);
    });
  }

  #gather(word: Node, place: Place): void {
    const { code } = this.#o;
    const addresses = this.#o.kept(`lanes ${this.#limitKey(word)}`, 'v128', () => {
      this.#o.vector(place.address);
      if (!this.#isSafe({ ...place, offset: this.#furthest.get(this.#limitKey(word))! })) {
        code.i32(this.#limit(word));
        code.simd(SIMD.i32x4Splat);
        code.simd(SIMD.i32x4MinU);
      }
      code.i32(SHIFT_TO_BYTES);
      code.simd(SIMD.i32x4Shl);
    });
    const base = this.#base(place);
    for (let lane = LANES - 1; lane >= 0; lane--) {
      code.get(addresses);
      code.simdLane(SIMD.i32x4Extract, lane);
    }
    code.simdMemory(SIMD.load32Zero, base);
    for (let lane = 1; lane < LANES; lane++) code.simdLaneMemory(SIMD.load32Lane, base, lane);
  }

  storeScalar(store: Store, value: () => void): void {
    const { code } = this.#o;
    const place = placeOf(store);
    const offset = this.#scalarAddress(place);
    value();
    code.memory(place.isFloat ? SCALAR.f32Store : SCALAR.i32Store, offset);
  }

  /** Stores the values of all lanes, the first lane first. */
  storeVector(store: Store, value: () => void): void {
    const { code } = this.#o;
    const place = placeOf(store);
    const { stride } = this.#o.shape(place.address);
    if (stride === 1) {
      const offset = this.#scalarAddress(place);
      value();
      code.simdMemory(SIMD.store, offset);
      return;
    }
    const lanes = (address: (lane: number) => void, offset: (lane: number) => number): void => {
      for (let lane = 0; lane < LANES; lane++) {
        address(lane);
        value();
        code.simdLaneMemory(SIMD.store32Lane, offset(lane), lane);
      }
    };
    if (stride !== null && stride >= 0) {
      const base = this.#scalarAddress(place);
      this.#o.withLocal('i32', (address) =>
        lanes(
          () => code.get(address),
          (lane) => base + lane * stride * WORD,
        ),
      );
      return;
    }
    this.#o.vector(place.address);
    code.i32(SHIFT_TO_BYTES);
    code.simd(SIMD.i32x4Shl);
    this.#o.withLocal('v128', (addresses) =>
      lanes(
        (lane) => {
          code.get(addresses);
          code.simdLane(SIMD.i32x4Extract, lane);
        },
        () => this.#base(place),
      ),
    );
  }
}

function placeOf(of: Node | Store): Place {
  if ('buffer' in of) return { isFloat: of.buffer === 'f32', offset: of.offset, address: of.address };
  return { isFloat: of.type === 'f32', offset: of.offset!, address: of.args[0] };
}
