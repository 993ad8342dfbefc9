import { invocationsOf } from '../../emit/bind/options.ts';
import type { Access, Footprint } from '../../emit/bound-kernel.ts';
import { barriersOf } from '../../emit/order/barriers.ts';
import { dispatchesOf, fitsWorkgroup } from '../../emit/order/dispatches.ts';
import type { Job } from '../jobs/jobs.ts';
import { footprintOfJob } from '../jobs/jobs.ts';
import type { Block } from '../memory/places.ts';
import type { Words } from './written.ts';
import { isWhole, unionOfWords, writtenWords } from './written.ts';

// Lifetimes of blocks, for buffer aliasing. Two blocks may share memory if, in every program that uses both, the last
// use of one comes before the first use of the other, and no program depends on their contents when it starts. So that
// aliasing adds no barrier and no dispatch, "before" is measured by three clocks:
//
// - barriers (`barriersOf`): jobs between two barriers run in any order. A program that one workgroup runs row after
//   row ends a row and begins the next one without a barrier;
// - barriers where threads also meet between rows, as on a CPU: there may then be fewer within a row;
// - dispatches (`dispatchesOf`): a job runs in the first dispatch in which its inputs are ready, which may be before
//   that of a job listed earlier.
//
// All clocks must show a later time. A block is in use from the first job that reads or writes it to the last. If jobs
// inside and outside of a loop use it, it is in use during the whole loop; if only jobs inside do, its lifetime starts
// anew in each iteration. Where a loop is reversed, its iterations may be rerun in between: blocks that they use are in
// use until the reversal is done. Before a read, all words of the block must have been written: by jobs of the same
// program, and of the same iteration if they are in a loop. Where that does not hold (contents from another program,
// elements that are never written and stay 0, slots that a branch skips), the block shares no memory.

/** A part of a program: a job, or a loop over jobs. */
export type Task = Job | TaskLoop;
export interface TaskLoop {
  /**
   * Identity of the loop: equal for its forward and backward traversals, each of which may rerun earlier iterations.
   */
  readonly loop: object;
  readonly body: readonly Task[];
}

/** Interval of a clock, both ends included. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Times at which a block is in use within a program, by three clocks. */
interface Use {
  /**
   * Span counted in barriers. If the program reruns without a barrier, more spans follow: single times at the other end
   * of the program, which a job of this block may run beside.
   */
  readonly barriers: readonly Span[];
  /** Span counted in barriers, for a device on which threads also meet between rows. */
  readonly rowBarriers: Span;
  readonly dispatches: Span;
}

/** Blocks of some programs, by whether and when they may share memory. */
export interface Lifetimes {
  /** Blocks that can share memory with others, at other times. */
  readonly blocks: readonly Block[];
  /**
   * Blocks that cannot share memory, since a job reads words of them that no job of its program is sure to have
   * written.
   */
  readonly exclusive: ReadonlySet<Block>;
  /** Returns whether the lifetimes of two of the `blocks` overlap. */
  readonly overlaps: (a: Block, b: Block) => boolean;
}

/** Computes the lifetimes of the blocks of programs; blocks that no job uses are left out. */
export function lifetimesOf(programs: readonly (readonly Task[])[]): Lifetimes {
  const touches = new Map<Job, Touch>();
  const touchOf = (job: Job): Touch => {
    const known = touches.get(job) ?? touchBy(job);
    touches.set(job, known);
    return known;
  };
  const uses = programs.map((tasks) => new ProgramUses(tasks, touchOf));
  const exclusive = new Set(uses.flatMap((program) => [...program.exclusive]));
  const of = new Map<Block, Map<number, Use>>();
  uses.forEach((program, p) => {
    for (const [block, use] of program.uses()) {
      if (exclusive.has(block)) continue;
      const known = of.get(block);
      if (known) known.set(p, use);
      else of.set(block, new Map([[p, use]]));
    }
  });
  const overlaps = (a: Block, b: Block): boolean => {
    const others = of.get(b)!;
    for (const [p, use] of of.get(a)!) {
      const other = others.get(p);
      if (other && !areApart(use, other)) return true;
    }
    return false;
  };
  return { blocks: [...of.keys()], exclusive, overlaps };
}

const overlap = (a: Span, b: Span): boolean => a.from <= b.to && b.from <= a.to;

function areApart(a: Use, b: Use): boolean {
  if (a.barriers.some((x) => b.barriers.some((y) => overlap(x, y)))) return false;
  if (overlap(a.rowBarriers, b.rowBarriers)) return false;
  return a.barriers[0].from < b.barriers[0].from
    ? a.dispatches.to < b.dispatches.from
    : b.dispatches.to < a.dispatches.from;
}

/** Words and blocks that a job reads or writes. */
interface Touch {
  readonly footprint: Footprint;
  readonly reads: ReadonlySet<Block>;
  /** Blocks that the job reads or writes. */
  readonly all: ReadonlySet<Block>;
  readonly writtenWords: readonly (readonly [Block, Words])[];
}

function touchBy(job: Job): Touch {
  const footprint = footprintOfJob(job);
  const regions = new Map<string | symbol, Block>();
  for (const { block } of job.places.values()) if (block) regions.set(block.region, block);
  const of = (accesses: readonly Access[]): Block[] => accesses.flatMap(({ region }) => regions.get(region) ?? []);
  const [reads, writes] = [of(footprint.reads), of(footprint.writes)];
  const written = [...writtenWords(job)];
  return { footprint, reads: new Set(reads), all: new Set([...reads, ...writes]), writtenWords: written };
}

/** Time of a job by each clock, and the loops around it. */
interface Moment {
  readonly barrier: number;
  readonly rowBarrier: number;
  readonly dispatch: number;
  /** Enclosing loops, outermost first. */
  readonly loops: readonly Loop[];
  /** Other end of the program, if no barrier separates this job there from the next or last run; null if one does. */
  readonly otherEnd: number | null;
}

/** One traversal of a loop's iterations. */
interface Loop {
  readonly iterated: object;
  barriers: Span;
  rowBarriers: Span;
  dispatches: Span;
}

/** Times at which the jobs of one program use blocks. */
class ProgramUses {
  /** Blocks that a job reads before jobs of the program have written all their words. */
  readonly exclusive = new Set<Block>();
  readonly #loops = new Map<object, Loop[]>();
  readonly #moments = new Map<Block, Moment[]>();
  readonly #touchOf: (job: Job) => Touch;
  #barrier = 0;
  #rowBarrier = 0;
  #dispatch = 0;

  constructor(tasks: readonly Task[], touchOf: (job: Job) => Touch) {
    this.#touchOf = touchOf;
    this.#visitTasks(tasks, [], new Map());
  }

  #visitTasks(tasks: readonly Task[], loops: readonly Loop[], written: Map<Block, Words>): void {
    let jobs: Job[] = [];
    const stage = (): void => {
      if (jobs.length > 0) this.#stage(jobs, loops, written);
      jobs = [];
    };
    for (const task of tasks) {
      if (!('body' in task)) {
        if (task.elements > 0) jobs.push(task);
        continue;
      }
      stage();
      const none = { from: 0, to: 0 };
      const loop: Loop = { iterated: task.loop, barriers: none, rowBarriers: none, dispatches: none };
      this.#loops.set(task.loop, [...(this.#loops.get(task.loop) ?? []), loop]);
      const [barrier, rowBarrier, dispatch] = [this.#barrier, this.#rowBarrier, this.#dispatch];
      this.#visitTasks(task.body, [...loops, loop], new Map(written));
      loop.barriers = { from: barrier, to: this.#barrier - 1 };
      loop.rowBarriers = { from: rowBarrier, to: this.#rowBarrier - 1 };
      loop.dispatches = { from: dispatch, to: this.#dispatch - 1 };
    }
    stage();
  }

  /** Records the times of jobs that a device runs as one program. */
  #stage(jobs: readonly Job[], loops: readonly Loop[], written: Map<Block, Words>): void {
    const footprints = jobs.map((job) => ({ ...this.#touchOf(job).footprint }));
    const isRing = fitsWorkgroup(jobs.map((job) => ({ invocations: invocationsOf(job) })));
    const barriers = barriersOf(footprints, !isRing);
    const rowBarriers = isRing ? barriersOf(footprints, true) : barriers;
    const dispatches = dispatchesOf(footprints);
    const dispatchOf = new Map(
      dispatches.flatMap((strands, d) => strands.flatMap((strand) => strand.map((one) => [one, d] as const))),
    );
    const [first, last] = [this.#barrier, this.#barrier + barriers.filter((isMet) => isMet).length];
    let barrier = first;
    jobs.forEach((job, k) => {
      if (barriers[k]) barrier++;
      if (rowBarriers[k]) this.#rowBarrier++;
      const isOpen = isRing && !barriers[0];
      const otherEnd = isOpen && barrier === last ? first : isOpen && barrier === first ? last : null;
      const dispatch = this.#dispatch + dispatchOf.get(footprints[k])!;
      this.#touch(job, { barrier, rowBarrier: this.#rowBarrier, dispatch, loops, otherEnd }, written);
    });
    this.#barrier = last + 1;
    this.#rowBarrier++;
    this.#dispatch += dispatches.length;
  }

  #touch(job: Job, moment: Moment, written: Map<Block, Words>): void {
    const touch = this.#touchOf(job);
    for (const block of touch.reads) if (!isWhole(block, written.get(block))) this.exclusive.add(block);
    for (const [block, words] of touch.writtenWords) written.set(block, unionOfWords(written.get(block), words));
    for (const block of touch.all) {
      const known = this.#moments.get(block);
      if (known) known.push(moment);
      else this.#moments.set(block, [moment]);
    }
  }

  *uses(): Generator<readonly [Block, Use]> {
    for (const [block, moments] of this.#moments) {
      const [first] = moments;
      const barrier = { from: first.barrier, to: first.barrier };
      const rowBarriers = { from: first.rowBarrier, to: first.rowBarrier };
      const dispatches = { from: first.dispatch, to: first.dispatch };
      const barriers: Span[] = [barrier];
      for (const moment of moments) {
        extendSpan(barrier, moment.barrier, moment.barrier);
        extendSpan(rowBarriers, moment.rowBarrier, moment.rowBarrier);
        extendSpan(dispatches, moment.dispatch, moment.dispatch);
        const { otherEnd, loops } = moment;
        if (otherEnd !== null && !barriers.some(({ from }, k) => k > 0 && from === otherEnd))
          barriers.push({ from: otherEnd, to: otherEnd });
        for (const loop of loops) {
          const ways = this.#loops.get(loop.iterated)!;
          const isWithin = moments.every((other) => other.loops.includes(loop));
          if (isWithin && loop === ways.at(-1)) continue;
          for (const way of ways) {
            extendSpan(barrier, way.barriers.from, way.barriers.to);
            extendSpan(rowBarriers, way.rowBarriers.from, way.rowBarriers.to);
            extendSpan(dispatches, way.dispatches.from, way.dispatches.to);
          }
        }
      }
      yield [block, { barriers, rowBarriers, dispatches }];
    }
  }
}

/** Extends a span to include another one. */
function extendSpan(span: { from: number; to: number }, from: number, to: number): void {
  if (from < span.from) span.from = from;
  if (to > span.to) span.to = to;
}
