import type { Job } from '@gradsim/kernel/internal';
import type { Loop } from './versions.ts';

/** Rounds of work, forward from the first, or backward from the last one that ran. */
export interface LoopWork {
  readonly loop: Loop;
  /** Direction: `linear` is backward where no carried value is read, so that rounds need not be rerun first. */
  readonly way: 'forward' | 'back' | 'linear';
  readonly body: readonly Work[];
}
/** A part of a program, in order. */
export type Work = Job | LoopWork;

const isLoopWork = (work: Work): work is LoopWork => 'loop' in work;

/** Loops whose rounds the backward pass reads. */
export const loopsReadBack = (work: readonly Work[]): Set<Loop> =>
  new Set(
    work.flatMap((one) =>
      isLoopWork(one) ? [...(one.way === 'back' ? [one.loop] : []), ...loopsReadBack(one.body)] : [],
    ),
  );

/** Work without jobs that have no elements (a scene without springs, say). */
export function withoutIdle(work: readonly Work[]): Work[] {
  return work.flatMap((one): Work[] => {
    if (!isLoopWork(one)) return one.elements > 0 ? [one] : [];
    const body = withoutIdle(one.body);
    return body.length > 0 ? [{ ...one, body }] : [];
  });
}

/** Work grouped into programs that a device runs whole, and loops over them. */
export type Stage = ProgramStage | LoopStage;
export interface ProgramStage {
  /** Number of the program at the executor. */
  readonly program: number;
  readonly jobs: readonly Job[];
}
export interface LoopStage {
  readonly loop: Loop;
  readonly way: LoopWork['way'];
  readonly body: readonly Stage[];
}
export const isLoopStage = (stage: Stage): stage is LoopStage => 'loop' in stage;

/** All programs of stages. */
export const programsIn = (stages: readonly Stage[]): ProgramStage[] =>
  stages.flatMap((stage) => (isLoopStage(stage) ? programsIn(stage.body) : [stage]));

/** Splits work at its loops. `add` takes the jobs of a program and its loop depth, and returns the program's number. */
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
    stages.push({ loop: one.loop, way: one.way, body: stagesOf(one.body, add, one.loop.depth) });
  }
  cut();
  return stages;
}
