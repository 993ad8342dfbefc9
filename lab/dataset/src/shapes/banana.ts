import { Cage, type Shape } from './cage.ts';
import { evenAngles, outlineOf } from './section.ts';

/** Radius of the arc along which the banana is bent, relative to its size. */
const BEND = 0.55;
/** Position along the arc, degrees from its middle, and radius there, relative to the banana's size. */
const PROFILE = [
  [-72, 0.03],
  [-66, 0.045],
  [-60, 0.075],
  [-46, 0.125],
  [-28, 0.15],
  [-8, 0.158],
  [12, 0.156],
  [32, 0.145],
  [48, 0.115],
  [57, 0.06],
  [62, 0.036],
  [76, 0.034],
] as const;

/** A banana with its stem, both ends pointing up. */
export function banana(): Shape {
  const cage = new Cage();
  const centre = (degrees: number): [number, number] => {
    const angle = ((degrees - 90) * Math.PI) / 180;
    return [BEND * Math.cos(angle), 0.4 + BEND * Math.sin(angle)];
  };
  const rings = PROFILE.map(([degrees, radius]) =>
    outlineOf({ at: centre(degrees), tilt: degrees, side: radius, up: radius, power: 0.9 }, evenAngles(10, 18)),
  );
  const end = (degrees: number) => [...centre(degrees), 0] as const;
  cage.loft(rings, end(-73.5), end(77), (k) => (k < 2 ? 'tip' : k > 8 ? 'stem' : 'peel'));
  return cage.shape('banana');
}
