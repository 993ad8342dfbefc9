import { cornersOf } from '../outline.ts';
import { drawDull, drawPaint } from '../paint.ts';
import { pendulum } from '../physics/pendulum.ts';
import type { Random } from '../random.ts';
import type { Pose } from '../shot.ts';
import type { Scene } from '../take.ts';
import type { Vector } from '../vectors.ts';
import { along, compose, rotate, turn } from '../vectors.ts';

/** Duration of the film, s. */
const SECONDS = 2.5;
/** Acceleration of gravity, m/s^2. */
const GRAVITY = 9.81;

/**
 * Draws a film of a uniform flat rod that swings about a point of it between its end and a quarter of its length: its radius of
 * gyration and damping are unknown, and the rod's length is marked where it hangs still.
 */
export function drawRod(random: Random): Scene {
  const whole = random.between(0.5, 1);
  const halfSizes: Vector = [random.between(0.012, 0.03), whole / 2, 0.004];
  const length = whole * random.between(0.25, 0.49);
  const gyration = Math.hypot(halfSizes[0], halfSizes[1]) / Math.sqrt(3);
  const damping = random.factor(0.03, 0.3);
  const angle = random.sign() * random.between(0.4, 1);
  const rate = random.between(-0.5, 0.5);
  const plane = random.between(-0.3, 0.3);
  const pivot: Vector = [0, whole + random.between(0.1, 0.3), 0];
  // A ball of radius r on a string has 2/5 r^2 in place of k^2.
  const swing = pendulum({ length, radius: gyration / Math.sqrt(0.4), gravity: GRAVITY, damping, angle, rate });
  const turned = turn([0, 1, 0], plane);
  const pose = (t: number): Pose => {
    const orientation = compose(turned, turn([0, 0, 1], swing(t)));
    return { position: along(pivot, rotate(orientation, [0, -1, 0]), length), orientation };
  };
  return {
    kind: 'rod',
    truth: { 'radius of gyration': gyration, damping },
    measured: { length, span: whole },
    start: { angle, rate, plane },
    seconds: SECONDS,
    movers: [{ solid: { shape: 'box', halfSizes, paint: drawPaint(random, 3) }, poseAt: pose }],
    props: [
      {
        solid: { shape: 'box', halfSizes: [0.02, 0.02, 0.02], paint: drawDull(random) },
        pose: { position: along(pivot, rotate(turned, [0, 0, -1]), 0.03), orientation: turned },
      },
    ],
    // And a little more, since its ends are fast between the frames that place the camera.
    outline: (t) => cornersOf([halfSizes[0] + 0.03, halfSizes[1] + 0.03, 0.03], pose(t)),
    marks: [along(pivot, [0, -1, 0], length - whole / 2), along(pivot, [0, -1, 0], length + whole / 2)],
    view: { elevation: [-0.05, 0.2], azimuth: [-0.3, 0.3] },
    depth: 0.7,
  };
}
