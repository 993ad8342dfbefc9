import { around } from '../outline.ts';
import { drawDull, drawShades } from '../paint.ts';
import { dampedSpring } from '../physics/damped-spring.ts';
import type { Random } from '../random.ts';
import type { Pose } from '../shot.ts';
import { UPRIGHT } from '../shot.ts';
import type { Mover, Scene } from '../take.ts';
import type { Vector } from '../vectors.ts';
import { along, turn } from '../vectors.ts';

/** Duration of the film, s. */
const SECONDS = 2.5;
/** Number of straight pieces of the drawn spring, a zigzag, and their radius, m. */
const [PIECES, WIRE] = [14, 0.0015];
const STEEL = [0.12, 0.12, 0.13] as const;

/** Draws a film of a ball that bobs on a spring: stiffness and damping are unknown, the masses are known. */
export function drawSpring(random: Random): Scene {
  const radius = random.between(0.03, 0.05);
  const mass = random.factor(0.05, 0.5);
  const springMass = mass * random.between(0.05, 0.3);
  const period = random.between(0.45, 1.1);
  const moved = mass + springMass / 3;
  const stiffness = moved * ((2 * Math.PI) / period) ** 2;
  const damping = random.factor(0.03, 0.4);
  const amplitude = radius * random.between(1.8, 3);
  const phase = random.between(-Math.PI, Math.PI);
  const bob = dampedSpring({
    stiffness,
    mass: moved,
    damping,
    height: amplitude * Math.cos(phase),
    rate: -((2 * Math.PI) / period) * amplitude * Math.sin(phase),
  });
  // From the support to the top of the ball at rest.
  const length = amplitude + random.between(0.15, 0.3);
  const support: Vector = [0, length + amplitude + 2 * radius + random.between(0.15, 0.3), 0];
  const ball = (t: number): Vector => along(support, [0, -1, 0], length + radius - bob(t));
  // Of constant length, so that the zigzag narrows where it is drawn out.
  const piece = (length + amplitude) / PIECES / 0.95;
  const coil = (k: number): Mover => ({
    solid: {
      shape: 'rod',
      radius: WIRE,
      length: piece,
      paint: { colors: [STEEL], roughness: 0.5, clearcoat: 0 },
    },
    poseAt: (t): Pose => {
      const high = (length - bob(t)) / PIECES;
      const lean = Math.acos(Math.min(high / piece, 1)) * (k % 2 === 0 ? 1 : -1);
      return { position: along(support, [0, -1, 0], (k + 0.5) * high), orientation: turn([0, 0, 1], lean) };
    },
  });
  return {
    kind: 'spring',
    truth: { stiffness, damping },
    measured: { radius, mass, springMass },
    start: { height: bob(0), period },
    seconds: SECONDS,
    movers: [
      {
        solid: { shape: 'sphere', radius, paint: drawShades(random) },
        poseAt: (t) => ({ position: ball(t), orientation: UPRIGHT }),
      },
      ...Array.from({ length: PIECES }, (_, k) => coil(k)),
    ],
    props: [
      {
        solid: { shape: 'box', halfSizes: [0.06, 0.012, 0.03], paint: drawDull(random) },
        pose: { position: along(support, [0, 1, 0], 0.012), orientation: UPRIGHT },
      },
    ],
    outline: (t) => [...around(ball(t), radius), support],
    view: { elevation: [-0.05, 0.3], azimuth: [-0.4, 0.4] },
    depth: 0.7,
  };
}
