import { cornersOf } from '../outline.ts';
import { drawPaint, drawShades } from '../paint.ts';
import { rollingBall } from '../physics/rolling-ball.ts';
import type { Random } from '../random.ts';
import type { Pose } from '../shot.ts';
import type { Mover, Scene } from '../take.ts';
import type { Vector } from '../vectors.ts';
import { add, along, rotate } from '../vectors.ts';
import { inclineOf } from './incline.ts';

/** Duration of the film, s. */
const SECONDS = 1.6;
/** Acceleration of gravity, m/s^2. */
const GRAVITY = 9.81;
/** Length of the track beyond the way of the cart, m. */
const SPARE = 0.6;
/** Ways of carts, m; other draws are rejected. */
const WAYS = [0.5, 1.8];
const BLACK = [0.03, 0.03, 0.03] as const;

/** Draws a film of a cart with four wheels on a tilted track: its acceleration is unknown, and a length along the track is marked. */
export function drawCart(random: Random): Scene {
  const angle = random.between(0.03, 0.12);
  const friction = random.between(0.005, 0.025);
  const speed = random.between(0, 0.7);
  const ran = rollingBall({ angle, gravity: GRAVITY, factor: 0, friction, speed });
  const way = ran(SECONDS);
  if (way < WAYS[0] || way > WAYS[1]) return drawCart(random);
  const wheel = random.between(0.012, 0.02);
  const halfSizes: Vector = [random.between(0.06, 0.1), random.between(0.015, 0.035), random.between(0.03, 0.04)];
  const incline = inclineOf(random, angle, way + SPARE, random.between(0.12, 0.2));
  const body = (t: number): Pose => ({
    position: along(incline.at(ran(t) - way / 2, 0), incline.normal, 2 * wheel + halfSizes[1]),
    orientation: incline.orientation,
  });
  const wheelAt = (x: number, z: number): Mover => ({
    solid: {
      shape: 'prism',
      radius: wheel,
      width: 0.008,
      sides: 48,
      paint: { colors: [BLACK], roughness: 0.8, clearcoat: 0 },
    },
    poseAt: (t) => {
      const { position, orientation } = body(t);
      const from: Vector = [x * 0.6 * halfSizes[0], -halfSizes[1] - wheel, z * halfSizes[2]];
      return { position: add(position, rotate(orientation, from)), orientation };
    },
  });
  return {
    kind: 'cart',
    truth: { acceleration: GRAVITY * (Math.sin(angle) - friction * Math.cos(angle)) },
    measured: { span: way },
    start: { speed, angle, friction },
    seconds: SECONDS,
    movers: [
      {
        solid: { shape: 'box', halfSizes, paint: random.unit() < 0.5 ? drawPaint(random, 3) : drawShades(random) },
        poseAt: body,
      },
      ...[-1, 1].flatMap((x) => [-1, 1].map((z) => wheelAt(x, z))),
    ],
    props: [incline.board],
    outline: (t) => cornersOf([halfSizes[0], halfSizes[1] + wheel, halfSizes[2]], body(t)),
    // Below the near side of the cart.
    marks: [incline.at(-way / 2, halfSizes[2]), incline.at(way / 2, halfSizes[2])],
    view: { elevation: [0, 0.2], azimuth: [-0.25, 0.25] },
    depth: 0.8,
  };
}
