import { withOperations } from '../program/even.ts';
import type { Program } from '../program/program.ts';
import { allIn } from '../program/tree.ts';
import type { Random } from '../random.ts';

/** Other durations and times of a substep, for those that the rest of the program is drawn with. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  dt: ['dt', 'previousDt', 'longestDt'],
  time: ['time', 'nextTime', 'previousDt', 'longestDt'],
  substep: ['substep', 'substepOfFrame'],
};
/** Statements that use the duration of a substep, which setup refuses where substeps differ. */
const OF_A_SUBSTEP = /"op":"(?:dt|previousDt|nextTime|covered)"/;

/** Returns a program that uses other durations and times of a substep, and most often has frames at uneven times. */
export function withUnevenTimes(program: Program, random: Random): Program {
  const other = (op: string): string => (op in OTHERS ? random.pick(OTHERS[op]) : op);
  const found = withOperations(program, other);
  const { kernels, passes, run } = found;
  const inSetup = passes.filter(({ phase }) => phase === 'setup').flatMap(({ pass }) => allIn(pass));
  const isRefused = inSetup.some(
    (use) => use.kind === 'kernel' && OF_A_SUBSTEP.test(JSON.stringify(kernels[use.kernel])),
  );
  if (isRefused || run.frames < 3 || random.chance(0.2)) return found;
  const frameTimes = [0];
  while (frameTimes.length < run.frames) frameTimes.push(frameTimes.at(-1)! + random.between(0.5, 2) / run.frameRate!);
  return { ...found, run: { ...run, frameRate: undefined, frameTimes } };
}
