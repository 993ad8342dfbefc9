import { cornersOf } from '../outline.ts';
import { drawPaint } from '../paint.ts';
import { slidingBox } from '../physics/sliding-box.ts';
import type { Random } from '../random.ts';
import type { Pose } from '../shot.ts';
import type { Scene } from '../take.ts';
import type { Vector } from '../vectors.ts';
import { along, compose, dot, scale, subtract, turn } from '../vectors.ts';
import { inclineOf } from './incline.ts';

/** Duration of the film, s. */
const SECONDS = 1.2;
/** Acceleration of gravity, m/s^2. */
const GRAVITY = 9.81;
/** Length of the incline beyond the distance that the box slides, m. */
const SPARE = 0.5;
const WAYS = [0.25, 1.6];

/** Draws a film of a box that slides down a board, sometimes to a standstill: friction and speed are unknown. */
export function drawSlide(random: Random): Scene {
  const angle = random.between(0.25, 0.6);
  const mu = random.between(0.1, 0.6);
  const speed = random.between(0.2, 1.5);
  const slid = slidingBox({ angle, gravity: GRAVITY, mu, speed });
  const way = slid(SECONDS);
  if (way < WAYS[0] || way > WAYS[1]) return drawSlide(random);
  const halfSizes: Vector = [random.between(0.05, 0.1), random.between(0.03, 0.05), random.between(0.04, 0.08)];
  const yaw = random.between(-0.4, 0.4);
  const across = random.between(-0.05, 0.05);
  const incline = inclineOf(random, angle, way + SPARE, random.between(0.4, 0.6));
  const pose = (t: number): Pose => ({
    position: along(incline.at(slid(t) - way / 2, across), incline.normal, halfSizes[1]),
    orientation: compose(incline.orientation, turn([0, 1, 0], yaw)),
  });
  return {
    kind: 'slide',
    truth: { friction: mu, speed },
    measured: { size: scale(halfSizes, 2), gravity: GRAVITY, angle: (180 / Math.PI) * angle, point: incline.at(0, 0) },
    start: { position: pose(0).position, orientationYaw: yaw },
    seconds: SECONDS,
    movers: [{ solid: { shape: 'box', halfSizes, paint: drawPaint(random, 6) }, poseAt: pose }],
    props: [incline.board],
    outline: (t) => cornersOf(halfSizes, pose(t)),
    // From below the board's surface its near edge hides the foot of the box.
    isHiddenFrom: (eye) => dot(incline.normal, subtract(eye, incline.at(0, 0))) < 0,
    view: { elevation: [0.1, 0.6], azimuth: [-0.5, 0.5] },
    depth: 0.6,
  };
}
