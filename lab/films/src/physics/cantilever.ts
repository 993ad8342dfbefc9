import { bendingLine, LINE_PLACES, type LinePoint } from './bending-line.ts';

/** A slender horizontal prismatic beam, clamped at one end and straight without load. */
export interface Cantilever {
  /** Length, width and vertical thickness, m. */
  readonly length: number;
  readonly width: number;
  readonly thickness: number;
  /** Density, kg/m^3. */
  readonly density: number;
  /** Young's modulus, Pa. */
  readonly youngsModulus: number;
  /** Damping ratio of the first mode; ratios of higher modes grow with their frequency, as with a material's viscosity. */
  readonly dampingRatio: number;
  /** Acceleration of gravity, m/s^2. */
  readonly gravity: number;
}

/** First four roots b L of the frequency equation cos(b L) cosh(b L) = -1. */
export const MODES = [1, 2, 3, 4].map((n) => {
  // Near (n - 1/2) pi; Newton's method for cos z + 1 / cosh z.
  let z = (n - 0.5) * Math.PI + (n === 1 ? 0.3 : 0);
  for (let k = 0; k < 20; k++) {
    const slope = -Math.sin(z) - Math.sinh(z) / Math.cosh(z) ** 2;
    z -= (Math.cos(z) + 1 / Math.cosh(z)) / slope;
  }
  return z;
});

/**
 * Angular frequency of a mode at small deflection, rad/s, from its root b L: (b L)^2 sqrt(E I / (rho A L^4)), with I / A =
 * thickness^2 / 12.
 */
export const angularFrequency = (z: number, { length, thickness, density, youngsModulus }: Cantilever): number =>
  (z ** 2 * Math.sqrt((youngsModulus * thickness ** 2) / 12 / density)) / length ** 2;

/** Slopes of the modes' shapes along the beam; the squares of the shapes have the mean 1. */
const SLOPES = LINE_PLACES.map((place) => MODES.map((z) => slopeOfMode(z, place)));

/**
 * Motion of the beam after it is released at time 0, straight and at rest. It bends in its plane by any angle, without a
 * change of length and without shear (Euler's elastica, with the damping of Kelvin and Voigt): its angle against the
 * horizontal is a sum of the slopes of the first modes, whose curvatures are orthogonal, so that bending and damping have no
 * terms between modes. A sag of 2 % of the length lowers the frequency by 0.04 % of that at small deflection.
 *
 * @param seconds duration, s.
 * @returns function of the time, s, that returns the centre line at equal distances along it. Before time 0 the beam is
 * straight.
 */
export function cantilever(beam: Cantilever, seconds: number): (time: number) => LinePoint[] {
  const frequencies = MODES.map((z) => angularFrequency(z, beam));
  const damping = (2 * beam.dampingRatio) / frequencies[0];
  const rest = MODES.map(() => 0);
  return bendingLine(
    {
      length: beam.length,
      slopes: SLOPES,
      start: rest,
      startRates: rest,
      gravity: [0, -beam.gravity],
      resist: (mode, amount, rate) => -(frequencies[mode] ** 2) * (amount + damping * rate),
    },
    seconds,
  );
}

/** Derivative by x, from 0 to 1, of the mode shape cosh y - cos y - s (sinh y - sin y) at y = z x. */
function slopeOfMode(z: number, x: number): number {
  const y = z * x;
  // s = (cosh z + cos z) / (sinh z + sin z), and 1 - s without cancellation.
  const below = Math.sinh(z) + Math.sin(z);
  const ratio = (Math.cosh(z) + Math.cos(z)) / below;
  const rest = (Math.sin(z) - Math.cos(z) - Math.exp(-z)) / below;
  // sinh y - s cosh y = -e^-y + (1 - s) cosh y
  return z * (-Math.exp(-y) + rest * Math.cosh(y) + Math.sin(y) + ratio * Math.cos(y));
}
