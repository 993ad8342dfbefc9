import { cornersOf } from '../outline.ts';
import { drawShades } from '../paint.ts';
import { flyingBall } from '../physics/flying-ball.ts';
import type { Random } from '../random.ts';
import type { Pose } from '../shot.ts';
import type { Scene } from '../take.ts';
import type { Vector } from '../vectors.ts';
import { compose, turn } from '../vectors.ts';

/** Acceleration of gravity, m/s^2. */
const GRAVITY = 9.81;
/** Ways that filters fall, m. */
const WAYS = [0.7, 1.4] as const;

/**
 * Draws a film of a coffee filter, a flat cylinder, that falls from rest, swaying a little: its terminal speed is unknown, and
 * a length is marked where it falls.
 */
export function drawFilter(random: Random): Scene {
  const terminal = random.between(0.8, 2);
  const radius = random.between(0.05, 0.08);
  const height = radius * random.between(0.3, 0.5);
  const way = random.between(...WAYS);
  const sway = random.between(0, 0.015);
  const lean = random.between(0, 0.15);
  const phase = random.between(0, 6);
  // Time of the way from rest: y = v^2 / g ln cosh(g t / v).
  const seconds = (terminal / GRAVITY) * Math.acosh(Math.exp((way * GRAVITY) / terminal ** 2));
  const start: Vector = [0, way + random.between(0.2, 0.4), 0];
  const fall = flyingBall({ gravity: GRAVITY, drag: GRAVITY / terminal ** 2, position: start, velocity: [0, 0, 0] });
  const pose = (t: number): Pose => {
    const [x, y, z] = fall(t);
    const at = 5 * t + phase;
    return {
      position: [x + sway * Math.sin(at), y, z],
      orientation: compose(turn([0, 0, 1], lean * Math.cos(at)), turn([1, 0, 0], Math.PI / 2)),
    };
  };
  return {
    kind: 'filter',
    truth: { 'terminal speed': terminal },
    measured: { span: way },
    start: { way, radius },
    seconds,
    movers: [{ solid: { shape: 'prism', radius, width: height, sides: 48, paint: drawShades(random) }, poseAt: pose }],
    props: [],
    outline: (t) => cornersOf([radius, radius, height / 2], pose(t)),
    marks: [
      [0, start[1], 0],
      [0, start[1] - way, 0],
    ],
    view: { elevation: [-0.05, 0.15], azimuth: [-0.3, 0.3] },
    depth: 0.6,
  };
}
