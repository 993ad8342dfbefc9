import { around } from '../outline.ts';
import { drawPaint } from '../paint.ts';
import { spinningDisc } from '../physics/spinning-disc.ts';
import type { Random } from '../random.ts';
import type { Pose } from '../shot.ts';
import type { Scene } from '../take.ts';
import type { Vector } from '../vectors.ts';
import { turn } from '../vectors.ts';

/** Duration of the film, s. */
const SECONDS = 4;
/** Number of sides of the prisms drawn for the disc and its mark. */
const SIDES = 96;
/** Thicknesses of the disc and of its mark, and gap between disc and floor, m. */
const [DISC, MARK, GAP] = [0.008, 0.0006, 0.01];

/** Draws a film of a disc with a mark, seen from above, that slows down: what brakes it is unknown. */
export function drawSpin(random: Random): Scene {
  const rate = random.between(5, 14);
  // Each term for a part of what slows it, of which some are missing.
  const shares = [0, 1, 2].map(() => Math.max(0, random.between(-0.3, 1)));
  const total = shares.reduce((sum, share) => sum + share, 0);
  if (total === 0) return drawSpin(random);
  const slows = (rate * random.between(0.5, 1.2)) / SECONDS;
  const [dry, viscous, air] = shares.map((share, power) => (slows * share) / total / (0.6 * rate) ** power);
  const turned = spinningDisc({ rate, dry, viscous, air });
  const radius = random.between(0.08, 0.15);
  const mark = random.between(0.07, 0.12) * radius;
  const far = radius - random.between(1.5, 3) * mark;
  const [first, way] = [random.between(-Math.PI, Math.PI), random.sign()];
  const lying = turn([1, 0, 0], Math.PI / 2);
  const top = GAP + DISC;
  const [ground, own] = drawPaint(random, 2).colors;
  const paint = { colors: [ground], roughness: random.between(0.5, 0.9), clearcoat: 0 };
  const pose = (t: number): Pose => {
    const angle = first + way * turned(t);
    return { position: [far * Math.cos(angle), top + MARK / 2, -far * Math.sin(angle)], orientation: lying };
  };
  return {
    kind: 'spin',
    truth: { 'dry friction': dry, 'viscous friction': viscous, 'air friction': air, 'angular velocity': way * rate },
    measured: { radius: far },
    start: { angle: first },
    seconds: SECONDS,
    movers: [
      {
        solid: { shape: 'prism', radius: mark, width: MARK, sides: SIDES, paint: { ...paint, colors: [own] } },
        poseAt: pose,
      },
    ],
    // Of one colour, so that nothing shows that it turns.
    props: [
      {
        solid: { shape: 'prism', radius, width: DISC, sides: SIDES, paint },
        pose: { position: [0, GAP + DISC / 2, 0] as Vector, orientation: lying },
      },
    ],
    outline: () => around([0, top, 0], radius),
    view: { elevation: [Math.PI / 2 - 0.15, Math.PI / 2 - 0.01], azimuth: [-0.4, 0.4] },
    depth: 2,
  };
}
