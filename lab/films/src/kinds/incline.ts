import { drawDull } from '../paint.ts';
import type { Random } from '../random.ts';
import type { Pose, Solid } from '../shot.ts';
import type { Quaternion, Vector } from '../vectors.ts';
import { along, scale, turn } from '../vectors.ts';

/** Half of the board's thickness, m. */
const HALF_THICKNESS = 0.02;
/** Distance between the floor and the board's lower end, m. */
const CLEARANCE = 0.02;

/** A tilted board, which rises towards -x. */
export interface Incline {
  readonly angle: number;
  readonly downhill: Vector;
  readonly normal: Vector;
  readonly orientation: Quaternion;
  /** Returns a point of its surface from distances, m: downhill from its middle, and along z. */
  readonly at: (downhill: number, across: number) => Vector;
  readonly board: { readonly solid: Solid; readonly pose: Pose };
}

/** Makes a board of a given length and width, m, just above the floor. */
export function inclineOf(random: Random, angle: number, length: number, width: number): Incline {
  const downhill: Vector = [Math.cos(angle), -Math.sin(angle), 0];
  const normal: Vector = [Math.sin(angle), Math.cos(angle), 0];
  const height = (length / 2) * Math.sin(angle) + 2 * HALF_THICKNESS + CLEARANCE;
  const middle: Vector = [0, height, 0];
  const orientation = turn([0, 0, 1], -angle);
  return {
    angle,
    downhill,
    normal,
    orientation,
    at: (s, across) => along(along(middle, downhill, s), [0, 0, 1], across),
    board: {
      solid: { shape: 'box', halfSizes: [length / 2, HALF_THICKNESS, width / 2], paint: drawDull(random) },
      pose: { position: along(middle, scale(normal, -1), HALF_THICKNESS), orientation },
    },
  };
}
