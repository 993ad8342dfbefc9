import { Cage, type Point, type Shape } from './cage.ts';
import { outlineOf, type Section } from './section.ts';

/**
 * Angles of the points on each cross-section's outline, degrees: narrow intervals at the top and the sides, from which
 * fin and wings are extruded.
 */
const ANGLES = [12, 45, 82, 104, 140, 180, 220, 256, 278, 315, 348];
const [TOP, RIGHT, LEFT] = [10, 2, 7];

/** Cross-sections of the airliner, from tail to nose. */
const SECTIONS: readonly Section[] = [
  { at: [-0.68, 0.06], side: 0.018, up: 0.022 },
  { at: [-0.54, 0.045], side: 0.04, up: 0.045 },
  { at: [-0.36, 0.02], side: 0.072, up: 0.072 },
  { at: [-0.16, 0], side: 0.09, up: 0.09 },
  { at: [0.02, 0], side: 0.092, up: 0.092 },
  { at: [0.2, 0], side: 0.092, up: 0.092 },
  { at: [0.42, 0], side: 0.09, up: 0.09 },
  { at: [0.54, -0.006], side: 0.076, up: 0.074 },
  { at: [0.63, -0.02], side: 0.045, up: 0.04 },
  { at: [0.665, -0.025], side: 0.02, up: 0.018 },
];

/** An airliner: fuselage, swept wings, fin and tailplane. */
export function airplane(): Shape {
  const cage = new Cage();
  const rings = SECTIONS.map((section) => outlineOf(section, ANGLES));
  const faces = cage.loft(rings, [-0.7, 0.062, 0], [0.675, -0.026, 0], () => 'fuselage');
  cage.paint([faces[7][TOP], faces[7][0], faces[7][9]], 'window');
  const strip = (side: number, from: number, to: number) => faces.slice(from, to).map((ring) => ring[side]);
  for (const [side, sign] of [
    [RIGHT, 1],
    [LEFT, -1],
  ] as const) {
    const wing = cage.extrude(strip(side, 3, 5), 'wings', ([x, y]) => [x * 0.72 - 0.1, 0.75 * y + 0.02, sign * 0.36]);
    cage.extrude(wing, 'wings', ([x, y]) => [0.5 * x - 0.26, 0.35 * y + 0.05, sign * 0.74]);
    cage.extrude(strip(side, 0, 1), 'wings', ([x, y]) => [0.6 * x - 0.32, 0.06 + 0.4 * (y - 0.06), sign * 0.27]);
  }
  const fin = (point: Point): Point => [0.5 * point[0] - 0.38, 0.36 + 0.2 * point[1], 0.5 * point[2]];
  cage.extrude(strip(TOP, 0, 2), 'tail', fin);
  return cage.shape('airplane');
}
