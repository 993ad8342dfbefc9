import { around } from '../outline.ts';
import { drawShades } from '../paint.ts';
import { bouncingBall, impactTimes } from '../physics/bouncing-ball.ts';
import type { Random } from '../random.ts';
import { UPRIGHT } from '../shot.ts';
import type { Scene } from '../take.ts';
import type { Vector } from '../vectors.ts';

/** Duration of the film, s. */
const SECONDS = 1.5;

/**
 * Draws a film of a ball without spin that bounces on a smooth floor at least twice: restitution and gravity are
 * unknown.
 */
export function drawBall(random: Random): Scene {
  const radius = random.between(0.06, 0.12);
  const restitution = random.between(0.5, 0.85);
  const gravity = random.between(7, 12);
  const across = random.sign() * random.between(0.3, 1);
  const velocity: Vector = [across, random.between(-0.5, 1), random.between(-0.4, 0.4)];
  const position: Vector = [
    (-across * SECONDS) / 2,
    radius + random.between(0.5, 1),
    (-velocity[2] * SECONDS) / 2 + random.between(-0.1, 0.1),
  ];
  const ball = { radius, restitution, gravity, position, velocity };
  if (impactTimes(ball, SECONDS - 0.2).length < 2) return drawBall(random);
  const at = bouncingBall(ball, SECONDS);
  return {
    kind: 'ball',
    truth: { restitution, gravity },
    measured: { radius, gravity: null },
    start: { position, velocity },
    seconds: SECONDS,
    movers: [
      {
        solid: { shape: 'sphere', radius, paint: drawShades(random) },
        poseAt: (t) => ({ position: at(t), orientation: UPRIGHT }),
      },
    ],
    props: [],
    outline: (t) => around(at(t), radius),
    view: { elevation: [0.05, 0.45], azimuth: [-0.5, 0.5] },
    depth: 0.6,
  };
}
