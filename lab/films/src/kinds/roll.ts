import { around } from '../outline.ts';
import { drawShades } from '../paint.ts';
import { rollingBall } from '../physics/rolling-ball.ts';
import type { Random } from '../random.ts';
import type { Pose } from '../shot.ts';
import type { Scene } from '../take.ts';
import { along, turn } from '../vectors.ts';
import { inclineOf } from './incline.ts';

/** Duration of the film, s. */
const SECONDS = 1.2;
/** Acceleration of gravity, m/s^2. */
const GRAVITY = 9.81;
/** Length of the incline beyond the distance that the ball rolls, m. */
const SPARE = 0.5;
/** Distances that balls roll, m; other draws are rejected. */
const WAYS = [0.3, 2];

/** Draws a film of a ball, solid, hollow or between, that rolls down a board: its inertia factor is unknown. */
export function drawRoll(random: Random): Scene {
  const angle = random.between(0.08, 0.35);
  const factor = random.between(0.4, 2 / 3);
  const friction = random.between(0, 0.01);
  const speed = random.between(0, 0.6);
  const rolled = rollingBall({ angle, gravity: GRAVITY, factor, friction, speed });
  const way = rolled(SECONDS);
  if (way < WAYS[0] || way > WAYS[1]) return drawRoll(random);
  const radius = random.between(0.03, 0.06);
  const across = random.between(-0.05, 0.05);
  const incline = inclineOf(random, angle, way + SPARE, random.between(0.25, 0.4));
  const pose = (t: number): Pose => ({
    position: along(incline.at(rolled(t) - way / 2, across), incline.normal, radius),
    orientation: turn([0, 0, 1], -rolled(t) / radius),
  });
  return {
    kind: 'roll',
    truth: { factor },
    measured: { radius, gravity: GRAVITY, angle: (180 / Math.PI) * angle },
    start: { speed, friction },
    seconds: SECONDS,
    movers: [{ solid: { shape: 'sphere', radius, paint: drawShades(random) }, poseAt: pose }],
    props: [incline.board],
    outline: (t) => around(pose(t).position, radius),
    view: { elevation: [0.05, 0.5], azimuth: [-0.4, 0.4] },
    depth: 0.6,
  };
}
