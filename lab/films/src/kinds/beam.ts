import { drawDull, drawShades } from '../paint.ts';
import { cantilever } from '../physics/cantilever.ts';
import type { Random } from '../random.ts';
import type { Pose } from '../shot.ts';
import { UPRIGHT } from '../shot.ts';
import type { Scene } from '../take.ts';
import type { Vector } from '../vectors.ts';
import { add } from '../vectors.ts';

/** Duration of the film, s. */
const SECONDS = 1.5;
/** Acceleration of gravity, m/s^2. */
const GRAVITY = 9.81;
/**
 * Draws a film of a rubber beam, released straight, that swings about its sagged position: Young's modulus and damping
 * ratio are unknown.
 */
export function drawBeam(random: Random): Scene {
  const length = random.between(0.6, 1.1);
  const thickness = length / random.between(14, 20);
  const width = thickness * random.between(1, 1.8);
  const density = random.between(300, 1300);
  const dampingRatio = random.between(0.015, 0.07);
  // How far its end sags at rest, rho A g L^4 / (8 E I), in parts of the length.
  const sag = random.between(0.015, 0.03);
  const youngsModulus = (12 * density * GRAVITY * length ** 3) / (8 * sag * thickness ** 2);
  const bend = cantilever(
    { length, width, thickness, density, youngsModulus, dampingRatio, gravity: GRAVITY },
    SECONDS,
  );
  const place: Pose = { position: [-length / 2, random.between(0.25, 0.6), 0], orientation: UPRIGHT };
  return {
    kind: 'beam',
    truth: { "Young's modulus": youngsModulus, 'damping ratio': dampingRatio },
    measured: { length, width, thickness, density, gravity: GRAVITY, clamp: place.position },
    start: {},
    seconds: SECONDS,
    movers: [{ solid: { shape: 'strip', length, width, thickness, paint: drawShades(random) }, place, bendAt: bend }],
    props: [clampOf(random, place.position, thickness, width)],
    outline: (t) =>
      bend(t).flatMap(([x, y]) =>
        [-1, 1].flatMap((up) =>
          [-1, 1].map((across) => add(place.position, [x, y + (up * thickness) / 2, (across * width) / 2] as Vector)),
        ),
      ),
    view: { elevation: [0, 0.4], azimuth: [-0.5, 0.5] },
    depth: 0.5,
  };
}

/** A block from which the beam sticks out. */
function clampOf(random: Random, [x, y, z]: Vector, thickness: number, width: number): Scene['props'][number] {
  const halfSizes: Vector = [0.05, y / 2 + thickness, width];
  return {
    solid: { shape: 'box', halfSizes, paint: drawDull(random) },
    pose: { position: [x - halfSizes[0], halfSizes[1], z], orientation: UPRIGHT },
  };
}
