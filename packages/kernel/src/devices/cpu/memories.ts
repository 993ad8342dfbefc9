import { GradsimError } from '@gradsim/base';

/** Bytes of a WebAssembly page, and alignment of blocks in bytes: a cache line. */
const [PAGE, LINE] = [65536, 64];
/** Minimum size of a memory, and maximum size to which one is allocated beyond what was requested, in bytes. */
const [SMALLEST, LARGEST] = [2 ** 20, 2 ** 26];

/** Number of memories up to which another one is allocated so that written code finds its address free. */
const FEW = 8;

/** An allocated block of a memory. */
export interface Block {
  readonly memory: WebAssembly.Memory;
  /** Frees the block; further calls do nothing. */
  free(): void;
}

/** Byte range [from, to). */
interface ByteRange {
  readonly from: number;
  readonly to: number;
}

interface HeldMemory {
  readonly memory: WebAssembly.Memory;
  readonly bytes: number;
  /** Free list, sorted by address. */
  gaps: readonly ByteRange[];
  /** High-water mark in bytes; memory above it is still zero. */
  firstFree: number;
}

/**
 * Pool of WebAssembly memories that executors share. A browser reserves gigabytes of address space for every memory,
 * however small, so a page can have only about a hundred, and one that was sent to workers stays reserved until they
 * process messages. Each new memory is as large as all existing ones together, so that their number stays small.
 */
export class Memories {
  readonly #isShared: boolean;
  /** Maximum size in bytes of an empty memory that is kept. */
  readonly #kept: number;
  #held: readonly HeldMemory[] = [];

  constructor({ isShared, kept }: { isShared: boolean; kept: number }) {
    this.#isShared = isShared;
    this.#kept = kept;
  }

  /**
   * Returns an address with `bytes` free bytes in an existing memory, or 0, the start of a new one; the address of code that
   * is written, if it is free or there are few memories: writing it anew takes longer than allocating one.
   */
  room(bytes: number, written?: number): number {
    const gaps = this.#held.flatMap((held) => held.gaps);
    const preferred = written ?? 0;
    if (gaps.some((gap) => gapContains(gap, { from: preferred, to: preferred + bytes }))) return preferred;
    if (written !== undefined && this.#held.length < FEW) return written;
    return gaps.find(({ from, to }) => to - from >= bytes)?.from ?? 0;
  }

  /**
   * Allocates the bytes from address `from` to address `to`, set to zero, in a memory in which they are free.
   * @throws when memory is exhausted, with the cause.
   */
  allocate(from: number, to: number): Block {
    const range = { from, to: aligned(to, LINE) };
    const held = this.#held.find(({ gaps }) => gaps.some((gap) => gapContains(gap, range))) ?? this.#add(range.to);
    held.gaps = held.gaps.flatMap((gap) =>
      gapContains(gap, range)
        ? [
            { from: gap.from, to: range.from },
            { from: range.to, to: gap.to },
          ].filter((rest) => rest.from < rest.to)
        : [gap],
    );
    const used = Math.min(held.firstFree, range.to) - range.from;
    if (used > 0) new Uint8Array(held.memory.buffer, range.from, used).fill(0);
    held.firstFree = Math.max(held.firstFree, range.to);
    let isFree = false;
    return {
      memory: held.memory,
      free: () => {
        if (!isFree) this.#release(held, range);
        isFree = true;
      },
    };
  }

  #add(bytes: number): HeldMemory {
    const total = this.#held.reduce((sum, held) => sum + held.bytes, 0);
    const size = aligned(Math.max(bytes, SMALLEST, Math.min(total, LARGEST)), PAGE);
    const memory = allocate(size, this.#isShared, total);
    const held = { memory, bytes: size, gaps: [{ from: 0, to: size }], firstFree: 0 };
    this.#held = [...this.#held, held];
    return held;
  }

  #release(held: HeldMemory, range: ByteRange): void {
    const gaps: ByteRange[] = [];
    for (const gap of [...held.gaps, range].sort((a, b) => a.from - b.from)) {
      const last = gaps.at(-1);
      if (last?.to === gap.from) gaps[gaps.length - 1] = { from: last.from, to: gap.to };
      else gaps.push(gap);
    }
    held.gaps = gaps;
    // Of the empty memories, the largest is kept for the next request.
    const empty = this.#held
      .filter(({ gaps: [gap], bytes }) => gap?.from === 0 && gap.to === bytes)
      .sort((a, b) => b.bytes - a.bytes);
    const dropped = new Set(empty.filter(({ bytes }, k) => k > 0 || bytes > this.#kept));
    this.#held = this.#held.filter((each) => !dropped.has(each));
  }
}

/** Memories of all single-threaded executors of this page or process. */
export const ownMemories = new Memories({ isShared: false, kept: LARGEST });

const aligned = (bytes: number, to: number): number => Math.ceil(bytes / to) * to;
const gapContains = (gap: ByteRange, { from, to }: ByteRange): boolean => gap.from <= from && to <= gap.to;
const megabytes = (bytes: number): number => Math.ceil(bytes / 2 ** 20);

function allocate(bytes: number, shared: boolean, others: number): WebAssembly.Memory {
  const pages = bytes / PAGE;
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages, shared });
  } catch (cause) {
    throw new GradsimError(
      'kernel/out-of-memory',
      `There is no memory of ${megabytes(bytes)} MiB for WebAssembly (${(cause as Error).message}); simulations hold ${megabytes(others)} MiB.`,
      {
        hint: 'Dispose of those that are no longer used, use fewer worlds or elements, or a smaller memory budget. A page has no more than some hundred memories, of whatever size: other code of it may hold them.',
        cause,
      },
    );
  }
}
