import { Cage, type Shape } from './cage.ts';
import { outlineOf, type Section } from './section.ts';

/**
 * Angles of the points on each cross-section's outline, degrees: narrow intervals at the top, bottom and sides, from
 * which fins are extruded.
 */
const ANGLES = [9, 40, 70, 105, 140, 171, 189, 220, 255, 290, 320, 351];
const [BACK, BELLY, RIGHT, LEFT] = [11, 5, 3, 7];

/** Cross-sections of the fish, from the tail to the mouth. */
const SECTIONS: readonly Section[] = [
  { at: [-0.6, 0.01], side: 0.012, up: 0.27, down: 0.27, bend: -0.15 },
  { at: [-0.53, 0.01], side: 0.022, up: 0.14, down: 0.14, bend: -0.07 },
  { at: [-0.44, 0.01], side: 0.032, up: 0.062 },
  { at: [-0.32, 0.01], side: 0.05, up: 0.095, down: 0.09 },
  { at: [-0.18, 0], side: 0.085, up: 0.165, down: 0.16 },
  { at: [-0.03, 0], side: 0.115, up: 0.215, down: 0.21 },
  { at: [0.12, 0], side: 0.125, up: 0.225, down: 0.215 },
  { at: [0.26, -0.005], side: 0.12, up: 0.19, down: 0.18 },
  { at: [0.37, -0.015], side: 0.095, up: 0.135, down: 0.125 },
  { at: [0.45, -0.03], side: 0.06, up: 0.075, down: 0.065 },
  { at: [0.49, -0.04], side: 0.035, up: 0.035, down: 0.025 },
];

/** A fish with a forked tail, fins on its back and belly, and two at its sides. */
export function fish(): Shape {
  const cage = new Cage();
  const rings = SECTIONS.map((section) => outlineOf(section, ANGLES));
  const faces = cage.loft(rings, [-0.585, 0.01, 0], [0.485, -0.04, 0], (k) =>
    k < 2 ? 'fins' : k > 7 ? 'head' : 'body',
  );
  cage.paint([faces[7][1], faces[7][9]], 'eyes');
  const strip = (side: number, from: number, to: number) => faces.slice(from, to).map((ring) => ring[side]);
  cage.extrude(strip(BACK, 3, 7), 'fins', ([x, y, z]) => {
    const rise = Math.max(0.02, 0.17 - 0.5 * Math.abs(x + 0.02) * (x > -0.02 ? 0.55 : 0.75));
    return [x - 0.09, y + rise, 0.5 * z];
  });
  cage.extrude(strip(BELLY, 3, 5), 'fins', ([x, y, z]) => [x - 0.08, y - 0.1, 0.5 * z]);
  for (const [side, sign] of [
    [RIGHT, 1],
    [LEFT, -1],
  ] as const)
    cage.extrude([faces[6][side]], 'fins', ([x, y, z]) => [
      x - 0.17,
      y - 0.09 + 0.4 * (y + 0.1),
      z + (sign * 0.1 * (0.26 - x)) / 0.14 + sign * 0.03,
    ]);
  return cage.shape('fish');
}
