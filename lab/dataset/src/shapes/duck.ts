import { Cage, type Shape } from './cage.ts';
import { evenAngles, outlineOf, type Section } from './section.ts';

/** Cross-sections of the duck, from the tip of the tail through body and neck to the bill. */
const SECTIONS: readonly Section[] = [
  { at: [-0.62, 0.13], tilt: -40, side: 0.05, up: 0.03, down: 0.03 },
  { at: [-0.53, 0.03], tilt: -30, side: 0.17, up: 0.08, down: 0.1 },
  { at: [-0.4, -0.08], tilt: -12, side: 0.28, up: 0.15, down: 0.2 },
  { at: [-0.2, -0.13], tilt: 0, side: 0.35, up: 0.22, down: 0.25 },
  { at: [0.02, -0.12], tilt: 15, side: 0.35, up: 0.23, down: 0.28 },
  { at: [0.17, -0.02], tilt: 50, side: 0.28, up: 0.23, down: 0.27 },
  { at: [0.2, 0.12], tilt: 85, side: 0.17, up: 0.17, down: 0.16 },
  { at: [0.2, 0.22], tilt: 86, side: 0.19, up: 0.18, down: 0.18 },
  { at: [0.22, 0.36], tilt: 60, side: 0.22, up: 0.23, down: 0.21 },
  { at: [0.31, 0.4], tilt: 15, side: 0.2, up: 0.19, down: 0.18 },
  { at: [0.41, 0.37], tilt: 0, side: 0.13, up: 0.1, down: 0.1 },
  { at: [0.43, 0.35], tilt: 0, side: 0.11, up: 0.045, down: 0.045 },
  { at: [0.52, 0.34], tilt: -4, side: 0.115, up: 0.028, down: 0.03 },
  { at: [0.59, 0.345], tilt: -4, side: 0.075, up: 0.02, down: 0.02 },
];

/** A bath duck. */
export function duck(): Shape {
  const cage = new Cage();
  const rings = SECTIONS.map((section) => outlineOf(section, evenAngles(14, 360 / 28)));
  const faces = cage.loft(rings, [-0.645, 0.155, 0], [0.605, 0.345, 0], (k) =>
    k >= 11 ? 'bill' : k < 6 ? 'body' : 'head',
  );
  cage.paint([faces[9][1], faces[9][11]], 'eyes');
  return cage.shape('duck');
}
