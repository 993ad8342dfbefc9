import type { Bool, F32 } from '@gradsim/core';
import { f32, max, select } from '@gradsim/core';
import type { MotionToState, Pressure, Touch } from '@gradsim/dynamics';

/*
 * The law that contact had before, for comparison alone: taken at the instant of the state, but for damping and sticking
 * friction, which count by s = 1/2 + C / moved in the first substep of a touch. It takes the place of `@gradsim/dynamics`
 * in a process that `patch.ts` starts.
 */
export * from '@gradsim/dynamics';

export const inside = ({ penetration }: Pick<Touch, 'penetration'>): F32 => penetration;
export const mayPress = ({ penetration }: Pick<Touch, 'penetration'>): Bool => penetration.gt(0);

export function pressureOf({ penetration, leaving, ke, kd }: Touch, { time, isAtEnd }: MotionToState): Pressure {
  const moved = leaving.mul(time).neg();
  const isFirst = penetration.lt(moved);
  const since = penetration.div(select(isFirst, moved, f32(1))).add(isAtEnd ? 0 : 0.5);
  const span = select(isFirst, since, f32(1));
  const force = max(f32(0), ke.mul(penetration).sub(span.mul(kd).mul(leaving)));
  const mean = force.div(span);
  return { force, smallest: mean, largest: mean, change: f32(0), span, pressedShare: span };
}
