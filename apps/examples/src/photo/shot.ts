/** A body's place and orientation: x, y, z, then a unit quaternion x, y, z, w. */
export type Pose = readonly number[];

/** Shot that the page of `in-page.ts` photographs. All of it is JSON. */
export interface Shot {
  /** Pixels across and down. */
  readonly size: number;
  /** Poses that the exposure of every frame averages, evenly spaced over the time that the shutter is open. */
  readonly exposures: readonly (readonly Pose[])[];
  readonly mesh: {
    /** x, y, z of every vertex in body axes, m. */
    readonly positions: readonly number[];
    /** Three vertices a triangle, counter-clockwise seen from outside. */
    readonly triangles: readonly number[];
    /** Red, green, blue of every triangle, linear light. */
    readonly colors: readonly number[];
  };
  readonly camera: {
    /** Position of the camera, m. */
    readonly eye: readonly number[];
    readonly target: readonly number[];
    /** Vertical angle, rad. */
    readonly fieldOfView: number;
  };
  readonly look: Look;
}

/** Light, ground and materials of a shot: what the one who estimates from it is not told. */
export interface Look {
  /** Direction from the scene towards the sun. */
  readonly sun: readonly number[];
  readonly sunIntensity: number;
  /** Intensity of the ambient light. */
  readonly skyIntensity: number;
  /** Red, green, blue of the ground, linear light. */
  readonly ground: readonly number[];
  readonly roughness: number;
  readonly clearcoat: number;
  readonly exposure: number;
}

/** Photographs that the page posts: 8 bit RGB, row by row from the top, in base64. */
export interface Photographs {
  /** Pictures, frame by frame. */
  readonly frames?: string;
  /** The scene without the body. */
  readonly plate?: string;
  readonly error?: string;
}
