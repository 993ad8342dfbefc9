import type { Job } from '@gradsim/kernel/internal';
import type { Loop } from './steps/versions.ts';

/** Rounds of work: forward from the first, or backward from the last one that ran. */
export interface LoopWork {
  readonly loop: Loop;
  /**
   * Direction of the rounds: `linear` is backward without rerunning rounds, possible where no carried value is read.
   */
  readonly direction: 'forward' | 'back' | 'linear';
  readonly body: readonly Work[];
}
/** One item of a program's work, in running order: a job or a loop. */
export type Work = Job | LoopWork;

const isLoopWork = (work: Work): work is LoopWork => 'loop' in work;

/** Returns the loops whose rounds the backward pass reads. */
export const loopsReadBack = (work: readonly Work[]): Set<Loop> =>
  new Set(
    work.flatMap((one) =>
      isLoopWork(one) ? [...(one.direction === 'back' ? [one.loop] : []), ...loopsReadBack(one.body)] : [],
    ),
  );

/** Returns work without the jobs that have no elements, such as those of springs in a scene without springs. */
export function withoutIdle(work: readonly Work[]): Work[] {
  return work.flatMap((one): Work[] => {
    if (!isLoopWork(one)) return one.elements > 0 ? [one] : [];
    const body = withoutIdle(one.body);
    return body.length > 0 ? [{ ...one, body }] : [];
  });
}

/** Work grouped into programs, each of which the device runs as a whole, and loops over programs. */
export type Stage = ProgramStage | LoopStage;
export interface ProgramStage {
  /** Number by which the executor knows the program. */
  readonly program: number;
  readonly jobs: readonly Job[];
}
export interface LoopStage {
  readonly loop: Loop;
  readonly direction: LoopWork['direction'];
  readonly body: readonly Stage[];
}
export const isLoopStage = (stage: Stage): stage is LoopStage => 'loop' in stage;

/** Returns all programs of stages, including those within loops. */
export const programsIn = (stages: readonly Stage[]): ProgramStage[] =>
  stages.flatMap((stage) => (isLoopStage(stage) ? programsIn(stage.body) : [stage]));

/**
 * Divides work into stages at its loops.
 * @param add takes the jobs of a program and its loop depth, and returns the program's number.
 */
export function stagesOf(
  work: readonly Work[],
  add: (jobs: readonly Job[], depth: number) => number,
  depth = -1,
): Stage[] {
  const stages: Stage[] = [];
  let jobs: Job[] = [];
  const cut = (): void => {
    if (jobs.length > 0) stages.push({ program: add(jobs, depth), jobs });
    jobs = [];
  };
  for (const one of work) {
    if (!isLoopWork(one)) {
      jobs.push(one);
      continue;
    }
    cut();
    stages.push({ loop: one.loop, direction: one.direction, body: stagesOf(one.body, add, one.loop.depth) });
  }
  cut();
  return stages;
}
