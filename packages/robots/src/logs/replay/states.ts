import type { Robot } from '../../robot.ts';
import { hasLoggedJoint } from '../axis-joints.ts';
import { loopsOf } from '../coupling/loops.ts';

/** States of all joints, of which those that follow others have what these lead them to. */
export interface States {
  /** Number of unknowns of a state: coordinates of the joints that lead, then their rates. */
  readonly size: number;
  /** State after a change of its unknowns: coordinates of all joints, then their rates. A change that opens a loop is left out. */
  afterChange(state: readonly number[], change: readonly number[]): number[];
}

/** States of the joints of a robot, as logs have them. */
export function statesOf(robot: Robot): States {
  const count = robot.links.filter(hasLoggedJoint).length;
  const loops = loopsOf(robot);
  const leaders = Array.from({ length: count }, (_, j) => j).filter((j) => !loops?.followers.includes(j));
  return {
    size: 2 * leaders.length,
    afterChange: (state, change) => {
      const next = state.slice();
      for (const [i, j] of leaders.entries()) {
        next[j] += change[i];
        next[count + j] += change[leaders.length + i];
      }
      if (!loops) return next;
      const [q, rates] = [next.slice(0, count), next.slice(count)];
      if (!loops.closeLoops(q)) return state.slice();
      for (const [i, factors] of loops.factors(q).entries())
        rates[loops.followers[i]] = leaders.reduce((sum, j) => sum + factors[j] * rates[j], 0);
      return [...q, ...rates];
    },
  };
}
