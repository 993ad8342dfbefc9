import { around } from '../outline.ts';
import { drawDull, drawShades } from '../paint.ts';
import { pendulum } from '../physics/pendulum.ts';
import type { Random } from '../random.ts';
import type { Pose } from '../shot.ts';
import type { Scene } from '../take.ts';
import type { Vector } from '../vectors.ts';
import { along, compose, rotate, turn } from '../vectors.ts';

/** Duration of the film, s. */
const SECONDS = 2.5;
/** Radius of the pendulum's rod, m. */
const ROD_RADIUS = 0.004;
const DARK = [0.05, 0.05, 0.05] as const;

/** Draws a film of a ball that swings on a light rod: gravity and damping are unknown, the length is known. */
export function drawPendulum(random: Random): Scene {
  const length = random.between(0.4, 1);
  const radius = random.between(0.035, 0.06);
  const gravity = random.between(7, 12);
  const damping = random.factor(0.05, 0.4);
  const angle = random.sign() * random.between(0.35, 1.1);
  const rate = random.between(-0.5, 0.5);
  const plane = random.between(-0.3, 0.3);
  const pivot: Vector = [0, length + radius + random.between(0.1, 0.3), 0];
  const swing = pendulum({ length, radius, gravity, damping, angle, rate });
  const turned = turn([0, 1, 0], plane);
  const rod = (t: number): Pose => {
    const orientation = compose(turned, turn([0, 0, 1], swing(t)));
    return { position: along(pivot, rotate(orientation, [0, -1, 0]), length / 2), orientation };
  };
  const bob = (t: number): Pose => {
    const { orientation } = rod(t);
    return { position: along(pivot, rotate(orientation, [0, -1, 0]), length), orientation };
  };
  const dark = { colors: [DARK], roughness: 0.5, clearcoat: 0 };
  return {
    kind: 'pendulum',
    truth: { gravity, damping },
    measured: { length, radius, gravity: null, pivot },
    start: { angle, rate, plane },
    seconds: SECONDS,
    movers: [
      { solid: { shape: 'sphere', radius, paint: drawShades(random) }, poseAt: bob },
      { solid: { shape: 'rod', radius: ROD_RADIUS, length, paint: dark }, poseAt: rod },
    ],
    props: [
      {
        solid: { shape: 'box', halfSizes: [0.03, 0.015, 0.03], paint: drawDull(random) },
        pose: { position: along(pivot, [0, 1, 0], 0.015), orientation: turned },
      },
    ],
    outline: (t) => [...around(bob(t).position, radius), pivot],
    view: { elevation: [-0.05, 0.3], azimuth: [-0.4, 0.4] },
    depth: 0.7,
  };
}
