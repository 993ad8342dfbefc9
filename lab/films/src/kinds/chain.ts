import { drawDull, drawPaint } from '../paint.ts';
import { hangingChain, SHAPES } from '../physics/hanging-chain.ts';
import type { Random } from '../random.ts';
import type { Pose } from '../shot.ts';
import type { Scene } from '../take.ts';
import type { Vector } from '../vectors.ts';
import { along, compose, rotate, turn } from '../vectors.ts';

/** Duration of the film, s. */
const SECONDS = 3;

/** Draws a film of a rope that hangs from a block and swings: gravity and damping are unknown, its length is known. */
export function drawChain(random: Random): Scene {
  const length = random.between(0.5, 1);
  const thickness = random.between(0.006, 0.013);
  const gravity = random.between(7, 12);
  const damping = random.factor(0.03, 0.3);
  // Mostly straight, with less of each finer shape.
  const amounts = (most: number): number[] =>
    Array.from({ length: SHAPES }, (_, k) => random.between(-most, most) / 4 ** k);
  const angle = random.sign() * random.between(0.2, 0.45);
  const [start, startRates] = [amounts(0.12), amounts(0.5)];
  const swing = hangingChain({ length, gravity, damping, start: [angle, ...start.slice(1)], startRates }, SECONDS);
  const hook: Vector = [0, length + random.between(0.15, 0.3), 0];
  const plane = random.between(-0.3, 0.3);
  const turned = turn([0, 1, 0], plane);
  // The strip's x axis points down.
  const place: Pose = { position: hook, orientation: compose(turned, turn([0, 0, 1], -Math.PI / 2)) };
  const halfSizes: Vector = [0.03, 0.015, 0.03];
  return {
    kind: 'chain',
    truth: { gravity, damping },
    measured: { length, gravity: null, span: length },
    start: { plane },
    seconds: SECONDS,
    movers: [
      {
        solid: { shape: 'strip', length, width: thickness, thickness, paint: drawPaint(random, 1) },
        place,
        bendAt: swing,
      },
    ],
    props: [
      {
        solid: { shape: 'box', halfSizes, paint: drawDull(random) },
        pose: { position: along(hook, [0, 1, 0], halfSizes[1]), orientation: turned },
      },
    ],
    // And a little more, since its end is fast between the frames that place the camera.
    outline: (t) =>
      swing(t).flatMap(([x, y]) =>
        [-0.03, 0.03].map((more) => along(along(hook, rotate(place.orientation, [x, y, 0]), 1), [1, 0, 0], more)),
      ),
    marks: [hook, along(hook, [0, -1, 0], length)],
    view: { elevation: [-0.05, 0.2], azimuth: [-0.3, 0.3] },
    depth: 0.7,
  };
}
