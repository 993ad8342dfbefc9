import { barriersOf } from '../barriers.ts';
import type { BoundKernel } from '../bound-kernel.ts';
import { operationsOf } from '../operation-count.ts';
import { Code } from './encoder.ts';
import type { MemoryPlan } from './memory.ts';
import { ATOMIC, LONG, SCALAR } from './opcodes.ts';
import type { KernelFunctions } from './program.ts';
import { eachRow } from './program.ts';

/** Words that threads share: which phase it is (upper half) and its next chunk (lower half), chunks done, sleepers. */
const CLAIM = 0;
export const PHASE = 4;
const DONE = 8;
const SLEEPING = 12;

/** Parameters of the function. */
const [TABLE, ROWS, FIRST_PHASE, IS_CALLER, MAY_SLEEP] = [0, 1, 2, 3, 4];
export const TEAM_PARAMS = 5;

/** How often a thread that has nothing to do looks for work, some tenths of a millisecond, before it sleeps or leaves. */
const LOOKS = 200_000;
/** Operations below which a chunk costs less than claiming it: about a microsecond. */
const CHUNK_WORK = 20_000;
/** Chunks of a phase for each thread, so that none waits long for the last one. */
const CHUNKS_PER_THREAD = 3;

/** Kernels whose invocations are shared out together: a chunk goes through all of them. */
interface Group {
  readonly members: readonly number[];
  /** Invocations in whole lanes, of a chunk and of all. */
  readonly size: number;
  readonly whole: number;
  readonly invocations: number;
  readonly chunks: number;
}

/**
 * Writes the function that threads run a program with, together. Kernels between two barriers make a phase, which is
 * cut into chunks of invocations. A thread claims a chunk, runs it, and claims the next; whoever ends the last one
 * begins the next phase. So nobody waits for a thread that is late or was put to sleep by the system, unless it is at
 * work on a chunk, and a helper that finds nothing to do for a while leaves the program to the others. The caller
 * comes back when all is done.
 */
export function teamCode(
  kernels: readonly BoundKernel[],
  functions: readonly KernelFunctions[],
  plan: MemoryPlan,
  lanes: number,
  threads: number,
): Code {
  const { team } = plan;
  const code = new Code(TEAM_PARAMS);
  const phase = FIRST_PHASE;
  const looks = code.local('i32');
  const chunk = code.local('i32');
  const claim = code.local('i64');
  const add = (word: number, value: number): void => {
    code.i32(0);
    code.i32(value);
    code.atomic(ATOMIC.add, team + word);
  };
  const wait = (): void => {
    code.get(looks);
    code.i32(1);
    code.byte(SCALAR.i32Add);
    code.tee(looks);
    code.i32(LOOKS);
    code.byte(SCALAR.i32LtU);
    code.branchIf(1);
    code.get(IS_CALLER);
    code.byte(SCALAR.i32Eqz);
    code.if();
    code.return();
    code.end();
    code.get(MAY_SLEEP);
    code.byte(SCALAR.i32Eqz);
    code.branchIf(1);
    add(SLEEPING, 1);
    code.drop();
    // Comes back at once where the phase has changed in the meantime.
    code.i32(0);
    code.get(phase);
    code.i64(-1);
    code.atomic(ATOMIC.wait, team + PHASE);
    code.drop();
    add(SLEEPING, -1);
    code.drop();
    code.branch(1);
  };
  const advance = (): void => {
    code.i32(0);
    code.i32(0);
    code.atomic(ATOMIC.store, team + DONE);
    code.i32(0);
    code.get(phase);
    code.i32(1);
    code.bytes([SCALAR.i32Add, LONG.fromU32]);
    code.i64(32);
    code.byte(LONG.shl);
    code.atomicLong(ATOMIC.storeLong, team + CLAIM);
    code.i32(0);
    code.atomic(ATOMIC.load, team + SLEEPING);
    code.if();
    code.i32(0);
    code.i32(-1);
    code.atomic(ATOMIC.notify, team + PHASE);
    code.drop();
    code.end();
  };
  const writePhase = (members: readonly number[]): void => {
    const groups = groupsOf(kernels, members, lanes, threads);
    const chunks = groups.reduce((sum, group) => sum + group.chunks, 0);
    if (chunks === 0) return;
    code.block();
    code.loop();
    code.i32(0);
    code.atomicLong(ATOMIC.loadLong, team + CLAIM);
    code.tee(claim);
    code.i64(32);
    code.bytes([LONG.shrU, LONG.toI32]);
    code.get(phase);
    code.byte(SCALAR.i32Ne);
    code.branchIf(1);
    code.get(claim);
    code.byte(LONG.toI32);
    code.tee(chunk);
    code.i32(chunks);
    code.byte(SCALAR.i32GeU);
    code.if();
    wait();
    code.end();
    // Another thread, or another phase, may have come in between.
    code.i32(0);
    code.get(claim);
    code.get(claim);
    code.i64(1);
    code.byte(LONG.add);
    code.atomicLong(ATOMIC.exchangeLong, team + CLAIM);
    code.get(claim);
    code.byte(LONG.ne);
    code.branchIf(0);
    code.i32(0);
    code.set(looks);
    let first = 0;
    for (const group of groups) {
      writeChunk(code, group, functions, chunk, first);
      first += group.chunks;
    }
    add(DONE, 1);
    code.i32(chunks - 1);
    code.byte(SCALAR.i32Eq);
    code.if();
    advance();
    code.end();
    code.branch(0);
    code.end();
    code.end();
    code.get(phase);
    code.i32(1);
    code.byte(SCALAR.i32Add);
    code.set(phase);
  };
  const phases = phasesOf(kernels);
  eachRow(code, plan, TABLE, ROWS, () => phases.forEach(writePhase));
  return code;
}

function phasesOf(kernels: readonly BoundKernel[]): number[][] {
  const phases: number[][] = [[]];
  // A phase never belongs to two rows.
  barriersOf(kernels, true).forEach((isMet, k) => {
    if (isMet) phases.push([]);
    phases[phases.length - 1].push(k);
  });
  return phases;
}

function groupsOf(
  kernels: readonly BoundKernel[],
  members: readonly number[],
  lanes: number,
  threads: number,
): Group[] {
  const byGrouping = new Map<string, number[]>();
  for (const k of members) {
    if (kernels[k].invocations === 0) continue;
    const known = byGrouping.get(kernels[k].grouping);
    if (known) known.push(k);
    else byGrouping.set(kernels[k].grouping, [k]);
  }
  const work = (list: readonly number[]): number => list.reduce((sum, k) => sum + operationsOf(kernels[k]), 0);
  const share = Math.max(CHUNK_WORK, work(members) / (threads * CHUNKS_PER_THREAD));
  return [...byGrouping.values()].map((list): Group => {
    const { invocations } = kernels[list[0]];
    const vectors = Math.floor(invocations / lanes);
    const size = Math.max(1, Math.ceil(vectors / Math.max(1, Math.round(work(list) / share)))) * lanes;
    const whole = vectors * lanes;
    return { members: list, size, whole, invocations, chunks: Math.max(1, Math.ceil(whole / size)) };
  });
}

/** Runs chunk number `chunk` if it is one of this group's, which are numbered from `first` on. */
function writeChunk(
  code: Code,
  { members, size, whole, invocations, chunks }: Group,
  functions: readonly KernelFunctions[],
  chunk: number,
  first: number,
): void {
  const begin = code.local('i32');
  const end = code.local('i32');
  code.get(chunk);
  code.i32(first);
  code.byte(SCALAR.i32Sub);
  code.tee(begin);
  code.i32(chunks);
  code.byte(SCALAR.i32LtU);
  code.if();
  code.get(begin);
  code.i32(size);
  code.byte(SCALAR.i32Mul);
  code.tee(begin);
  code.i32(size);
  code.byte(SCALAR.i32Add);
  code.tee(end);
  code.i32(whole);
  code.get(end);
  code.i32(whole);
  code.byte(SCALAR.i32LtU);
  code.select('i32');
  code.set(end);
  for (const k of members) {
    const { groups, singles } = functions[k];
    if (whole > 0) {
      code.get(begin);
      code.get(end);
      code.get(TABLE);
      code.call((groups ?? singles)!);
    }
    if (whole === invocations) continue;
    // What is left over belongs to the last chunk.
    code.get(end);
    code.i32(whole);
    code.byte(SCALAR.i32Eq);
    code.if();
    code.i32(whole);
    code.i32(invocations);
    code.get(TABLE);
    code.call(singles!);
    code.end();
  }
  code.end();
  code.release(begin);
  code.release(end);
}
