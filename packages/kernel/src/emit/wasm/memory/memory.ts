import { GradsimError } from '@gradsim/base';
import type { ConstNode, Node, PureNode } from '../../../form/nodes.ts';
import { add, div, min, mul, sub } from '../../../primitives/arithmetic.ts';
import { argumentsOf } from '../../../primitives/primitive.ts';
import type { BoundKernel } from '../../bound-kernel.ts';
import type { ExecutorSpec } from '../../executor-spec.ts';
import { wordsOfFloat, wordsOfWhole } from '../lane-code.ts';
import type { Lanes } from '../lanes.ts';

/** Size of a register, and of a word of the constant pool, bytes. */
const WORD_BYTES = 4;
/** Size of a page of WebAssembly memory, bytes; also the maximum number of pages. */
const PAGE_BYTES = 65536;
/** Maximum number of register rows passed in one call from JavaScript. */
const TABLE_ROWS = 1024;
/** Bytes reserved for constants, enough for most models. */
const SOME_CONSTANTS = 4096;
/** Bytes of a cache line. */
export const CACHE_LINE_BYTES = 64;
/** Number of cache lines that all threads write, besides one line per thread. */
export const COMMON_LINES = 2;
/**
 * Number of guard words after each arena, NaN after the floats and 0 after the integers: what a read beyond an arena
 * returns.
 */
export const GUARD_WORDS = 16;

/** Layout of the memory of a module; byte addresses. */
export interface MemoryPlan {
  /** Address of the word that holds the position of the current kernel, to name the kernel after a trap. */
  readonly mark: number;
  /** Address of the state that threads share; see `teamCode`. */
  readonly team: number;
  readonly table: number;
  readonly tableRows: number;
  readonly rowBytes: number;
  readonly f32: number;
  readonly f32Words: number;
  readonly u32: number;
  readonly u32Words: number;
  /**
   * Address of the constants that vector instructions load. The pool's length is known once all kernels are written.
   */
  readonly pool: number;
}

/** @param base address at which the executor's memory begins. */
export function planMemory(
  { f32Words, u32Words, registers }: ExecutorSpec,
  { kinds }: Lanes,
  threads: number,
  base = 0,
): MemoryPlan {
  const aligned = (bytes: number): number => Math.ceil(bytes / 16) * 16;
  const mark = base;
  const team = mark + CACHE_LINE_BYTES;
  const table = team + (threads > 1 ? (COMMON_LINES + threads) * CACHE_LINE_BYTES : 0);
  const f32 = aligned(table + TABLE_ROWS * registers.length * WORD_BYTES);
  const u32 = aligned(f32 + (f32Words + GUARD_WORDS) * kinds.f32.bytes);
  const pool = aligned(u32 + (u32Words + GUARD_WORDS) * kinds.u32.bytes);
  return {
    mark,
    team,
    table,
    tableRows: TABLE_ROWS,
    rowBytes: registers.length * WORD_BYTES,
    f32,
    f32Words,
    u32,
    u32Words,
    pool,
  };
}

/**
 * Returns the minimum number of bytes that an executor needs, known before its kernels are written; constants are
 * added.
 */
export const leastBytes = (spec: ExecutorSpec, lanes: Lanes, threads: number): number =>
  planMemory(spec, lanes, threads).pool + SOME_CONSTANTS;

/** Returns the start of the threads' memory for local arrays, behind the constants. */
export const arraysFrom = (plan: MemoryPlan, pool: ConstantPool): number =>
  Math.ceil((plan.pool + pool.words.length * WORD_BYTES + 16) / CACHE_LINE_BYTES) * CACHE_LINE_BYTES;

/** Returns the number of pages of a memory that ends at byte `bytes`. */
export function pagesFor(bytes: number): number {
  const pages = Math.ceil(bytes / PAGE_BYTES);
  if (pages > PAGE_BYTES) {
    throw new GradsimError(
      'kernel/too-large',
      `The model needs ${(bytes / 2 ** 30).toFixed(1)} GiB, and WebAssembly can address 4.`,
      { hint: 'Use fewer worlds or elements, or a smaller memory budget.' },
    );
  }
  return pages;
}

/** Pool of constants in memory, each stored once. */
export class ConstantPool {
  /** Contents of the pool, in 32 bit words. */
  readonly words: number[] = [];
  readonly #known = new Map<string, number>();

  /** Returns the position of a constant, adding it if new. */
  position(constant: readonly number[]): number {
    const key = constant.join();
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const position = this.words.length;
    this.#known.set(key, position);
    this.words.push(...constant);
    return position;
  }

  /** Appends words that are never merged with equal ones; returns their position. */
  append(words: readonly number[]): number {
    const position = this.words.length;
    this.words.push(...words);
    return position;
  }
}

/** Returns the 32 bit words that a lane consists of if it holds a constant. */
export function constantWords({ type, value }: ConstNode, lanes: Lanes): number[] {
  if (type === 'f32') return wordsOfFloat(lanes, value);
  return wordsOfWhole(lanes, type === 'bool' && value ? -1 : value);
}

/**
 * Returns the largest value of an address, with registers counted as 0 (the host sets them, not data). Null if the
 * address depends on data, or if an unsigned difference might wrap.
 */
export function largestAddress(kernel: BoundKernel): (address: Node) => number | null {
  const known = new Map<Node, number | null>();
  const both = (args: readonly Node[], f: (x: number, y: number) => number): number | null => {
    const [x, y] = args.map(largest);
    return x === null || y === null ? null : f(x, y);
  };
  const find = (node: Node): number | null => {
    switch (node.op) {
      case 'const':
        return node.value >= 0 ? node.value : null;
      case 'builtin':
        return kernel.invocations - 1;
      case 'register':
        return 0;
      case 'pure':
        return ofOperation(node);
      default:
        return null;
    }
  };
  const ofOperation = ({ primitive, args }: PureNode): number | null => {
    const [x, y] = args;
    switch (primitive) {
      case add:
        return both(args, (a, b) => a + b);
      case mul:
        return both(args, (a, b) => a * b);
      case min: {
        const known = [x, y].map(largest).filter((bound) => bound !== null);
        return known.length > 0 ? Math.min(...known) : null;
      }
      case div:
        return y.op === 'const' && y.value > 0 ? both(args, (a, b) => Math.floor(a / b)) : null;
      // x - (x / c) c: a remainder.
      case sub: {
        const [quotient, c] = argumentsOf(y, mul) ?? [];
        const divided = quotient && argumentsOf(quotient, div);
        return divided?.[0] === x && divided[1] === c ? both([x, c], (a, size) => Math.min(a, size - 1)) : null;
      }
      default:
        return null;
    }
  };
  const largest = (node: Node): number | null => {
    if (node.type !== 'u32') return null;
    if (!known.has(node)) known.set(node, find(node));
    return known.get(node)!;
  };
  return largest;
}
