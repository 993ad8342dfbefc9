import type { Observation } from '@gradsim/optim';
import { Body } from '@gradsim/rigid';
import { FIRST, LAST } from './footage.ts';
import { BALL_RADIUS, LEAD } from './parameters.ts';

/** Number of the frame after the fall, counted from the start of the simulation. */
export const TOUCHDOWN = LAST.fall + 1 - FIRST + LEAD;
/** Approximate distance that the ball would fall in the frame interval of the first contact, m. */
const LAST_FALL = 0.053;

/**
 * Substitute for the floor where no bounce is visible: 201 is the last frame of the fall, so the ball touches the floor
 * between it and the next one, and without a floor it would then be half a frame's fall lower. Without this nothing
 * in a fall tells metres from pixels.
 */
export function touchdown(): Observation {
  const target = new Float64Array(3 * (TOUCHDOWN + 1));
  target[3 * TOUCHDOWN + 1] = BALL_RADIUS - LAST_FALL / 2;
  return {
    field: Body.position,
    target,
    frames: [TOUCHDOWN],
    weights: [0, 1, 0],
    // Of what is as likely anywhere within a length.
    noise: LAST_FALL / Math.sqrt(12),
  };
}
