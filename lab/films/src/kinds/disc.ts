import { cornersOf } from '../outline.ts';
import { drawPaint } from '../paint.ts';
import { rollingDisc } from '../physics/rolling-disc.ts';
import type { Random } from '../random.ts';
import type { Pose } from '../shot.ts';
import type { Scene } from '../take.ts';
import { along, turn } from '../vectors.ts';
import { inclineOf } from './incline.ts';

/** Duration of the film, s. */
const SECONDS = 1.2;
/** Acceleration of gravity, m/s^2. */
const GRAVITY = 9.81;
/** Length of the incline beyond the distance that the disc rolls, m. */
const SPARE = 0.5;
/** Maximum distance that the disc rolls, m; longer draws are rejected. */
const LONGEST_WAY = 2.2;
/**
 * Number of sides of the prism drawn for the disc; its outline deviates from the circle by at most 0.03 % of the
 * radius.
 */
const SIDES = 128;

/**
 * Draws a film of a disc, a hoop or something between that rolls down a board: moment of inertia and speed are unknown.
 */
export function drawDisc(random: Random): Scene {
  const angle = random.between(0.1, 0.4);
  const inertiaRatio = random.between(0.3, 1);
  const speed = random.between(0.1, 1);
  const rolled = rollingDisc({ angle, gravity: GRAVITY, inertiaRatio, speed });
  const way = rolled(SECONDS);
  if (way > LONGEST_WAY) return drawDisc(random);
  const radius = random.between(0.06, 0.12);
  const width = random.between(0.02, 0.06);
  const phase = random.between(-Math.PI, Math.PI);
  const across = random.between(-0.05, 0.05);
  const incline = inclineOf(random, angle, way + SPARE, random.between(0.25, 0.4));
  const pose = (t: number): Pose => ({
    position: along(incline.at(rolled(t) - way / 2, across), incline.normal, radius),
    orientation: turn([0, 0, 1], phase - rolled(t) / radius),
  });
  return {
    kind: 'disc',
    truth: { inertiaRatio, speed },
    measured: { radius, width, gravity: GRAVITY, angle: (180 / Math.PI) * angle, point: incline.at(0, 0) },
    start: { position: pose(0).position, phase },
    seconds: SECONDS,
    movers: [{ solid: { shape: 'prism', radius, width, sides: SIDES, paint: drawPaint(random, 4) }, poseAt: pose }],
    props: [incline.board],
    outline: (t) => cornersOf([radius, radius, width / 2], { ...pose(t), orientation: [0, 0, 0, 1] }),
    view: { elevation: [0.05, 0.5], azimuth: [-0.5, 0.5] },
    depth: 0.6,
  };
}
