import { cornersOf } from '../outline.ts';
import { drawPaint, drawShades } from '../paint.ts';
import type { Random } from '../random.ts';
import type { Pose } from '../shot.ts';
import { UPRIGHT } from '../shot.ts';
import type { Mover, Scene } from '../take.ts';
import type { Vector } from '../vectors.ts';
import { inclineOf } from './incline.ts';

/** Duration of the film, and moments of the touch, s: what rests before it must not rest for half of the film. */
const [SECONDS, FROM, TO] = [1.6, 0.6, 0.72];
/** Length of the track beyond the ways of both, m. */
const SPARE = 0.5;
/** Gap between a glider and the track, m, in which light shows. */
const GAP = 0.004;

/** Draws a film of two gliders on a level track that collide: restitution and the ratio of masses are unknown. */
export function drawCollision(random: Random): Scene {
  const [restitution, ratio] = [random.between(0.2, 1), Math.exp(random.between(-0.7, 0.7))];
  const first = random.between(0.4, 0.6);
  const second = random.unit() < 0.4 ? 0 : -random.between(0.1, 0.3);
  const braking = [random.between(0.01, 0.06), random.between(0.01, 0.06)];
  const moment = random.between(FROM, TO);
  // Along a line: v1 = (u1 + q u2 - e q (u1 - u2)) / (1 + q), v2 = (u1 + q u2 + e (u1 - u2)) / (1 + q).
  const both = first + ratio * second;
  const parting = restitution * (first - second);
  const velocities = [
    [first, (both - ratio * parting) / (1 + ratio)],
    [second, (both + parting) / (1 + ratio)],
  ];
  const halfSizes = [0, 1].map((): Vector => [random.between(0.05, 0.09), random.between(0.02, 0.04), 0.03]);
  const wayOf = (k: number, t: number): number => {
    const [velocity, since] = t < moment ? [velocities[k][0], t - moment] : [velocities[k][1], t - moment];
    const time = since > 0 ? Math.min(since, Math.abs(velocity) / braking[k]) : since;
    const from = k === 0 ? -halfSizes[0][0] : halfSizes[1][0];
    return from + velocity * time - (Math.sign(velocity) * braking[k] * time * Math.abs(time)) / 2;
  };
  const ends = [0, 1].flatMap((k) => [0, moment, SECONDS].map((t) => wayOf(k, t)));
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  const middle = (least + most) / 2;
  const track = inclineOf(random, 0, most - least + SPARE, 0.1);
  const top = track.at(0, 0)[1] + GAP;
  const poseOf =
    (k: number) =>
    (t: number): Pose => ({
      position: [wayOf(k, t) - middle, top + halfSizes[k][1], 0],
      orientation: UPRIGHT,
    });
  return {
    kind: 'collision',
    truth: { restitution, 'mass ratio': ratio },
    measured: { span: most - least },
    start: { first, second, moment },
    seconds: SECONDS,
    movers: halfSizes.map(
      (own, k): Mover => ({
        solid: { shape: 'box', halfSizes: own, paint: k === 0 ? drawPaint(random, 3) : drawShades(random) },
        poseAt: poseOf(k),
      }),
    ),
    props: [track.board],
    outline: (t) => halfSizes.flatMap((own, k) => cornersOf(own, poseOf(k)(t))),
    marks: [track.at(-(most - least) / 2, halfSizes[0][2]), track.at((most - least) / 2, halfSizes[0][2])],
    view: { elevation: [0, 0.15], azimuth: [-0.15, 0.15] },
    depth: 0.8,
  };
}
