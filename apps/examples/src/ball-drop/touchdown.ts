import type { Observation } from '@gradsim/optim';
import { Body } from '@gradsim/rigid';
import { FIRST, LAST } from './footage.ts';
import { BALL_RADIUS, LEAD_FRAMES } from './parameters.ts';

/** Index of the frame after the last one of the fall, counted from the start of the simulation. */
export const TOUCHDOWN = LAST.fall + 1 - FIRST + LEAD_FRAMES;
/** Approximate distance that the ball falls within a frame interval at the time of the first contact, m. */
const LAST_FALL = 0.053;

/**
 * Observation that replaces the floor where the bounce is not used: the ball touches the floor between frame 201, the
 * last of the fall, and the next one, in which without a floor it would be half a frame's fall below its contact
 * height. Without this, nothing in a film of a fall determines the ratio of metres to pixels.
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
