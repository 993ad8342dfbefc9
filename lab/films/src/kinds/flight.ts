import { around } from '../outline.ts';
import { drawShades } from '../paint.ts';
import { flyingBall } from '../physics/flying-ball.ts';
import type { Random } from '../random.ts';
import { UPRIGHT } from '../shot.ts';
import type { Scene } from '../take.ts';
import type { Vector } from '../vectors.ts';

/** Drag coefficient of a sphere, and density of air, kg/m^3. */
const [SPHERE, AIR] = [0.47, 1.2];

/**
 * Draws a film of a ball that is thrown, or dropped in one of three, and does not land: of a density between foam's and wood's.
 * Gravity and drag are unknown.
 */
export function drawFlight(random: Random): Scene {
  const radius = random.between(0.04, 0.1);
  const density = 15 * (700 / 15) ** random.between(0, 1);
  const drag = (3 * SPHERE * AIR) / (8 * radius * density);
  const gravity = 9.81;
  const isDropped = random.between(0, 1) < 1 / 3;
  const seconds = isDropped ? random.between(0.5, 0.65) : random.between(0.7, 0.95);
  const velocity: Vector = isDropped
    ? [0, 0, 0]
    : [random.sign() * random.between(0.8, 2.5), random.between(1.5, 4), random.between(-0.3, 0.3)];
  // Above the floor to its end, where without air it would be lowest.
  const lowest = Math.min(0, velocity[1] * seconds - (gravity * seconds ** 2) / 2);
  const position: Vector = [
    (-velocity[0] * seconds) / 2,
    radius + random.between(0.1, 0.3) - lowest,
    (-velocity[2] * seconds) / 2,
  ];
  const at = flyingBall({ gravity, drag, position, velocity });
  return {
    kind: 'flight',
    truth: { gravity, drag },
    measured: { radius, gravity: null },
    start: { position, velocity, density },
    seconds,
    movers: [
      {
        solid: { shape: 'sphere', radius, paint: drawShades(random) },
        poseAt: (t) => ({ position: at(t), orientation: UPRIGHT }),
      },
    ],
    props: [],
    outline: (t) => around(at(t), radius),
    view: { elevation: [0.05, 0.3], azimuth: [-0.3, 0.3] },
    depth: 0.6,
  };
}
