import type { BoundKernel } from '../bound-kernel.ts';
import { CHUNK_WORK, operationsOf } from '../operation-count.ts';
import { barriersOf } from '../order/barriers.ts';
import { Code } from './format/encoder.ts';
import { ATOMIC_OPCODES, I64_OPCODES, SCALAR_OPCODES } from './format/opcodes.ts';
import type { MemoryPlan } from './memory/memory.ts';
import { CACHE_LINE_BYTES, COMMON_LINES } from './memory/memory.ts';
import type { KernelFunctions } from './program.ts';
import { callKernel, eachRow } from './program.ts';

/** Byte offset, in the threads' shared state, of the number of the current phase. */
export const PHASE_OFFSET = 0;
/** Byte offset, in the threads' shared state, of the number of threads asleep until the current phase ends. */
const SLEEPING_OFFSET = 4;
const DONE_OFFSET = CACHE_LINE_BYTES;
/** Byte offset, in the threads' shared state, of the queues, one cache line per thread. */
const QUEUES_OFFSET = COMMON_LINES * CACHE_LINE_BYTES;

/** Parameter numbers of the function that a thread runs. Thread 0 is the caller's. */
const [TABLE, ROWS, FIRST_PHASE, THREAD, MAY_SLEEP] = [0, 1, 2, 3, 4];
/** Number of parameters of the function that a thread runs. */
export const TEAM_PARAMS = 5;

/** Number of polls (a few tenths of a millisecond) after which an idle caller sleeps and an idle helper leaves. */
const MAX_POLLS = 200_000;
/** Chunks of a phase per thread, so that none waits long for the last one. */
const CHUNKS_PER_THREAD = 3;

/** Kernels of one grouping in a phase: a chunk is the same range of invocations of each. */
interface Group {
  readonly members: readonly number[];
  readonly invocations: number;
  /** Number of invocations in whole SIMD vectors: of all chunks (`whole`), and of one chunk (`size`). */
  readonly whole: number;
  readonly size: number;
}

/**
 * Writes the function in which threads run a program together. Kernels between two barriers make a phase, which is cut
 * into chunks: equal parts of the invocations of every kernel in it. Each thread has a queue of chunks, the same part
 * of every phase, so that its own cache holds most of what it wrote in the phase before; a core that reads what another
 * one wrote waits 0.1 to 0.4 us per cache line. A thread that has finished its own queue steals from others; the one
 * that ends the last chunk begins the next phase. So nobody waits for a thread that is late or descheduled, unless it
 * is working on a chunk, and a helper that finds nothing to do for a while leaves the program to the others. The caller
 * returns when all is done.
 *
 * A queue is not reset between phases: one marked with another phase counts as untouched. Claiming is a
 * compare-exchange with a value read before the current phase number was, so a thread that is late for a phase claims
 * nothing in it.
 */
export function teamCode(
  kernels: readonly BoundKernel[],
  functions: readonly KernelFunctions[],
  plan: MemoryPlan,
  lanes: number,
  threads: number,
): Code {
  const code = new Code(TEAM_PARAMS);
  const writer = new PhaseWriter(code, functions, plan, threads);
  const phases = phasesOf(kernels).map((members) => {
    const chunks = chunksOf(kernels, members, lanes, threads);
    return { chunks, groups: groupsOf(kernels, members, lanes, chunks) };
  });
  eachRow(code, plan, TABLE, ROWS, () => {
    for (const { chunks, groups } of phases) if (groups.length > 0) writer.write(chunks, groups);
  });
  return code;
}

/** Writes phases, one after another, with the same local variables. */
class PhaseWriter {
  readonly #code: Code;
  readonly #functions: readonly KernelFunctions[];
  readonly #team: number;
  readonly #threads: number;
  /** Local that holds the number of the phase at which this thread is. */
  readonly #phase = FIRST_PHASE;
  readonly #looks: number;
  /** Local that holds the number of chunks that this thread has run in the phase. */
  readonly #done: number;
  /**
   * Locals: number of queues searched so far; number of the current queue, its byte offset from `team`, first and end
   * chunk.
   */
  readonly #seen: number;
  readonly #queue: number;
  readonly #address: number;
  readonly #first: number;
  readonly #end: number;
  readonly #chunk: number;
  readonly #claim: number;

  constructor(code: Code, functions: readonly KernelFunctions[], { team }: MemoryPlan, threads: number) {
    this.#code = code;
    this.#functions = functions;
    this.#team = team;
    this.#threads = threads;
    const word = (): number => code.local('i32');
    [this.#looks, this.#done, this.#seen, this.#queue] = [word(), word(), word(), word()];
    [this.#address, this.#first, this.#end, this.#chunk] = [word(), word(), word(), word()];
    this.#claim = code.local('i64');
  }

  write(chunks: number, groups: readonly Group[]): void {
    const code = this.#code;
    code.block();
    this.#isOver();
    code.branchIf(0);
    code.i32(0);
    code.set(this.#done);
    code.i32(0);
    code.set(this.#seen);
    code.loop();
    this.#chooseQueue(chunks);
    this.#runQueue(chunks, groups);
    code.get(this.#seen);
    code.i32(1);
    code.byte(SCALAR_OPCODES.i32Add);
    code.tee(this.#seen);
    code.i32(this.#threads);
    code.byte(SCALAR_OPCODES.i32LtU);
    code.branchIf(0);
    code.end();
    code.get(this.#done);
    code.if();
    code.i32(0);
    code.get(this.#done);
    code.atomic(ATOMIC_OPCODES.add, this.#team + DONE_OFFSET);
    code.get(this.#done);
    code.byte(SCALAR_OPCODES.i32Add);
    code.i32(chunks);
    code.byte(SCALAR_OPCODES.i32Eq);
    code.if();
    this.#advance();
    code.end();
    code.end();
    this.#wait();
    code.end();
    code.get(this.#phase);
    code.i32(1);
    code.byte(SCALAR_OPCODES.i32Add);
    code.set(this.#phase);
  }

  /** Pushes whether the current phase differs from the one that this thread is at. */
  #isOver(): void {
    const code = this.#code;
    code.i32(0);
    code.atomic(ATOMIC_OPCODES.load, this.#team + PHASE_OFFSET);
    code.get(this.#phase);
    code.byte(SCALAR_OPCODES.i32Ne);
  }

  /** Chooses the next queue: the thread's own first, then those of the threads after it. */
  #chooseQueue(chunks: number): void {
    const code = this.#code;
    code.get(THREAD);
    code.get(this.#seen);
    code.byte(SCALAR_OPCODES.i32Add);
    code.i32(this.#threads);
    code.byte(SCALAR_OPCODES.i32RemU);
    code.tee(this.#queue);
    code.i32(CACHE_LINE_BYTES);
    code.byte(SCALAR_OPCODES.i32Mul);
    code.set(this.#address);
    const bound = (next: number): void => {
      code.get(this.#queue);
      code.i32(next);
      code.byte(SCALAR_OPCODES.i32Add);
      code.i32(chunks);
      code.byte(SCALAR_OPCODES.i32Mul);
      code.i32(this.#threads);
      code.byte(SCALAR_OPCODES.i32DivU);
    };
    bound(0);
    code.set(this.#first);
    bound(1);
    code.set(this.#end);
  }

  /** Claims and runs chunks of the queue until it is empty or the phase is over. */
  #runQueue(chunks: number, groups: readonly Group[]): void {
    const code = this.#code;
    code.block();
    code.loop();
    code.get(this.#address);
    code.atomicLong(ATOMIC_OPCODES.loadLong, this.#team + QUEUES_OFFSET);
    code.set(this.#claim);
    this.#isOver();
    code.branchIf(1);
    code.get(this.#first);
    code.get(this.#claim);
    code.byte(I64_OPCODES.toI32);
    code.i32(0);
    code.get(this.#claim);
    code.i64(32);
    code.bytes([I64_OPCODES.shrU, I64_OPCODES.toI32]);
    code.get(this.#phase);
    code.byte(SCALAR_OPCODES.i32Eq);
    code.select('i32');
    code.byte(SCALAR_OPCODES.i32Add);
    code.tee(this.#chunk);
    code.get(this.#end);
    code.byte(SCALAR_OPCODES.i32GeU);
    code.branchIf(1);
    code.get(this.#address);
    code.get(this.#claim);
    code.get(this.#phase);
    code.byte(I64_OPCODES.fromU32);
    code.i64(32);
    code.byte(I64_OPCODES.shl);
    code.get(this.#chunk);
    code.get(this.#first);
    code.byte(SCALAR_OPCODES.i32Sub);
    code.i32(1);
    code.bytes([SCALAR_OPCODES.i32Add, I64_OPCODES.fromU32, I64_OPCODES.add]);
    code.atomicLong(ATOMIC_OPCODES.exchangeLong, this.#team + QUEUES_OFFSET);
    code.get(this.#claim);
    code.byte(I64_OPCODES.ne);
    code.branchIf(0);
    for (const group of groups) this.#runChunk(group, chunks);
    code.get(this.#done);
    code.i32(1);
    code.byte(SCALAR_OPCODES.i32Add);
    code.set(this.#done);
    code.branch(0);
    code.end();
    code.end();
  }

  #runChunk({ members, invocations, whole, size }: Group, chunks: number): void {
    const code = this.#code;
    const begin = code.local('i32');
    const end = code.local('i32');
    const bound = (next: number, local: number): void => {
      code.get(this.#chunk);
      code.i32(next);
      code.byte(SCALAR_OPCODES.i32Add);
      code.i32(size);
      code.byte(SCALAR_OPCODES.i32Mul);
      code.tee(local);
      code.i32(whole);
      code.get(local);
      code.i32(whole);
      code.byte(SCALAR_OPCODES.i32LtU);
      code.select('i32');
      code.set(local);
    };
    bound(0, begin);
    bound(1, end);
    for (const k of members) {
      const { groups, singles } = this.#functions[k];
      if (whole > 0) {
        code.get(begin);
        code.get(end);
        code.byte(SCALAR_OPCODES.i32LtU);
        code.if();
        code.get(begin);
        code.get(end);
        callKernel(code, (groups ?? singles)!, TABLE);
        code.end();
      }
      if (whole === invocations) continue;
      // The remainder belongs to the last chunk.
      code.get(this.#chunk);
      code.i32(chunks - 1);
      code.byte(SCALAR_OPCODES.i32Eq);
      code.if();
      code.i32(whole);
      code.i32(invocations);
      callKernel(code, singles!, TABLE);
      code.end();
    }
    code.release(begin);
    code.release(end);
  }

  /** Begins the next phase. */
  #advance(): void {
    const code = this.#code;
    code.i32(0);
    code.i32(0);
    code.atomic(ATOMIC_OPCODES.store, this.#team + DONE_OFFSET);
    code.i32(0);
    code.get(this.#phase);
    code.i32(1);
    code.byte(SCALAR_OPCODES.i32Add);
    code.atomic(ATOMIC_OPCODES.store, this.#team + PHASE_OFFSET);
    code.i32(0);
    code.atomic(ATOMIC_OPCODES.load, this.#team + SLEEPING_OFFSET);
    code.if();
    code.i32(0);
    code.i32(-1);
    code.atomic(ATOMIC_OPCODES.notify, this.#team + PHASE_OFFSET);
    code.drop();
    code.end();
  }

  /**
   * Waits until the phase is over, then leaves the enclosing block. After {@link MAX_POLLS} polls a helper returns from the
   * function, and the caller sleeps if it may.
   */
  #wait(): void {
    const code = this.#code;
    code.i32(0);
    code.set(this.#looks);
    code.loop();
    this.#isOver();
    code.branchIf(1);
    code.get(this.#looks);
    code.i32(1);
    code.byte(SCALAR_OPCODES.i32Add);
    code.tee(this.#looks);
    code.i32(MAX_POLLS);
    code.byte(SCALAR_OPCODES.i32LtU);
    code.branchIf(0);
    code.get(THREAD);
    code.if();
    code.return();
    code.end();
    code.get(MAY_SLEEP);
    code.byte(SCALAR_OPCODES.i32Eqz);
    code.branchIf(0);
    const sleeper = (change: number): void => {
      code.i32(0);
      code.i32(change);
      code.atomic(ATOMIC_OPCODES.add, this.#team + SLEEPING_OFFSET);
      code.drop();
    };
    sleeper(1);
    // Returns at once if the phase has changed in the meantime.
    code.i32(0);
    code.get(this.#phase);
    code.i64(-1);
    code.atomic(ATOMIC_OPCODES.wait, this.#team + PHASE_OFFSET);
    code.drop();
    sleeper(-1);
    code.branch(0);
    code.end();
  }
}

function phasesOf(kernels: readonly BoundKernel[]): number[][] {
  const phases: number[][] = [[]];
  // A phase never spans two rows.
  barriersOf(kernels, true).forEach((isMet, k) => {
    if (isMet) phases.push([]);
    phases[phases.length - 1].push(k);
  });
  return phases;
}

/** Forms the groups of a phase, each cut into as many parts as the phase has chunks. */
function groupsOf(kernels: readonly BoundKernel[], members: readonly number[], lanes: number, chunks: number): Group[] {
  const byGrouping = new Map<string, number[]>();
  for (const k of members) {
    if (kernels[k].invocations === 0) continue;
    const known = byGrouping.get(kernels[k].grouping);
    if (known) known.push(k);
    else byGrouping.set(kernels[k].grouping, [k]);
  }
  return [...byGrouping.values()].map((list): Group => {
    const { invocations } = kernels[list[0]];
    const vectors = Math.floor(invocations / lanes);
    return { members: list, invocations, whole: vectors * lanes, size: Math.ceil(vectors / chunks) * lanes };
  });
}

/** Returns the number of chunks of a phase: a fixed number per thread, or fewer if there is little work. */
function chunksOf(kernels: readonly BoundKernel[], members: readonly number[], lanes: number, threads: number): number {
  const work = members.reduce((sum, k) => sum + operationsOf(kernels[k]), 0);
  const vectors = members.reduce((most, k) => Math.max(most, Math.floor(kernels[k].invocations / lanes)), 1);
  const worthwhile = Math.max(1, Math.min(vectors, Math.round(work / CHUNK_WORK)));
  return worthwhile < threads ? worthwhile : threads * Math.min(CHUNKS_PER_THREAD, Math.floor(worthwhile / threads));
}
