import { around } from '../outline.ts';
import { drawDull, drawShades } from '../paint.ts';
import { conicalPendulum } from '../physics/conical-pendulum.ts';
import { squaredFrequency } from '../physics/pendulum.ts';
import type { Random } from '../random.ts';
import type { Pose } from '../shot.ts';
import { UPRIGHT } from '../shot.ts';
import type { Scene } from '../take.ts';
import type { Vector } from '../vectors.ts';
import { along, compose, rotate, turn } from '../vectors.ts';

/** Duration of the film, s, and radius of the string, m. */
const [SECONDS, STRING] = [3, 0.0015];
const GRAVITY = 9.81;
const DARK = [0.05, 0.05, 0.05] as const;

/** Draws a film of a ball on a string that goes round, nearly in a circle: gravity, angle and damping are unknown. */
export function drawConical(random: Random): Scene {
  const length = random.between(0.4, 0.9);
  const radius = random.between(0.035, 0.055);
  const damping = random.factor(0.02, 0.15);
  const angle = random.between(0.3, 0.7);
  const evenly = Math.sqrt(squaredFrequency({ length, radius, gravity: GRAVITY }) / Math.cos(angle));
  const turning = random.sign() * evenly * random.between(0.95, 1.05);
  const thing = { length, radius, gravity: GRAVITY, damping, angle, rate: random.between(-0.1, 0.1), turning };
  const motion = conicalPendulum({ ...thing, azimuth: random.between(-Math.PI, Math.PI) });
  const hook: Vector = [0, length + radius + random.between(0.1, 0.3), 0];
  const down = (t: number) => {
    const at = motion(t);
    const orientation = compose(turn([0, 1, 0], at.azimuth), turn([1, 0, 0], -at.angle));
    return { orientation, way: rotate(orientation, [0, -1, 0]) };
  };
  const bob = (t: number): Pose => ({ position: along(hook, down(t).way, length), orientation: UPRIGHT });
  const string = (t: number): Pose => {
    const { orientation, way } = down(t);
    return { position: along(hook, way, length / 2), orientation };
  };
  return {
    kind: 'conical',
    truth: { gravity: GRAVITY, 'angle of the cone': (angle * 180) / Math.PI, 'angular velocity': turning, damping },
    measured: { length, radius },
    start: { widening: thing.rate },
    seconds: SECONDS,
    movers: [
      { solid: { shape: 'sphere', radius, paint: drawShades(random) }, poseAt: bob },
      {
        solid: {
          shape: 'rod',
          radius: STRING,
          length,
          paint: { colors: [DARK], roughness: 0.5, clearcoat: 0 },
        },
        poseAt: string,
      },
    ],
    props: [
      {
        solid: { shape: 'box', halfSizes: [0.03, 0.015, 0.03], paint: drawDull(random) },
        pose: { position: along(hook, [0, 1, 0], 0.015), orientation: UPRIGHT },
      },
    ],
    outline: (t) => [...around(bob(t).position, radius), hook],
    view: { elevation: [-0.05, 0.5], azimuth: [-0.4, 0.4] },
    depth: 0.9,
  };
}
