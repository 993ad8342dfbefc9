import { Cage, type Shape } from './cage.ts';
import { evenAngles, outlineOf } from './section.ts';

/** Profile of the mug: pairs of height and radius, m, up the outside, over the rim, down the inside. */
const PROFILE = [
  [-0.45, 0.34],
  [-0.4, 0.36],
  [-0.25, 0.36],
  [-0.14, 0.36],
  [0.14, 0.36],
  [0.25, 0.36],
  [0.42, 0.36],
  [0.45, 0.345],
  [0.43, 0.31],
  [0.1, 0.31],
  [-0.34, 0.31],
  [-0.37, 0.27],
] as const;
/** Number of vertices around the mug's axis. */
const SIDES = 16;
/**
 * Cross-sections of the handle from its upper to its lower end: x and y of the centre, m, and direction of the handle,
 * degrees.
 */
const HANDLE = [
  [0.5, 0.215, -10],
  [0.61, 0.15, -50],
  [0.65, 0, -90],
  [0.61, -0.15, -130],
  [0.5, -0.215, -170],
] as const;

/** A mug with a handle that a finger fits through: a solid of genus 1. */
export function mug(): Shape {
  const cage = new Cage();
  const angles = evenAngles(SIDES, 180 / SIDES);
  const rings = PROFILE.map(([y, radius]) => outlineOf({ at: [0, y], tilt: 90, side: radius, up: radius }, angles));
  const faces = cage.loft(rings, [0, -0.42, 0], [0, -0.37, 0], (k) => (k > 6 ? 'inside' : 'outside'));
  // The face about the x axis, where outlines have their lower end.
  const side = SIDES / 2 - 1;
  let [end] = [faces[4][side]];
  for (const [x, y, degrees] of HANDLE) {
    const angle = (degrees * Math.PI) / 180;
    // Corners of a face between rings: two below, two above.
    [end] = cage.extrude([end], 'handle', ([, , z], k) => {
      const across = k < 2 ? -0.045 : 0.045;
      return [x - across * Math.sin(angle), y + across * Math.cos(angle), Math.sign(z) * 0.055];
    });
  }
  cage.bridge(end, faces[2][side], 'handle', 3);
  return cage.shape('mug');
}
