import { Cage, type Shape } from './cage.ts';
import { evenAngles, outlineOf } from './section.ts';

/** Profile of the pear: pairs of height and radius, m, from the bottom up. */
const PROFILE = [
  [-0.47, 0.08],
  [-0.48, 0.16],
  [-0.42, 0.28],
  [-0.28, 0.37],
  [-0.12, 0.38],
  [0.03, 0.33],
  [0.16, 0.25],
  [0.28, 0.195],
  [0.39, 0.165],
  [0.46, 0.12],
  [0.475, 0.05],
  [0.46, 0.025],
  [0.56, 0.022],
  [0.65, 0.03],
] as const;

/** A pear with its stem. */
export function pear(): Shape {
  const cage = new Cage();
  const rings = PROFILE.map(([y, radius], k) =>
    outlineOf(
      { at: [k > 11 ? 0.04 * (k - 11) : 0, y], tilt: k > 11 ? 70 : 90, side: radius, up: radius },
      evenAngles(14),
    ),
  );
  cage.loft(rings, [0, -0.44, 0], [0.085, 0.655, 0], (k) => (k >= 11 ? 'stem' : k < 1 ? 'blossom' : 'skin'));
  return cage.shape('pear');
}
