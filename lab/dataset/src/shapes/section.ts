import type { Point } from './cage.ts';

/** A cross-section of a solid that is symmetric about the plane z = 0. */
export interface Section {
  /** Centre of the section in the symmetry plane z = 0, m; the section is perpendicular to that plane. */
  readonly at: readonly [x: number, y: number];
  /** Direction from this section to the next, as an angle from the x axis towards y, degrees. Default 0. */
  readonly tilt?: number;
  /**
   * Radii of the section, m: `side` along z, `up` to the left of its direction, `down` to the right; `down` equals `up`
   * by default.
   */
  readonly side: number;
  readonly up: number;
  readonly down?: number;
  /**
   * Exponent applied to the cosine and sine of the outline: 1 for an ellipse, less for a box with rounded edges.
   * Default 1.
   */
  readonly power?: number;
  /** Shift of the outline's upper and lower ends along the section's direction, m. Default 0. */
  readonly bend?: number;
}

/** `count` angles at equal intervals around a full turn, degrees. */
export const evenAngles = (count: number, first = 0): number[] =>
  Array.from({ length: count }, (_, k) => first + (360 * k) / count);

/** Returns the points of a section's outline at angles measured from its upper end towards +z, degrees. */
export function outlineOf(section: Section, angles: readonly number[]): Point[] {
  const { at, tilt = 0, side, up, down = up, power = 1, bend = 0 } = section;
  const [c, s] = [Math.cos((tilt * Math.PI) / 180), Math.sin((tilt * Math.PI) / 180)];
  return angles.map((degrees) => {
    const angle = (degrees * Math.PI) / 180;
    const [cos, sin] = [rounded(Math.cos(angle), power), rounded(Math.sin(angle), power)];
    const height = cos * (cos > 0 ? up : down);
    const along = bend * cos ** 2;
    return [at[0] + along * c - height * s, at[1] + along * s + height * c, side * sin];
  });
}

const rounded = (value: number, power: number): number => Math.sign(value) * Math.abs(value) ** power;
