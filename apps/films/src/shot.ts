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

/** The centre line of a strip at each of its stations: forwards and upwards of the origin, m, and its slope. */
export type Bend = readonly (readonly [x: number, y: number, slope: number])[];

/** One thing at every instant of every frame. */
export type Actor = { readonly solid: Solid } & (
  | { readonly poses: readonly (readonly Pose[])[] }
  | { readonly place: Pose; readonly bends: readonly (readonly Bend[])[] }
);

/** Light, surroundings and sensor. */
export interface Look {
  /** Towards the lamp, and the half width of the angle that it fills, rad. */
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
  /** Standard deviation in the dark, and the square of that in full light, of full light. */
  readonly readNoise: number;
  readonly shotNoise: number;
  readonly seed: number;
}

/** Shot that the page photographs. All of it is JSON. */
export interface Shot {
  readonly camera: Camera;
  readonly frames: number;
  /** Pictures that an exposure is the mean of: each at a moment, a place in the pixel and a point of the lamp of its own. */
  readonly instants: number;
  readonly actors: readonly Actor[];
  /** Static things. */
  readonly props: readonly { readonly solid: Solid; readonly pose: Pose }[];
  readonly look: Look;
}

/** Photographs that the page posts: 8 bit RGB, row by row from the top, in base64. */
export interface Photographs {
  readonly frames?: string;
  /** The scene without actors. */
  readonly plate?: string;
  readonly error?: string;
}

/** A pose that moves nothing. */
export const UPRIGHT: Quaternion = [0, 0, 0, 1];
