import type { Camera } from './camera.ts';
import type { Quaternion, Vector } from './vectors.ts';

/** Red, green, blue; linear light. */
export type Color = Vector;

/** Geometry about the origin, m. A disc's axis is z, a rod's y; a strip begins at the origin and extends along x. */
export type Shape =
  | { readonly shape: 'sphere'; readonly radius: number }
  | { readonly shape: 'ellipsoid'; readonly radii: Vector }
  | { readonly shape: 'box'; readonly halfSizes: Vector }
  | { readonly shape: 'prism'; readonly radius: number; readonly width: number; readonly sides: number }
  | { readonly shape: 'rod'; readonly radius: number; readonly length: number }
  | { readonly shape: 'strip'; readonly length: number; readonly width: number; readonly thickness: number };

/** Surfaces: two or more colours in turn, by the shape's own parts. */
export interface Paint {
  readonly colors: readonly Color[];
  readonly roughness: number;
  readonly clearcoat: number;
}

export type Solid = Shape & { readonly paint: Paint };

export interface Pose {
  readonly position: Vector;
  readonly orientation: Quaternion;
}

/** Centre line of a strip at each of its stations: position forwards and upwards of the origin, m, and slope. */
export type Bend = readonly (readonly [x: number, y: number, slope: number])[];

/** A moving object at every instant of every frame. */
export type Actor = { readonly solid: Solid } & (
  | { readonly poses: readonly (readonly Pose[])[] }
  | { readonly place: Pose; readonly bends: readonly (readonly Bend[])[] }
);

/** Light, surroundings and sensor. */
export interface Look {
  /** Direction towards the lamp, and half of the angle that it subtends, rad. */
  readonly lamp: Vector;
  readonly lampSpread: number;
  readonly lampIntensity: number;
  readonly skyIntensity: number;
  readonly floor: Color;
  readonly wall: Color;
  /** Distance of the wall behind the middle of the scene, m. */
  readonly wallBehind: number;
  /** Gain of red, green and blue. */
  readonly gain: Color;
  /**
   * Standard deviation of the noise in the dark, and variance of the shot noise in full light, relative to full light.
   */
  readonly readNoise: number;
  readonly shotNoise: number;
  readonly seed: number;
}

/** Shot that the page renders. All of it is JSON. */
export interface Shot {
  readonly camera: Camera;
  readonly frames: number;
  /**
   * Number of pictures averaged for an exposure: each with its own time, position in the pixel and point of the lamp.
   */
  readonly instants: number;
  readonly actors: readonly Actor[];
  /** Static things. */
  readonly props: readonly { readonly solid: Solid; readonly pose: Pose }[];
  readonly look: Look;
}

/** Pictures that the page posts: 8 bit RGB, row by row from the top, in base64. */
export interface Photographs {
  readonly frames?: string;
  /** Picture of the scene without actors. */
  readonly plate?: string;
  readonly error?: string;
}

/** Identity pose. */
export const UPRIGHT: Quaternion = [0, 0, 0, 1];
