import { cornersOf } from '../outline.ts';
import { drawPaint } from '../paint.ts';
import { tossedBox } from '../physics/tossed-box.ts';
import type { Random } from '../random.ts';
import type { Scene } from '../take.ts';
import type { Vector } from '../vectors.ts';
import { compose, rotate, scale, turn } from '../vectors.ts';

/** Duration of the film, s. */
const SECONDS = 1;
/** Duration of the simulation before time 0, s: the shutter of frame 0 opens before that time. */
const LEAD_SECONDS = 0.02;

/** Draws a film of a box tossed onto the floor: restitution and friction of its corners are unknown. */
export function drawToss(random: Random): Scene {
  const halfSizes: Vector = [random.between(0.07, 0.1), random.between(0.045, 0.06), random.between(0.025, 0.035)];
  const [restitution, mu] = [random.between(0.2, 0.6), random.between(0.15, 0.5)];
  const gravity = random.between(8, 12);
  const some = (): Vector => [random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)];
  const spin = some().map((c) => 7 * c) as unknown as Vector;
  const orientation = compose(turn(some(), random.between(0, 3)), turn([0, 1, 0], random.between(0, 3)));
  const side = random.unit() < 0.5 ? -1 : 1;
  const state = tossedBox(
    {
      halfSizes,
      restitution,
      mu,
      gravity,
      from: -LEAD_SECONDS,
      spin,
      pose: { position: [-0.3 * side, random.between(0.45, 0.6), 0], orientation },
      velocity: [side * random.between(0.4, 1), random.between(0.3, 0.9), random.between(-0.2, 0.2)],
    },
    SECONDS + LEAD_SECONDS,
  );
  const start = state(0);
  return {
    kind: 'toss',
    truth: {
      restitution,
      friction: mu,
      gravity,
      speed: Math.hypot(...start.velocity),
      spin: Math.hypot(...start.spin),
    },
    measured: { size: scale(halfSizes, 2), gravity: null },
    start: {
      position: start.position,
      velocity: start.velocity,
      spin: start.spin,
      // The box's first two axes tell how it is turned.
      along: rotate(start.orientation, [1, 0, 0]),
      across: rotate(start.orientation, [0, 1, 0]),
    },
    seconds: SECONDS,
    movers: [{ solid: { shape: 'box', halfSizes, paint: drawPaint(random, 6) }, poseAt: state }],
    props: [],
    outline: (t) => cornersOf(halfSizes, state(t)),
    view: { elevation: [0.1, 0.5], azimuth: [-0.5, 0.5] },
    depth: 0.6,
  };
}
