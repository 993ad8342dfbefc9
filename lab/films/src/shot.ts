import type { Camera } from './camera.ts';
import type { Quaternion, Vector } from './vectors.ts';

/** Red, green and blue in linear light. */
export type Color = Vector;

/**
 * Shape about the origin; lengths in m. The axis of a prism is z, that of a rod y; a strip starts at the origin and
 * extends along x.
 */
export type Shape =
  | { readonly shape: 'sphere'; readonly radius: number }
  | { readonly shape: 'ellipsoid'; readonly radii: Vector }
  | { readonly shape: 'box'; readonly halfSizes: Vector }
  | { readonly shape: 'prism'; readonly radius: number; readonly width: number; readonly sides: number }
  | { readonly shape: 'rod'; readonly radius: number; readonly length: number }
  | { readonly shape: 'strip'; readonly length: number; readonly width: number; readonly thickness: number };

/** Surface material: its colours alternate over the parts of the shape. */
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

/** Centre line of a strip, for each point along it: position x forwards and y upwards from the origin, m, and slope. */
export type Bend = readonly (readonly [x: number, y: number, slope: number])[];

/** A moving object, with a pose or bend for each instant of each frame. */
export type Actor = { readonly solid: Solid } & (
  | { readonly poses: readonly (readonly Pose[])[] }
  | { readonly place: Pose; readonly bends: readonly (readonly Bend[])[] }
);

/** Light, surroundings and sensor. */
export interface Look {
  /** Direction towards the lamp, and half of its apparent angular diameter, rad. */
  readonly lamp: Vector;
  readonly lampSpread: number;
  readonly lampIntensity: number;
  readonly skyIntensity: number;
  readonly floor: Color;
  readonly wall: Color;
  /** Distance of the wall behind the centre of the scene, m. */
  readonly wallBehind: number;
  /** Gain of the red, green and blue channels. */
  readonly gain: Color;
  /** Standard deviation of the noise in the dark, and variance of the shot noise at full light; full light is 1. */
  readonly readNoise: number;
  readonly shotNoise: number;
  readonly seed: number;
}

/** Shot that the page renders; it can be serialised as JSON. */
export interface Shot {
  readonly camera: Camera;
  readonly frames: number;
  /** Number of pictures averaged per exposure, each with its own time, subpixel position and point of the lamp. */
  readonly instants: number;
  readonly actors: readonly Actor[];
  /** Static objects. */
  readonly props: readonly { readonly solid: Solid; readonly pose: Pose }[];
  readonly look: Look;
}

/** Pictures that the page sends back: 8-bit RGB in base64, frames one after another, rows from the top. */
export interface Photographs {
  readonly frames?: string;
  /** Picture of the scene without actors. */
  readonly plate?: string;
  readonly error?: string;
}

/** Identity rotation. */
export const UPRIGHT: Quaternion = [0, 0, 0, 1];
