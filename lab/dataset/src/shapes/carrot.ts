import { Cage, type Shape } from './cage.ts';
import { evenAngles, outlineOf } from './section.ts';

/** Profile of the root: pairs of height above the tip and radius, m. */
const PROFILE = [
  [-0.64, 0.012],
  [-0.54, 0.034],
  [-0.38, 0.07],
  [-0.36, 0.068],
  [-0.18, 0.11],
  [-0.16, 0.107],
  [0.02, 0.145],
  [0.04, 0.141],
  [0.2, 0.165],
  [0.26, 0.14],
  [0.275, 0.08],
] as const;

/** A carrot with four leaves. */
export function carrot(): Shape {
  const cage = new Cage();
  const rings = PROFILE.map(([y, radius]) =>
    outlineOf({ at: [0, y], tilt: 90, side: radius, up: radius }, evenAngles(12)),
  );
  const faces = cage.loft(rings, [0, -0.7, 0], [0, 0.29, 0], () => 'root');
  const crown = faces[faces.length - 1];
  for (const k of [1, 4, 7, 10]) {
    const angle = (2 * Math.PI * (k + 0.5)) / 12;
    // Sections of the outline go from -x towards +z.
    const [dx, dz] = [-Math.cos(angle), Math.sin(angle)];
    let [leaf] = cage.extrude([crown[k]], 'leaves', ([x, y, z]) => [0.75 * x, y + 0.1, 0.75 * z]);
    for (const [rise, out, width, depth] of LEAF)
      [leaf] = cage.extrude([leaf], 'leaves', ([x, , z], corner) => {
        const across = Math.sign(z * dx - x * dz) * width;
        // The first two corners are those of the outer ring.
        const along = out + (corner < 2 ? depth : -depth);
        return [dx * along - dz * across, rise, dz * along + dx * across];
      });
  }
  return cage.shape('carrot');
}

/**
 * Cross-sections of a leaf: height, distance from the carrot's axis, half of the width and half of the thickness, m.
 */
const LEAF = [
  [0.5, 0.1, 0.035, 0.012],
  [0.58, 0.14, 0.1, 0.012],
  [0.68, 0.2, 0.09, 0.012],
  [0.78, 0.29, 0.015, 0.008],
] as const;
