import { Cage, type Shape } from './cage.ts';
import { evenAngles, outlineOf, type Section } from './section.ts';

/**
 * Cross-sections of the stapler, from the front of the base back to the hinge, and forwards along the arm to its nose.
 */
const SECTIONS: readonly Section[] = [
  { at: [0.66, -0.2], tilt: 180, side: 0.1, up: 0.03, down: 0.015 },
  { at: [0.6, -0.2], tilt: 180, side: 0.13, up: 0.03, down: 0.03 },
  { at: [0.4, -0.2], tilt: 180, side: 0.13, up: 0.03, down: 0.03 },
  { at: [-0.35, -0.2], tilt: 180, side: 0.13, up: 0.03, down: 0.03 },
  { at: [-0.52, -0.19], tilt: 170, side: 0.13, up: 0.045, down: 0.04 },
  { at: [-0.6, -0.12], tilt: 110, side: 0.1, up: 0.06, down: 0.1 },
  { at: [-0.6, -0.05], tilt: 70, side: 0.1, up: 0.08, down: 0.12 },
  { at: [-0.5, 0.0], tilt: 15, side: 0.1, up: 0.14, down: 0.09 },
  { at: [-0.3, 0.03], tilt: 9, side: 0.1, up: 0.16, down: 0.09 },
  { at: [0, 0.07], tilt: 9, side: 0.1, up: 0.15, down: 0.09 },
  { at: [0.3, 0.11], tilt: 9, side: 0.1, up: 0.12, down: 0.095 },
  { at: [0.48, 0.13], tilt: 5, side: 0.1, up: 0.09, down: 0.12 },
  { at: [0.56, 0.13], tilt: 0, side: 0.09, up: 0.06, down: 0.12 },
];
/** Sides of the arm's outline that are painted as the magazine. */
const MAGAZINE = [4, 5, 6];

/** An open stapler: a base, a hinge, and an arm with its magazine above it. */
export function stapler(): Shape {
  const cage = new Cage();
  const rings = SECTIONS.map((section) => outlineOf({ ...section, power: 0.45 }, evenAngles(12, 15)));
  const faces = cage.loft(rings, [0.67, -0.2, 0], [0.57, 0.1, 0], (k) => (k < 4 ? 'base' : k < 7 ? 'hinge' : 'arm'));
  cage.paint(
    faces.slice(7).flatMap((ring) => MAGAZINE.map((side) => ring[side])),
    'magazine',
  );
  return cage.shape('stapler');
}
